//! `traitql generate`

use std::path::Path;

use traitql_codegen::GeneratedFile;
use traitql_schema::model::Model;

use crate::config::{self, Settings};
use crate::output::{self, Failure};
use crate::project;

/// Reads, checks and generates, without writing anything.
pub(crate) fn build(settings: &Settings) -> Result<(Model, Vec<GeneratedFile>), Failure> {
    let schema = project::sources(&settings.root, &settings.schema)?;
    let documents = project::sources(&settings.root, &settings.documents)?;
    let model = traitql_schema::load(&schema, &documents)?;
    let files = traitql_codegen::generate(&model, &settings.codegen);
    Ok((model, files))
}

pub(crate) fn run(config: &Path) -> Result<(), Failure> {
    let settings = config::read(config)?;
    let (_, files) = build(&settings)?;
    let differences = project::differences(&settings.root, &files)?;
    project::apply(&settings.root, &files, &differences)?;
    output::line(&format!("{} of {} files written", differences.len(), files.len()));
    Ok(())
}
