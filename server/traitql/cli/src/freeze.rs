//! Freezes the documents of a release, and unfreezes them. An unfrozen release keeps its name.

use std::path::Path;

use serde_json::json;
use traitql_schema::{ReleaseDocument, ReleaseSource, nearest, schema_dependencies};

use crate::config::{self, Settings};
use crate::output::{CommandOutput, Failure};
use crate::{config_check, generate, project, releases, state};

pub(crate) fn freeze(config: &Path, name: Option<&str>) -> Result<CommandOutput, Failure> {
    let settings = config::read(config)?;
    let mut releases = releases::read(&settings)?;
    releases::check_none_removed(&settings, &releases)?;
    let model = state::with_releases(&settings, releases.clone())?;
    let release = ReleaseSource {
        name: match name {
            Some(name) => checked_name(name, &releases)?,
            None => today(&releases),
        },
        unfrozen: false,
        types: schema_dependencies(&model),
        documents: model
            .operations
            .iter()
            .map(|operation| ReleaseDocument {
                name: operation.name.clone(),
                body: operation.body.clone(),
            })
            .collect(),
    };
    if release.documents.is_empty() {
        return Err(Failure::message("there are no operations to freeze"));
    }
    let last = releases.iter().rev().find(|release| !release.unfrozen);
    if let Some(last) = last.filter(|last| last.documents == release.documents && last.types == release.types) {
        let line = format!(
            "release {} already contains the same documents; nothing was written",
            last.name
        );
        return Ok(answer(vec![line], &releases));
    }
    let (name, count) = (release.name.clone(), release.documents.len());
    releases.push(release);
    write(&settings, releases.clone())?;
    let manifest = &settings.codegen.manifest;
    let documents = match count {
        1 => "1 document is".to_owned(),
        _ => format!("{count} documents are"),
    };
    let lines = vec![
        format!("{documents} kept for clients of release {name} in {manifest}"),
        "schema changes that break one of them are now errors".to_owned(),
    ];
    Ok(answer(lines, &releases))
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum UnfreezeSelection<'a> {
    Named(&'a [String]),
    /// Older ones.
    Before(&'a str),
}

pub(crate) fn unfreeze(config: &Path, selection: UnfreezeSelection<'_>) -> Result<CommandOutput, Failure> {
    let settings = config::read(config)?;
    let mut releases = releases::read(&settings)?;
    releases::check_none_removed(&settings, &releases)?;
    let position = |name: &str| {
        let found = releases.iter().position(|release| release.name == name);
        found.ok_or_else(|| {
            let names: Vec<&str> = releases.iter().map(|release| release.name.as_str()).collect();
            let help = match (nearest(name, names.iter().copied()), names.is_empty()) {
                (Some(near), _) => format!("did you mean `{near}`?"),
                (None, true) => "there are no releases; `cargo traitql freeze` creates one".to_owned(),
                (None, false) => format!("the releases are {}", names.join(", ")),
            };
            Failure::message(format!("there is no release `{name}`\n  = help: {help}"))
        })
    };
    let selected: Vec<usize> = match selection {
        UnfreezeSelection::Named(names) => names.iter().map(|name| position(name)).collect::<Result<_, _>>()?,
        UnfreezeSelection::Before(name) => (0..position(name)?).collect(),
    };
    let mut lines = Vec::new();
    for release in selected {
        let release = &mut releases[release];
        if !release.unfrozen {
            lines.push(format!(
                "release {} is unfrozen; it contained {} documents",
                release.name,
                release.documents.len()
            ));
            *release = ReleaseSource {
                name: release.name.clone(),
                unfrozen: true,
                ..ReleaseSource::default()
            };
        }
    }
    if lines.is_empty() {
        return Ok(answer(vec!["nothing was unfrozen".to_owned()], &releases));
    }
    write(&settings, releases.clone())?;
    Ok(answer(lines, &releases))
}

fn write(settings: &Settings, releases: Vec<ReleaseSource>) -> Result<(), Failure> {
    let model = state::with_releases(settings, releases)?;
    config_check::check(settings, &model)?;
    let generated = generate::of(settings, model);
    let differences = project::differences(settings, &generated.files)?;
    let files: Vec<_> = generated.files.iter().collect();
    project::apply(&settings.root, &files, &differences)
}

fn answer(lines: Vec<String>, releases: &[ReleaseSource]) -> CommandOutput {
    let releases = releases.iter().map(|release| {
        json!({
            "name": release.name,
            "unfrozen": release.unfrozen,
            "documents": release.documents.iter().map(|document| document.name.as_str()).collect::<Vec<_>>(),
        })
    });
    let mut answer = CommandOutput::of(lines);
    answer.data.insert("releases".to_owned(), releases.collect());
    answer
}

/// The name must be new, and safe in command lines, files and logs.
fn checked_name(name: &str, releases: &[ReleaseSource]) -> Result<String, Failure> {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | '+');
    if name.is_empty() || name.starts_with('-') || !name.chars().all(is_allowed) {
        return Err(Failure::message(format!(
            "`{name}` is not a valid release name: use letters, digits and `.-_+`, such as 2026-11 or v1.4.0"
        )));
    }
    match releases.iter().find(|release| release.name == name) {
        Some(release) if release.unfrozen => Err(Failure::message(format!(
            "the release `{name}` is unfrozen; use another name"
        ))),
        Some(_) => Err(Failure::message(format!(
            "the release `{name}` already exists and cannot be changed; use another name"
        ))),
        None => Ok(name.to_owned()),
    }
}

/// Adds a suffix if there is already a release of today.
fn today(releases: &[ReleaseSource]) -> String {
    let date = jiff::Timestamp::now().strftime("%Y-%m-%d").to_string();
    let taken = |name: &String| releases.iter().any(|release| release.name == *name);
    let mut names = std::iter::once(date.clone()).chain((2..).map(|number| format!("{date}.{number}")));
    names.find(|name| !taken(name)).unwrap_or(date)
}
