use std::{
    fmt,
    path::{Path, PathBuf},
    time::Duration,
};

use sqlx::migrate::{MigrateError, Migrator};

use crate::{DataFolder, Error, Pool, PostgresUrl, Replica, notify::ListenAt, sqlite};

/// The limit of the wait for a connection, including the time to connect.
pub(crate) const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(3);
/// The limit of a write's wait for the lock of another process. With [`ACQUIRE_TIMEOUT`], an outage is reported within five seconds.
pub(crate) const LOCK_TIMEOUT: Duration = Duration::from_secs(2);
/// Reading statements of PostgreSQL wait only for changes of tables, which are rare. The limit is short, so that readers
/// of a locked table leave connections for the others.
pub(crate) const READ_LOCK_TIMEOUT: Duration = Duration::from_secs(1);
/// Longer than the time limit of an operation, whose callers have gone by then.
pub(crate) const STATEMENT_TIMEOUT: Duration = Duration::from_secs(10);
pub(crate) const MAX_READERS: u32 = 8;

#[derive(Debug, Clone, Copy)]
pub struct Migrations {
    pub sqlite: &'static Migrator,
    pub postgres: &'static Migrator,
}

impl Migrations {
    /// Returns the number of the newest migration for PostgreSQL or SQLite.
    pub fn newest(self, is_postgres: bool) -> i64 {
        let migrator = if is_postgres { self.postgres } else { self.sqlite };
        migrator.iter().map(|migration| migration.version).max().unwrap_or(0)
    }
}

pub struct Pools {
    /// A single connection.
    pub writer: Pool,
    pub readers: Pool,
    /// Serves reads that may be late.
    pub replica: Option<Replica>,
    /// The locked folder of SQLite, which no other process can open.
    pub folder: Option<DataFolder>,
    /// That of PostgreSQL, which other processes can share.
    pub listen: Option<ListenAt>,
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
    Folder(PathBuf, std::io::Error),
    /// The data folder belongs to another process, whose id is known unless that process has just started.
    InUse(PathBuf, Option<u32>),
    /// The data folder belongs to `waypost demo`.
    Demo(PathBuf),
    /// The data folder of a demo belongs to an installation.
    Installation(PathBuf),
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
            Self::Folder(folder, error) => {
                write!(f, "cannot create or lock the data folder {}: {error}", folder.display())
            }
            Self::InUse(folder, process) => {
                write!(f, "the data folder {} is in use by ", folder.display())?;
                match process {
                    Some(id) => write!(f, "process {id}")?,
                    None => f.write_str("another process")?,
                }
                f.write_str(": stop that process first, or run several processes on one PostgreSQL database")
            }
            Self::Demo(folder) => write!(
                f,
                "the data folder {} has the data of a demo, whose accounts have no passwords; choose another folder",
                folder.display()
            ),
            Self::Installation(folder) => write!(
                f,
                "the data folder {} has the data of an installation, which a demo must not change; choose another folder",
                folder.display()
            ),
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
