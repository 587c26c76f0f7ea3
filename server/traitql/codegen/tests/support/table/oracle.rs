use serde_json::{Map, Value};
use traitql_constraints::{Expected, Format, Problem};
use traitql_schema::model::{Constraint, InputObject, InputValue, Model, Type, TypeRef};

pub(super) struct Violation {
    pub(super) path: String,
    pub(super) problem: Problem,
}

impl Violation {
    pub(super) fn cmp_key(&self) -> (&str, &str, String) {
        (&self.path, self.problem.rule(), self.problem.to_string())
    }

    /// Its limits are then not checked.
    pub(super) fn is_type_error(&self) -> bool {
        matches!(self.problem.rule(), "required" | "type" | "enum")
    }
}

fn note(out: &mut Vec<Violation>, path: &str, problem: Problem) {
    out.push(Violation {
        path: path.to_owned(),
        problem,
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
        note(out, path, Problem::UnknownField(name.clone()));
    }
    for input in inputs {
        let below = if path.is_empty() {
            input.name.clone()
        } else {
            format!("{path}.{}", input.name)
        };
        match given.get(&input.name) {
            Some(value) => self::value(model, input, &input.ty, value, &below, true, out),
            None if input.ty.is_non_null() && input.default.is_none() => note(out, &below, Problem::Missing),
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
            note(out, path, Problem::Null);
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
            note(out, path, problem);
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
                let values = ty.values.iter().map(|value| value.name.clone()).collect();
                note(out, path, Problem::Enum(values));
            }
        }
        Some(Type::Input(ty)) => {
            let Value::Object(given) = value else {
                return note(out, path, Problem::Type(Expected::Object));
            };
            if ty.one_of && (given.len() != 1 || given.values().any(Value::is_null)) {
                return note(out, path, Problem::Type(Expected::OneOf));
            }
            for limit in &rule.constraints {
                if let Constraint::Depth { max, leaves } = limit {
                    let deep = traitql_constraints::depth(levels(model, ty, value), *max as usize);
                    let wide = |max: u32| traitql_constraints::leaves(innermost(model, ty, value), max as usize);
                    if let Some(problem) = deep.or_else(|| leaves.and_then(wide)) {
                        note(out, path, problem);
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
        "Int" if !whole => Some(Expected::Integer),
        "Int" => (value.as_f64() > Some(2_147_483_647.0) || value.as_f64() < Some(-2_147_483_648.0))
            .then_some(Expected::IntegerRange),
        "Float" => (!value.is_number()).then_some(Expected::Number),
        "String" => (!value.is_string()).then_some(Expected::Text),
        "Boolean" => (!value.is_boolean()).then_some(Expected::Boolean),
        "ID" => (!value.is_string() && !whole).then_some(Expected::Identifier),
        _ => None,
    };
    if let Some(problem) = wrong {
        return note(out, path, Problem::Type(problem));
    }
    let text = match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) if ty == "ID" => Some(number.to_string()),
        _ => None,
    };
    for limit in &rule.constraints {
        let problem = match limit {
            Constraint::Length { min, max } => {
                let measured = text
                    .as_deref()
                    .map(|text| traitql_constraints::length(text, *min as usize, *max as usize));
                measured.flatten()
            }
            Constraint::Range { min, max } => {
                let measured = value
                    .as_f64()
                    .map(|number| traitql_constraints::range(number, *min, *max));
                measured.flatten()
            }
            Constraint::Format { is } => {
                let format = Format::from_name(is).unwrap();
                text.as_deref().and_then(|text| format.check(text))
            }
            Constraint::Count { .. } | Constraint::Depth { .. } => continue,
        };
        if let Some(problem) = problem {
            note(out, path, problem);
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
