//! Numbers in values of custom scalars. The server holds them in 64 bits, so larger ones would be rounded.

use apollo_compiler::ast::Value;
use apollo_compiler::schema::ExtendedType;
use apollo_compiler::{Node, Schema};

use crate::diagnostics::code;
use crate::diagnostics::diagnostic::Collector;

/// Checks a constant of the named type, or a list of them.
pub(super) fn check(schema: &Schema, ty: &str, value: &Node<Value>, out: &mut Collector) {
    match schema.types.get(ty) {
        Some(ExtendedType::InputObject(input)) => match &**value {
            Value::List(items) => items.iter().for_each(|item| check(schema, ty, item, out)),
            Value::Object(fields) => {
                for (name, value) in fields {
                    if let Some(field) = input.fields.get(name) {
                        check(schema, field.ty.inner_named_type(), value, out);
                    }
                }
            }
            _ => {}
        },
        Some(ExtendedType::Scalar(scalar)) if !scalar.is_built_in() => check_scalar(ty, value, out),
        _ => {}
    }
}

fn check_scalar(ty: &str, value: &Node<Value>, out: &mut Collector) {
    let fits = match &**value {
        Value::List(items) => return items.iter().for_each(|item| check_scalar(ty, item, out)),
        Value::Object(fields) => return fields.iter().for_each(|(_, item)| check_scalar(ty, item, out)),
        Value::Int(int) => int.as_str().parse::<i64>().is_ok() || int.as_str().parse::<u64>().is_ok(),
        Value::Float(float) => float.try_to_f64().is_ok_and(f64::is_finite),
        _ => true,
    };
    if !fits {
        out.report(
            code::WRONG_VALUE,
            value.location(),
            format!("the number does not fit in 64 bits, so `{ty}` would receive another one"),
        )
        .help("write it as a string, and let the Rust type of the scalar parse it");
    }
}
