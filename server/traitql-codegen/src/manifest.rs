//! The manifest of trusted documents, in the format that Apollo's tools write and read
//! (`apollo-persisted-query-manifest`, version 1), with keys of our own beside: cost and depth of each operation, whether anybody
//! may ask it (`public`, where it is so), and what clients in the field were built with.
//!
//! `operations` is what `operations/` asks today. `releases` is append-only: a name, the identities of the documents by
//! operation, and the types that they relied on. `released` holds the documents of releases that `operations` has not any more, so
//! a document stands in the file once. The keys of releases are there only when there is a release.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use traitql_schema::model::{Access, Field, Model, Operation, Release, RootKind, Type};
use traitql_schema::{ReleaseText, ReleasedText};

/// What a manifest calls its own format.
pub const FORMAT: &str = "apollo-persisted-query-manifest";

/// The manifest as JSON, an operation per entry in alphabetical order.
pub(crate) fn contents(model: &Model) -> String {
    let mut operations: Vec<&Operation> = model.operations.iter().collect();
    operations.sort_by(|a, b| a.name.cmp(&b.name));
    let mut known: BTreeSet<String> = operations.iter().map(|operation| id(&operation.body)).collect();
    let mut released: Vec<(&str, String, &Operation)> = Vec::new();
    for operation in model.releases.iter().flat_map(|release| &release.operations) {
        let id = id(&operation.body);
        if known.insert(id.clone()) {
            released.push((&operation.name, id, operation));
        }
    }
    released.sort_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
    let mut manifest = json!({
        "format": FORMAT,
        "version": 1,
        "operations": operations.into_iter().map(|operation| entry(model, operation)).collect::<Vec<_>>(),
    });
    if !model.releases.is_empty() {
        let documents = released.into_iter().map(|(_, _, operation)| entry(model, operation));
        manifest["released"] = documents.collect();
        manifest["releases"] = model.releases.iter().map(release).collect();
    }
    let mut text = serde_json::to_string_pretty(&manifest).expect("a value of JSON can be written");
    text.push('\n');
    text
}

fn entry(model: &Model, operation: &Operation) -> Value {
    let mut entry = json!({
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
    });
    if is_public(model, operation) {
        entry["public"] = true.into();
    }
    entry
}

/// Whether an operation is a query of which every root field is `@public`: a cache may keep its answer, if it asks each time
/// whether the answer still holds.
pub(crate) fn is_public(model: &Model, operation: &Operation) -> bool {
    let access = |coordinate: &String| {
        let (root, name) = coordinate.split_once('.')?;
        let Type::Object(root) = model.types.get(root)? else {
            return None;
        };
        let field: Option<&Field> = root.fields.iter().find(|field| field.name == name);
        field?.access.as_ref()
    };
    operation.kind == RootKind::Query
        && operation
            .root_fields
            .iter()
            .all(|coordinate| access(coordinate) == Some(&Access::Public))
}

fn release(release: &Release) -> Value {
    if release.retired {
        return json!({ "name": release.name, "retired": true });
    }
    let documents = release
        .operations
        .iter()
        .map(|operation| (operation.name.clone(), id(&operation.body).into()));
    let types = release
        .types
        .iter()
        .map(|(coordinate, ty)| (coordinate.clone(), ty.clone().into()));
    json!({
        "name": release.name,
        "documents": documents.collect::<Map<_, _>>(),
        "types": types.collect::<Map<_, _>>(),
    })
}

/// SHA-256 of the text, in lower-case hexadecimal: what clients send instead of the text.
pub fn id(body: &str) -> String {
    Sha256::digest(body.as_bytes())
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// The releases that a manifest holds.
///
/// # Errors
/// Why they cannot be read: a manifest that mentions releases must not be overwritten by one that has forgotten them.
pub fn releases(manifest: &str) -> Result<Vec<ReleaseText>, String> {
    // A damaged manifest without releases holds nothing that could not be generated again.
    if !manifest.contains("\"releases\"") {
        return Ok(Vec::new());
    }
    let value: Value = serde_json::from_str(manifest).map_err(|error| error.to_string())?;
    let mut bodies: IndexMap<&str, &str> = IndexMap::new();
    for entry in ["operations", "released"]
        .iter()
        .filter_map(|key| value.get(key)?.as_array())
        .flatten()
    {
        if let (Some(id), Some(body)) = (text(entry, "id"), text(entry, "body")) {
            bodies.insert(id, body);
        }
    }
    // The word can also be the name of an operation.
    let Some(entries) = value.get("releases") else {
        return Ok(Vec::new());
    };
    let entries = entries.as_array().ok_or("`releases` is no list")?;
    entries.iter().map(|entry| read(entry, &bodies)).collect()
}

fn read(entry: &Value, bodies: &IndexMap<&str, &str>) -> Result<ReleaseText, String> {
    let name = text(entry, "name").ok_or("a release has no name")?.to_owned();
    let retired = entry.get("retired").and_then(Value::as_bool).unwrap_or(false);
    let texts = |key: &str| {
        let entries = entry.get(key).and_then(Value::as_object).into_iter().flatten();
        entries.filter_map(|(key, value)| Some((key.clone(), value.as_str()?.to_owned())))
    };
    let mut documents = Vec::new();
    for (operation, wanted) in texts("documents") {
        match bodies.get(wanted.as_str()) {
            Some(body) if id(body) == wanted => documents.push(ReleasedText {
                name: operation,
                body: (*body).to_owned(),
            }),
            Some(_) => {
                return Err(format!(
                    "the document `{operation}` of release {name} was changed by hand"
                ));
            }
            None => {
                return Err(format!(
                    "the document `{operation}` of release {name} ({wanted}) is not there"
                ));
            }
        }
    }
    Ok(ReleaseText {
        name,
        retired,
        types: texts("types").collect(),
        documents,
    })
}

fn text<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.get(key)?.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operation_can_be_called_releases() {
        let manifest = r#"{ "operations": [{ "id": "1", "name": "releases", "body": "query releases { a }" }] }"#;
        assert_eq!(releases(manifest), Ok(Vec::new()));
        assert!(releases(r#"{ "releases": {} }"#).is_err());
    }
}
