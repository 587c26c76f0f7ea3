use apollo_compiler::ast::Value as Ast;

use crate::model::Value;

/// Variables, which schemas cannot contain, become null.
pub(crate) fn lower_value(value: &Ast) -> Value {
    match value {
        Ast::Null | Ast::Variable(_) => Value::Null,
        Ast::Enum(name) => Value::Enum(name.to_string()),
        Ast::String(text) => Value::String(text.clone()),
        Ast::Boolean(value) => Value::Boolean(*value),
        Ast::Float(float) => Value::Float(float.try_to_f64().unwrap_or_default()),
        Ast::Int(int) => match int.as_str().parse() {
            Ok(int) => Value::Int(int),
            Err(_) => Value::BigInt(int.as_str().to_owned()),
        },
        Ast::List(items) => Value::List(items.iter().map(|item| lower_value(item)).collect()),
        Ast::Object(fields) => Value::Object(
            fields
                .iter()
                .map(|(name, value)| (name.to_string(), lower_value(value)))
                .collect(),
        ),
    }
}
