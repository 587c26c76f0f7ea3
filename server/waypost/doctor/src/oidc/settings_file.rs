//! The file of `--write`, which contains the settings that work. Only its owner can read it, because an administrator
//! adds secrets to it.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
};

use uuid::Uuid;

#[derive(Debug)]
pub struct SettingsFile {
    pub path: PathBuf,
    /// Replaces an existing file.
    pub force: bool,
}

impl SettingsFile {
    /// Fails before the sign-in, rather than after it.
    pub(super) fn check(&self) -> Result<(), String> {
        if !self.force && self.path.exists() {
            return Err(self.exists());
        }
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        match folder {
            Some(folder) if !folder.is_dir() => Err(format!(
                "--write is {}, but the folder {} does not exist.",
                self.path.display(),
                folder.display()
            )),
            _ => Ok(()),
        }
    }

    /// Returns the message of the result.
    pub(super) fn write(&self, settings: &[String]) -> Result<String, String> {
        let path = self.path.display();
        match self.store(&format!("{}\n", settings.join("\n"))) {
            Ok(()) => Ok(format!("The settings are in {path}, which only its owner can read.")),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(self.exists()),
            Err(error) => Err(format!("The settings were not written to {path}: {error}.")),
        }
    }

    fn exists(&self) -> String {
        format!(
            "--write is {}, but this file exists. Choose another name, or replace it with --force.",
            self.path.display()
        )
    }

    fn store(&self, content: &str) -> io::Result<()> {
        if !self.force {
            return create(&self.path)?.write_all(content.as_bytes());
        }
        // A new file, because the existing one can have other permissions and readers.
        let mut name = self.path.as_os_str().to_owned();
        name.push(format!(".{}", Uuid::new_v4().simple()));
        let new = PathBuf::from(name);
        let result = create(&new).and_then(|mut file| file.write_all(content.as_bytes()));
        result
            .and_then(|()| fs::rename(&new, &self.path))
            .inspect_err(|_| _ = fs::remove_file(&new))
    }
}

fn create(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_settings_file_is_private_and_replaces_another_only_on_request() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("waypost.env");
        let file = |force| SettingsFile {
            path: path.clone(),
            force,
        };
        let lines = ["A=1".to_owned(), "B='2 3'".to_owned()];
        assert_eq!(file(false).check(), Ok(()));
        file(false).write(&lines).expect("a file");
        assert_eq!(fs::read_to_string(&path).expect("the file"), "A=1\nB='2 3'\n");
        for problem in [file(false).check().unwrap_err(), file(false).write(&[]).unwrap_err()] {
            assert!(problem.contains("--force"), "{problem}");
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = || fs::metadata(&path).expect("the file").permissions().mode() & 0o777;
            assert_eq!(mode(), 0o600);
            fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).expect("permissions");
            file(true).write(&lines[..1]).expect("a file");
            assert_eq!(mode(), 0o600);
        }
        assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 1);
        let missing = SettingsFile {
            path: folder.path().join("none/waypost.env"),
            force: false,
        };
        assert!(missing.check().unwrap_err().contains("does not exist"));
    }
}
