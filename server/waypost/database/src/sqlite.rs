//! `synchronous=FULL` costs a flush per commit, but `NORMAL` can lose acknowledged writes.

use std::path::Path;

use sqlx::{
    Connection, SqliteConnection,
    migrate::Migrator,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};

use crate::{
    DataFolder, OpenError, Pools,
    folder::DATABASE,
    open::{ACQUIRE_TIMEOUT, LOCK_TIMEOUT, MAX_READERS},
};

pub(crate) async fn open(folder: &Path, migrations: &Migrator) -> Result<Pools, OpenError> {
    let owned = DataFolder::open(folder)?;
    let options = SqliteConnectOptions::new()
        .filename(folder.join(DATABASE))
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        // Overwrites deleted rows, so that the file does not contain erased visitors.
        .pragma("secure_delete", "on")
        .busy_timeout(LOCK_TIMEOUT);
    let writer = SqlitePoolOptions::new()
        .max_connections(1)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .after_release(|connection, _meta| Box::pin(is_usable(connection)))
        .connect_with(options.clone().optimize_on_close(true, None))
        .await?;
    migrations.run(&writer).await.map_err(OpenError::Migration)?;
    let readers = SqlitePoolOptions::new()
        .max_connections(MAX_READERS)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .connect_with(options.pragma("query_only", "on"))
        .await?;
    Ok(Pools {
        writer: writer.into(),
        readers: readers.into(),
        replica: None,
        folder: Some(owned),
        listen: None,
    })
}

/// False if sqlx counts a transaction that SQLite has already rolled back, because the disk is full or failed. No
/// transaction can begin again on such a connection.
async fn is_usable(connection: &mut SqliteConnection) -> Result<bool, sqlx::Error> {
    // The rollback of a dropped transaction is queued before the ping.
    connection.ping().await?;
    Ok(!connection.is_in_transaction())
}
