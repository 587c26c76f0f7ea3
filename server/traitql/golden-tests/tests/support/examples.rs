use std::sync::Arc;

use serde_json::{Map, Value};
use traitql::{Ctx, CtxParts, Document, Engine, OperationKind, Principal};

pub(crate) async fn run(table: &str, engine: impl Engine) {
    let engine: Arc<dyn Engine> = Arc::new(engine);
    let table: Vec<Value> = serde_json::from_str(table).unwrap();
    let mut differences = Vec::new();
    let mut count = 0;
    for field in &table {
        for example in field["examples"].as_array().unwrap() {
            let Value::Object(variables) = written_out(&example["arguments"]) else {
                panic!("arguments must be an object")
            };
            let expected = expected(&example["violations"]);
            let as_variables = (field["document"].as_str(), variables);
            let inline = (example["inline"].as_str(), Map::new());
            for (text, variables) in [as_variables, inline] {
                let Some(text) = text else { continue };
                count += 1;
                let found = judge(&*engine, field["kind"].as_str().unwrap(), text, variables).await;
                if found != expected {
                    let arguments = &example["arguments"];
                    differences.push(format!(
                        "{text}\n  with      {arguments}\n  should be {expected:?}\n  and is    {found:?}"
                    ));
                }
            }
        }
    }
    assert!(count > 500, "the table has only {count} examples");
    assert!(
        differences.is_empty(),
        "{} of {count} examples are judged otherwise:\n{}",
        differences.len(),
        differences.join("\n")
    );
}

/// Limits are not checked if a value has a wrong type.
fn expected(violations: &Value) -> Vec<String> {
    let all: Vec<&Value> = violations.as_array().unwrap().iter().collect();
    let is_form = |violation: &&Value| matches!(violation["rule"].as_str(), Some("required" | "type" | "enum"));
    let form: Vec<&Value> = all.iter().copied().filter(is_form).collect();
    lines(if form.is_empty() { &all } else { &form })
}

fn lines(violations: &[&Value]) -> Vec<String> {
    let line = |violation: &&Value| {
        let part = |name: &str| violation[name].as_str().unwrap_or_default().to_owned();
        format!("{}: {} ({})", part("path"), part("problem"), part("rule"))
    };
    let mut lines: Vec<String> = violations.iter().map(line).collect();
    lines.sort();
    lines
}

/// Any response without violations means that the arguments are valid, because there are no resolvers that could fail.
pub(crate) async fn judge(engine: &dyn Engine, kind: &str, text: &str, variables: Map<String, Value>) -> Vec<String> {
    let kind = match kind {
        "query" => OperationKind::Query,
        "mutation" => OperationKind::Mutation,
        _ => OperationKind::Subscription,
    };
    let document = Document {
        text: text.to_owned(),
        name: None,
        kind,
        hash: text.to_owned(),
        cost: 0,
        trusted: true,
    };
    let response = match kind {
        OperationKind::Subscription => match engine.subscribe(cx(), Arc::new(document), variables).await {
            Ok(_) => return Vec::new(),
            Err(response) => response,
        },
        _ => engine.execute(&cx(), &document, variables).await,
    };
    let response: Value = serde_json::from_slice(&response.body).unwrap();
    let mut found = Vec::new();
    for error in response["errors"].as_array().into_iter().flatten() {
        let code = error["extensions"]["code"].as_str().unwrap_or_default();
        assert!(
            !matches!(code, "INVALID_DOCUMENT" | "UNAUTHENTICATED"),
            "{text} is answered with {error}"
        );
        found.extend(error["extensions"]["violations"].as_array().into_iter().flatten());
    }
    lines(&found)
}

fn cx() -> Ctx {
    let principal = Principal {
        issuer: "https://id.example".to_owned(),
        subject: "ann".to_owned(),
        name: None,
        email: None,
        email_verified: false,
        picture: None,
        roles: Vec::new(),
        roles_known: false,
        issued_at: None,
        expires_at: "2100-01-01T00:00:00Z".parse().unwrap(),
        authenticated: traitql::Authenticated::Unchecked,
        acr_levels: traitql::AcrLevels::Unchecked,
        ..Principal::default()
    };
    CtxParts {
        principal: Some(principal),
        ..CtxParts::default()
    }
    .into()
}

fn written_out(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let times = || fields["$times"].as_u64().unwrap() as usize;
            match (fields.get("$repeat"), fields.get("$entry")) {
                (Some(unit), _) => unit.as_str().unwrap().repeat(times()).into(),
                (_, Some(entry)) => vec![written_out(entry); times()].into(),
                _ => fields
                    .iter()
                    .map(|(name, value)| (name.clone(), written_out(value)))
                    .collect(),
            }
        }
        Value::Array(entries) => entries.iter().map(written_out).collect(),
        other => other.clone(),
    }
}
