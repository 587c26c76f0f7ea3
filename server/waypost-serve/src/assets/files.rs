//! Where the client's files are: inside the binary, or in a folder.

use std::{
    borrow::Cow,
    fs,
    path::{Component, Path, PathBuf},
};

use axum::body::Bytes;
use rust_embed::RustEmbed;
use sha2::{Digest, Sha256};

/// A file of the client.
pub(crate) struct File {
    pub(crate) bytes: Bytes,
    pub(crate) hash: [u8; 32],
}

/// The client's files. Debug builds read them from the folder at each request, so that the server need not be built again.
#[derive(RustEmbed)]
#[folder = "$CARGO_MANIFEST_DIR/../../client/dist"]
#[allow_missing = true]
struct Embedded;

/// A place with the client's files.
#[derive(Debug, Clone)]
pub(crate) enum Files {
    Embedded,
    Folder(PathBuf),
}

impl Files {
    /// The file at a path below the root, which is written with `/` and begins without one.
    pub(crate) fn get(&self, path: &str) -> Option<File> {
        match self {
            Self::Embedded => {
                let file = Embedded::get(path)?;
                Some(File {
                    hash: file.metadata.sha256_hash(),
                    bytes: match file.data {
                        // Files inside the binary are sent from where they are.
                        Cow::Borrowed(bytes) => Bytes::from_static(bytes),
                        Cow::Owned(bytes) => Bytes::from(bytes),
                    },
                })
            }
            Self::Folder(root) => {
                let bytes = fs::read(inside(root, path)?).ok()?;
                Some(File {
                    hash: Sha256::digest(&bytes).into(),
                    bytes: bytes.into(),
                })
            }
        }
    }
}

/// The path in the folder, unless it leads out of it.
fn inside(root: &Path, path: &str) -> Option<PathBuf> {
    let plain = Path::new(path)
        .components()
        .all(|component| matches!(component, Component::Normal(_)));
    let file = plain.then(|| root.join(path))?.canonicalize().ok()?;
    let root = root.canonicalize().ok()?;
    (file.starts_with(root) && file.is_file()).then_some(file)
}
