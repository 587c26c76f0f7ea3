//! Makes a table of examples from a schema: for each argument, values at and beyond every limit, and what is wrong with them.
//!
//! What is expected is worked out here by reading the model, not by generated code, so the table is a third opinion: the
//! generated Rust and the generated TypeScript are both held to it.

use serde_json::{Map, Value, json};
use traitql_rules::{Format, words};
use traitql_schema::model::{Field, InputObject, InputValue, Model, Object, Rule, Type, TypeRef};

/// One example per line, so that a change of the rules is a change of the lines about it.
pub(crate) fn table(model: &Model) -> String {
    let roots = [
        ("query", Some(&model.query)),
        ("mutation", model.mutation.as_ref()),
        ("subscription", model.subscription.as_ref()),
    ];
    let mut fields = Vec::new();
    for (kind, name) in roots {
        let Some(Type::Object(root)) = name.and_then(|name| model.types.get(name)) else {
            continue;
        };
        for field in root.fields.iter().filter(|field| !field.args.is_empty()) {
            fields.push(about_field(model, kind, root, field));
        }
    }
    format!("[\n{}\n]\n", fields.join(",\n"))
}

fn about_field(model: &Model, kind: &str, root: &Object, field: &Field) -> String {
    let variables: Vec<String> = field
        .args
        .iter()
        .map(|arg| {
            // A variable that may be left out stands where there is a default (GraphQL October 2021, section 5.8.5).
            let ty = if arg.default.is_some() {
                arg.ty.nullable()
            } else {
                &arg.ty
            };
            format!("${}: {ty}", arg.name)
        })
        .collect();
    let passed: Vec<String> = field.args.iter().map(|arg| format!("{0}: ${0}", arg.name)).collect();
    let document = format!(
        "{kind}({}) {{ {}({}){} }}",
        variables.join(", "),
        field.name,
        passed.join(", "),
        selection(model, field)
    );
    let mut lines = vec![format!(
        "{{ \"coordinate\": {}, \"kind\": {}, \"document\": {}, \"examples\": [",
        json!(format!("{}.{}", root.name, field.name)),
        json!(kind),
        json!(document)
    )];
    let base: Map<String, Value> = field
        .args
        .iter()
        .filter_map(|arg| Some((arg.name.clone(), required(model, arg)?)))
        .collect();
    let mut examples = Vec::new();
    for arg in &field.args {
        for value in cases(model, arg, &mut Vec::new()) {
            let mut arguments = base.clone();
            match value {
                Some(value) => drop(arguments.insert(arg.name.clone(), value)),
                None => drop(arguments.shift_remove(&arg.name)),
            }
            let example = example(model, kind, field, &arguments);
            if !examples.contains(&example) {
                examples.push(example);
            }
        }
    }
    lines.push(examples.join(",\n"));
    lines.push("] }".to_owned());
    lines.join("\n")
}

fn selection(model: &Model, field: &Field) -> &'static str {
    match model.types.get(field.ty.name()) {
        Some(Type::Object(_) | Type::Interface(_) | Type::Union(_)) => " { __typename }",
        _ => "",
    }
}

fn example(model: &Model, kind: &str, field: &Field, arguments: &Map<String, Value>) -> String {
    let mut found = Vec::new();
    fields(model, &field.args, arguments, "", &mut found);
    found.sort_by(|a, b| a.cmp_key().cmp(&b.cmp_key()));
    let violations: Vec<Value> = found
        .iter()
        .map(|Found { path, rule, problem }| json!({ "path": path, "problem": problem, "rule": rule }))
        .collect();
    let mut example = json!({ "arguments": shortened(&Value::Object(arguments.clone())), "violations": violations });
    // The same values written into the document, where it stays valid.
    let is_document = found.iter().all(|found| !found.is_form());
    let given: Vec<String> = field
        .args
        .iter()
        .filter_map(|arg| {
            Some(format!(
                "{}: {}",
                arg.name,
                literal(model, &arg.ty, arguments.get(&arg.name)?)
            ))
        })
        .collect();
    let given = if given.is_empty() {
        String::new()
    } else {
        format!("({})", given.join(", "))
    };
    if is_document && given.len() < 200 {
        let text = format!("{kind} {{ {}{given}{} }}", field.name, selection(model, field));
        example["inline"] = text.into();
    }
    example.to_string()
}

/// One violation.
struct Found {
    path: String,
    rule: &'static str,
    problem: String,
}

impl Found {
    fn cmp_key(&self) -> (&str, &str, &str) {
        (&self.path, self.rule, &self.problem)
    }

    /// Whether the value has not even the form of its type; then no limit is looked at.
    fn is_form(&self) -> bool {
        matches!(self.rule, "required" | "type" | "enum")
    }
}

fn note(out: &mut Vec<Found>, path: &str, rule: &'static str, problem: impl Into<String>) {
    out.push(Found {
        path: path.to_owned(),
        rule,
        problem: problem.into(),
    });
}

fn fields(model: &Model, rules: &[InputValue], given: &Map<String, Value>, path: &str, out: &mut Vec<Found>) {
    for name in given
        .keys()
        .filter(|name| !rules.iter().any(|rule| rule.name == **name))
    {
        note(out, path, "type", words::unknown_field(name));
    }
    for rule in rules {
        let below = if path.is_empty() {
            rule.name.clone()
        } else {
            format!("{path}.{}", rule.name)
        };
        match given.get(&rule.name) {
            Some(value) => self::value(model, rule, &rule.ty, value, &below, true, out),
            None if rule.ty.is_non_null() && rule.default.is_none() => note(out, &below, "required", words::REQUIRED),
            None => {}
        }
    }
}

fn value(model: &Model, rule: &InputValue, ty: &TypeRef, value: &Value, path: &str, outer: bool, out: &mut Vec<Found>) {
    if value.is_null() {
        if ty.is_non_null() {
            note(out, path, "required", words::NOT_NULL);
        }
        return;
    }
    let TypeRef::List(entry) = ty.nullable() else {
        return named(model, rule, ty.name(), value, path, out);
    };
    let single = [value.clone()];
    let entries = value.as_array().map_or(single.as_slice(), Vec::as_slice);
    for limit in rule.rules.iter().filter(|_| outer) {
        if let Rule::Count { min, max } = limit
            && let Some(problem) = traitql_rules::count(entries.len(), *min as usize, *max as usize)
        {
            note(out, path, "count", problem);
        }
    }
    for (at, value) in entries.iter().enumerate() {
        self::value(model, rule, entry, value, &format!("{path}.{at}"), false, out);
    }
}

fn named(model: &Model, rule: &InputValue, ty: &str, value: &Value, path: &str, out: &mut Vec<Found>) {
    match model.types.get(ty) {
        Some(Type::Enum(ty)) => {
            if !ty.values.iter().any(|one| value == &one.name) {
                let problem = words::one_of_values(ty.values.iter().map(|value| value.name.as_str()));
                note(out, path, "enum", problem);
            }
        }
        Some(Type::Input(ty)) => {
            let Value::Object(given) = value else {
                return note(out, path, "type", words::OBJECT);
            };
            if ty.one_of && (given.len() != 1 || given.values().any(Value::is_null)) {
                return note(out, path, "type", words::ONE_OF);
            }
            for limit in &rule.rules {
                if let Rule::Depth { max } = limit
                    && let Some(problem) = traitql_rules::depth(levels(model, ty, value), *max as usize)
                {
                    note(out, path, "depth", problem);
                }
            }
            fields(model, &ty.fields, given, path, out);
        }
        _ => scalar(rule, ty, value, path, out),
    }
}

fn scalar(rule: &InputValue, ty: &str, value: &Value, path: &str, out: &mut Vec<Found>) {
    let whole = value.as_f64().is_some_and(|number| number.fract() == 0.0);
    let wrong = match ty {
        "Int" if !whole => Some(words::WHOLE_NUMBER),
        "Int" => (value.as_f64() > Some(2_147_483_647.0) || value.as_f64() < Some(-2_147_483_648.0))
            .then_some(words::WHOLE_NUMBER_RANGE),
        "Float" => (!value.is_number()).then_some(words::NUMBER),
        "String" => (!value.is_string()).then_some(words::TEXT),
        "Boolean" => (!value.is_boolean()).then_some(words::BOOLEAN),
        "ID" => (!value.is_string() && !whole).then_some(words::ID),
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
    for limit in &rule.rules {
        let (rule, problem) = match limit {
            Rule::Length { min, max } => {
                let measured = text
                    .as_deref()
                    .map(|text| traitql_rules::length(text, *min as usize, *max as usize));
                ("length", measured.flatten())
            }
            Rule::Range { min, max } => {
                let measured = value.as_f64().map(|number| traitql_rules::range(number, *min, *max));
                ("range", measured.flatten())
            }
            Rule::Format { is } => {
                let form = Format::named(is).unwrap();
                let broken = text.as_deref().is_some_and(|text| !form.fits(text));
                ("format", broken.then(|| form.problem().to_owned()))
            }
            Rule::Count { .. } | Rule::Depth { .. } => continue,
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

/// A good value of an argument or field that must be given.
fn required(model: &Model, rule: &InputValue) -> Option<Value> {
    (rule.ty.is_non_null() && rule.default.is_none()).then(|| good(model, rule))
}

/// A good value.
fn good(model: &Model, rule: &InputValue) -> Value {
    let count = rule.rules.iter().find_map(|limit| match limit {
        Rule::Count { min, .. } => Some(*min as usize),
        _ => None,
    });
    listed(&rule.ty, good_entry(model, rule), count.unwrap_or(0).max(1))
}

/// A value in as many lists as the type has; the outermost has `count` entries.
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
            "Int" | "Float" => rule.rules.iter().find_map(low).unwrap_or_else(|| json!(1)),
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

/// The lower bound, or the upper one.
fn low(limit: &Rule) -> Option<Value> {
    match limit {
        Rule::Range { min, max } => min.or(*max).map(number),
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
    let fits = |text: &str| {
        let mut found = Vec::new();
        scalar(rule, "String", &text.into(), "", &mut found);
        found.is_empty()
    };
    let examples = rule.rules.iter().find_map(|limit| match limit {
        Rule::Format { is } => Some(Format::named(is).unwrap().examples().good),
        _ => None,
    });
    let texts = examples.unwrap_or_default().iter().map(|text| (*text).to_owned());
    texts
        .chain((0..100).map(|length| "a".repeat(length)))
        .find(|text| !text.is_empty() && fits(text))
        .unwrap()
}

/// Values of an argument or field, good and bad; nothing stands for leaving it out. `open` are the input types around it.
fn cases(model: &Model, rule: &InputValue, open: &mut Vec<String>) -> Vec<Option<Value>> {
    let good = good(model, rule);
    let mut cases = vec![None, Some(Value::Null), Some(good.clone())];
    let entries = entries(model, rule, open);
    let entry = good_entry(model, rule);
    match rule.ty.nullable() {
        TypeRef::List(inner) => {
            // A single value stands for a list of one.
            cases.push(Some(entry.clone()));
            let counts = rule.rules.iter().find_map(|limit| match limit {
                Rule::Count { min, max } => Some((*min as usize, *max as usize)),
                _ => None,
            });
            let (min, max) = counts.unwrap_or((0, 2));
            let counts = [min.saturating_sub(1), min, max, max + 1];
            cases.extend(counts.map(|count| Some(listed(&rule.ty, entry.clone(), count))));
            // Each case stands after a good entry, so that its position counts.
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

/// Values of the innermost type.
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
        // What a custom scalar accepts only the server knows.
        _ => Vec::new(),
    };
    if out.iter().all(|value| !value.is_array())
        && !rule.ty.is_list()
        && matches!(rule.ty.name(), "Int" | "String" | "ID")
    {
        out.push(json!(["a"]));
    }
    for limit in &rule.rules {
        match limit {
            Rule::Length { min, max } => {
                let (min, max) = (*min as usize, *max as usize);
                for length in [min.saturating_sub(1), min, max, max + 1] {
                    out.extend([json!("a".repeat(length)), json!("🧭".repeat(length))]);
                }
                // What looks like one letter may be two characters.
                out.push(json!("e\u{301}".repeat(max / 2 + 1)));
            }
            Rule::Range { min, max } => {
                let step = if rule.ty.name() == "Float" { 0.25 } else { 1.0 };
                for bound in [min, max].into_iter().flatten() {
                    out.extend([bound - step, *bound, bound + step].map(number));
                }
            }
            Rule::Format { is } => {
                let examples = Format::named(is).unwrap().examples();
                out.extend(examples.good.iter().chain(examples.bad).map(|text| json!(text)));
            }
            Rule::Depth { max } => {
                if let Some(Type::Input(ty)) = model.types.get(rule.ty.name()) {
                    let depths = (*max as usize).saturating_sub(1)..=*max as usize + 2;
                    out.extend(depths.filter_map(|depth| nested(model, ty, depth)));
                }
            }
            Rule::Count { .. } => {}
        }
    }
    out
}

fn inputs(model: &Model, ty: &InputObject, open: &mut Vec<String>) -> Vec<Value> {
    let mut out = vec![json!(1), json!("a"), json!({}), json!({ "nobodyKnowsThis": 1 })];
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

/// A value with so many levels of objects, if the type can have them.
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

/// A value as a literal of a document.
fn literal(model: &Model, ty: &TypeRef, value: &Value) -> String {
    match (value, model.types.get(ty.name())) {
        (Value::Array(entries), _) => {
            let inner = match ty.nullable() {
                TypeRef::List(inner) => inner,
                _ => ty,
            };
            let entries: Vec<String> = entries.iter().map(|entry| literal(model, inner, entry)).collect();
            format!("[{}]", entries.join(", "))
        }
        (Value::Object(given), Some(Type::Input(ty))) => {
            let fields: Vec<String> = ty
                .fields
                .iter()
                .filter_map(|field| {
                    Some(format!(
                        "{}: {}",
                        field.name,
                        literal(model, &field.ty, given.get(&field.name)?)
                    ))
                })
                .collect();
            format!("{{{}}}", fields.join(", "))
        }
        (Value::String(name), Some(Type::Enum(_))) => name.clone(),
        // JSON escapes a control character as GraphQL does.
        (value, _) => value.to_string(),
    }
}

/// The same value with what is long written short: `{ "$repeat": "a", "$times": 81 }`, and the same with `$entry`.
fn shortened(value: &Value) -> Value {
    match value {
        Value::String(text) if text.chars().count() > 60 => {
            for unit in ["a", "🧭", "e\u{301}"] {
                let times = text.len() / unit.len();
                if *text == unit.repeat(times) {
                    return json!({ "$repeat": unit, "$times": times });
                }
            }
            value.clone()
        }
        Value::Array(entries) if entries.len() > 3 && entries.iter().all(|entry| *entry == entries[0]) => {
            json!({ "$entry": shortened(&entries[0]), "$times": entries.len() })
        }
        Value::Array(entries) => entries.iter().map(shortened).collect(),
        Value::Object(fields) => fields
            .iter()
            .map(|(name, value)| (name.clone(), shortened(value)))
            .collect(),
        other => other.clone(),
    }
}
