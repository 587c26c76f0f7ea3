use traitql_schema::model::{InputObject, InputValue, Type, TypeRef, Value};

use super::api::{Api, Style};
use crate::{
    names::{ident, pascal, snake},
    render,
};

pub(crate) fn expression(api: &Api<'_>, value: &Value, ty: &TypeRef, style: Style) -> String {
    match (ty, value) {
        (TypeRef::NonNull(inner), _) => present(api, value, inner, style),
        (_, Value::Null) => "None".to_owned(),
        _ => format!("Some({})", present(api, value, ty, style)),
    }
}

pub(crate) fn present(api: &Api<'_>, value: &Value, ty: &TypeRef, style: Style) -> String {
    match (ty, value) {
        (TypeRef::NonNull(inner), _) => present(api, value, inner, style),
        (TypeRef::List(entry), Value::List(values)) => {
            let entries: Vec<_> = values
                .iter()
                .map(|value| expression(api, value, entry, style))
                .collect();
            list(&entries)
        }
        // A single value is a list of one (GraphQL October 2021, section 3.11).
        (TypeRef::List(entry), single) => list(&[expression(api, single, entry, style)]),
        (TypeRef::Named(name), value) => named(api, value, name, style),
    }
}

fn list(entries: &[String]) -> String {
    match entries {
        [] => "vec![]".to_owned(),
        entries => format!("vec![{}]", entries.join(", ")),
    }
}

fn named(api: &Api<'_>, value: &Value, name: &str, style: Style) -> String {
    match (name, value, api.model.types.get(name)) {
        ("Int", Value::Int(number), _) => number.to_string(),
        ("Float", Value::Int(number), _) => format!("{number}.0"),
        ("Float", Value::BigInt(digits), _) => format!("{digits}.0"),
        ("Float", Value::Float(number), _) => format!("{number:?}"),
        ("Boolean", Value::Boolean(flag), _) => flag.to_string(),
        ("String", Value::String(text), _) if text.is_empty() => "String::new()".to_owned(),
        ("String", Value::String(text), _) => format!("{}.to_owned()", render::literal(text)),
        ("ID", Value::String(text), _) => format!("{}.into()", render::literal(text)),
        ("ID", Value::Int(number), _) => format!("\"{number}\".into()"),
        ("ID", Value::BigInt(digits), _) => format!("\"{digits}\".into()"),
        (_, Value::Enum(value), Some(Type::Enum(_))) => api.enum_value(name, value, style),
        (_, Value::Object(fields), Some(Type::Input(input))) => object(api, fields, input, style),
        _ => format!(
            "traitql::__private::constant({})",
            render::literal(&json(value).to_string())
        ),
    }
}

fn object(api: &Api<'_>, given: &[(String, Value)], input: &InputObject, style: Style) -> String {
    let name = api.named(&input.name, style);
    if input.one_of {
        let chosen = given
            .first()
            .and_then(|(key, value)| Some((input.fields.iter().find(|f| f.name == *key)?, value)));
        return chosen.map_or_else(String::new, |(field, value)| {
            format!(
                "{name}::{}({})",
                ident(&pascal(&field.rust)),
                boxed(api, input, field, present(api, value, &field.ty, style))
            )
        });
    }
    let fields: Vec<_> = input
        .fields
        .iter()
        .map(|field| {
            let value = match given.iter().find(|(key, _)| *key == field.name) {
                Some((_, value)) => field_value(api, input, field, value, style),
                None => absent(api, input, field, style).unwrap_or_default(),
            };
            format!("{}: {value}", ident(&snake(&field.rust)))
        })
        .collect();
    format!("{name} {{ {} }}", fields.join(", "))
}

/// Returns `None` if the field is required.
pub(crate) fn absent(api: &Api<'_>, input: &InputObject, field: &InputValue, style: Style) -> Option<String> {
    match &field.default {
        Some(default) => Some(field_value(api, input, field, default, style)),
        None if field.ty.is_non_null() => None,
        None => Some("traitql::Patch::Keep".to_owned()),
    }
}

fn field_value(api: &Api<'_>, input: &InputObject, field: &InputValue, value: &Value, style: Style) -> String {
    let patch = !field.ty.is_non_null() && field.default.is_none();
    match (value, field.ty.is_non_null()) {
        (Value::Null, _) => if patch { "traitql::Patch::Clear" } else { "None" }.to_owned(),
        (value, non_null) => {
            let inner = boxed(api, input, field, present(api, value, &field.ty, style));
            match (non_null, patch) {
                (true, _) => inner,
                (false, true) => format!("traitql::Patch::Set({inner})"),
                (false, false) => format!("Some({inner})"),
            }
        }
    }
}

fn boxed(api: &Api<'_>, input: &InputObject, field: &InputValue, value: String) -> String {
    if api.is_boxed_input(&input.name, field) {
        format!("Box::new({value})")
    } else {
        value
    }
}

pub(crate) fn json(value: &Value) -> serde_json::Value {
    match value {
        Value::Null => serde_json::Value::Null,
        Value::Boolean(flag) => (*flag).into(),
        Value::Int(number) => (*number).into(),
        // The schema reader rejects larger ones.
        Value::BigInt(digits) => digits.parse::<u64>().map_or_else(|_| digits.clone().into(), Into::into),
        Value::Float(number) => (*number).into(),
        Value::String(text) | Value::Enum(text) => text.clone().into(),
        Value::List(values) => values.iter().map(json).collect(),
        Value::Object(fields) => fields.iter().map(|(key, value)| (key.clone(), json(value))).collect(),
    }
}
