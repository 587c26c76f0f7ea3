//! `traitql release` and `traitql retire`: which documents are kept for clients that were built with them.
//!
//! The list of releases stands in the manifest and only grows. `generate` carries it over; what vanishes from it without
//! `retire` is noticed by comparing with the last commit, and refused. A release that is retired keeps its name in the list,
//! so that one sees it was meant.

use std::path::Path;

use serde_json::json;
use traitql_schema::{ReleaseText, ReleasedText, contract, nearest};

use crate::config::{self, Settings};
use crate::git::{self, Revision};
use crate::output::{Answer, Failure, Problem};
use crate::{fit, generate, project, state};

/// The releases of the manifest.
pub(crate) fn kept(settings: &Settings) -> Result<Vec<ReleaseText>, Failure> {
    let path = &settings.codegen.manifest;
    let text = std::fs::read_to_string(settings.root.join(path)).unwrap_or_default();
    traitql_codegen::manifest::releases(&text).map_err(|problem| {
        Failure::Problems(vec![Problem {
            file: Some(path.clone()),
            message: format!("the releases in it cannot be read: {problem}"),
            help: Some(format!(
                "bring it back with `git checkout HEAD -- {path}`, then generate again"
            )),
            ..Problem::default()
        }])
    })
}

/// The releases of the manifest at a revision.
pub(crate) fn at(revision: &Revision, manifest: &str) -> Result<Vec<ReleaseText>, Failure> {
    let text = revision.file(manifest)?.unwrap_or_default();
    traitql_codegen::manifest::releases(&text).map_err(|problem| {
        Failure::message(format!(
            "{manifest} at {}: its releases cannot be read: {problem}",
            revision.name
        ))
    })
}

/// Refuses releases, or parts of releases, that the last commit has and `releases` has not.
pub(crate) fn check_none_lost(settings: &Settings, releases: &[ReleaseText]) -> Result<(), Failure> {
    let manifest = &settings.codegen.manifest;
    if manifest.is_empty() || !git::is_repository(&settings.root) {
        return Ok(());
    }
    // Without a commit there is nothing that could have been lost, and a manifest that was never right is no measure.
    let head = Revision::head(&settings.root);
    let there = place_at(&head, settings);
    let Ok(committed) = at(&head, &there) else {
        return Ok(());
    };
    let problems: Vec<Problem> = committed
        .iter()
        .flat_map(|before| lost(before, releases))
        .map(|(what, release)| Problem {
            file: Some(manifest.clone()),
            message: format!("{what} is gone, and clients in the field need it"),
            help: Some(match there == *manifest {
                true => format!(
                    "bring it back with `git checkout HEAD -- {manifest}`; if it is meant to go, `cargo traitql retire {release}` then gives it up"
                ),
                false => format!("codegen.yml names another manifest than before: move it, `git mv {there} {manifest}`"),
            }),
            ..Problem::default()
        })
        .collect();
    match problems.is_empty() {
        true => Ok(()),
        false => Err(Failure::Problems(problems)),
    }
}

/// Where the manifest was at a revision: codegen.yml may name another file today.
fn place_at(revision: &Revision, settings: &Settings) -> String {
    let then = revision.file(&settings.file).ok().flatten();
    let then = then.and_then(|text| config::parse(&text, &settings.root).ok());
    then.map_or_else(|| settings.codegen.manifest.clone(), |then| then.codegen.manifest)
}

/// What a release of the last commit has lost since, with the release's name.
fn lost<'r>(before: &'r ReleaseText, releases: &[ReleaseText]) -> Vec<(String, &'r str)> {
    let name = before.name.as_str();
    match releases.iter().find(|release| release.name == name) {
        None => vec![(format!("the release {name}"), name)],
        Some(now) if now.retired => Vec::new(),
        Some(now) => {
            let gone = before
                .documents
                .iter()
                .filter(|document| !now.documents.contains(document));
            let gone = gone.map(|document| format!("`{}` of release {name}", document.name));
            // The types are what tells a breach, so a line that is lost, or that now says what the schema says, hides one.
            let types = before.types.iter();
            let other = types.filter(|(coordinate, line)| now.types.get(*coordinate) != Some(*line));
            let other = other.map(|(coordinate, line)| format!("`{coordinate}: {line}` of release {name}"));
            gone.chain(other).map(|what| (what, name)).collect()
        }
    }
}

/// Writes down the present documents as those of a release.
pub(crate) fn release(config: &Path, name: Option<&str>) -> Result<Answer, Failure> {
    let settings = config::read(config)?;
    let mut releases = kept(&settings)?;
    check_none_lost(&settings, &releases)?;
    let model = state::with_releases(&settings, releases.clone())?;
    let release = ReleaseText {
        name: match name {
            Some(name) => checked(name, &releases)?,
            None => today(&releases),
        },
        retired: false,
        types: contract(&model),
        documents: model
            .operations
            .iter()
            .map(|operation| ReleasedText {
                name: operation.name.clone(),
                body: operation.body.clone(),
            })
            .collect(),
    };
    if release.documents.is_empty() {
        return Err(Failure::message("there is no operation to release"));
    }
    let last = releases.iter().rev().find(|release| !release.retired);
    if let Some(last) = last.filter(|last| last.documents == release.documents && last.types == release.types) {
        let line = format!(
            "release {} holds the same documents already; nothing was written",
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
        format!("{documents} kept for clients of release {name}, in {manifest}"),
        "from now on a change of the schema that breaks one of them is refused".to_owned(),
    ];
    Ok(answer(lines, &releases))
}

/// Which releases to give up.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Which<'a> {
    /// These.
    Named(&'a [String]),
    /// All that are older than this one.
    Before(&'a str),
}

/// Gives up releases: their documents are not kept any more.
pub(crate) fn retire(config: &Path, which: Which<'_>) -> Result<Answer, Failure> {
    let settings = config::read(config)?;
    let mut releases = kept(&settings)?;
    check_none_lost(&settings, &releases)?;
    let position = |name: &str| {
        let found = releases.iter().position(|release| release.name == name);
        found.ok_or_else(|| {
            let names: Vec<&str> = releases.iter().map(|release| release.name.as_str()).collect();
            let help = match (nearest(name, names.iter().copied()), names.is_empty()) {
                (Some(near), _) => format!("did you mean `{near}`?"),
                (None, true) => "there is none; `cargo traitql release` makes one".to_owned(),
                (None, false) => format!("there are {}", names.join(", ")),
            };
            Failure::message(format!("there is no release `{name}`\n  = help: {help}"))
        })
    };
    let chosen: Vec<usize> = match which {
        Which::Named(names) => names.iter().map(|name| position(name)).collect::<Result<_, _>>()?,
        Which::Before(name) => (0..position(name)?).collect(),
    };
    let mut lines = Vec::new();
    for release in chosen {
        let release = &mut releases[release];
        if !release.retired {
            lines.push(format!(
                "release {} is given up; it held {} documents",
                release.name,
                release.documents.len()
            ));
            *release = ReleaseText {
                name: release.name.clone(),
                retired: true,
                ..ReleaseText::default()
            };
        }
    }
    if lines.is_empty() {
        return Ok(answer(vec!["nothing was given up".to_owned()], &releases));
    }
    write(&settings, releases.clone())?;
    Ok(answer(lines, &releases))
}

fn write(settings: &Settings, releases: Vec<ReleaseText>) -> Result<(), Failure> {
    let model = state::with_releases(settings, releases)?;
    fit::check(settings, &model)?;
    let generated = generate::of(settings, model);
    let differences = project::differences(settings, &generated.files)?;
    let files: Vec<_> = generated.files.iter().collect();
    project::apply(&settings.root, &files, &differences)
}

fn answer(lines: Vec<String>, releases: &[ReleaseText]) -> Answer {
    let releases = releases.iter().map(|release| {
        json!({
            "name": release.name,
            "retired": release.retired,
            "documents": release.documents.iter().map(|document| document.name.as_str()).collect::<Vec<_>>(),
        })
    });
    let mut answer = Answer::of(lines);
    answer.data.insert("releases".to_owned(), releases.collect());
    answer
}

/// A name that can stand in a command line, a file and a log, and that no release has had.
fn checked(name: &str, releases: &[ReleaseText]) -> Result<String, Failure> {
    let is_fine = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '-' | '_' | '+');
    if name.is_empty() || name.starts_with('-') || !name.chars().all(is_fine) {
        return Err(Failure::message(format!(
            "`{name}` cannot name a release: use letters, digits and `.-_+`, such as 2026-11 or v1.4.0"
        )));
    }
    match releases.iter().find(|release| release.name == name) {
        Some(release) if release.retired => Err(Failure::message(format!(
            "there was a release `{name}`, which is retired; take another name"
        ))),
        Some(_) => Err(Failure::message(format!(
            "there is a release `{name}` already; a release does not change, take another name"
        ))),
        None => Ok(name.to_owned()),
    }
}

/// The date of today, with a number behind it when there was a release today.
fn today(releases: &[ReleaseText]) -> String {
    let date = jiff::Timestamp::now().strftime("%Y-%m-%d").to_string();
    let taken = |name: &String| releases.iter().any(|release| release.name == *name);
    let mut names = std::iter::once(date.clone()).chain((2..).map(|number| format!("{date}.{number}")));
    names.find(|name| !taken(name)).unwrap_or(date)
}
