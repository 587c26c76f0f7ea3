use std::{sync::Arc, time::Instant};

use sqlx::{
    Error, PgConnection, PgPool, Postgres, SqlSafeStr, SqlStr, Sqlite, SqliteConnection, SqlitePool, Transaction,
    pool::{CloseEvent, PoolConnection},
};

use crate::{Replica, outage, scalar, sql, waits::Waits};

#[derive(Clone)]
pub struct Pool {
    connections: Connections,
    waits: Arc<Waits>,
}

#[derive(Clone)]
enum Connections {
    Sqlite(SqlitePool),
    Postgres(PgPool),
}

impl From<SqlitePool> for Pool {
    fn from(pool: SqlitePool) -> Self {
        Self {
            connections: Connections::Sqlite(pool),
            waits: Arc::default(),
        }
    }
}

impl From<PgPool> for Pool {
    fn from(pool: PgPool) -> Self {
        Self {
            connections: Connections::Postgres(pool),
            waits: Arc::default(),
        }
    }
}

/// Sets the limits in the transaction, because a pooler may share its session. A plan made for a small table would keep
/// scanning it, although an index exists.
const BEGIN_WRITE: &str = "BEGIN; SET LOCAL lock_timeout = 2000; SET LOCAL statement_timeout = 0; \
    SET LOCAL synchronous_commit = on; SET LOCAL enable_seqscan = off; SET LOCAL jit = off; \
    SELECT pg_advisory_xact_lock(8297241390)";

impl Pool {
    pub async fn begin_read(&self) -> Result<Conn, Error> {
        let begin = match &self.connections {
            Connections::Sqlite(_) => None,
            Connections::Postgres(_) => Some("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY".into_sql_str()),
        };
        self.begin(begin).await
    }

    /// Waits for all other write transactions, because upgrading from reading to writing could fail. On PostgreSQL,
    /// takes an advisory lock.
    pub async fn begin_write(&self) -> Result<Conn, Error> {
        let begin = match &self.connections {
            Connections::Sqlite(_) => "BEGIN IMMEDIATE",
            Connections::Postgres(_) => BEGIN_WRITE,
        };
        self.begin(Some(begin.into_sql_str())).await
    }

    async fn begin(&self, statement: Option<SqlStr>) -> Result<Conn, Error> {
        let begun = match self.acquire().await.map_err(outage::mark)? {
            Acquired::Sqlite(conn) => Transaction::begin(conn, statement).await.map(Conn::Sqlite),
            // A separate task, because the driver does not roll back a transaction whose caller stops waiting while it
            // begins. The session would keep the lock of writers, or an old snapshot.
            Acquired::Postgres(conn) => {
                let begun = tokio::spawn(Transaction::begin(conn, statement)).await;
                begun.unwrap_or(Err(Error::WorkerCrashed)).map(Conn::Postgres)
            }
        };
        begun.map_err(outage::mark)
    }

    pub(crate) async fn acquire(&self) -> Result<Acquired, Error> {
        let waiting = self.waits.begin();
        let began = Instant::now();
        let acquired = match &self.connections {
            Connections::Sqlite(pool) => pool.acquire().await.map(Acquired::Sqlite),
            Connections::Postgres(pool) => pool.acquire().await.map(Acquired::Postgres),
        };
        waiting.end(began.elapsed());
        acquired
    }

    pub(crate) fn postgres(&self) -> Option<&PgPool> {
        match &self.connections {
            Connections::Sqlite(_) => None,
            Connections::Postgres(pool) => Some(pool),
        }
    }

    /// Resolves when the pool is closed.
    pub(crate) fn close_event(&self) -> CloseEvent {
        match &self.connections {
            Connections::Sqlite(pool) => pool.close_event(),
            Connections::Postgres(pool) => pool.close_event(),
        }
    }

    /// Returns the waits for a connection.
    pub fn waits(&self) -> Arc<Waits> {
        Arc::clone(&self.waits)
    }

    /// Empties SQLite's write-ahead log, which contains earlier versions of rows. Returns false if a reader still needs
    /// it.
    pub async fn empty_log(&self) -> Result<bool, Error> {
        match self.connections {
            Connections::Sqlite(_) => Ok(scalar::<i64>("pragma wal_checkpoint(truncate)").fetch_one(self).await? == 0),
            Connections::Postgres(_) => Ok(true),
        }
    }

    pub async fn close(&self) {
        match &self.connections {
            Connections::Sqlite(pool) => pool.close().await,
            Connections::Postgres(pool) => pool.close().await,
        }
    }
}

pub(crate) enum Acquired {
    Sqlite(PoolConnection<Sqlite>),
    Postgres(PoolConnection<Postgres>),
}

impl Acquired {
    pub(crate) fn session(&mut self) -> Session<'_> {
        match self {
            Self::Sqlite(conn) => Session::Sqlite(conn),
            Self::Postgres(conn) => Session::Postgres(conn),
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
    /// Each statement uses a connection of the pool.
    Pool(&'c Pool),
    /// Each statement uses the replica, or the pool if the replica fails.
    Replica(&'c Replica, &'c Pool),
    Session(Session<'c>),
}

pub enum Session<'c> {
    Sqlite(&'c mut SqliteConnection),
    Postgres(&'c mut PgConnection),
}

impl Db<'_> {
    pub fn is_sqlite(&self) -> bool {
        match self {
            Self::Pool(pool) | Self::Replica(_, pool) => pool.postgres().is_none(),
            Self::Session(session) => matches!(session, Session::Sqlite(_)),
        }
    }
}

impl<'c> From<&'c Pool> for Db<'c> {
    fn from(pool: &'c Pool) -> Self {
        Self::Pool(pool)
    }
}

impl<'c> From<&'c mut Conn> for Db<'c> {
    fn from(conn: &'c mut Conn) -> Self {
        Self::Session(match conn {
            Conn::Sqlite(tx) => Session::Sqlite(tx),
            Conn::Postgres(tx) => Session::Postgres(tx),
        })
    }
}
