//! Examples at and beyond every limit, with their violations, computed from the model independently of the generated
//! code.

mod oracle;
mod values;

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::{Map, Value, json};
use traitql_schema::{
    SourceText, load,
    model::{Field, Model, Object, Type, TypeRef},
};

use oracle::{Violation, fields};
use values::{cases, required};

pub(crate) fn model(folder: &Path) -> Model {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "graphql"))
        .collect();
    paths.sort();
    let sources: Vec<SourceText> = paths
        .iter()
        .map(|path| SourceText::new(path.to_string_lossy(), fs::read_to_string(path).unwrap()))
        .collect();
    load(&sources, &[], &Default::default()).unwrap_or_else(|report| panic!("{report}"))
}

/// Writes one example per line, so that a changed constraint changes only its lines.
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
            // GraphQL October 2021, section 5.8.5.
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
        .map(|Violation { path, problem }| {
            json!({ "path": path, "problem": problem.to_string(), "rule": problem.rule(), "params": problem.params() })
        })
        .collect();
    let mut example = json!({ "arguments": shortened(&Value::Object(arguments.clone())), "violations": violations });
    // As literals, if the document stays valid.
    let is_document = found.iter().all(|found| !found.is_type_error());
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
        // JSON and GraphQL escape control characters equally.
        (value, _) => value.to_string(),
    }
}

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
