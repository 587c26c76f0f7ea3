//! Trusted documents, in Apollo's format (`apollo-persisted-query-manifest`, version 1); unknown keys are ignored.
//!
//! A document is identified by its SHA-256 (`extensions.persistedQuery.sha256Hash`, or `documentId` as in the appendix
//! of GraphQL over HTTP), or by its text, in which fragments can be in any order. Documents of released clients
//! (`released`) are executed even if the operation has changed or was removed since.
//!
//! Unknown documents are rejected before they are parsed, so that a response does not reveal the schema. Any fast hash
//! can select the candidate of a text, because the full text is compared.

use std::{
    borrow::Borrow,
    collections::{HashMap, HashSet},
    hash::{Hash, Hasher},
    sync::Arc,
};

use foldhash::fast::RandomState;
use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::engine::{Document, OperationKind};

/// The trusted documents by hash and by text.
#[derive(Debug, Clone, Default)]
pub struct Documents {
    by_hash: HashMap<String, Arc<Document>, RandomState>,
    by_text: HashSet<ByText, RandomState>,
    by_quoted: HashMap<Box<str>, Arc<Document>, RandomState>,
    by_definitions: HashMap<String, Arc<Document>, RandomState>,
    /// Hashes in manifest order.
    current: Vec<String>,
    public: HashSet<String, RandomState>,
}

#[derive(Debug, Clone)]
struct ByText(Arc<Document>);

impl Borrow<str> for ByText {
    fn borrow(&self) -> &str {
        &self.0.text
    }
}

impl Hash for ByText {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.text.hash(state);
    }
}

impl PartialEq for ByText {
    fn eq(&self, other: &Self) -> bool {
        self.0.text == other.0.text
    }
}

impl Eq for ByText {}

/// The reason why a manifest cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ManifestError {
    /// Not JSON of the expected shape.
    Malformed(String),
    /// Not an `apollo-persisted-query-manifest` of version 1.
    Format {
        /// `format` of the file.
        format: String,
        /// `version` of the file.
        version: u32,
    },
    /// The `id` of an operation is not the SHA-256 of its `body`.
    Hash {
        /// Its name.
        operation: String,
        /// The correct hash.
        expected: String,
    },
}

impl std::fmt::Display for ManifestError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Malformed(problem) => write!(f, "the manifest of trusted documents is invalid: {problem}"),
            Self::Format { format, version } => write!(
                f,
                "the manifest of trusted documents is `{format}` version {version}; expected `{FORMAT}` version {VERSION}"
            ),
            Self::Hash { operation, expected } => write!(
                f,
                "the id of `{operation}` in the manifest is not the SHA-256 of its body, {expected}: generate the manifest again"
            ),
        }
    }
}

impl std::error::Error for ManifestError {}

const FORMAT: &str = "apollo-persisted-query-manifest";
const VERSION: u32 = 1;

#[derive(Deserialize)]
struct Manifest {
    format: String,
    version: u32,
    operations: Vec<Operation>,
    #[serde(default)]
    released: Vec<Operation>,
}

#[derive(Deserialize)]
struct Operation {
    id: String,
    name: String,
    #[serde(rename = "type")]
    kind: Kind,
    body: String,
    #[serde(default)]
    cost: u64,
    #[serde(default)]
    public: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Query,
    Mutation,
    Subscription,
}

impl Documents {
    /// Reads a manifest. Two keys extend Apollo's format: `cost`, and `public` if all root fields are `@public`.
    pub fn from_manifest(json: &str) -> Result<Self, ManifestError> {
        let manifest: Manifest =
            serde_json::from_str(json).map_err(|error| ManifestError::Malformed(error.to_string()))?;
        if manifest.format != FORMAT || manifest.version != VERSION {
            return Err(ManifestError::Format {
                format: manifest.format,
                version: manifest.version,
            });
        }
        let mut documents = Self::default();
        let ids = manifest.operations.iter().map(|operation| operation.id.clone());
        documents.current = ids.collect();
        for Operation {
            id,
            name,
            kind,
            body,
            cost,
            public,
        } in manifest.operations.into_iter().chain(manifest.released)
        {
            let hash = hash(&body);
            if id != hash {
                return Err(ManifestError::Hash {
                    operation: name,
                    expected: hash,
                });
            }
            let kind = match kind {
                Kind::Query => OperationKind::Query,
                Kind::Mutation => OperationKind::Mutation,
                Kind::Subscription => OperationKind::Subscription,
            };
            // A document can be in both sections.
            if documents.by_hash.contains_key(&hash) {
                continue;
            }
            if public && kind == OperationKind::Query {
                documents.public.insert(hash.clone());
            }
            documents.insert(Document {
                text: body,
                name: Some(name),
                kind,
                hash,
                cost,
                trusted: true,
            });
        }
        Ok(documents)
    }

    fn insert(&mut self, document: Document) {
        let document = Arc::new(document);
        let quoted = serde_json::Value::from(document.text.as_str()).to_string();
        self.by_quoted.insert(quoted.into(), Arc::clone(&document));
        if let Some(sorted) = sorted_definitions(&document.text) {
            self.by_definitions.insert(sorted, Arc::clone(&document));
        }
        self.by_text.insert(ByText(Arc::clone(&document)));
        self.by_hash.insert(document.hash.clone(), document);
    }

    /// Returns the document with this hash: 64 hexadecimal digits in upper or lower case, optionally prefixed with
    /// `sha256:`.
    pub fn by_hash(&self, id: &str) -> Option<&Arc<Document>> {
        let id = id.strip_prefix("sha256:").unwrap_or(id);
        match self.by_hash.get(id) {
            None if id.len() == 64 => self.by_hash.get(&id.to_ascii_lowercase()),
            found => found,
        }
    }

    /// Returns the document with this text. Its definitions can be in any order.
    pub fn by_text(&self, text: &str) -> Option<&Arc<Document>> {
        match self.by_text.get(text) {
            Some(found) => Some(&found.0),
            None => self.by_definitions.get(&sorted_definitions(text)?),
        }
    }

    /// Returns the document whose text is this JSON string, including its quotes. Misses other escapes of the same
    /// text.
    pub fn by_quoted(&self, json: &str) -> Option<&Arc<Document>> {
        self.by_quoted.get(json)
    }

    /// True for queries whose root fields are all `@public`, so that caches may store the response.
    pub fn is_public(&self, document: &Document) -> bool {
        self.public.contains(&document.hash)
    }

    /// Returns all trusted documents, unordered.
    pub fn all(&self) -> impl Iterator<Item = &Document> {
        self.by_hash.values().map(|document| &**document)
    }

    /// Returns the documents of the current clients, in manifest order. Their names are unique.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Document>> {
        self.current.iter().filter_map(|hash| self.by_hash.get(hash))
    }

    /// Returns the documents that only released clients use, sorted by name, which need not be unique.
    pub fn released(&self) -> impl Iterator<Item = &Arc<Document>> {
        let current: HashSet<&String> = self.current.iter().collect();
        let mut released: Vec<_> = self
            .by_hash
            .values()
            .filter(|document| !current.contains(&document.hash))
            .collect();
        released.sort_by(|a, b| (&a.name, &a.hash).cmp(&(&b.name, &b.hash)));
        released.into_iter()
    }

    /// Returns the number of trusted documents.
    pub fn len(&self) -> usize {
        self.by_hash.len()
    }

    /// True if there are no trusted documents.
    pub fn is_empty(&self) -> bool {
        self.by_hash.is_empty()
    }
}

/// Returns `None` for a single definition. Also sorts paragraphs of block strings, but only selects a trusted
/// document, whose own text is executed.
fn sorted_definitions(text: &str) -> Option<String> {
    let mut definitions: Vec<&str> = text.split("\n\n").collect();
    if definitions.len() == 1 {
        return None;
    }
    definitions.sort_unstable();
    Some(definitions.join("\n\n"))
}

pub(crate) fn hash(text: &str) -> String {
    hex::encode(Sha256::digest(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use serde_json::json;

    use super::*;

    const TEXT: &str = "query Hello {\n  hello\n}";

    fn manifest(id: &str) -> String {
        json!({
            "format": FORMAT, "version": 1, "generator": "an unknown key",
            "operations": [{ "id": id, "name": "Hello", "type": "query", "body": TEXT, "cost": 3, "depth": 1 }],
        })
        .to_string()
    }

    #[test]
    fn a_document_is_found_by_all_forms_of_its_hash_and_by_its_text() {
        let id = hash(TEXT);
        let documents = Documents::from_manifest(&manifest(&id)).unwrap();
        for spelling in [id.clone(), id.to_uppercase(), format!("sha256:{id}")] {
            assert_eq!(
                documents.by_hash(&spelling).unwrap().name.as_deref(),
                Some("Hello"),
                "{spelling}"
            );
        }
        assert_eq!(documents.by_text(TEXT).unwrap().cost, 3);
        assert_eq!(documents.by_quoted(r#""query Hello {\n  hello\n}""#).unwrap().cost, 3);
        assert!(documents.by_text("query Hello { hello }").is_none());
        assert!(documents.by_quoted(r#""query Hello {\u000a  hello\n}""#).is_none());
        assert!(documents.by_hash("").is_none());
        assert_eq!(
            (documents.len(), documents.is_empty(), documents.iter().count()),
            (1, false, 1)
        );
    }

    #[test]
    fn definitions_can_be_in_any_order() {
        let (operation, a, b) = (
            "query Hello {\n  ...B\n  ...A\n}",
            "fragment A on Query {\n  a\n}",
            "fragment B on Query {\n  b\n}",
        );
        let text = [operation, a, b].join("\n\n");
        let entry = json!({ "id": hash(&text), "name": "Hello", "type": "query", "body": text });
        let manifest = json!({ "format": FORMAT, "version": 1, "operations": [entry] });
        let documents = Documents::from_manifest(&manifest.to_string()).unwrap();
        for order in [[operation, a, b], [operation, b, a], [b, operation, a]] {
            let sent = order.join("\n\n");
            assert_eq!(documents.by_text(&sent).map(|found| &found.text), Some(&text), "{sent}");
        }
        for other in [vec![operation, a], vec![operation, a, a], vec![operation, a, b, b]] {
            assert_eq!(documents.by_text(&other.join("\n\n")).map(|found| &found.text), None);
        }
    }

    #[test]
    fn only_a_query_can_be_public() {
        let entry = |kind: &str, public: bool| {
            let body = format!("{kind} A {{ a }}");
            json!({ "id": hash(&body), "name": "A", "type": kind, "body": body, "public": public })
        };
        let operations = [
            entry("query", true),
            entry("mutation", true),
            entry("subscription", false),
        ];
        let manifest = json!({ "format": FORMAT, "version": 1, "operations": operations });
        let documents = Documents::from_manifest(&manifest.to_string()).unwrap();
        let public: Vec<bool> = documents.iter().map(|document| documents.is_public(document)).collect();
        assert_eq!(public, [true, false, false]);
    }

    #[test]
    fn a_manifest_with_a_wrong_hash_names_the_operation() {
        let error = Documents::from_manifest(&manifest("0000")).unwrap_err();
        assert!(error.to_string().starts_with("the id of `Hello`"), "{error}");
    }

    #[test]
    fn released_documents_are_found_in_addition_to_current_ones() {
        let entry = |body: &str, cost: u64| json!({ "id": hash(body), "name": "Hello", "type": "query", "body": body, "cost": cost });
        let (old, older) = ("query Hello {\n  hi\n}", "query Hello {\n  hail\n}");
        let manifest = json!({
            "format": FORMAT, "version": 1,
            "operations": [entry(TEXT, 3)],
            "released": [entry(old, 2), entry(older, 1), entry(TEXT, 9)],
            "releases": [{ "name": "2026-11", "documents": { "Hello": hash(old) }, "types": { "Query.hi": "String" } }],
        });
        let documents = Documents::from_manifest(&manifest.to_string()).unwrap();
        assert_eq!(documents.by_text(old).unwrap().cost, 2);
        assert_eq!(documents.by_hash(&hash(older)).unwrap().text, older);
        assert_eq!(
            documents.by_text(TEXT).unwrap().cost,
            3,
            "the current document takes precedence"
        );
        assert_eq!(documents.len(), 3);
        let texts =
            |documents: Vec<&Arc<Document>>| documents.iter().map(|found| found.text.clone()).collect::<Vec<_>>();
        assert_eq!(texts(documents.iter().collect()), [TEXT]);
        let released = texts(documents.released().collect());
        assert_eq!(released.len(), 2, "{released:?}");
        assert!(released.contains(&old.to_owned()) && released.contains(&older.to_owned()));
    }

    #[test]
    fn a_modified_released_document_is_rejected() {
        let entry = json!({ "id": "0000", "name": "Hello", "type": "query", "body": TEXT });
        let manifest = json!({ "format": FORMAT, "version": 1, "operations": [], "released": [entry] });
        let error = Documents::from_manifest(&manifest.to_string()).unwrap_err();
        assert!(error.to_string().starts_with("the id of `Hello`"), "{error}");
    }

    #[test]
    fn other_formats_are_rejected() {
        let error = Documents::from_manifest(r#"{"format":"relay","version":2,"operations":[]}"#).unwrap_err();
        assert!(error.to_string().contains("`relay` version 2"), "{error}");
        assert!(
            Documents::from_manifest("{")
                .unwrap_err()
                .to_string()
                .contains("line 1 column 1")
        );
    }
}
