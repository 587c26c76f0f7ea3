use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::time::SystemTime;

use crate::config::Settings;
use crate::output::Failure;
use crate::project;

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Inputs {
    /// `None` if the configuration cannot be read.
    config: Option<u64>,
    files: BTreeMap<String, Version>,
    errors: Vec<String>,
}

/// The time detects saves without changes, the hash changes within the clock's resolution.
#[derive(Debug, PartialEq, Eq)]
struct Version {
    saved: Option<SystemTime>,
    text: Option<u64>,
}

impl Inputs {
    pub(super) fn of(config: &Result<String, Failure>, settings: &Settings) -> Self {
        let mut inputs = Self {
            config: config.as_ref().ok().map(|text| hash(text.as_bytes())),
            files: BTreeMap::new(),
            errors: Vec::new(),
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
            Err(failure) => self.errors.push(format!("{failure:?}")),
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
