use serde_json::{Map, Value};
use traitql_constraints::{Format, messages};
use traitql_schema::model::{Constraint, InputObject, InputValue, Model, Type, TypeRef};

pub(super) struct Violation {
    pub(super) path: String,
    pub(super) rule: &'static str,
    pub(super) problem: String,
}

impl Violation {
    pub(super) fn cmp_key(&self) -> (&str, &str, &str) {
        (&self.path, self.rule, &self.problem)
    }

    /// Its limits are then not checked.
    pub(super) fn is_type_error(&self) -> bool {
        matches!(self.rule, "required" | "type" | "enum")
    }
}

fn note(out: &mut Vec<Violation>, path: &str, rule: &'static str, problem: impl Into<String>) {
    out.push(Violation {
        path: path.to_owned(),
        rule,
        problem: problem.into(),
    });
}

pub(super) fn fields(
    model: &Model,
    inputs: &[InputValue],
    given: &Map<String, Value>,
    path: &str,
    out: &mut Vec<Violation>,
) {
    for name in given
        .keys()
        .filter(|name| !inputs.iter().any(|input| input.name == **name))
    {
        note(out, path, "type", messages::unknown_field(name));
    }
    for input in inputs {
        let below = if path.is_empty() {
            input.name.clone()
        } else {
            format!("{path}.{}", input.name)
        };
        match given.get(&input.name) {
            Some(value) => self::value(model, input, &input.ty, value, &below, true, out),
            None if input.ty.is_non_null() && input.default.is_none() => {
                note(out, &below, "required", messages::REQUIRED)
            }
            None => {}
        }
    }
}

fn value(
    model: &Model,
    rule: &InputValue,
    ty: &TypeRef,
    value: &Value,
    path: &str,
    outer: bool,
    out: &mut Vec<Violation>,
) {
    if value.is_null() {
        if ty.is_non_null() {
            note(out, path, "required", messages::NOT_NULL);
        }
        return;
    }
    let TypeRef::List(entry) = ty.nullable() else {
        return named(model, rule, ty.name(), value, path, out);
    };
    let single = [value.clone()];
    let entries = value.as_array().map_or(single.as_slice(), Vec::as_slice);
    for limit in rule.constraints.iter().filter(|_| outer) {
        if let Constraint::Count { min, max } = limit
            && let Some(problem) = traitql_constraints::count(entries.len(), *min as usize, *max as usize)
        {
            note(out, path, "count", problem);
        }
    }
    for (at, value) in entries.iter().enumerate() {
        self::value(model, rule, entry, value, &format!("{path}.{at}"), false, out);
    }
}

fn named(model: &Model, rule: &InputValue, ty: &str, value: &Value, path: &str, out: &mut Vec<Violation>) {
    match model.types.get(ty) {
        Some(Type::Enum(ty)) => {
            if !ty.values.iter().any(|one| value == &one.name) {
                let problem = messages::one_of_values(ty.values.iter().map(|value| value.name.as_str()));
                note(out, path, "enum", problem);
            }
        }
        Some(Type::Input(ty)) => {
            let Value::Object(given) = value else {
                return note(out, path, "type", messages::OBJECT);
            };
            if ty.one_of && (given.len() != 1 || given.values().any(Value::is_null)) {
                return note(out, path, "type", messages::ONE_OF);
            }
            for limit in &rule.constraints {
                if let Constraint::Depth { max, leaves } = limit {
                    let deep = traitql_constraints::depth(levels(model, ty, value), *max as usize);
                    let wide = |max: u32| traitql_constraints::leaves(innermost(model, ty, value), max as usize);
                    if let Some(problem) = deep.or_else(|| leaves.and_then(wide)) {
                        note(out, path, "depth", problem);
                    }
                }
            }
            fields(model, &ty.fields, given, path, out);
        }
        _ => scalar(rule, ty, value, path, out),
    }
}

pub(super) fn scalar(rule: &InputValue, ty: &str, value: &Value, path: &str, out: &mut Vec<Violation>) {
    let whole = value.as_f64().is_some_and(|number| number.fract() == 0.0);
    let wrong = match ty {
        "Int" if !whole => Some(messages::INTEGER),
        "Int" => (value.as_f64() > Some(2_147_483_647.0) || value.as_f64() < Some(-2_147_483_648.0))
            .then_some(messages::INTEGER_RANGE),
        "Float" => (!value.is_number()).then_some(messages::NUMBER),
        "String" => (!value.is_string()).then_some(messages::STRING),
        "Boolean" => (!value.is_boolean()).then_some(messages::BOOLEAN),
        "ID" => (!value.is_string() && !whole).then_some(messages::ID),
        _ => None,
    };
    if let Some(problem) = wrong {
        return note(out, path, "type", problem);
    }
    let text = match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) if ty == "ID" => Some(number.to_string()),
        _ => None,
    };
    for limit in &rule.constraints {
        let (rule, problem) = match limit {
            Constraint::Length { min, max } => {
                let measured = text
                    .as_deref()
                    .map(|text| traitql_constraints::length(text, *min as usize, *max as usize));
                ("length", measured.flatten())
            }
            Constraint::Range { min, max } => {
                let measured = value
                    .as_f64()
                    .map(|number| traitql_constraints::range(number, *min, *max));
                ("range", measured.flatten())
            }
            Constraint::Format { is } => {
                let format = Format::from_name(is).unwrap();
                let mismatch = text.as_deref().is_some_and(|text| !format.matches(text));
                ("format", mismatch.then(|| format.error_message().to_owned()))
            }
            Constraint::Count { .. } | Constraint::Depth { .. } => continue,
        };
        if let Some(problem) = problem {
            note(out, path, rule, problem);
        }
    }
}

fn levels(model: &Model, ty: &InputObject, value: &Value) -> usize {
    match value {
        Value::Array(entries) => entries.iter().map(|entry| levels(model, ty, entry)).max().unwrap_or(0),
        Value::Object(given) => {
            let inside = ty
                .fields
                .iter()
                .filter_map(|field| match model.types.get(field.ty.name()) {
                    Some(Type::Input(inner)) => Some(levels(model, inner, given.get(&field.name)?)),
                    _ => None,
                });
            1 + inside.max().unwrap_or(0)
        }
        _ => 0,
    }
}

fn innermost(model: &Model, ty: &InputObject, value: &Value) -> usize {
    match value {
        Value::Array(entries) => entries.iter().map(|entry| innermost(model, ty, entry)).sum(),
        Value::Object(given) => {
            let inside = ty
                .fields
                .iter()
                .filter_map(|field| match model.types.get(field.ty.name()) {
                    Some(Type::Input(inner)) => Some(innermost(model, inner, given.get(&field.name)?)),
                    _ => None,
                });
            inside.sum::<usize>().max(1)
        }
        _ => 0,
    }
}
