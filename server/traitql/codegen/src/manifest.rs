//! The manifest of trusted documents: Apollo's `apollo-persisted-query-manifest`, version 1, with the cost and depth
//! of each operation.
//!
//! `releases` is append-only: name, document ids by operation, and the schema types they rely on. `released` contains
//! documents that only past releases use.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use traitql_schema::model::{Access, Field, Model, Operation, Release, RootKind, Type};
use traitql_schema::{ReleaseDocument, ReleaseSource};

pub const FORMAT: &str = "apollo-persisted-query-manifest";

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
    let mut text = serde_json::to_string_pretty(&manifest).expect("a `serde_json::Value` always serializes");
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

/// HTTP caches may store the response of such a query and revalidate it on every use.
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
    if release.unfrozen {
        return json!({ "name": release.name, "unfrozen": true });
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

/// Returns the lower-case hexadecimal SHA-256 of `body`, which clients send instead.
pub fn id(body: &str) -> String {
    hex::encode(Sha256::digest(body.as_bytes()))
}

/// Parses the releases of a manifest.
///
/// # Errors
/// Describes why the releases cannot be parsed. The caller must then not overwrite the manifest, because that would
/// lose them.
pub fn releases(manifest: &str) -> Result<Vec<ReleaseSource>, String> {
    // A damaged manifest without releases can be regenerated.
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
    // An operation can be named "releases".
    let Some(entries) = value.get("releases") else {
        return Ok(Vec::new());
    };
    let entries = entries.as_array().ok_or("`releases` must be a list")?;
    entries.iter().map(|entry| read(entry, &bodies)).collect()
}

fn read(entry: &Value, bodies: &IndexMap<&str, &str>) -> Result<ReleaseSource, String> {
    let name = text(entry, "name").ok_or("a release has no name")?.to_owned();
    let unfrozen = entry.get("unfrozen").and_then(Value::as_bool).unwrap_or(false);
    let texts = |key: &str| {
        let entries = entry.get(key).and_then(Value::as_object).into_iter().flatten();
        entries.filter_map(|(key, value)| Some((key.clone(), value.as_str()?.to_owned())))
    };
    let mut documents = Vec::new();
    for (operation, wanted) in texts("documents") {
        match bodies.get(wanted.as_str()) {
            Some(body) if id(body) == wanted => documents.push(ReleaseDocument {
                name: operation,
                body: (*body).to_owned(),
            }),
            Some(_) => {
                return Err(format!(
                    "the document `{operation}` of release {name} does not match its hash; it was edited by hand"
                ));
            }
            None => {
                return Err(format!(
                    "the document `{operation}` of release {name} ({wanted}) is missing"
                ));
            }
        }
    }
    Ok(ReleaseSource {
        name,
        unfrozen,
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
    fn an_operation_named_releases_is_not_parsed_as_the_releases_key() {
        let manifest = r#"{ "operations": [{ "id": "1", "name": "releases", "body": "query releases { a }" }] }"#;
        assert_eq!(releases(manifest), Ok(Vec::new()));
        assert!(releases(r#"{ "releases": {} }"#).is_err());
    }
}
