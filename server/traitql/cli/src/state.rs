use traitql_schema::model::Model;
use traitql_schema::{Options, ReleaseSource, SourceText};

use crate::config::{self, Settings};
use crate::git::Revision;
use crate::output::Failure;
use crate::patterns::Patterns;
use crate::{config_check, project, releases};

pub(crate) fn now(settings: &Settings) -> Result<Model, Failure> {
    with_releases(settings, releases::read(settings)?)
}

/// Replaces the manifest's releases.
pub(crate) fn with_releases(settings: &Settings, releases: Vec<ReleaseSource>) -> Result<Model, Failure> {
    let schema = project::sources(&settings.root, project::schema_paths(settings)?)?;
    let documents = project::sources(&settings.root, project::document_paths(settings)?)?;
    let options = settings.options.clone().with_releases(releases);
    let load = |options: &Options| traitql_schema::load(&schema, &documents, options);
    load(&options).map_err(|report| {
        // A wrong coordinate in `rename` can cause clashes. Report it instead.
        match load(&options.clone().with_automatic_renaming()) {
            Ok(model) => config_check::rename::check_only(settings, &model)
                .err()
                .unwrap_or(report.into()),
            Err(_) => report.into(),
        }
    })
}

pub(crate) fn at(settings: &Settings, config: &str, revision: &Revision) -> Result<Model, Failure> {
    let then = revision.file(config)?;
    let then = then.and_then(|text| config::parse(&text, &settings.root).ok());
    let then = then.as_ref().unwrap_or(settings);
    let paths = revision.paths()?;
    let read = |patterns: &Patterns| -> Result<Vec<SourceText>, Failure> {
        let matching = paths.iter().filter(|path| patterns.matches(path));
        let matching: Vec<String> = matching.cloned().collect();
        let texts = revision.read(&matching)?;
        let files = matching.into_iter().zip(texts);
        let files = files.filter_map(|(path, text)| Some((path, text?)));
        files
            .filter(|(_, text)| !traitql_codegen::is_generated(text))
            .map(|(path, text)| project::source(path, text))
            .collect()
    };
    let (schema, documents) = (read(&then.schema)?, read(&then.documents)?);
    if schema.is_empty() {
        return Err(Failure::message(format!(
            "there is no schema at {}: no file matches {}",
            revision.name,
            then.schema.shown()
        )));
    }
    let releases = releases::at(revision, &then.codegen.manifest)?;
    let options = then.lenient().with_releases(releases);
    traitql_schema::load(&schema, &documents, &options).map_err(|report| {
        Failure::message(format!(
            "this version of traitql rejects the schema at {}:\n{report}",
            revision.name
        ))
    })
}
