//! Taking up a schema that was not written for traitql: which of traitql's conventions it does not keep, what its scalars
//! could be in Rust, and what is called otherwise there because names would meet.

use std::collections::{BTreeSet, HashMap};
use std::path::{Component, Path, PathBuf, absolute};

use traitql_schema::model::{Field, InputValue, Model, Type};
use traitql_schema::{Options, SourceText, load_permitting, missing_definitions};

use crate::output::Failure;
use crate::patterns::{Around, Patterns};
use crate::project;

/// A schema and operations, as a project of their own has them.
#[derive(Debug)]
pub(crate) struct Adopted {
    /// Files of the schema, below `schema/`.
    pub(crate) schema: Vec<SourceText>,
    /// Files of operations, below `operations/`.
    pub(crate) documents: Vec<SourceText>,
    /// What they mean.
    pub(crate) model: Model,
    /// The conventions that they do not keep, by their names.
    pub(crate) allowed: Vec<&'static str>,
    /// Rust types of the scalars.
    pub(crate) scalars: Vec<(String, &'static str)>,
    /// Directives of traitql that the schema used without defining them; [`DEFINED`] does.
    pub(crate) defined: Vec<String>,
}

/// File of the definitions that a schema was lacking.
pub(crate) const DEFINED: &str = "schema/traitql.graphql";

impl Adopted {
    /// The options that permit what is done against conventions.
    pub(crate) fn options(&self) -> Options {
        permitting(&self.allowed).with_names(self.model.renamed.iter().cloned().collect())
    }
}

/// Reads the files that fit the patterns, from wherever they are.
pub(crate) fn adopt(schema: &[String], operations: &[String]) -> Result<Adopted, Failure> {
    let here = Path::new(".");
    let read = |option: &str, patterns: &[String]| {
        let paths = Patterns::of_option(option, patterns).paths(here, Around::NOTHING)?;
        let found = project::sources(here, paths)?;
        match found.is_empty() && !patterns.is_empty() {
            true => Err(Failure::message(format!(
                "`{option}`: there is no file `{}`",
                patterns.join("`, `")
            ))),
            false => Ok(found),
        }
    };
    let (schema, documents) = (read("--schema", schema)?, read("--operations", operations)?);
    let missing = missing_definitions(&schema).unwrap_or_default();
    let given = (schema.clone(), documents.clone());
    let (mut schema, documents) = (moved(whole(schema), "schema")?, moved(whole(documents), "operations")?);
    define(&mut schema, missing.text.clone());
    let options = Options::default().renaming();
    let (model, options) = match load_permitting(&schema, &documents, &options) {
        Ok(found) => found,
        Err(report) => {
            // What is wrong is told with the paths that were given.
            let (mut schema, documents) = given;
            if !missing.text.is_empty() {
                schema.push(SourceText::new(DEFINED, missing.text));
            }
            let again = load_permitting(&schema, &documents, &options);
            return Err(again.err().unwrap_or(report).into());
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

/// Adds definitions to the file that is meant for them, which may be there already.
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

/// The same files with their whole paths: one that begins with `..` would leave the new project.
fn whole(sources: Vec<SourceText>) -> Vec<SourceText> {
    let whole = |path: &str| {
        let path = Path::new(path);
        let mut plain = PathBuf::new();
        for part in absolute(path).unwrap_or_else(|_| path.to_owned()).components() {
            match part {
                Component::ParentDir => {
                    plain.pop();
                }
                part => plain.push(part),
            }
        }
        plain.to_string_lossy().replace('\\', "/")
    };
    sources
        .into_iter()
        .map(|source| SourceText::new(whole(&source.path), source.text))
        .collect()
}

/// The same files below a folder of the project, as they lie to each other.
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
    let place = |path: &str| {
        let path = &path[common.len()..];
        let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
        format!("{folder}/{stem}.graphql")
    };
    let mut taken = HashMap::new();
    let mut placed = Vec::new();
    for source in sources {
        let path = place(&source.path);
        if let Some(other) = taken.insert(path.clone(), source.path.clone()) {
            return Err(Failure::message(format!(
                "{other} and {} would both be {path} in the project: rename one of them",
                source.path
            )));
        }
        placed.push(SourceText::new(path, source.text));
    }
    Ok(placed)
}

/// A type of the runtime for scalars whose names promise one; JSON for all others, which accepts everything.
fn scalars(model: &Model) -> Vec<(String, &'static str)> {
    let with_defaults = with_defaults(model);
    let scalars = model.types.iter().filter_map(|(name, ty)| match ty {
        Type::Scalar(_) => Some(name),
        _ => None,
    });
    scalars
        .map(|name| {
            let ty = match name.as_str() {
                // Nobody here knows whether a default value has the form that the runtime's type wants.
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
    fn files_keep_their_places_to_each_other() {
        let sources = ["/a/b/tour.graphql", "/a/b/c/step.gql", "/a/bc/api.json"];
        let sources = sources.iter().map(|path| SourceText::new(*path, "")).collect();
        let moved = moved(sources, "schema").expect("no two become one");
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
    fn files_from_above_stay_in_the_project() {
        let sources = ["api/tour.graphql", "../shared.graphql"];
        let sources = whole(sources.iter().map(|path| SourceText::new(*path, "")).collect());
        let moved = moved(sources, "schema").expect("no two become one");
        assert!(moved.iter().all(|source| !source.path.contains("..")), "{moved:?}");
        assert_eq!(moved[1].path, "schema/shared.graphql");
    }

    #[test]
    fn two_files_that_would_become_one_are_refused() {
        let sources = ["/a/api.graphql", "/a/api.json"].map(|path| SourceText::new(path, ""));
        let Err(Failure::Message(said)) = moved(sources.into(), "schema") else {
            panic!("one of them would be lost");
        };
        assert_eq!(
            said,
            "/a/api.graphql and /a/api.json would both be schema/api.graphql in the project: rename one of them"
        );
    }
}
