//! Copies of the SQLite database, also while a server writes. A copy of the file alone lacks the write-ahead log, and
//! SQLite's online backup starts again after each write of another process, so it may never end. `VACUUM INTO` reads one
//! snapshot, and delays writers by no more than other reads.

use std::{
    ffi::OsString,
    fmt,
    fs::{self, File, OpenOptions},
    io,
    path::{Path, PathBuf},
};

use sqlx::{Connection, SqliteConnection, sqlite::SqliteConnectOptions};

use crate::{DataFolder, Error, OpenError, folder::DATABASE, open::LOCK_TIMEOUT};

/// A file that was checked after it was written.
#[derive(Debug)]
pub struct Backup {
    pub bytes: u64,
    /// The number of the last migration, which the version that restores it must know.
    pub migration: i64,
}

#[derive(Debug)]
pub enum BackupError {
    /// The data folder has no database.
    Missing(PathBuf),
    /// The file exists and is not overwritten.
    Exists(PathBuf),
    /// The data folder is in use, or cannot be created.
    Folder(OpenError),
    /// The file is no database of Waypost, or is damaged.
    Invalid(PathBuf, String),
    File(PathBuf, io::Error),
    Database(PathBuf, Error),
}

impl fmt::Display for BackupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(file) => write!(
                f,
                "{} does not exist. Set WAYPOST_DATA or --data to the data folder of the server.",
                file.display()
            ),
            Self::Exists(file) => write!(
                f,
                "{} exists already and is not overwritten. Move it, or choose another place.",
                file.display()
            ),
            Self::Folder(error) => write!(f, "{error}."),
            Self::Invalid(file, problem) => {
                write!(f, "{} is not a complete database of Waypost: {problem}", file.display())
            }
            Self::File(file, error) => write!(f, "{} cannot be written: {error}", file.display()),
            Self::Database(file, error) => write!(f, "{} cannot be read or copied: {error}", file.display()),
        }
    }
}

impl std::error::Error for BackupError {}

/// Writes the database in `folder` to the new file `to`, which only its owner can read. A server may use the database.
///
/// # Errors
/// The file `to` is then not created.
pub async fn back_up(folder: &Path, to: &Path) -> Result<Backup, BackupError> {
    let from = folder.join(DATABASE);
    if !from.is_file() {
        return Err(BackupError::Missing(from));
    }
    copy(&from, to).await
}

/// Writes the backup `from` to the data folder, which must not contain a database, and locks the folder meanwhile.
///
/// # Errors
/// The folder then contains no database.
pub async fn restore(from: &Path, folder: &Path) -> Result<Backup, BackupError> {
    if !from.is_file() {
        return Err(BackupError::Invalid(from.into(), "there is no such file".into()));
    }
    check(from).await?;
    let owned = DataFolder::lock(folder).map_err(BackupError::Folder)?;
    let restored = copy(from, &folder.join(DATABASE)).await;
    owned.release();
    restored
}

async fn copy(from: &Path, to: &Path) -> Result<Backup, BackupError> {
    let failed = |error| BackupError::File(to.into(), error);
    if to.exists() {
        return Err(BackupError::Exists(to.into()));
    }
    let partial = Partial::create(to).map_err(failed)?;
    vacuum_into(from, &partial.0).await?;
    let migration = check(&partial.0).await?;
    let bytes = partial.publish(to).map_err(failed)?;
    Ok(Backup { bytes, migration })
}

async fn vacuum_into(from: &Path, to: &Path) -> Result<(), BackupError> {
    let failed = |error| BackupError::Database(from.into(), error);
    let mut database = connect(from).await?;
    let name = to
        .to_str()
        .ok_or_else(|| BackupError::Invalid(to.into(), "the name is not UTF-8".into()))?;
    sqlx::query("vacuum into ?")
        .bind(name)
        .execute(&mut database)
        .await
        .map_err(failed)?;
    database.close().await.map_err(failed)
}

/// Returns the number of the last migration of a database without errors.
pub(crate) async fn check(file: &Path) -> Result<i64, BackupError> {
    let invalid = |problem: String| BackupError::Invalid(file.into(), problem);
    let mut database = connect(file).await?;
    let result: String = sqlx::query_scalar("pragma integrity_check(1)")
        .fetch_one(&mut database)
        .await
        .map_err(|error| invalid(error.to_string()))?;
    if result != "ok" {
        return Err(invalid(result));
    }
    let migration = sqlx::query_scalar("select max(version) from _sqlx_migrations where success")
        .fetch_one(&mut database)
        .await
        .map_err(|error| invalid(error.to_string()))?;
    database.close().await.map_err(|error| invalid(error.to_string()))?;
    Ok(migration)
}

pub(crate) async fn connect(file: &Path) -> Result<SqliteConnection, BackupError> {
    let options = SqliteConnectOptions::new().filename(file).busy_timeout(LOCK_TIMEOUT);
    SqliteConnection::connect_with(&options)
        .await
        .map_err(|error| BackupError::Database(file.into(), error))
}

/// An unfinished file, which is deleted unless it is published.
pub(crate) struct Partial(PathBuf);

impl Partial {
    /// Creates the file before SQLite does, so that other users cannot read it. Empties what an interrupted backup has left.
    pub(crate) fn create(to: &Path) -> io::Result<Self> {
        let mut name = OsString::from(to);
        name.push(".partial");
        let path = PathBuf::from(name);
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(&path)?;
        Ok(Self(path))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Returns the size in bytes when the file is on the disk under its final name.
    pub(crate) fn publish(self, to: &Path) -> io::Result<u64> {
        let file = File::open(&self.0)?;
        file.sync_all()?;
        let bytes = file.metadata()?.len();
        fs::rename(&self.0, to)?;
        if let Some(folder) = to.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            File::open(folder)?.sync_all()?;
        }
        Ok(bytes)
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        // Ignored, because a published file has another name.
        let _ = fs::remove_file(&self.0);
    }
}
