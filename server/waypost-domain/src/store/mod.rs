//! The application's database: who writes, and what a write says of itself.
//!
//! A write is a transaction that says at its beginning what it is. [`Store::write`] takes the action of an `@audited`
//! mutation and can only be committed together with its audit entry; [`Store::save`] is for what leaves no trace: drafts,
//! runs, accounts. Dropping either rolls it back. Announcements to subscribers go out after the commit.
//!
//! All writes of the process wait for the one connection in the pool, in order. Then they take the lock that keeps other
//! processes from writing: what a transaction has read stays true until it ends, on either database.

pub mod cursor;
mod migrations;
mod news;

use std::path::Path;

use traitql::{DateTime, Id, Internal};
use uuid::Uuid;
use waypost_store::Migrations;

use crate::{
    audit,
    change::{Changed, Changes},
    clock::Clock,
};

pub use waypost_store::{Conn, Constraint, Db, OnConstraint, OpenError, Pool, PostgresUrl, Query, Row, scalar, sql};

/// The connections.
#[derive(Clone)]
pub struct Store {
    writer: Pool,
    readers: Pool,
    /// Stands for this process among those that share the database.
    process: Uuid,
    changes: Changes,
    clock: Clock,
}

impl Store {
    /// Opens the database: that of PostgreSQL if there is an address, else SQLite's file in the folder.
    pub async fn open(
        folder: &Path,
        postgres: Option<&PostgresUrl>,
        changes: Changes,
        clock: Clock,
    ) -> Result<Self, OpenError> {
        let embedded = Migrations {
            sqlite: &migrations::SQLITE,
            postgres: &migrations::POSTGRES,
        };
        let pools = waypost_store::open(folder, postgres, embedded).await?;
        let process = Uuid::now_v7();
        news::hear(&pools.readers, process, changes.clone()).await?;
        Ok(Self {
            writer: pools.writer,
            readers: pools.readers,
            process,
            changes,
            clock,
        })
    }

    /// Fails when the database does not answer.
    pub async fn ping(&self) -> Result<(), OpenError> {
        sql("select 1 from workspaces limit 1").execute(&self.readers).await?;
        Ok(())
    }

    /// Closes the connections. What is under way finishes first.
    pub async fn close(&self) {
        self.readers.close().await;
        self.writer.close().await;
    }

    /// For a single statement that reads.
    pub fn reader(&self) -> Db<'_> {
        Db::from(&self.readers)
    }

    /// For several statements that must see the same state.
    pub async fn read(&self) -> Result<Conn, Internal> {
        Ok(self.readers.begin_read().await?)
    }

    /// Begins the write of an `@audited` mutation: `action` is its constant in `waypost_api::audit`.
    pub async fn write(&self, action: &'static str, actor: &Id) -> Result<Audited, Internal> {
        Ok(Audited {
            write: self.save().await?,
            action,
            actor: actor.clone(),
        })
    }

    /// Begins a write that leaves no audit entry.
    pub async fn save(&self) -> Result<Write, Internal> {
        Ok(Write {
            tx: self.writer.begin_write().await?,
            now: self.clock.now(),
            process: self.process,
            changed: Vec::new(),
            changes: self.changes.clone(),
        })
    }

    /// Where committed changes are announced and heard.
    pub fn changes(&self) -> &Changes {
        &self.changes
    }
}

/// A transaction that writes.
#[must_use = "a write that is dropped is rolled back"]
pub struct Write {
    tx: Conn,
    /// The time of everything that the transaction writes.
    pub now: DateTime,
    process: Uuid,
    changed: Vec<Changed>,
    changes: Changes,
}

impl Write {
    /// The transaction, for statements.
    pub fn conn(&mut self) -> &mut Conn {
        &mut self.tx
    }

    /// Announces a change as soon as it is committed.
    pub fn touch(&mut self, changed: Changed) {
        if !self.changed.contains(&changed) {
            self.changed.push(changed);
        }
    }

    /// Commits, and then tells of the changes: whoever listens here, and the other processes.
    pub async fn commit(mut self) -> Result<(), Internal> {
        news::tell(&mut self.tx, self.process, &self.changed).await?;
        self.tx.commit().await?;
        self.changes.announce(self.changed);
        Ok(())
    }
}

/// A transaction of an `@audited` mutation. Its only end but a rollback is [`Audited::commit`], which writes the entry.
#[must_use = "a write that is dropped is rolled back"]
pub struct Audited {
    write: Write,
    action: &'static str,
    actor: Id,
}

impl Audited {
    /// The transaction, for statements.
    pub fn conn(&mut self) -> &mut Conn {
        self.write.conn()
    }

    /// The time of everything that the transaction writes.
    pub fn now(&self) -> DateTime {
        self.write.now
    }

    /// Whose doing it is.
    pub fn actor(&self) -> &Id {
        &self.actor
    }

    /// Announces a change as soon as it is committed.
    pub fn touch(&mut self, changed: Changed) {
        self.write.touch(changed);
    }

    /// Writes the audit entry and commits both.
    pub async fn commit(mut self, entry: audit::Entry) -> Result<(), Internal> {
        let (action, actor, now) = (self.action, self.actor, self.write.now);
        audit::store::insert(self.write.conn(), action, &actor, now, entry).await?;
        self.write.commit().await
    }
}

/// A new id: a UUID of version 7, so that ids sort by the time they were made.
pub fn new_id() -> Id {
    Uuid::now_v7().into()
}

/// A list as one parameter, for `in (select value from json_each(?))`: the statement stays the same for any length.
pub(crate) fn json<T: serde::Serialize>(values: &T) -> String {
    serde_json::to_string(values).expect("strings, numbers and structs of them have a JSON form")
}
