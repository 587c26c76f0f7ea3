//! `traitql generate`: from the files that people write to those that nobody edits.
//!
//! Everything is read, checked and generated in memory first; the disk changes only when nothing is wrong, and then only
//! where bytes differ. Afterwards the command says what the change means, by comparing the new model with the one that was
//! generated before.

use std::panic::resume_unwind;
use std::path::Path;
use std::thread;

use serde_json::Value;
use traitql_codegen::GeneratedFile;
use traitql_schema::meaning;
use traitql_schema::model::Model;

use crate::config::{self, Settings};
use crate::new::direct::{self, Direct};
use crate::output::{self, Answer, Failure};
use crate::project::Difference;
use crate::{diff, fit, previous, project, released, state};

/// What is generated from a project as it is now.
pub(crate) struct Generated {
    pub(crate) model: Model,
    pub(crate) files: Vec<GeneratedFile>,
    /// Files that are written where they are not there, and are the person's from then on.
    pub(crate) once: Vec<GeneratedFile>,
}

/// Reads, checks and generates, without writing anything.
pub(crate) fn build(settings: &Settings) -> Result<Generated, Failure> {
    let releases = &released::kept(settings)?;
    // git answers while the schema is read.
    let (none_lost, model) = thread::scope(|scope| {
        let none_lost = scope.spawn(|| released::check_none_lost(settings, releases));
        let model = state::with_releases(settings, releases.clone());
        (none_lost.join().unwrap_or_else(|panic| resume_unwind(panic)), model)
    });
    none_lost?;
    let model = model?;
    fit::check(settings, &model)?;
    Ok(of(settings, model))
}

/// Generates from a model that fits its configuration.
pub(crate) fn of(settings: &Settings, model: Model) -> Generated {
    let files = traitql_codegen::generate(&model, &settings.codegen);
    let once = Vec::new();
    Generated { model, files, once }
}

pub(crate) fn run(config: &Path, direct: &Direct) -> Result<Answer, Failure> {
    match direct.folder() {
        Some(folder) => direct::run(direct, folder),
        None => update(&config::read(config)?),
    }
}

/// Brings the disk up to date and says what changed.
pub(crate) fn update(settings: &Settings) -> Result<Answer, Failure> {
    // What was generated before is a second schema to read, as large as the first.
    let (before, generated) = thread::scope(|scope| {
        let before = scope.spawn(|| previous::model(settings));
        let generated = build(settings);
        (before.join().unwrap_or_else(|panic| resume_unwind(panic)), generated)
    });
    renew(settings, &generated?, before)
}

/// Brings the disk up to date with what was generated, and says what changed since `before`.
pub(crate) fn renew(settings: &Settings, generated: &Generated, before: Option<Model>) -> Result<Answer, Failure> {
    let mut differences = project::differences(settings, &generated.files)?;
    let missing = generated
        .once
        .iter()
        .filter(|file| !settings.root.join(&file.path).exists());
    differences.extend(missing.map(|file| (file.path.clone(), Difference::Missing)));
    let files: Vec<&GeneratedFile> = generated.files.iter().chain(&generated.once).collect();
    project::apply(&settings.root, &files, &differences)?;

    let Some(before) = before else {
        let Generated { model, files, .. } = generated;
        let types = output::count(model.types.len(), "type");
        let operations = output::count(model.operations.len(), "operation");
        let line = format!("{} for {types} and {operations}", output::count(files.len(), "file"));
        return Ok(answer(vec![line], Vec::new(), &differences));
    };
    let changes = meaning::changes(&before, &generated.model);
    let mut lines: Vec<String> = changes.iter().map(|change| change.to_string()).collect();
    if lines.is_empty() {
        lines.push(match differences.len() {
            0 => "nothing changed".to_owned(),
            1 => "nothing changed in meaning; 1 generated file was renewed".to_owned(),
            count => format!("nothing changed in meaning; {count} generated files were renewed"),
        });
    }
    let touched = meaning::touched(&before, &generated.model, &changes);
    let changes = changes
        .iter()
        .zip(&touched)
        .map(|(change, touched)| diff::change_object(change, touched));
    Ok(answer(lines, changes.collect(), &differences))
}

fn answer(lines: Vec<String>, changes: Vec<Value>, differences: &[(String, Difference)]) -> Answer {
    let written = differences.iter().map(|(path, _)| path.clone().into()).collect();
    let data = [
        ("changes".to_owned(), Value::Array(changes)),
        ("written".to_owned(), Value::Array(written)),
    ];
    Answer {
        data: data.into_iter().collect(),
        ..Answer::of(lines)
    }
}
