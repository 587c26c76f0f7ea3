//! `traitql generate`: from the files that people write to those that nobody edits.
//!
//! Everything is read, checked and generated in memory first; the disk changes only when nothing is wrong, and then only
//! where bytes differ. Afterwards the command says what the change means, by comparing the new model with the one that was
//! generated before.

use std::path::Path;

use traitql_codegen::GeneratedFile;
use traitql_schema::meaning;
use traitql_schema::model::Model;

use crate::config::{self, Settings};
use crate::output::{self, Failure};
use crate::{fit, previous, project};

/// What is generated from a project as it is now.
pub(crate) struct Generated {
    pub(crate) model: Model,
    pub(crate) files: Vec<GeneratedFile>,
}

/// Reads, checks and generates, without writing anything.
pub(crate) fn build(settings: &Settings) -> Result<Generated, Failure> {
    let schema = project::sources(&settings.root, &settings.schema)?;
    let documents = project::sources(&settings.root, &settings.documents)?;
    let model = traitql_schema::load(&schema, &documents, &settings.options)?;
    fit::check(settings, &model)?;
    let files = traitql_codegen::generate(&model, &settings.codegen);
    Ok(Generated { model, files })
}

pub(crate) fn run(config: &Path) -> Result<(), Failure> {
    let settings = config::read(config)?;
    let lines = update(&settings)?;
    lines.iter().for_each(|line| output::line(line));
    Ok(())
}

/// Brings the disk up to date and says what changed, in lines.
pub(crate) fn update(settings: &Settings) -> Result<Vec<String>, Failure> {
    let generated = build(settings)?;
    let before = previous::model(settings);
    let differences = project::differences(settings, &generated.files)?;
    project::apply(&settings.root, &generated.files, &differences)?;

    let Some(before) = before else {
        let Generated { model, files } = &generated;
        let (types, operations) = (model.types.len(), model.operations.len());
        return Ok(vec![format!(
            "{} files for {types} types and {operations} operations",
            files.len()
        )]);
    };
    let mut lines: Vec<String> = meaning::changes(&before, &generated.model)
        .iter()
        .map(|change| change.to_string())
        .collect();
    if lines.is_empty() {
        lines.push(match differences.len() {
            0 => "nothing changed".to_owned(),
            1 => "nothing changed in meaning; 1 generated file was renewed".to_owned(),
            count => format!("nothing changed in meaning; {count} generated files were renewed"),
        });
    }
    Ok(lines)
}
