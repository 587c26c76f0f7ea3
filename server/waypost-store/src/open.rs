//! Opening a database.

use std::{fmt, path::Path, time::Duration};

use sqlx::migrate::{MigrateError, Migrator};

use crate::{Error, Pool, PostgresUrl, sqlite};

/// How long a write waits for another process that holds the lock.
pub(crate) const BUSY: Duration = Duration::from_secs(5);
/// Connections that read.
pub(crate) const READERS: u32 = 8;

/// What brings an older database up to date.
#[derive(Debug, Clone, Copy)]
pub struct Migrations {
    /// For SQLite.
    pub sqlite: &'static Migrator,
    /// For PostgreSQL.
    pub postgres: &'static Migrator,
}

/// An open database.
pub struct Pools {
    /// The one connection that writes.
    pub writer: Pool,
    /// Those that read.
    pub readers: Pool,
}

/// Opens the database and brings it up to date: that of PostgreSQL if there is an address, else SQLite's file `waypost.db` in
/// the folder, which is made if it is not there.
pub async fn open(folder: &Path, postgres: Option<&PostgresUrl>, migrations: Migrations) -> Result<Pools, OpenError> {
    match postgres {
        None => sqlite::open(folder, migrations.sqlite).await,
        Some(url) => url.open(migrations.postgres).await,
    }
}

/// The database could not be opened or does not answer.
#[derive(Debug)]
pub enum OpenError {
    /// The folder of the database cannot be made.
    Folder(std::io::Error),
    /// PostgreSQL cannot be used as it is: why, and what to do.
    Server(String),
    /// The database failed.
    Database(Error),
    /// The database is newer than this version, or a migration failed.
    Migration(MigrateError),
    /// The first contents could not be written.
    Contents(String),
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(error) => write!(f, "the data folder cannot be made: {error}"),
            Self::Server(problem) => f.write_str(problem),
            Self::Database(error) => write!(f, "the database does not answer: {error}"),
            Self::Migration(error) => write!(f, "the database cannot be brought up to date: {error}"),
            Self::Contents(problem) => write!(f, "the first contents cannot be written: {problem}"),
        }
    }
}

impl std::error::Error for OpenError {}

impl From<Error> for OpenError {
    fn from(error: Error) -> Self {
        Self::Database(error)
    }
}
