//! Deletes what workspaces no longer need.
//!
//! Each workspace states after how many days visitors, runs and audit entries are deleted ([`sweep`]). At the maximum of
//! visitors or runs, the visitors who were not seen for longest make room ([`make_room`]). Both keep all numbers of the
//! insights, and delete in small transactions, because other writes wait for them.

pub mod capacity;
pub mod store;

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use tokio::task::AbortHandle;
use traitql::{DateTime, Id, Internal};
use waypost_api::Retention;

use crate::{
    change::Changed,
    clock::DAY_MS,
    run::retention as runs,
    store::{Store, Write},
    visitor::removal::{self, Removed},
};

/// A restart must not delay the server, and a failover must not start a sweep in each process at once.
const FIRST_SWEEP: Duration = Duration::from_secs(60);
const SWEEP_INTERVAL: Duration = Duration::from_secs(60 * 60);
/// The time between two transactions, so that other writes need not wait for several of them.
const PAUSE: Duration = Duration::from_millis(100);
/// The time without a transaction after which another process continues.
const LEASE_MS: i64 = 60 * 1000;
const LEASE: &str = "retention";

/// Rows of one transaction.
const MAX_VISITORS: i32 = 100;
const MAX_RUNS: i32 = 100;
const MAX_ENTRIES: i32 = 500;

/// Visitors who were seen since then do not make room for others, so that a flood of invented visitors does not replace
/// them at once. All reports of the others' runs are too old to be accepted.
pub const MIN_ABSENCE_DAYS: i64 = 7;

/// Rows that this process has deleted, by what they are and why.
#[derive(Debug, Default)]
pub struct Deletions {
    expired: [AtomicU64; 4],
    evicted: [AtomicU64; 2],
}

/// The names of [`Deletions::expired`].
const EXPIRED: [&str; 4] = ["visitors", "runs", "run_events", "audit_entries"];

impl Deletions {
    /// Returns the number of rows, with what they are and why they were deleted.
    pub fn counts(&self) -> Vec<(&'static str, &'static str, u64)> {
        let expired = EXPIRED.into_iter().zip(&self.expired);
        let evicted = EXPIRED.into_iter().zip(&self.evicted);
        let read =
            |reason| move |(rows, count): (&'static str, &AtomicU64)| (rows, reason, count.load(Ordering::Relaxed));
        expired
            .map(read("retention"))
            .chain(evicted.map(read("limit")))
            .collect()
    }

    fn add_expired(&self, deleted: &Swept) {
        let counts = [
            deleted.visitors,
            deleted.runs,
            deleted.run_events,
            deleted.audit_entries,
        ];
        for (total, count) in self.expired.iter().zip(counts) {
            total.fetch_add(count, Ordering::Relaxed);
        }
    }

    fn add_evicted(&self, removed: Removed) {
        for (total, count) in self.evicted.iter().zip([removed.visitors, removed.runs]) {
            total.fetch_add(count, Ordering::Relaxed);
        }
    }
}

/// The numbers of rows that a sweep has deleted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Swept {
    pub visitors: u64,
    pub runs: u64,
    /// Runs that stay, but have lost their events.
    pub run_events: u64,
    pub audit_entries: u64,
}

/// The task that sweeps every hour.
#[derive(Debug, Clone)]
pub struct Sweeper(AbortHandle);

impl Sweeper {
    pub fn start(store: Store) -> Self {
        let task = async move {
            tokio::time::sleep(FIRST_SWEEP).await;
            loop {
                if let Err(error) = sweep(&store).await {
                    tracing::warn!(
                        ?error,
                        "expired data could not be deleted; the next attempt is in an hour"
                    );
                }
                tokio::time::sleep(SWEEP_INTERVAL).await;
            }
        };
        Self(tokio::spawn(task).abort_handle())
    }

    /// Rolls back an unfinished transaction.
    pub fn stop(&self) {
        self.0.abort();
    }
}

/// Deletes the expired data of all workspaces, unless another process does.
pub async fn sweep(store: &Store) -> Result<Swept, Internal> {
    let mut total = Swept::default();
    for (workspace_id, retention) in store::all(store.reader()).await? {
        let sweep = Sweep {
            store,
            workspace_id: &workspace_id,
        };
        let mut swept = Swept::default();
        let is_ours = sweep.workspace(&retention, &mut swept).await;
        if swept != Swept::default() {
            let Swept {
                visitors,
                runs,
                run_events,
                audit_entries,
            } = swept;
            tracing::info!(workspace = %workspace_id, visitors, runs, run_events, audit_entries, "deleted expired data");
            store.empty_log().await;
        }
        total.add(swept);
        if !is_ours? {
            break;
        }
    }
    Ok(total)
}

impl Swept {
    fn add(&mut self, other: Self) {
        self.visitors += other.visitors;
        self.runs += other.runs;
        self.run_events += other.run_events;
        self.audit_entries += other.audit_entries;
    }
}

struct Sweep<'a> {
    store: &'a Store,
    workspace_id: &'a Id,
}

impl Sweep<'_> {
    /// Returns false if another process deletes expired data.
    async fn workspace(&self, retention: &Retention, swept: &mut Swept) -> Result<bool, Internal> {
        Ok(self.visitors(retention, swept).await?
            && self.runs(retention, swept).await?
            && self.audit_entries(retention, swept).await?)
    }

    async fn visitors(&self, retention: &Retention, swept: &mut Swept) -> Result<bool, Internal> {
        for site in store::sites(self.store.reader(), self.workspace_id).await? {
            loop {
                let Some(mut tx) = self.begin().await? else {
                    return Ok(false);
                };
                let (now, before) = (tx.now, expiry(tx.now, retention.visitor_days));
                let expired = store::expired_visitors(tx.conn(), site, before, MAX_VISITORS).await?;
                if expired.is_empty() {
                    break;
                }
                let removed = forget(&mut tx, &expired, now).await?;
                tx.commit().await?;
                self.count(
                    swept,
                    Swept {
                        visitors: removed.visitors,
                        runs: removed.runs,
                        ..Swept::default()
                    },
                );
                tokio::time::sleep(PAUSE).await;
            }
        }
        Ok(true)
    }

    async fn runs(&self, retention: &Retention, swept: &mut Swept) -> Result<bool, Internal> {
        for tour in store::tours(self.store.reader(), self.workspace_id).await? {
            loop {
                let Some(mut tx) = self.begin().await? else {
                    return Ok(false);
                };
                let (now, before) = (tx.now, expiry(tx.now, retention.run_days));
                let expired = runs::expired_runs(tx.conn(), tour, before, MAX_RUNS).await?;
                if expired.is_empty() {
                    break;
                }
                let [run_events, runs] = runs::delete_data(tx.conn(), tour, &expired, before, now).await?;
                // Not announced, because offers do not depend on the deleted data, and subscribers need not read it again.
                tx.commit().await?;
                self.count(
                    swept,
                    Swept {
                        runs,
                        run_events,
                        ..Swept::default()
                    },
                );
                tokio::time::sleep(PAUSE).await;
            }
        }
        Ok(true)
    }

    async fn audit_entries(&self, retention: &Retention, swept: &mut Swept) -> Result<bool, Internal> {
        loop {
            let Some(mut tx) = self.begin().await? else {
                return Ok(false);
            };
            let before = expiry(tx.now, retention.audit_days);
            let deleted = store::delete_audit_entries(tx.conn(), self.workspace_id, before, MAX_ENTRIES).await?;
            if deleted == 0 {
                return Ok(true);
            }
            tx.commit().await?;
            self.count(
                swept,
                Swept {
                    audit_entries: deleted,
                    ..Swept::default()
                },
            );
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Begins a transaction of the process that deletes expired data. Returns `None` if that is another one.
    async fn begin(&self) -> Result<Option<Write>, Internal> {
        let mut tx = self.store.save().await?;
        let (now, process) = (tx.now.as_millis(), self.store.process());
        Ok(store::lease(tx.conn(), LEASE, &process, now, now + LEASE_MS)
            .await?
            .then_some(tx))
    }

    fn count(&self, swept: &mut Swept, deleted: Swept) {
        self.store.deletions().add_expired(&deleted);
        swept.add(deleted);
    }
}

fn expiry(now: DateTime, days: i32) -> i64 {
    now.as_millis() - i64::from(days) * DAY_MS
}

/// A visitor's id and serial number.
pub(crate) struct Absent {
    pub(crate) id: Id,
    pub(crate) serial: i64,
}

async fn forget(tx: &mut Write, visitors: &[Absent], now: DateTime) -> Result<Removed, Internal> {
    let serials: Vec<i64> = visitors.iter().map(|visitor| visitor.serial).collect();
    let removed = removal::forget(tx.conn(), &serials, now).await?;
    for visitor in visitors {
        tx.touch(Changed::Visitor(visitor.id.clone()));
    }
    Ok(removed)
}

/// The site or the workspace without room for a new visitor or a new run.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Full<'a> {
    Site(&'a Id),
    Workspace(&'a Id),
}

/// Deletes up to a hundred visitors who were not seen for longest, and not for [`MIN_ABSENCE_DAYS`].
///
/// Identified visitors are deleted only if there are no anonymous ones. Of the anonymous ones, those in the lift of a
/// running release are deleted last, and if runs need room, those without runs too. Test users are never deleted.
pub(crate) async fn make_room(store: &Store, full: Full<'_>, needed: Needed) -> Result<Removed, Internal> {
    let mut tx = store.save().await?;
    let now = tx.now;
    let before = now.as_millis() - MIN_ABSENCE_DAYS * DAY_MS;
    let sites = match full {
        Full::Site(id) => store::site(tx.conn(), id).await?,
        Full::Workspace(id) => store::sites(tx.conn().db(), id).await?,
    };
    let mut absent = Vec::new();
    for kind in store::Kind::ALL {
        absent = store::absent_visitors(tx.conn(), &sites, kind, needed, before, MAX_VISITORS).await?;
        if !absent.is_empty() {
            break;
        }
    }
    if absent.is_empty() {
        return Ok(Removed::default());
    }
    let removed = forget(&mut tx, &absent, now).await?;
    tx.commit().await?;
    store.deletions().add_evicted(removed);
    let Removed { visitors, runs } = removed;
    tracing::info!(
        ?full,
        visitors,
        runs,
        "visitors who were not seen for longest made room for new ones"
    );
    Ok(removed)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Needed {
    Visitors,
    Runs,
}
