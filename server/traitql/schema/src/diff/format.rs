use crate::model::{Access, Constraint, Field, InputValue, Model, Rate, RateBy, Transition, Type, Value};
use crate::names::pascal;

pub(super) fn access(access: &Access) -> String {
    match access {
        Access::Public => "public".to_owned(),
        Access::SignedIn { .. } => "signed-in".to_owned(),
        Access::Role { role, .. } => role.clone(),
    }
}

pub(super) fn transition(transition: &Transition) -> String {
    format!("{} → {}", transition.from.join(" | "), transition.to)
}

/// Formats a rate: `3 per minute and account`.
pub fn rate(rate: &Rate) -> String {
    let window = match rate.window_seconds {
        1 => "second",
        60 => "minute",
        _ => "hour",
    };
    let by = match &rate.by {
        RateBy::Account => "account".to_owned(),
        RateBy::Address => "address".to_owned(),
        RateBy::Argument(path) => path.join("."),
    };
    format!("{} per {window} and {by}", rate.limit)
}

/// Formats a constraint as in a schema: `@length(min: 1, max: 80)`.
pub(crate) fn directive(rule: &Constraint) -> String {
    match rule {
        Constraint::Length { min, max } => format!("@length(min: {min}, max: {max})"),
        Constraint::Count { min, max } => format!("@count(min: {min}, max: {max})"),
        Constraint::Depth { max, leaves: None } => format!("@depth(max: {max})"),
        Constraint::Depth {
            max,
            leaves: Some(leaves),
        } => format!("@depth(max: {max}, leaves: {leaves})"),
        Constraint::Format { is } => format!("@format(is: {is})"),
        Constraint::Range { min, max } => {
            let bound = |name: &str, bound: &Option<f64>| bound.map(|bound| format!("{name}: {bound}"));
            let bounds: Vec<String> = [bound("min", min), bound("max", max)].into_iter().flatten().collect();
            format!("@range({})", bounds.join(", "))
        }
    }
}

pub(super) fn rule(rule: &Constraint) -> String {
    match rule {
        Constraint::Length { min, max } => format!("{min} to {max} characters"),
        Constraint::Count { min, max } => format!("{min} to {max} entries"),
        Constraint::Depth { max, leaves: None } => format!("at most {max} levels"),
        Constraint::Depth {
            max,
            leaves: Some(leaves),
        } => format!("at most {max} levels and {leaves} leaf objects"),
        Constraint::Format { is } => format!("the format {is}"),
        Constraint::Range {
            min: Some(min),
            max: Some(max),
        } => format!("a value from {min} to {max}"),
        Constraint::Range {
            min: Some(min),
            max: None,
        } => format!("a value of at least {min}"),
        Constraint::Range { max, .. } => format!("a value of at most {}", max.unwrap_or_default()),
    }
}

/// Formats a field with its arguments: `tourArchive(id: ID!): Tour!`.
pub(super) fn signature(field: &Field) -> String {
    let arguments = field
        .args
        .iter()
        .map(|argument| format!("{}: {}{}", argument.name, argument.ty, default(argument)));
    let arguments = arguments.collect::<Vec<_>>().join(", ");
    let arguments = if arguments.is_empty() {
        arguments
    } else {
        format!("({arguments})")
    };
    format!("{}{arguments}: {}", field.name, field.ty)
}

pub(crate) fn default(input: &InputValue) -> String {
    input
        .default
        .as_ref()
        .map_or_else(String::new, |value| format!(" = {}", text(value)))
}

pub(super) fn text(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Boolean(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::BigInt(digits) => digits.clone(),
        Value::Float(value) => value.to_string(),
        Value::String(value) => format!("{value:?}"),
        Value::Enum(name) => name.clone(),
        Value::List(items) => format!("[{}]", items.iter().map(text).collect::<Vec<_>>().join(", ")),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(name, value)| format!("{name}: {}", text(value)));
            format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
        }
    }
}

pub(super) fn resolver(model: &Model, ty: &str, field: &Field) -> String {
    format!("resolve::{}{}", pascal(model.rust_type(ty)), pascal(&field.rust))
}

pub(super) fn keyword(ty: &Type) -> &'static str {
    match ty {
        Type::Scalar(_) => "scalar",
        Type::Enum(_) => "enum",
        Type::Input(_) => "input",
        Type::Object(_) => "type",
        Type::Interface(_) => "interface",
        Type::Union(_) => "union",
    }
}

pub(super) fn article(noun: &str) -> String {
    let article = if noun.starts_with(['a', 'e', 'i', 'o']) {
        "an"
    } else {
        "a"
    };
    format!("{article} {noun}")
}
