//! From a checked [`Model`] to the files that are generated from it. Pure: a model in, names and bytes out. Nothing is
//! written here, and the same model and configuration always give the same bytes.

mod manifest;
mod names;
mod render;
mod rust;

use indexmap::IndexMap;
use traitql_schema::model::Model;

/// The `traitql:` section of `codegen.yml`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// Folder of the generated crate, relative to `codegen.yml`: `server/waypost-api`.
    pub crate_dir: String,
    /// Path of the manifest of trusted documents, relative to `codegen.yml`.
    pub manifest: String,
    /// Rust types of custom scalars (and of `ID`): `DateTime: traitql::DateTime`.
    pub scalars: IndexMap<String, String>,
    /// Fields that a type's struct has beside those of the schema: `Tour: { workspace_id: traitql::Id }`.
    pub extra: IndexMap<String, IndexMap<String, String>>,
}

/// A file that generation makes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneratedFile {
    /// Path relative to `codegen.yml`, with `/` between its parts.
    pub path: String,
    /// Everything that is in the file.
    pub contents: String,
}

/// Makes all files from a model, ordered by their paths.
pub fn generate(model: &Model, config: &Config) -> Vec<GeneratedFile> {
    let mut files = rust::files(model, config);
    files.push(GeneratedFile {
        path: config.manifest.clone(),
        contents: manifest::contents(&model.operations),
    });
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}
