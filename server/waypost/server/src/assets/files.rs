use std::{
    borrow::Cow,
    collections::HashMap,
    fs,
    path::{Component, Path, PathBuf},
    sync::Arc,
};

use axum::body::Bytes;
use rust_embed::RustEmbed;
use sha2::{Digest, Sha256};

use crate::config::Config;

pub(crate) struct File {
    pub(crate) bytes: Bytes,
    pub(crate) hash: [u8; 32],
}

/// Debug builds read the folder for each request.
#[derive(RustEmbed)]
#[folder = "$CARGO_MANIFEST_DIR/../../../client/dist"]
#[allow_missing = true]
struct Embedded;

#[derive(Debug, Clone)]
pub(crate) struct Files {
    /// The client's build. `None` for the embedded one.
    folder: Option<PathBuf>,
    /// The loaders of earlier versions, by path.
    loaders: Arc<HashMap<String, Bytes>>,
}

impl Files {
    pub(crate) fn of(config: &Config) -> Self {
        Self {
            folder: config.client.clone(),
            loaders: Arc::default(),
        }
    }

    pub(crate) fn with_loaders(self, loaders: HashMap<String, Bytes>) -> Self {
        Self {
            loaders: loaders.into(),
            ..self
        }
    }

    pub(crate) fn get(&self, path: &str) -> Option<File> {
        let file = match &self.folder {
            None => embedded(path),
            Some(root) => resolve(root, path).and_then(|file| Some(File::from(Bytes::from(fs::read(file).ok()?)))),
        };
        file.or_else(|| self.loaders.get(path).cloned().map(File::from))
    }
}

fn embedded(path: &str) -> Option<File> {
    let file = Embedded::get(path)?;
    Some(File {
        hash: file.metadata.sha256_hash(),
        bytes: match file.data {
            // Sends embedded files without copying them.
            Cow::Borrowed(bytes) => Bytes::from_static(bytes),
            Cow::Owned(bytes) => Bytes::from(bytes),
        },
    })
}

impl From<Bytes> for File {
    fn from(bytes: Bytes) -> Self {
        Self {
            hash: Sha256::digest(&bytes).into(),
            bytes,
        }
    }
}

/// Returns `None` for a path outside the folder, also through symbolic links.
fn resolve(root: &Path, path: &str) -> Option<PathBuf> {
    let is_plain = Path::new(path)
        .components()
        .all(|component| matches!(component, Component::Normal(_)));
    let file = is_plain.then(|| root.join(path))?.canonicalize().ok()?;
    let root = root.canonicalize().ok()?;
    (file.starts_with(root) && file.is_file()).then_some(file)
}

#[cfg(test)]
impl From<PathBuf> for Files {
    fn from(folder: PathBuf) -> Self {
        Self {
            folder: Some(folder),
            loaders: Arc::default(),
        }
    }
}
