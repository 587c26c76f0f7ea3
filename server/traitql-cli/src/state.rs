//! What a project is, now or at a revision: the model of its schema, its operations and its releases.

use traitql_schema::model::Model;
use traitql_schema::{Options, ReleaseText, SourceText};

use crate::config::{self, Settings};
use crate::git::Revision;
use crate::output::Failure;
use crate::patterns::Patterns;
use crate::{fit, project, released};

/// The project as it is on the disk.
pub(crate) fn now(settings: &Settings) -> Result<Model, Failure> {
    with_releases(settings, released::kept(settings)?)
}

/// The project as it is on the disk, with other releases than the manifest has.
pub(crate) fn with_releases(settings: &Settings, releases: Vec<ReleaseText>) -> Result<Model, Failure> {
    let schema = project::sources(&settings.root, project::schema_paths(settings)?)?;
    let documents = project::sources(&settings.root, project::document_paths(settings)?)?;
    let options = settings.options.clone().with_releases(releases);
    let load = |options: &Options| traitql_schema::load(&schema, &documents, options);
    load(&options).map_err(|report| {
        // Names may meet because the line that should keep them apart names something else.
        match load(&options.clone().renaming()) {
            Ok(model) => fit::rename::only(settings, &model).err().unwrap_or(report.into()),
            Err(_) => report.into(),
        }
    })
}

/// The project as it was at a revision, by the patterns of that time.
pub(crate) fn at(settings: &Settings, config: &str, revision: &Revision) -> Result<Model, Failure> {
    let then = revision.file(config)?;
    let then = then.and_then(|text| config::parse(&text, &settings.root).ok());
    let then = then.as_ref().unwrap_or(settings);
    let paths = revision.paths()?;
    let read = |patterns: &Patterns| -> Result<Vec<SourceText>, Failure> {
        let wanted = paths.iter().filter(|path| patterns.matches(path));
        let wanted: Vec<String> = wanted.cloned().collect();
        let texts = revision.read(&wanted)?;
        let files = wanted.into_iter().zip(texts);
        let files = files.filter_map(|(path, text)| Some((path, text?)));
        files
            .filter(|(_, text)| !traitql_codegen::is_generated(text))
            .map(|(path, text)| project::source(path, text))
            .collect()
    };
    let (schema, documents) = (read(&then.schema)?, read(&then.documents)?);
    if schema.is_empty() {
        return Err(Failure::message(format!(
            "there was no schema at {}: no file fits {}",
            revision.name,
            then.schema.shown()
        )));
    }
    let releases = released::at(revision, &then.codegen.manifest)?;
    let options = then.lenient().with_releases(releases);
    traitql_schema::load(&schema, &documents, &options).map_err(|report| {
        Failure::message(format!(
            "the schema at {} is not one that this traitql accepts:\n{report}",
            revision.name
        ))
    })
}
