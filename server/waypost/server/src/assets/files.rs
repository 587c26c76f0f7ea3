use std::{
    borrow::Cow,
    fs,
    path::{Component, Path, PathBuf},
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
pub(crate) enum Files {
    Embedded,
    Folder(PathBuf),
}

impl Files {
    pub(crate) fn of(config: &Config) -> Self {
        config.client.clone().map_or(Self::Embedded, Self::Folder)
    }

    /// `path` is relative to the root, without a leading `/`.
    pub(crate) fn get(&self, path: &str) -> Option<File> {
        match self {
            Self::Embedded => {
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
            Self::Folder(root) => {
                let bytes = fs::read(resolve(root, path)?).ok()?;
                Some(File {
                    hash: Sha256::digest(&bytes).into(),
                    bytes: bytes.into(),
                })
            }
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
