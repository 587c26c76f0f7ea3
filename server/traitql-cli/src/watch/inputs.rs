//! What a round reads, in short: enough to tell whether another round would read something else.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::time::SystemTime;

use crate::config::Settings;
use crate::output::Failure;
use crate::project;

/// The configuration, and each file that it names.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Inputs {
    /// Nothing where it cannot be read.
    config: Option<u64>,
    files: BTreeMap<String, Version>,
    /// Why there are no files, where patterns are wrong.
    wrong: Vec<String>,
}

/// A file as it is now. The time tells that it was saved, even with the text that it had; the text tells what the clock of a file
/// system is too coarse for.
#[derive(Debug, PartialEq, Eq)]
struct Version {
    saved: Option<SystemTime>,
    text: Option<u64>,
}

impl Inputs {
    /// Takes down the files that `settings` name, beside a text of the configuration.
    pub(super) fn of(config: &Result<String, Failure>, settings: &Settings) -> Self {
        let mut inputs = Self {
            config: config.as_ref().ok().map(|text| hash(text.as_bytes())),
            files: BTreeMap::new(),
            wrong: Vec::new(),
        };
        inputs.add(&settings.root, project::schema_paths(settings));
        inputs.add(&settings.root, project::document_paths(settings));
        inputs
    }

    fn add(&mut self, root: &Path, paths: Result<BTreeSet<String>, Failure>) {
        match paths {
            Ok(paths) => self.files.extend(paths.into_iter().map(|path| {
                let version = Version::of(&root.join(&path));
                (path, version)
            })),
            Err(failure) => self.wrong.push(format!("{failure:?}")),
        }
    }
}

impl Version {
    fn of(path: &Path) -> Self {
        Self {
            saved: fs::metadata(path).and_then(|data| data.modified()).ok(),
            text: fs::read(path).ok().map(|text| hash(&text)),
        }
    }
}

fn hash(text: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}
