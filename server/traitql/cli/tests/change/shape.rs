//! Supports only the keywords that `output.schema.json` uses.

use serde_json::Value;

pub(crate) fn validate(value: &Value) {
    let schema: Value = serde_json::from_str(include_str!("../../output.schema.json")).unwrap();
    let mut problems = Vec::new();
    check(&schema, &schema, value, "", &mut problems);
    assert!(problems.is_empty(), "{}\n{value:#}", problems.join("\n"));
}

fn check(root: &Value, schema: &Value, value: &Value, path: &str, problems: &mut Vec<String>) {
    for (key, rule) in schema.as_object().unwrap() {
        match key.as_str() {
            "$schema" | "title" | "description" | "$defs" => {}
            "$ref" => {
                let pointer = rule.as_str().unwrap().trim_start_matches('#');
                let target = root.pointer(pointer).unwrap_or_else(|| panic!("no {pointer}"));
                check(root, target, value, path, problems);
            }
            "type" => {
                let kinds: Vec<&str> = match rule {
                    Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
                    kind => kind.as_str().into_iter().collect(),
                };
                if !kinds.iter().any(|kind| is(kind, value)) {
                    problems.push(format!("{path} is not {kinds:?}"));
                }
            }
            "enum" if rule.as_array().unwrap().contains(value) => {}
            "enum" => problems.push(format!("{path} is not one of {rule}")),
            "const" if rule == value => {}
            "const" => problems.push(format!("{path} is not {rule}")),
            "required" => {
                let missing = rule.as_array().unwrap().iter().filter_map(Value::as_str);
                let missing = missing.filter(|key| value.is_object() && value.get(key).is_none());
                problems.extend(missing.map(|key| format!("{path} has no {key}")));
            }
            "properties" => {
                for (key, rule) in rule.as_object().unwrap() {
                    if let Some(value) = value.get(key) {
                        check(root, rule, value, &format!("{path}/{key}"), problems);
                    }
                }
            }
            "additionalProperties" if *rule == Value::Bool(false) => {
                let known = schema["properties"].as_object().unwrap();
                let unknown = value
                    .as_object()
                    .into_iter()
                    .flatten()
                    .filter(|(key, _)| !known.contains_key(*key));
                problems.extend(unknown.map(|(key, _)| format!("{path}/{key} is not in the schema")));
            }
            "items" => {
                for (at, item) in value.as_array().into_iter().flatten().enumerate() {
                    check(root, rule, item, &format!("{path}/{at}"), problems);
                }
            }
            "anyOf" => {
                let is_valid = |rule: &Value| {
                    let mut found = Vec::new();
                    check(root, rule, value, path, &mut found);
                    found.is_empty()
                };
                if !rule.as_array().unwrap().iter().any(is_valid) {
                    problems.push(format!("{path} matches no alternative"));
                }
            }
            other => panic!("the keyword {other} is not supported here"),
        }
    }
}

fn is(kind: &str, value: &Value) -> bool {
    match kind {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_u64() || value.is_i64(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => false,
    }
}

#[test]
#[should_panic(expected = "/ok is not [\"boolean\"]")]
fn invalid_output_is_detected() {
    validate(&serde_json::json!({ "version": 1, "command": "check", "ok": "yes", "diagnostics": [] }));
}
