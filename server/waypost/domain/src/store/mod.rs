//! There are two kinds of write transactions. [`Store::write`] is for `@audited` mutations and requires an audit entry
//! to commit. [`Store::save`] is for drafts, runs and accounts. Both are rolled back when dropped, and announce their
//! changes to subscribers after the commit.
//!
//! All writes of a process queue for one connection, and then lock out the writes of other processes. Therefore data
//! that a write transaction has read cannot change before it ends.

pub mod cursor;
mod migrations;
mod notifications;

use std::{path::Path, sync::Arc};

use sha2::{Digest, Sha256};
use traitql::{DateTime, Id, Internal};
use uuid::Uuid;
use waypost_database::{DataFolder, Migrations, Notifications, Replica};

use crate::{
    audit,
    change::{Changed, Changes},
    clock::Clock,
    retention::Deletions,
};

pub use waypost_database::{
    Conn, Constraint, Db, OnConstraint, OpenError, Pool, PostgresUrl, Query, Row, StorageLimits, Waits, scalar, sql,
};

/// Returns the migrations that are compiled into the binary.
pub fn migrations() -> Migrations {
    Migrations {
        sqlite: &migrations::SQLITE,
        postgres: &migrations::POSTGRES,
    }
}

/// A row that a change is based on.
pub struct ForChange<T> {
    pub row: T,
    /// The name of the account that changed it last.
    pub changed_by: String,
}

#[derive(Clone)]
pub struct Store {
    writer: Pool,
    readers: Pool,
    replica: Option<Replica>,
    folder: Arc<Option<DataFolder>>,
    /// The id of this process among those that share the database.
    process: Uuid,
    /// Those of other processes. `None` for SQLite.
    notifications: Option<Notifications>,
    changes: Changes,
    clock: Clock,
    deletions: Arc<Deletions>,
}

impl Store {
    /// Opens the database, see [`waypost_database::open`], and starts to listen for changes of other processes.
    pub async fn open(
        folder: &Path,
        postgres: Option<&PostgresUrl>,
        changes: Changes,
        clock: Clock,
    ) -> Result<Self, OpenError> {
        let pools = waypost_database::open(folder, postgres, migrations()).await?;
        let process = Uuid::now_v7();
        let notifications = match pools.listen {
            Some(at) => Some(notifications::listen(&pools.readers, at, process, changes.clone()).await?),
            None => None,
        };
        Ok(Self {
            writer: pools.writer,
            readers: pools.readers,
            replica: pools.replica,
            folder: Arc::new(pools.folder),
            process,
            notifications,
            changes,
            clock,
            deletions: Arc::default(),
        })
    }

    /// Returns why changes of other processes are noticed late.
    pub fn notification_problem(&self) -> Option<&'static str> {
        self.notifications.as_ref()?.problem()
    }

    /// Writes a row. Fails if the database does not respond or its disk is full.
    pub async fn check(&self) -> Result<(), OpenError> {
        let now = self.clock.now();
        sql("select 1 from workspaces limit 1").execute(&self.readers).await?;
        let mut tx = self.writer.begin_write().await?;
        sql("insert into readiness (id, checked_at) values (1, ?) on conflict (id) do update set checked_at = excluded.checked_at")
            .bind(now.as_millis())
            .execute(&mut tx)
            .await?;
        tx.commit().await?;
        Ok(())
    }

    /// Returns a random key that all processes of this database share. The first call creates it.
    pub async fn nonce_key(&self) -> Result<String, OpenError> {
        let mut tx = self.writer.begin_write().await?;
        let created = format!("{}{}", Uuid::new_v4().simple(), Uuid::new_v4().simple());
        sql("insert into nonce_key (id, key) values (1, ?) on conflict (id) do nothing")
            .bind(created)
            .execute(&mut tx)
            .await?;
        let key = scalar("select key from nonce_key").fetch_one(&mut tx).await?;
        tx.commit().await?;
        Ok(key)
    }

    /// Stores the loader of the running version, and returns the names and the content of all stored ones.
    pub async fn loaders(&self, file: &str, script: &str) -> Result<Vec<(String, String)>, OpenError> {
        let mut tx = self.writer.begin_write().await?;
        sql("insert into loaders (file, script) values (?, ?) on conflict (file) do nothing")
            .bind(file)
            .bind(script)
            .execute(&mut tx)
            .await?;
        let stored = sql("select file, script from loaders")
            .try_map(|row: Row| Ok((row.text("file")?, row.text("script")?)))
            .fetch_all(&mut tx)
            .await?;
        tx.commit().await?;
        Ok(stored)
    }

    /// Waits for running statements, and releases the data folder.
    pub async fn close(&self) {
        self.readers.close().await;
        self.writer.close().await;
        if let Some(folder) = self.folder.as_ref() {
            folder.release();
        }
    }

    /// Removes data that a transaction has erased from SQLite's write-ahead log. Without success, the next checkpoint or
    /// the end of the process removes it.
    pub async fn empty_log(&self) {
        match self.writer.empty_log().await {
            Ok(true) => {}
            Ok(false) => tracing::debug!("the write-ahead log is still in use"),
            Err(error) => {
                tracing::warn!(%error, "erased data remains in the write-ahead log until the next checkpoint")
            }
        }
    }

    /// Returns the waits for the connections that read, and for the one that writes.
    pub fn waits(&self) -> [(&'static str, Arc<Waits>); 2] {
        [("read", self.readers.waits()), ("write", self.writer.waits())]
    }

    pub fn reader(&self) -> Db<'_> {
        Db::from(&self.readers)
    }

    /// Reads that may be a second late, from a replica if there is one: numbers that members look at, and that no member
    /// has just changed. Everything else reads from the primary: what decides about access or about a change, what a
    /// page of another site needs, and what a screen shows after its own change.
    pub fn late_reader(&self) -> Db<'_> {
        match &self.replica {
            Some(replica) => Db::Replica(replica, &self.readers),
            None => self.reader(),
        }
    }

    /// Reads in a transaction like that of [`Store::read`], whose data may be late like that of [`Store::late_reader`].
    pub async fn read_late<R: LateRead>(&self, read: R) -> Result<R::Output, Internal> {
        if let Some(replica) = &self.replica
            && let Some(pool) = replica.current()
        {
            let late = async {
                let mut tx = pool.begin_read().await?;
                read.read(&mut tx).await
            };
            match late.await {
                Err(error) if error.is_outage() => replica.fail(),
                found => return found,
            }
        }
        read.read(&mut self.read().await?).await
    }

    /// True if the replica serves reads. `None` if there is no replica.
    pub fn uses_replica(&self) -> Option<bool> {
        Some(self.replica.as_ref()?.current().is_some())
    }

    /// Begins a read transaction, for several statements that must see the same snapshot.
    pub async fn read(&self) -> Result<Conn, Internal> {
        Ok(self.readers.begin_read().await?)
    }

    /// `action` is a constant of `waypost_api::audit`.
    pub async fn write(&self, action: &'static str, actor: &Id) -> Result<Audited, Internal> {
        Ok(Audited {
            write: self.save().await?,
            action,
            actor: actor.clone(),
        })
    }

    pub async fn save(&self) -> Result<Write, Internal> {
        Ok(Write {
            tx: self.writer.begin_write().await?,
            now: self.clock.now(),
            process: self.process,
            changed: Vec::new(),
            changes: self.changes.clone(),
        })
    }

    /// Sends changes that no table stores to the other processes.
    pub(crate) async fn notify(&self, changes: &[Changed]) -> Result<(), Internal> {
        let mut tx = self.read().await?;
        notifications::notify(&mut tx, self.process, changes).await?;
        Ok(tx.commit().await?)
    }

    /// Returns the number of rows that retention and limits have deleted.
    pub fn deletions(&self) -> &Deletions {
        &self.deletions
    }

    /// Returns the id of this process among those that share the database.
    pub(crate) fn process(&self) -> String {
        self.process.to_string()
    }

    pub fn changes(&self) -> &Changes {
        &self.changes
    }
}

/// Several statements that read one snapshot, which may be late.
pub trait LateRead: Sync {
    type Output: Send;

    /// Is called again, with the primary, if the replica fails.
    fn read(&self, tx: &mut Conn) -> impl Future<Output = Result<Self::Output, Internal>> + Send;
}

#[must_use = "a write that is dropped is rolled back"]
pub struct Write {
    tx: Conn,
    /// Timestamp of all rows that the transaction writes.
    pub now: DateTime,
    process: Uuid,
    changed: Vec<Changed>,
    changes: Changes,
}

impl Write {
    pub fn conn(&mut self) -> &mut Conn {
        &mut self.tx
    }

    pub fn touch(&mut self, changed: Changed) {
        if !self.changed.contains(&changed) {
            self.changed.push(changed);
        }
    }

    /// Announces the changes afterwards, in this process and in the others.
    pub async fn commit(mut self) -> Result<(), Internal> {
        notifications::notify(&mut self.tx, self.process, &self.changed).await?;
        // A separate task, because the commit may succeed although the caller stops waiting. Without the announcement,
        // caches of this process would stay outdated.
        let committed = tokio::spawn(async move {
            self.tx.commit().await?;
            self.changes.announce(self.changed);
            Ok(())
        });
        committed.await?
    }
}

/// Requires an audit entry to commit.
#[must_use = "a write that is dropped is rolled back"]
pub struct Audited {
    write: Write,
    action: &'static str,
    actor: Id,
}

impl Audited {
    pub fn conn(&mut self) -> &mut Conn {
        self.write.conn()
    }

    pub fn now(&self) -> DateTime {
        self.write.now
    }

    pub fn actor(&self) -> &Id {
        &self.actor
    }

    pub fn touch(&mut self, changed: Changed) {
        self.write.touch(changed);
    }

    pub async fn commit(mut self, entry: audit::Entry) -> Result<(), Internal> {
        let (action, actor, now) = (self.action, self.actor, self.write.now);
        audit::store::insert(self.write.conn(), action, &actor, now, entry).await?;
        self.write.commit().await
    }
}

/// Returns a UUID version 7, so that ids sort by creation time.
pub fn new_id() -> Id {
    Uuid::now_v7().into()
}

/// The serial number of the row whose id is a parameter, as SQL. Visitors have ids of 16 bytes.
macro_rules! serial {
    (visitors, $id:literal) => {
        concat!("(select serial from visitors where id = unhex(", $id, ", '-'))")
    };
    ($table:ident, $id:literal) => {
        concat!("(select serial from ", stringify!($table), " where id = ", $id, ")")
    };
}
pub(crate) use serial;

/// Hashes texts to eight bytes, which are shorter than the texts in an index. Collisions are possible, so the texts must
/// be compared too, and indexes of hashes are not unique.
pub(crate) fn short_hash(parts: [&str; 3]) -> i64 {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part);
        hash.update("/");
    }
    let digest = hash.finalize();
    i64::from_be_bytes(digest[..8].try_into().expect("a SHA-256 has 32 bytes"))
}

/// Encodes a list as one parameter for `in (select value from json_each(?))`.
pub(crate) fn json<T: serde::Serialize>(values: &T) -> String {
    serde_json::to_string(values).expect("structs of strings and numbers always serialize to JSON")
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn writes_work_again_after_the_disk_was_full() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), None, Changes::default(), Clock::system())
            .await
            .unwrap();
        store.check().await.unwrap();

        let mut tx = store.writer.begin_write().await.unwrap();
        sql("pragma max_page_count = 1").execute(&mut tx).await.unwrap();
        let insert = "insert into accounts (id, issuer, subject, name, created_at) values ('a', 'b', 'c', ?, 0)";
        sql(insert)
            .bind("long".repeat(100_000))
            .execute(&mut tx)
            .await
            .unwrap_err();
        // SQLite has rolled back, so there is no transaction.
        tx.commit().await.unwrap_err();

        store.check().await.unwrap();
        store.close().await;
    }

    #[tokio::test]
    async fn a_change_is_announced_although_the_caller_stops_waiting_for_the_commit() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), None, Changes::default(), Clock::system())
            .await
            .unwrap();
        let mut changes = store.changes().receiver();
        let mut tx = store.save().await.unwrap();
        sql("insert into readiness (id, checked_at) values (1, 0)")
            .execute(tx.conn())
            .await
            .unwrap();
        tx.touch(Changed::Live);
        let mut commit = Box::pin(tx.commit());
        assert!((&mut commit).now_or_never().is_none());
        drop(commit);

        // The only connection for writing is free after the commit.
        let mut next = store.save().await.unwrap();
        let rows: i64 = scalar("select count(*) from readiness")
            .fetch_one(next.conn())
            .await
            .unwrap();
        assert_eq!((rows, changes.try_recv()), (1, Ok(Changed::Live)));
    }
}
