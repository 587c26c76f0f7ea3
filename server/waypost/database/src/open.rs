use std::{fmt, path::Path, time::Duration};

use sqlx::migrate::{MigrateError, Migrator};

use crate::{Error, Pool, PostgresUrl, sqlite};

/// Includes the time to connect.
pub(crate) const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(3);
/// For the lock of another process. With [`ACQUIRE_TIMEOUT`], an outage is reported within five seconds.
pub(crate) const LOCK_TIMEOUT: Duration = Duration::from_secs(2);
pub(crate) const MAX_READERS: u32 = 8;

#[derive(Debug, Clone, Copy)]
pub struct Migrations {
    pub sqlite: &'static Migrator,
    pub postgres: &'static Migrator,
}

pub struct Pools {
    /// A single connection.
    pub writer: Pool,
    pub readers: Pool,
}

/// Opens SQLite's `waypost.db` in `folder` unless an address is given. Creates the folder.
pub async fn open(folder: &Path, postgres: Option<&PostgresUrl>, migrations: Migrations) -> Result<Pools, OpenError> {
    match postgres {
        None => sqlite::open(folder, migrations.sqlite).await,
        Some(url) => url.open(migrations.postgres).await,
    }
}

#[derive(Debug)]
pub enum OpenError {
    Folder(std::io::Error),
    /// States the cause and the fix.
    Server(String),
    Database(Error),
    /// Newer than this version, or a migration failed.
    Migration(MigrateError),
    Contents(String),
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(error) => write!(f, "cannot create the data folder: {error}"),
            Self::Server(problem) => f.write_str(problem),
            Self::Database(error) => write!(f, "the database does not respond: {error}"),
            Self::Migration(MigrateError::VersionMissing(version)) => write!(
                f,
                "a newer version of Waypost has changed this database (its migration {version} is unknown here); install that version or a newer one, or restore a backup from before the update"
            ),
            Self::Migration(error) => write!(f, "cannot migrate the database: {error}"),
            Self::Contents(problem) => write!(f, "cannot write the sample data: {problem}"),
        }
    }
}

impl std::error::Error for OpenError {}

impl From<Error> for OpenError {
    fn from(error: Error) -> Self {
        Self::Database(error)
    }
}
