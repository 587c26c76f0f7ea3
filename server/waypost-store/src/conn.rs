//! Where statements run.

use sqlx::{Error, PgConnection, PgPool, Postgres, Sqlite, SqliteConnection, SqlitePool, Transaction};

use crate::sql;

/// Connections.
#[derive(Clone)]
pub enum Pool {
    /// To SQLite's file.
    Sqlite(SqlitePool),
    /// To a server of PostgreSQL.
    Postgres(PgPool),
}

impl Pool {
    /// Begins a transaction whose statements see the same state.
    pub async fn begin_read(&self) -> Result<Conn, Error> {
        Ok(match self {
            Self::Sqlite(pool) => Conn::Sqlite(pool.begin().await?),
            Self::Postgres(pool) => Conn::Postgres(
                pool.begin_with("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")
                    .await?,
            ),
        })
    }

    /// Begins a transaction that writes, once no other does. The lock is taken at once: a transaction that reads first and
    /// writes later could be refused in the middle. PostgreSQL's is an advisory lock that every process of Waypost takes
    /// here; its number means nothing to anybody else.
    pub async fn begin_write(&self) -> Result<Conn, Error> {
        Ok(match self {
            Self::Sqlite(pool) => Conn::Sqlite(pool.begin_with("BEGIN IMMEDIATE").await?),
            Self::Postgres(pool) => Conn::Postgres(
                pool.begin_with("BEGIN; SELECT pg_advisory_xact_lock(8297241390)")
                    .await?,
            ),
        })
    }

    /// Closes the connections. What is under way finishes first.
    pub async fn close(&self) {
        match self {
            Self::Sqlite(pool) => pool.close().await,
            Self::Postgres(pool) => pool.close().await,
        }
    }
}

/// A transaction. Dropping it rolls it back.
pub enum Conn {
    /// Of SQLite.
    Sqlite(Transaction<'static, Sqlite>),
    /// Of PostgreSQL.
    Postgres(Transaction<'static, Postgres>),
}

impl Conn {
    /// For a statement in this transaction.
    pub fn db(&mut self) -> Db<'_> {
        Db::from(self)
    }

    /// Keeps what it wrote.
    pub async fn commit(self) -> Result<(), Error> {
        match self {
            Self::Sqlite(tx) => tx.commit().await,
            Self::Postgres(tx) => tx.commit().await,
        }
    }

    /// Begins a part that can be undone by itself.
    pub async fn savepoint(&mut self) -> Result<(), Error> {
        sql("savepoint part").execute(self).await?;
        Ok(())
    }

    /// Ends the part, and keeps it.
    pub async fn keep(&mut self) -> Result<(), Error> {
        sql("release savepoint part").execute(self).await?;
        Ok(())
    }

    /// Ends the part, and undoes it.
    pub async fn undo(&mut self) -> Result<(), Error> {
        sql("rollback to savepoint part").execute(&mut *self).await?;
        self.keep().await
    }
}

/// Where one statement runs: on any connection, if it only reads, or in a transaction.
pub enum Db<'c> {
    /// On any connection to SQLite.
    SqlitePool(&'c SqlitePool),
    /// In a transaction of SQLite.
    Sqlite(&'c mut SqliteConnection),
    /// On any connection to PostgreSQL.
    PostgresPool(&'c PgPool),
    /// In a transaction of PostgreSQL.
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
