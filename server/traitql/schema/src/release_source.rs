//! Frozen releases, as the manifest lists them.

use indexmap::IndexMap;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReleaseSource {
    pub name: String,
    /// True if the release was unfrozen: its documents are no longer served or checked.
    pub unfrozen: bool,
    /// See [`schema_dependencies`](crate::schema_dependencies()).
    pub types: IndexMap<String, String>,
    pub documents: Vec<ReleaseDocument>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReleaseDocument {
    pub name: String,
    /// Exactly as the clients send it.
    pub body: String,
}
