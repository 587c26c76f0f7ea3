//! Connection pools and transactions.

use sqlx::{Error, PgConnection, PgPool, Postgres, Sqlite, SqliteConnection, SqlitePool, Transaction};

use crate::{outage, sql};

/// A connection pool.
#[derive(Clone)]
pub enum Pool {
    /// Connections to a SQLite file.
    Sqlite(SqlitePool),
    /// Connections to a PostgreSQL server.
    Postgres(PgPool),
}

impl Pool {
    /// Begins a read-only transaction whose statements all see the same snapshot.
    pub async fn begin_read(&self) -> Result<Conn, Error> {
        match self {
            Self::Sqlite(pool) => pool.begin().await.map(Conn::Sqlite),
            Self::Postgres(pool) => pool
                .begin_with("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")
                .await
                .map(Conn::Postgres),
        }
        .map_err(outage::mark)
    }

    /// Begins a write transaction, after all other write transactions have ended.
    ///
    /// The lock is taken immediately because a transaction that upgrades from reading to writing can fail in the
    /// middle. On PostgreSQL it is an advisory lock with an arbitrary number that all Waypost processes use.
    pub async fn begin_write(&self) -> Result<Conn, Error> {
        match self {
            Self::Sqlite(pool) => pool.begin_with("BEGIN IMMEDIATE").await.map(Conn::Sqlite),
            Self::Postgres(pool) => pool
                .begin_with("BEGIN; SELECT pg_advisory_xact_lock(8297241390)")
                .await
                .map(Conn::Postgres),
        }
        .map_err(outage::mark)
    }

    /// Closes the pool after running statements have finished.
    pub async fn close(&self) {
        match self {
            Self::Sqlite(pool) => pool.close().await,
            Self::Postgres(pool) => pool.close().await,
        }
    }
}

/// A transaction. It is rolled back when dropped.
pub enum Conn {
    /// A SQLite transaction.
    Sqlite(Transaction<'static, Sqlite>),
    /// A PostgreSQL transaction.
    Postgres(Transaction<'static, Postgres>),
}

impl Conn {
    /// Returns a handle that runs one statement in this transaction.
    pub fn db(&mut self) -> Db<'_> {
        Db::from(self)
    }

    /// Commits the transaction.
    pub async fn commit(self) -> Result<(), Error> {
        match self {
            Self::Sqlite(tx) => tx.commit().await,
            Self::Postgres(tx) => tx.commit().await,
        }
        .map_err(outage::mark)
    }

    /// Creates a savepoint. Savepoints cannot be nested.
    pub async fn savepoint(&mut self) -> Result<(), Error> {
        sql("savepoint part").execute(self).await?;
        Ok(())
    }

    /// Releases the savepoint and keeps the changes made since.
    pub async fn release_savepoint(&mut self) -> Result<(), Error> {
        sql("release savepoint part").execute(self).await?;
        Ok(())
    }

    /// Undoes the changes made since the savepoint and releases it.
    pub async fn rollback_to_savepoint(&mut self) -> Result<(), Error> {
        sql("rollback to savepoint part").execute(&mut *self).await?;
        self.release_savepoint().await
    }
}

/// The target of a single statement: any connection of a pool, or a transaction.
pub enum Db<'c> {
    /// Any SQLite connection.
    SqlitePool(&'c SqlitePool),
    /// A SQLite transaction.
    Sqlite(&'c mut SqliteConnection),
    /// Any PostgreSQL connection.
    PostgresPool(&'c PgPool),
    /// A PostgreSQL transaction.
    Postgres(&'c mut PgConnection),
}

impl<'c> From<&'c Pool> for Db<'c> {
    fn from(pool: &'c Pool) -> Self {
        match pool {
            Pool::Sqlite(pool) => Self::SqlitePool(pool),
            Pool::Postgres(pool) => Self::PostgresPool(pool),
        }
    }
}

impl<'c> From<&'c mut Conn> for Db<'c> {
    fn from(conn: &'c mut Conn) -> Self {
        match conn {
            Conn::Sqlite(tx) => Self::Sqlite(tx),
            Conn::Postgres(tx) => Self::Postgres(tx),
        }
    }
}
