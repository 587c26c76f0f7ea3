//! Where statements run.

use sqlx::{Error, Sqlite, SqliteConnection, SqlitePool, Transaction};

/// Connections.
#[derive(Clone)]
pub(crate) enum Pool {
    Sqlite(SqlitePool),
}

impl Pool {
    pub(super) async fn begin(&self) -> Result<Conn, Error> {
        Ok(match self {
            Self::Sqlite(pool) => Conn::Sqlite(pool.begin().await?),
        })
    }

    /// Begins a transaction that writes. The lock is taken at once: a transaction that reads first and writes later could be
    /// refused in the middle.
    pub(super) async fn begin_write(&self) -> Result<Conn, Error> {
        Ok(match self {
            Self::Sqlite(pool) => Conn::Sqlite(pool.begin_with("BEGIN IMMEDIATE").await?),
        })
    }

    pub(super) async fn close(&self) {
        match self {
            Self::Sqlite(pool) => pool.close().await,
        }
    }
}

/// A transaction. Dropping it rolls it back.
pub(crate) enum Conn {
    Sqlite(Transaction<'static, Sqlite>),
}

impl Conn {
    pub(super) async fn commit(self) -> Result<(), Error> {
        match self {
            Self::Sqlite(tx) => tx.commit().await,
        }
    }

    /// Begins a part that can be undone by itself.
    pub(crate) async fn savepoint(&mut self) -> Result<(), Error> {
        super::sql("savepoint part").execute(self).await?;
        Ok(())
    }

    /// Ends the part, and keeps it.
    pub(crate) async fn keep(&mut self) -> Result<(), Error> {
        super::sql("release savepoint part").execute(self).await?;
        Ok(())
    }

    /// Ends the part, and undoes it.
    pub(crate) async fn undo(&mut self) -> Result<(), Error> {
        super::sql("rollback to savepoint part").execute(&mut *self).await?;
        self.keep().await
    }
}

/// Where one statement runs: on any connection, if it only reads, or in a transaction.
pub(crate) enum Db<'c> {
    SqlitePool(&'c SqlitePool),
    Sqlite(&'c mut SqliteConnection),
}

impl<'c> From<&'c Pool> for Db<'c> {
    fn from(pool: &'c Pool) -> Self {
        match pool {
            Pool::Sqlite(pool) => Self::SqlitePool(pool),
        }
    }
}

impl<'c> From<&'c mut Conn> for Db<'c> {
    fn from(conn: &'c mut Conn) -> Self {
        match conn {
            Conn::Sqlite(tx) => Self::Sqlite(tx),
        }
    }
}
