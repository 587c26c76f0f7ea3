//! The data folder of `waypost demo`. The file of its identity provider marks it, so that neither a demo nor an
//! installation opens the data of the other.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use crate::{DataFolder, OpenError, folder::DATABASE};

const PROVIDER: &str = "demo.json";

/// Creates the folder of a demo if it is missing, and deletes the data of an earlier demo with `reset`. Returns the path
/// of the file for its identity provider.
///
/// # Errors
/// Fails if the folder is in use, or has the data of an installation, which then stays as it is.
pub fn open_demo(folder: &Path, reset: bool) -> Result<PathBuf, OpenError> {
    let owned = DataFolder::lock(folder)?;
    let provider = folder.join(PROVIDER);
    if folder.join(DATABASE).exists() && !provider.exists() {
        return Err(OpenError::Installation(folder.to_owned()));
    }
    if reset {
        // The mark last, so that an interrupted reset can be repeated.
        for file in ["waypost.db-wal", "waypost.db-shm", DATABASE, PROVIDER] {
            match fs::remove_file(folder.join(file)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(OpenError::Folder(folder.to_owned(), error));
                }
                _ => {}
            }
        }
    }
    owned.release();
    Ok(provider)
}

/// # Errors
/// Fails if the folder belongs to a demo.
pub fn refuse_demo(folder: &Path) -> Result<(), OpenError> {
    if folder.join(PROVIDER).exists() {
        return Err(OpenError::Demo(folder.to_owned()));
    }
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_reset_deletes_the_files_of_a_demo_only() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in [DATABASE, "waypost.db-wal", PROVIDER, "notes.txt"] {
            fs::write(path(name), "").unwrap();
        }
        assert_eq!(open_demo(folder.path(), false).unwrap(), path(PROVIDER));
        assert!(path(DATABASE).exists());
        open_demo(folder.path(), true).unwrap();
        let mut left: Vec<_> = fs::read_dir(&folder)
            .unwrap()
            .map(|file| file.unwrap().file_name())
            .collect();
        left.sort();
        assert_eq!(left, ["notes.txt", "waypost.lock"]);
    }

    #[test]
    fn the_data_of_an_installation_is_not_deleted() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join(DATABASE);
        fs::write(&database, "precious").unwrap();
        for reset in [false, true] {
            let refused = open_demo(folder.path(), reset).unwrap_err().to_string();
            assert!(
                refused
                    .ends_with("has the data of an installation, which a demo must not change; choose another folder"),
                "{refused}"
            );
        }
        assert_eq!(fs::read_to_string(database).unwrap(), "precious");
        refuse_demo(folder.path()).unwrap();
    }
}
