//! The database: SQLite in one file, with one connection that writes and several that read.
//!
//! A write is a transaction that says at its beginning what it is. [`Store::write`] takes the action of an `@audited`
//! mutation and can only be committed together with its audit entry; [`Store::save`] is for what leaves no trace: drafts,
//! runs, accounts. Dropping either rolls it back. Announcements to subscribers go out after the commit.
//!
//! `synchronous=FULL` costs a flush per commit and is the point: with NORMAL, a power cut loses writes that were
//! acknowledged. All writes of the process wait for the one connection in the pool, in order, instead of for SQLite's lock.

mod conn;
mod constraint;
pub(crate) mod cursor;
mod row;
mod statement;

use std::{fmt, path::Path, time::Duration};

use sqlx::{
    migrate::MigrateError,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};
use traitql::{DateTime, Id, Internal};

use crate::{
    audit,
    change::{Changed, Changes},
    clock::Clock,
};

pub(crate) use conn::{Conn, Db, Pool};
pub(crate) use constraint::{Constraint, OnConstraint};
pub(crate) use row::Row;
pub(crate) use statement::{Query, scalar, sql};

/// How long a write waits for another process that holds the lock.
const BUSY: Duration = Duration::from_secs(5);
const READERS: u32 = 8;

/// The database could not be opened or does not answer.
#[derive(Debug)]
pub enum OpenError {
    /// The folder of the database cannot be made.
    Folder(std::io::Error),
    /// SQLite failed.
    Database(sqlx::Error),
    /// The database is newer than this version, or a migration failed.
    Migration(MigrateError),
    /// The first contents could not be written.
    Contents(String),
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(error) => write!(f, "the data folder cannot be made: {error}"),
            Self::Database(error) => write!(f, "the database does not answer: {error}"),
            Self::Migration(error) => write!(f, "the database cannot be brought up to date: {error}"),
            Self::Contents(problem) => write!(f, "the first contents cannot be written: {problem}"),
        }
    }
}

impl std::error::Error for OpenError {}

impl From<sqlx::Error> for OpenError {
    fn from(error: sqlx::Error) -> Self {
        Self::Database(error)
    }
}

/// The connections.
#[derive(Clone)]
pub(crate) struct Store {
    writer: Pool,
    readers: Pool,
    changes: Changes,
    clock: Clock,
}

impl Store {
    pub(crate) async fn open(folder: &Path, changes: Changes, clock: Clock) -> Result<Self, OpenError> {
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
        sqlx::migrate!().run(&writer).await.map_err(OpenError::Migration)?;
        let readers = SqlitePoolOptions::new()
            .max_connections(READERS)
            .acquire_timeout(BUSY)
            .connect_with(options.pragma("query_only", "on"))
            .await?;
        Ok(Self {
            writer: Pool::Sqlite(writer),
            readers: Pool::Sqlite(readers),
            changes,
            clock,
        })
    }

    pub(crate) async fn ping(&self) -> Result<(), OpenError> {
        sql("select 1 from workspaces limit 1").execute(&self.readers).await?;
        Ok(())
    }

    pub(crate) async fn close(&self) {
        self.readers.close().await;
        self.writer.close().await;
    }

    /// For a single statement that reads.
    pub(crate) fn reader(&self) -> &Pool {
        &self.readers
    }

    /// For several statements that must see the same state.
    pub(crate) async fn read(&self) -> Result<Conn, Internal> {
        Ok(self.readers.begin().await?)
    }

    /// Begins the write of an `@audited` mutation: `action` is its constant in `waypost_api::audit`.
    pub(crate) async fn write(&self, action: &'static str, actor: &Id) -> Result<Audited, Internal> {
        Ok(Audited {
            write: self.save().await?,
            action,
            actor: actor.clone(),
        })
    }

    /// Begins a write that leaves no audit entry.
    pub(crate) async fn save(&self) -> Result<Write, Internal> {
        Ok(Write {
            tx: self.writer.begin_write().await?,
            now: self.clock.now(),
            changed: Vec::new(),
            changes: self.changes.clone(),
        })
    }

    pub(crate) fn changes(&self) -> &Changes {
        &self.changes
    }
}

/// A transaction that writes.
#[must_use = "a write that is dropped is rolled back"]
pub(crate) struct Write {
    tx: Conn,
    /// The time of everything that the transaction writes.
    pub(crate) now: DateTime,
    changed: Vec<Changed>,
    changes: Changes,
}

impl Write {
    pub(crate) fn conn(&mut self) -> &mut Conn {
        &mut self.tx
    }

    /// Announces a change as soon as it is committed.
    pub(crate) fn touch(&mut self, changed: Changed) {
        if !self.changed.contains(&changed) {
            self.changed.push(changed);
        }
    }

    pub(crate) async fn commit(self) -> Result<(), Internal> {
        self.tx.commit().await?;
        self.changes.announce(self.changed);
        Ok(())
    }
}

/// A transaction of an `@audited` mutation. Its only end but a rollback is [`Audited::commit`], which writes the entry.
#[must_use = "a write that is dropped is rolled back"]
pub(crate) struct Audited {
    write: Write,
    action: &'static str,
    actor: Id,
}

impl Audited {
    pub(crate) fn conn(&mut self) -> &mut Conn {
        self.write.conn()
    }

    pub(crate) fn now(&self) -> DateTime {
        self.write.now
    }

    /// Whose doing it is.
    pub(crate) fn actor(&self) -> &Id {
        &self.actor
    }

    pub(crate) fn touch(&mut self, changed: Changed) {
        self.write.touch(changed);
    }

    /// Writes the audit entry and commits both.
    pub(crate) async fn commit(mut self, entry: audit::Entry) -> Result<(), Internal> {
        let (action, actor, now) = (self.action, self.actor, self.write.now);
        audit::store::insert(self.write.conn(), action, &actor, now, entry).await?;
        self.write.commit().await
    }
}

/// A new id: a UUID of version 7, so that ids sort by the time they were made.
pub(crate) fn new_id() -> Id {
    uuid::Uuid::now_v7().into()
}

/// A list as one parameter, for `in (select value from json_each(?))`: the statement stays the same for any length.
pub(crate) fn json<T: serde::Serialize>(values: &T) -> String {
    serde_json::to_string(values).expect("strings, numbers and structs of them have a JSON form")
}
