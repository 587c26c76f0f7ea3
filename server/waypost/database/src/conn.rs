use sqlx::{Error, PgConnection, PgPool, Postgres, Sqlite, SqliteConnection, SqlitePool, Transaction};

use crate::{outage, sql};

#[derive(Clone)]
pub enum Pool {
    Sqlite(SqlitePool),
    Postgres(PgPool),
}

impl Pool {
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

    /// Waits for all other write transactions, because upgrading from reading to writing could fail. On PostgreSQL,
    /// takes an advisory lock.
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

    pub async fn close(&self) {
        match self {
            Self::Sqlite(pool) => pool.close().await,
            Self::Postgres(pool) => pool.close().await,
        }
    }
}

/// Rolled back when dropped.
pub enum Conn {
    Sqlite(Transaction<'static, Sqlite>),
    Postgres(Transaction<'static, Postgres>),
}

impl Conn {
    pub fn db(&mut self) -> Db<'_> {
        Db::from(self)
    }

    pub async fn commit(self) -> Result<(), Error> {
        match self {
            Self::Sqlite(tx) => tx.commit().await,
            Self::Postgres(tx) => tx.commit().await,
        }
        .map_err(outage::mark)
    }

    /// Savepoints cannot be nested.
    pub async fn savepoint(&mut self) -> Result<(), Error> {
        sql("savepoint part").execute(self).await?;
        Ok(())
    }

    pub async fn release_savepoint(&mut self) -> Result<(), Error> {
        sql("release savepoint part").execute(self).await?;
        Ok(())
    }

    pub async fn rollback_to_savepoint(&mut self) -> Result<(), Error> {
        sql("rollback to savepoint part").execute(&mut *self).await?;
        self.release_savepoint().await
    }
}

pub enum Db<'c> {
    SqlitePool(&'c SqlitePool),
    Sqlite(&'c mut SqliteConnection),
    PostgresPool(&'c PgPool),
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
