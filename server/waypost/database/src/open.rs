//! Opening a database.

use std::{fmt, path::Path, time::Duration};

use sqlx::migrate::{MigrateError, Migrator};

use crate::{Error, Pool, PostgresUrl, sqlite};

/// Maximum time that a statement waits for a free connection, including the time to connect.
pub(crate) const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(3);
/// Maximum time that a write waits for the lock of another process, after it has a connection. Together with
/// [`ACQUIRE_TIMEOUT`], callers are notified of an outage within five seconds.
pub(crate) const LOCK_TIMEOUT: Duration = Duration::from_secs(2);
pub(crate) const MAX_READERS: u32 = 8;

/// The migrations of both databases.
#[derive(Debug, Clone, Copy)]
pub struct Migrations {
    /// The SQLite migrations.
    pub sqlite: &'static Migrator,
    /// The PostgreSQL migrations.
    pub postgres: &'static Migrator,
}

/// The connection pools of an open database.
pub struct Pools {
    /// The pool for writes, with a single connection.
    pub writer: Pool,
    /// The pool for reads.
    pub readers: Pool,
}

/// Opens the database and applies pending migrations.
///
/// Uses PostgreSQL if an address is given, otherwise the SQLite file `waypost.db` in `folder`. Creates the folder if it
/// does not exist.
pub async fn open(folder: &Path, postgres: Option<&PostgresUrl>, migrations: Migrations) -> Result<Pools, OpenError> {
    match postgres {
        None => sqlite::open(folder, migrations.sqlite).await,
        Some(url) => url.open(migrations.postgres).await,
    }
}

/// The reasons why a database cannot be opened or used.
#[derive(Debug)]
pub enum OpenError {
    /// The data folder cannot be created.
    Folder(std::io::Error),
    /// The PostgreSQL server is unreachable or misconfigured. The text states the cause and the fix.
    Server(String),
    /// A statement or a connection failed.
    Database(Error),
    /// The database is newer than this version, or a migration failed.
    Migration(MigrateError),
    /// The sample data cannot be written.
    Contents(String),
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(error) => write!(f, "cannot create the data folder: {error}"),
            Self::Server(problem) => f.write_str(problem),
            Self::Database(error) => write!(f, "the database does not respond: {error}"),
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
