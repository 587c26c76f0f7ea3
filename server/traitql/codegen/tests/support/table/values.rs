use serde_json::{Value, json};
use traitql_constraints::Format;
use traitql_schema::model::{Constraint, InputObject, InputValue, Model, Type, TypeRef};

use super::oracle::scalar;

pub(super) fn required(model: &Model, rule: &InputValue) -> Option<Value> {
    (rule.ty.is_non_null() && rule.default.is_none()).then(|| good(model, rule))
}

fn good(model: &Model, rule: &InputValue) -> Value {
    let count = rule.constraints.iter().find_map(|limit| match limit {
        Constraint::Count { min, .. } => Some(*min as usize),
        _ => None,
    });
    listed(&rule.ty, good_entry(model, rule), count.unwrap_or(0).max(1))
}

/// The outermost list has `count` entries.
fn listed(ty: &TypeRef, value: Value, count: usize) -> Value {
    match ty.nullable() {
        TypeRef::List(entry) => Value::Array(vec![listed(entry, value, 1); count]),
        _ => value,
    }
}

fn good_entry(model: &Model, rule: &InputValue) -> Value {
    match model.types.get(rule.ty.name()) {
        Some(Type::Enum(ty)) => ty.values[0].name.clone().into(),
        Some(Type::Input(ty)) if ty.one_of => json!({ &ty.fields[0].name: good(model, &ty.fields[0]) }),
        Some(Type::Input(ty)) => object(model, ty),
        _ => match rule.ty.name() {
            "Int" | "Float" => rule.constraints.iter().find_map(low).unwrap_or_else(|| json!(1)),
            "Boolean" => json!(true),
            "DateTime" => json!("2026-01-01T00:00:00Z"),
            "Date" => json!("2026-01-01"),
            "Url" => json!("https://example.com"),
            "Money" => json!("12.50"),
            _ => good_text(rule).into(),
        },
    }
}

fn object(model: &Model, ty: &InputObject) -> Value {
    let fields = ty
        .fields
        .iter()
        .filter_map(|field| Some((field.name.clone(), required(model, field)?)));
    Value::Object(fields.collect())
}

fn low(limit: &Constraint) -> Option<Value> {
    match limit {
        Constraint::Range { min, max } => min.or(*max).map(number),
        _ => None,
    }
}

fn number(value: f64) -> Value {
    if value.fract() == 0.0 && value.abs() < 1e15 {
        json!(value as i64)
    } else {
        json!(value)
    }
}

fn good_text(rule: &InputValue) -> String {
    let is_valid = |text: &str| {
        let mut found = Vec::new();
        scalar(rule, "String", &text.into(), "", &mut found);
        found.is_empty()
    };
    let examples = rule.constraints.iter().find_map(|limit| match limit {
        Constraint::Format { is } => Some(Format::from_name(is).unwrap().examples().valid),
        _ => None,
    });
    let texts = examples.unwrap_or_default().iter().map(|text| (*text).to_owned());
    texts
        .chain((0..100).map(|length| "a".repeat(length)))
        .find(|text| !text.is_empty() && is_valid(text))
        .unwrap()
}

/// `None` omits the value. `open` contains the enclosing input types.
pub(super) fn cases(model: &Model, rule: &InputValue, open: &mut Vec<String>) -> Vec<Option<Value>> {
    let good = good(model, rule);
    let mut cases = vec![None, Some(Value::Null), Some(good.clone())];
    let entries = entries(model, rule, open);
    let entry = good_entry(model, rule);
    match rule.ty.nullable() {
        TypeRef::List(inner) => {
            // A single value is coerced to a list of one.
            cases.push(Some(entry.clone()));
            let counts = rule.constraints.iter().find_map(|limit| match limit {
                Constraint::Count { min, max } => Some((*min as usize, *max as usize)),
                _ => None,
            });
            let (min, max) = counts.unwrap_or((0, 2));
            let counts = [min.saturating_sub(1), min, max, max + 1];
            cases.extend(counts.map(|count| Some(listed(&rule.ty, entry.clone(), count))));
            // The path then has an index other than 0.
            let first = listed(inner, entry.clone(), 1);
            cases.push(Some(json!([first, null])));
            for case in &entries {
                cases.push(Some(json!([first, listed(inner, case.clone(), 1)])));
            }
            if let TypeRef::List(innermost) = inner.nullable() {
                let nested = listed(innermost, entry, 1);
                cases.push(Some(json!([[], [nested, nested, null]])));
                cases.push(Some(json!([nested, [nested]])));
            }
        }
        _ => cases.extend(entries.into_iter().map(Some)),
    }
    cases
}

fn entries(model: &Model, rule: &InputValue, open: &mut Vec<String>) -> Vec<Value> {
    let mut out = match (rule.ty.name(), model.types.get(rule.ty.name())) {
        (_, Some(Type::Enum(ty))) => {
            let mut values: Vec<Value> = ty.values.iter().map(|value| value.name.clone().into()).collect();
            values.extend([
                json!("NOPE"),
                json!(""),
                json!(0),
                json!(ty.values[0].name.to_lowercase()),
            ]);
            values
        }
        (_, Some(Type::Input(ty))) => inputs(model, ty, open),
        ("Int", _) => vec![
            json!(0),
            json!(-0.0),
            json!(7.0),
            json!(1e3),
            json!(1.5),
            json!("1"),
            json!(true),
            json!({}),
            json!(2_147_483_647_i64),
            json!(2_147_483_648_i64),
            json!(-2_147_483_648_i64),
            json!(-2_147_483_649_i64),
            json!(1e30),
        ],
        ("Float", _) => vec![
            json!(0),
            json!(-0.0),
            json!(0.5),
            json!(1e300),
            json!("1"),
            json!(false),
            json!({}),
        ],
        ("Boolean", _) => vec![json!(true), json!(false), json!(0), json!("true")],
        ("ID", _) => vec![
            json!("a"),
            json!(""),
            json!(7),
            json!(-12345),
            json!(1.5),
            json!(true),
            json!({}),
        ],
        ("String", _) => vec![json!("a"), json!(""), json!(1), json!(true), json!({})],
        // Only the application can check custom scalars.
        _ => Vec::new(),
    };
    if out.iter().all(|value| !value.is_array())
        && !rule.ty.is_list()
        && matches!(rule.ty.name(), "Int" | "String" | "ID")
    {
        out.push(json!(["a"]));
    }
    for limit in &rule.constraints {
        match limit {
            Constraint::Length { min, max } => {
                let (min, max) = (*min as usize, *max as usize);
                for length in [min.saturating_sub(1), min, max, max + 1] {
                    out.extend([json!("a".repeat(length)), json!("🧭".repeat(length))]);
                }
                // A decomposed letter is two characters.
                out.push(json!("e\u{301}".repeat(max / 2 + 1)));
            }
            Constraint::Range { min, max } => {
                let step = if rule.ty.name() == "Float" { 0.25 } else { 1.0 };
                for bound in [min, max].into_iter().flatten() {
                    out.extend([bound - step, *bound, bound + step].map(number));
                }
            }
            Constraint::Format { is } => {
                let examples = Format::from_name(is).unwrap().examples();
                out.extend(examples.valid.iter().chain(examples.invalid).map(|text| json!(text)));
            }
            Constraint::Depth { max, leaves } => {
                if let Some(Type::Input(ty)) = model.types.get(rule.ty.name()) {
                    let depths = (*max as usize).saturating_sub(1)..=*max as usize + 2;
                    out.extend(depths.filter_map(|depth| nested(model, ty, depth)));
                    let counts = leaves.map(|leaves| leaves as usize..=leaves as usize + 1);
                    out.extend(
                        counts
                            .into_iter()
                            .flatten()
                            .filter_map(|count| branched(model, ty, count)),
                    );
                }
            }
            Constraint::Count { .. } => {}
        }
    }
    out
}

fn inputs(model: &Model, ty: &InputObject, open: &mut Vec<String>) -> Vec<Value> {
    let mut out = vec![json!(1), json!("a"), json!({}), json!({ "unknownField": 1 })];
    if open.contains(&ty.name) {
        return out;
    }
    open.push(ty.name.clone());
    let base = if ty.one_of { json!({}) } else { object(model, ty) };
    for field in &ty.fields {
        for case in cases(model, field, open) {
            let mut value = base.clone();
            match case {
                Some(case) => value[&field.name] = case,
                None => drop(value.as_object_mut().unwrap().shift_remove(&field.name)),
            }
            out.push(value);
        }
    }
    if ty.one_of {
        let both = ty
            .fields
            .iter()
            .take(2)
            .map(|field| (field.name.clone(), good(model, field)));
        out.push(Value::Object(both.collect()));
    }
    open.pop();
    out
}

/// Returns a value with `depth` levels of objects, if the type allows it.
fn nested(model: &Model, ty: &InputObject, depth: usize) -> Option<Value> {
    let base = if ty.one_of { json!({}) } else { object(model, ty) };
    if depth <= 1 {
        return (!ty.one_of).then_some(base);
    }
    ty.fields.iter().find_map(|field| {
        let Some(Type::Input(inner)) = model.types.get(field.ty.name()) else {
            return None;
        };
        let mut value = base.clone();
        value[&field.name] = listed(&field.ty, nested(model, inner, depth - 1)?, 1);
        Some(value)
    })
}

fn branched(model: &Model, ty: &InputObject, count: usize) -> Option<Value> {
    ty.fields.iter().find_map(|field| {
        let Some(Type::Input(inner)) = model.types.get(field.ty.name()) else {
            return None;
        };
        if !field.ty.to_string().starts_with('[') {
            return None;
        }
        let leaf = nested(model, inner, 1).or_else(|| nested(model, inner, 2))?;
        let mut value = if ty.one_of { json!({}) } else { object(model, ty) };
        value[&field.name] = listed(&field.ty, leaf, count);
        Some(value)
    })
}
