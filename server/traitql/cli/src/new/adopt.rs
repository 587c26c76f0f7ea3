//! Schemas that were not written for traitql: violated conventions, Rust types of scalars, and renames on clashes.

use std::collections::{BTreeSet, HashMap};
use std::path::{Component, Path, PathBuf, absolute};

use traitql_schema::model::{Field, InputValue, Model, Type};
use traitql_schema::{Options, SourceText, load_lenient, undefined_directives};

use crate::output::Failure;
use crate::patterns::{PatternContext, Patterns};
use crate::project;

#[derive(Debug)]
pub(crate) struct Adopted {
    pub(crate) schema: Vec<SourceText>,
    pub(crate) documents: Vec<SourceText>,
    pub(crate) model: Model,
    pub(crate) allowed: Vec<&'static str>,
    pub(crate) scalars: Vec<(String, &'static str)>,
    pub(crate) defined: Vec<String>,
}

/// The file for missing definitions.
pub(crate) const DEFINED: &str = "schema/traitql.graphql";

impl Adopted {
    pub(crate) fn options(&self) -> Options {
        permitting(&self.allowed).with_names(self.model.auto_renamed.iter().cloned().collect())
    }
}

/// Access to root fields of a schema that declares none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UndeclaredAccess {
    Rejected,
    Public,
}

impl UndeclaredAccess {
    pub(crate) fn of_flag(public: bool) -> Self {
        if public { Self::Public } else { Self::Rejected }
    }
}

pub(crate) fn adopt(schema: &[String], operations: &[String], access: UndeclaredAccess) -> Result<Adopted, Failure> {
    let here = Path::new(".");
    let read = |option: &str, patterns: &[String]| {
        let paths = Patterns::of_option(option, patterns).paths(here, PatternContext::NOTHING)?;
        let found = project::sources(here, paths)?;
        if found.is_empty() && !patterns.is_empty() {
            return Err(Failure::message(format!(
                "`{option}`: no file matches `{}`",
                patterns.join("`, `")
            )));
        }
        Ok(found)
    };
    let (schema, documents) = (read("--schema", schema)?, read("--operations", operations)?);
    let missing = undefined_directives(&schema).unwrap_or_default();
    let original = (schema.clone(), documents.clone());
    let mut schema = moved(with_absolute_paths(schema), "schema")?;
    let documents = moved(with_absolute_paths(documents), "operations")?;
    define(&mut schema, missing.text.clone());
    let options = Options::default().with_automatic_renaming();
    let options = match access {
        UndeclaredAccess::Rejected => options,
        UndeclaredAccess::Public => options.with_open_access(),
    };
    let (model, options) = match load_lenient(&schema, &documents, &options) {
        Ok(found) => found,
        Err(report) => {
            // Diagnostics refer to the files on the command line.
            let (mut schema, documents) = original;
            if !missing.text.is_empty() {
                schema.push(SourceText::new(DEFINED, missing.text));
            }
            let original = load_lenient(&schema, &documents, &options);
            return Err(original.err().unwrap_or(report).into());
        }
    };
    let mut allowed: Vec<&str> = options.allowed().map(|code| code.slug).collect();
    allowed.sort_unstable();
    let scalars = scalars(&model);
    Ok(Adopted {
        schema,
        documents,
        model,
        allowed,
        scalars,
        defined: missing.directives,
    })
}

fn define(schema: &mut Vec<SourceText>, definitions: String) {
    if definitions.is_empty() {
        return;
    }
    match schema.iter_mut().find(|source| source.path == DEFINED) {
        Some(source) => source.text += &format!("\n{definitions}"),
        None => schema.push(SourceText::new(DEFINED, definitions)),
    }
}

fn permitting(conventions: &[&str]) -> Options {
    Options::allowing(conventions.iter().copied()).unwrap_or_else(|_| Options::lenient())
}

/// Paths that start with `..` would lead outside of the new project.
fn with_absolute_paths(sources: Vec<SourceText>) -> Vec<SourceText> {
    let normalized = |path: &str| {
        let path = Path::new(path);
        let mut normalized = PathBuf::new();
        for part in absolute(path).unwrap_or_else(|_| path.to_owned()).components() {
            match part {
                Component::ParentDir => {
                    normalized.pop();
                }
                part => normalized.push(part),
            }
        }
        normalized.to_string_lossy().replace('\\', "/")
    };
    sources
        .into_iter()
        .map(|source| SourceText::new(normalized(&source.path), source.text))
        .collect()
}

/// Keeps relative paths.
fn moved(sources: Vec<SourceText>, folder: &str) -> Result<Vec<SourceText>, Failure> {
    let folders = |path: &str| {
        path.rsplit_once('/')
            .map_or_else(String::new, |(folders, _)| format!("{folders}/"))
    };
    let mut common = sources.first().map_or_else(String::new, |source| folders(&source.path));
    for source in &sources {
        while !source.path.starts_with(&common) {
            common = folders(common.trim_end_matches('/'));
        }
    }
    let target = |path: &str| {
        let path = &path[common.len()..];
        let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
        format!("{folder}/{stem}.graphql")
    };
    let mut taken = HashMap::new();
    let mut moved = Vec::new();
    for source in sources {
        let path = target(&source.path);
        if let Some(other) = taken.insert(path.clone(), source.path.clone()) {
            return Err(Failure::message(format!(
                "{other} and {} would both become {path} in the project; rename one of them",
                source.path
            )));
        }
        moved.push(SourceText::new(path, source.text));
    }
    Ok(moved)
}

/// Chooses `Json`, which accepts all values, for scalars without a known name.
fn scalars(model: &Model) -> Vec<(String, &'static str)> {
    let with_defaults = with_defaults(model);
    let scalars = model.types.iter().filter_map(|(name, ty)| match ty {
        Type::Scalar(_) => Some(name),
        _ => None,
    });
    scalars
        .map(|name| {
            let ty = match name.as_str() {
                // The defaults might not be valid for the runtime's type.
                name if with_defaults.contains(name) => "traitql::Json",
                "DateTime" => "traitql::DateTime",
                "Date" => "traitql::Date",
                "URL" | "Url" | "URI" | "Uri" => "traitql::Url",
                _ => "traitql::Json",
            };
            (name.clone(), ty)
        })
        .collect()
}

fn with_defaults(model: &Model) -> BTreeSet<&str> {
    fn of_fields(fields: &[Field]) -> Vec<&InputValue> {
        fields.iter().flat_map(|field| &field.args).collect()
    }
    let values = model.types.values().flat_map(|ty| match ty {
        Type::Input(input) => input.fields.iter().collect(),
        Type::Object(object) => of_fields(&object.fields),
        Type::Interface(interface) => of_fields(&interface.fields),
        Type::Scalar(_) | Type::Enum(_) | Type::Union(_) => Vec::new(),
    });
    values
        .filter(|value| value.default.is_some())
        .map(|value| value.ty.name())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_keep_their_relative_paths() {
        let sources = ["/a/b/tour.graphql", "/a/b/c/step.gql", "/a/bc/api.json"];
        let sources = sources.iter().map(|path| SourceText::new(*path, "")).collect();
        let moved = moved(sources, "schema").expect("all paths are different");
        let paths: Vec<String> = moved.into_iter().map(|source| source.path).collect();
        assert_eq!(
            paths,
            [
                "schema/b/tour.graphql",
                "schema/b/c/step.graphql",
                "schema/bc/api.graphql"
            ]
        );
    }

    #[test]
    fn files_from_parent_folders_stay_in_the_project() {
        let sources = ["api/tour.graphql", "../shared.graphql"];
        let sources = with_absolute_paths(sources.iter().map(|path| SourceText::new(*path, "")).collect());
        let moved = moved(sources, "schema").expect("all paths are different");
        assert!(moved.iter().all(|source| !source.path.contains("..")), "{moved:?}");
        assert_eq!(moved[1].path, "schema/shared.graphql");
    }

    #[test]
    fn two_files_with_the_same_path_in_the_project_are_rejected() {
        let sources = ["/a/api.graphql", "/a/api.json"].map(|path| SourceText::new(path, ""));
        let Err(Failure::Message(message)) = moved(sources.into(), "schema") else {
            panic!("one of the files would be overwritten");
        };
        assert_eq!(
            message,
            "/a/api.graphql and /a/api.json would both become schema/api.graphql in the project; rename one of them"
        );
    }
}
