//! SQLite in one file.
//!
//! `synchronous=FULL` costs a flush per commit and is the point: with NORMAL, a power cut loses writes that were
//! acknowledged.

use std::path::Path;

use sqlx::{
    migrate::Migrator,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};

use crate::{
    OpenError, Pool, Pools,
    open::{BUSY, READERS},
};

/// Opens the file in the folder, brings it up to date, and answers with the connection that writes and those that read.
pub(crate) async fn open(folder: &Path, migrations: &Migrator) -> Result<Pools, OpenError> {
    std::fs::create_dir_all(folder).map_err(OpenError::Folder)?;
    let options = SqliteConnectOptions::new()
        .filename(folder.join("waypost.db"))
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .busy_timeout(BUSY);
    let writer = SqlitePoolOptions::new()
        .max_connections(1)
        .acquire_timeout(BUSY)
        .connect_with(options.clone().optimize_on_close(true, None))
        .await?;
    migrations.run(&writer).await.map_err(OpenError::Migration)?;
    let readers = SqlitePoolOptions::new()
        .max_connections(READERS)
        .acquire_timeout(BUSY)
        .connect_with(options.pragma("query_only", "on"))
        .await?;
    Ok(Pools {
        writer: Pool::Sqlite(writer),
        readers: Pool::Sqlite(readers),
    })
}
