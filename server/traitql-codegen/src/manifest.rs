//! The manifest of trusted documents, in the format that Apollo's tools write and read
//! (`apollo-persisted-query-manifest`, version 1), with the cost and depth of each operation beside.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use traitql_schema::model::{Operation, RootKind};

/// The manifest as JSON, an operation per entry in alphabetical order.
pub(crate) fn contents(operations: &[Operation]) -> String {
    let mut operations: Vec<&Operation> = operations.iter().collect();
    operations.sort_by(|a, b| a.name.cmp(&b.name));
    let manifest = json!({
        "format": "apollo-persisted-query-manifest",
        "version": 1,
        "operations": operations.into_iter().map(entry).collect::<Vec<_>>(),
    });
    let mut text = serde_json::to_string_pretty(&manifest).expect("a value of JSON can be written");
    text.push('\n');
    text
}

fn entry(operation: &Operation) -> Value {
    json!({
        "id": id(&operation.body),
        "name": operation.name,
        "type": match operation.kind {
            RootKind::Query => "query",
            RootKind::Mutation => "mutation",
            RootKind::Subscription => "subscription",
        },
        "cost": operation.cost,
        "depth": operation.depth,
        "body": operation.body,
    })
}

/// SHA-256 of the text, in lower-case hexadecimal: what clients send instead of the text.
pub(crate) fn id(body: &str) -> String {
    Sha256::digest(body.as_bytes())
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
