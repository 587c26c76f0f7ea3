//! Reads the releases of the manifest, an append-only list that `generate` preserves. Removing a release without
//! `unfreeze` is an error.

use traitql_schema::ReleaseSource;

use crate::config::{self, Settings};
use crate::git::{self, Revision};
use crate::output::{Failure, Problem};

pub(crate) fn read(settings: &Settings) -> Result<Vec<ReleaseSource>, Failure> {
    let path = &settings.codegen.manifest;
    let text = std::fs::read_to_string(settings.root.join(path)).unwrap_or_default();
    traitql_codegen::manifest::releases(&text).map_err(|problem| {
        Failure::Problems(vec![Problem {
            file: Some(path.clone()),
            message: format!("its releases cannot be read: {problem}"),
            help: Some(format!(
                "restore it with `git checkout HEAD -- {path}`, then generate again"
            )),
            ..Problem::default()
        }])
    })
}

pub(crate) fn at(revision: &Revision, manifest: &str) -> Result<Vec<ReleaseSource>, Failure> {
    let text = revision.file(manifest)?.unwrap_or_default();
    traitql_codegen::manifest::releases(&text).map_err(|problem| {
        Failure::message(format!(
            "{manifest} at {}: its releases cannot be read: {problem}",
            revision.name
        ))
    })
}

/// Compares documents and types, too.
pub(crate) fn check_none_removed(settings: &Settings, releases: &[ReleaseSource]) -> Result<(), Failure> {
    let manifest = &settings.codegen.manifest;
    if manifest.is_empty() || !git::is_repository(&settings.root) {
        return Ok(());
    }
    // Without a valid manifest in the last commit, there is nothing to compare.
    let head = Revision::head(&settings.root);
    let committed_path = manifest_path_at(&head, settings);
    let Ok(committed) = at(&head, &committed_path) else {
        return Ok(());
    };
    let problems: Vec<Problem> = committed
        .iter()
        .flat_map(|before| removed(before, releases))
        .map(|(what, release)| Problem {
            file: Some(manifest.clone()),
            message: format!("{what} is missing, but deployed clients need it"),
            help: Some(if committed_path == *manifest {
                format!(
                    "restore it with `git checkout HEAD -- {manifest}`; to remove it intentionally, then run `cargo traitql unfreeze {release}`"
                )
            } else {
                format!("the path of the manifest changed: move the file with `git mv {committed_path} {manifest}`")
            }),
            ..Problem::default()
        })
        .collect();
    if problems.is_empty() {
        Ok(())
    } else {
        Err(Failure::Problems(problems))
    }
}

/// Its setting can have changed.
fn manifest_path_at(revision: &Revision, settings: &Settings) -> String {
    let then = revision.file(&settings.file).ok().flatten();
    let then = then.and_then(|text| config::parse(&text, &settings.root).ok());
    then.map_or_else(|| settings.codegen.manifest.clone(), |then| then.codegen.manifest)
}

/// Describes the missing parts of a release.
fn removed<'r>(before: &'r ReleaseSource, releases: &[ReleaseSource]) -> Vec<(String, &'r str)> {
    let name = before.name.as_str();
    match releases.iter().find(|release| release.name == name) {
        None => vec![(format!("the release {name}"), name)],
        Some(now) if now.unfrozen => Vec::new(),
        Some(now) => {
            let documents = before
                .documents
                .iter()
                .filter(|document| !now.documents.contains(document));
            let documents = documents.map(|document| format!("`{}` of release {name}", document.name));
            // A missing or changed type would hide a breaking change.
            let types = before.types.iter();
            let types = types.filter(|(coordinate, line)| now.types.get(*coordinate) != Some(*line));
            let types = types.map(|(coordinate, line)| format!("`{coordinate}: {line}` of release {name}"));
            documents.chain(types).map(|what| (what, name)).collect()
        }
    }
}
