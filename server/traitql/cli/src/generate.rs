//! Generates everything in memory first. Without errors, writes only files that differ, and reports the changes of the
//! model.

use std::panic::resume_unwind;
use std::thread;

use serde_json::Value;
use traitql_codegen::GeneratedFile;
use traitql_schema::model::Model;

use crate::config::Settings;
use crate::output::{self, CommandOutput, Failure};
use crate::project::Difference;
use crate::{config_check, deprecated, diff, previous, project, releases, resolvers, state};

pub(crate) struct Generated {
    pub(crate) model: Model,
    pub(crate) files: Vec<GeneratedFile>,
    /// These files are created if missing, and never overwritten.
    pub(crate) once: Vec<GeneratedFile>,
}

pub(crate) fn build(settings: &Settings) -> Result<Generated, Failure> {
    let frozen = &releases::read(settings)?;
    // Concurrently with git.
    let (none_removed, model) = thread::scope(|scope| {
        let none_removed = scope.spawn(|| releases::check_none_removed(settings, frozen));
        let model = state::with_releases(settings, frozen.clone());
        (none_removed.join().unwrap_or_else(|panic| resume_unwind(panic)), model)
    });
    none_removed?;
    let model = model?;
    config_check::check(settings, &model)?;
    Ok(of(settings, model))
}

pub(crate) fn of(settings: &Settings, model: Model) -> Generated {
    let files = traitql_codegen::generate(&model, &settings.codegen);
    let once = Vec::new();
    Generated { model, files, once }
}

pub(crate) fn update(settings: &Settings) -> Result<CommandOutput, Failure> {
    // Concurrently, because the previous schema is as large.
    let (before, generated) = thread::scope(|scope| {
        let before = scope.spawn(|| previous::model(settings));
        let generated = build(settings);
        (before.join().unwrap_or_else(|panic| resume_unwind(panic)), generated)
    });
    let generated = generated?;
    let mut output = renew(settings, &generated, before)?;
    deprecated::add_warnings(&generated.model, &mut output);
    if settings.codegen.samples {
        output.lines.extend(still_mocked(settings)?);
    }
    Ok(output)
}

/// rustc reports conflicting implementations only for a field with a resolver that is still in `traitql::mocked!`.
fn still_mocked(settings: &Settings) -> Result<Vec<String>, Failure> {
    let written = resolvers::written(settings)?;
    let listed = written.iter().filter(|found| found.mocked);
    let lines = listed.filter_map(|listed| {
        let resolver = written
            .iter()
            .find(|found| !found.mocked && found.name == listed.name)?;
        Some(format!(
            "warning: {}:{} lists `{}` as mocked, but it has a resolver in {}:{}; remove the line",
            listed.file, listed.line, listed.name, resolver.file, resolver.line
        ))
    });
    Ok(lines.collect())
}

pub(crate) fn renew(
    settings: &Settings,
    generated: &Generated,
    before: Option<Model>,
) -> Result<CommandOutput, Failure> {
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
    let changes = traitql_schema::diff::changes(&before, &generated.model);
    let mut lines: Vec<String> = changes.iter().map(|change| change.to_string()).collect();
    if lines.is_empty() {
        lines.push(match differences.len() {
            0 => "nothing changed".to_owned(),
            1 => "no changes of schema or operations; 1 generated file was updated".to_owned(),
            count => format!("no changes of schema or operations; {count} generated files were updated"),
        });
    }
    let touched = traitql_schema::diff::affected_operations(&before, &generated.model, &changes);
    let changes = changes
        .iter()
        .zip(&touched)
        .map(|(change, touched)| diff::change_object(change, touched));
    Ok(answer(lines, changes.collect(), &differences))
}

fn answer(lines: Vec<String>, changes: Vec<Value>, differences: &[(String, Difference)]) -> CommandOutput {
    let written = differences.iter().map(|(path, _)| path.clone().into()).collect();
    let data = [
        ("changes".to_owned(), Value::Array(changes)),
        ("written".to_owned(), Value::Array(written)),
    ];
    CommandOutput {
        data: data.into_iter().collect(),
        ..CommandOutput::of(lines)
    }
}
