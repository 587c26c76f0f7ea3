//! The data folder belongs to one process, because a process does not notice what another one writes to SQLite, and to
//! one user, because it contains secrets and the data of visitors.

use std::{
    fs::{self, DirBuilder, File, OpenOptions, TryLockError},
    io::{self, Read, Seek, Write},
    path::{Path, PathBuf},
};

use crate::OpenError;

pub(crate) const DATABASE: &str = "waypost.db";
const LOCK: &str = "waypost.lock";

/// The lock on a data folder. The operating system releases it when the process ends, even by `kill -9`.
#[derive(Debug)]
pub struct DataFolder(File);

impl DataFolder {
    /// Locks the folder, and creates it and an empty database if they are missing.
    ///
    /// # Errors
    /// Fails if another process has locked the folder.
    pub(crate) fn open(path: &Path) -> Result<Self, OpenError> {
        let owned = Self::lock(path)?;
        private_file(&path.join(DATABASE)).map_err(|error| OpenError::Folder(path.to_owned(), error))?;
        restrict(path);
        Ok(owned)
    }

    /// Locks the folder, and creates it if it is missing.
    ///
    /// # Errors
    /// Fails if another process has locked the folder.
    pub(crate) fn lock(path: &Path) -> Result<Self, OpenError> {
        let failed = |error| OpenError::Folder(path.to_owned(), error);
        create_private_folder(path).map_err(failed)?;
        let mut file = private_file(&path.join(LOCK)).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(OpenError::InUse(path.to_owned(), read_process(&mut file)));
            }
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        write_process(&mut file).map_err(failed)?;
        Ok(Self(file))
    }

    pub fn release(&self) {
        // Ignored, because the end of the process releases it too.
        let _ = self.0.unlock();
    }
}

/// Returns `None` if the owner has not written its id yet.
fn read_process(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}

fn write_process(file: &mut File) -> io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    writeln!(file, "{}", std::process::id())
}

fn create_private_folder(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// SQLite gives its other files the permissions of the database.
fn private_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Returns the folder and its files that other users of the machine can access, with their modes.
#[cfg(unix)]
pub fn shared_paths(folder: &Path) -> Vec<(PathBuf, u32)> {
    use std::os::unix::fs::MetadataExt;

    const OTHERS: u32 = 0o077;
    let ours = ["", "-wal", "-shm", "-journal"].map(|end| folder.join(format!("{DATABASE}{end}")));
    let paths = ours.into_iter().chain([folder.join(LOCK), folder.to_owned()]);
    paths
        .filter_map(|path| {
            let mode = fs::metadata(&path).ok()?.mode() & 0o7777;
            (mode & OTHERS != 0).then_some((path, mode))
        })
        .collect()
}

#[cfg(not(unix))]
pub fn shared_paths(_folder: &Path) -> Vec<(PathBuf, u32)> {
    Vec::new()
}

/// Withdraws the permissions of other users, which earlier versions and `umask` have granted.
#[cfg(unix)]
fn restrict(folder: &Path) {
    use std::os::unix::fs::PermissionsExt;

    const STICKY: u32 = 0o1000;
    let mut restricted: Vec<PathBuf> = Vec::new();
    for (path, mode) in shared_paths(folder) {
        if mode & STICKY != 0 {
            tracing::warn!(
                folder = %path.display(),
                "the data folder is shared by all users of this machine; set WAYPOST_DATA to a separate folder"
            );
            continue;
        }
        match fs::set_permissions(&path, fs::Permissions::from_mode(mode & 0o7700)) {
            Ok(()) => restricted.push(path),
            Err(error) => tracing::warn!(
                path = %path.display(), %error,
                "other users of this machine may be able to read the data; run chmod go= on this path"
            ),
        }
    }
    if !restricted.is_empty() {
        tracing::info!(paths = ?restricted, "withdrew the permissions of other users on the data folder");
    }
}

#[cfg(not(unix))]
fn restrict(_folder: &Path) {}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_has_one_owner_until_it_is_released() {
        let folder = tempfile::tempdir().unwrap();
        let owner = DataFolder::open(folder.path()).unwrap();
        let refused = DataFolder::open(folder.path()).unwrap_err().to_string();
        let (path, process) = (folder.path().display(), std::process::id());
        assert_eq!(
            refused,
            format!(
                "the data folder {path} is in use by process {process}: stop that process first, or run several processes on \
                 one PostgreSQL database"
            )
        );
        owner.release();
        DataFolder::open(folder.path()).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn other_users_lose_their_permissions() {
        use std::os::unix::fs::PermissionsExt;

        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join("new/data");
        drop(DataFolder::open(&folder).unwrap());
        assert_eq!([mode(&folder), mode(&folder.join(DATABASE))], [0o700, 0o600]);

        let files = [DATABASE, "waypost.db-wal", "waypost.db-shm", LOCK].map(|name| folder.join(name));
        for (path, loose) in files.iter().map(|path| (path, 0o644)).chain([(&folder, 0o755)]) {
            if path != &folder {
                private_file(path).unwrap();
            }
            fs::set_permissions(path, fs::Permissions::from_mode(loose)).unwrap();
        }
        drop(DataFolder::open(&folder).unwrap());
        assert_eq!(mode(&folder), 0o700);
        for file in files {
            assert_eq!(mode(&file), 0o600, "{}", file.display());
        }

        let shared = outer.path().join("shared");
        fs::create_dir(&shared).unwrap();
        fs::set_permissions(&shared, fs::Permissions::from_mode(0o1777)).unwrap();
        drop(DataFolder::open(&shared).unwrap());
        assert_eq!(mode(&shared), 0o777, "a folder such as /tmp must stay usable");
    }
}
