//! Bounds what pages can store by the number of visitors and runs, and by the free space of the disk.
//!
//! At a maximum, a request deletes the visitors who were not seen for longest, enough for a hundred new ones, so that most
//! requests delete nothing. A new visitor or run is refused if there are no such visitors.

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use tokio::sync::Mutex as AsyncMutex;
use traitql::{DateTime, Id, Internal};
use waypost_api::{Site, errors};
use waypost_database::{StorageLimits, free_disk};

use super::Needed;
use crate::{
    retention,
    store::{Store, scalar},
};

pub const MAX_SITE_VISITORS: u32 = 1_000_000;
/// The time between two counts. Counting a million rows takes tens of milliseconds.
const COUNT_INTERVAL_MS: i64 = 60 * 1000;
/// The age at which a count that nothing has repeated is no longer reported as a problem.
const MAX_COUNT_AGE_MS: i64 = 10 * COUNT_INTERVAL_MS;
/// All counts are forgotten when it is exceeded.
const MAX_COUNTS: usize = 3_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Counted {
    SiteVisitors,
    WorkspaceVisitors,
    WorkspaceRuns,
}

impl Counted {
    fn query(self) -> &'static str {
        match self {
            Self::SiteVisitors => {
                "select count(*) from (
                   select 1 from sites s join visitors v on v.site_serial = s.serial where s.id = ? limit ?) v"
            }
            Self::WorkspaceVisitors => {
                "select count(*) from (
                   select 1 from sites s join visitors v on v.site_serial = s.serial where s.workspace_id = ? limit ?) v"
            }
            Self::WorkspaceRuns => {
                "select count(*) from (
                   select 1 from tours t join runs r on r.tour_serial = t.serial where t.workspace_id = ? limit ?) r"
            }
        }
    }

    /// Returns the end of a sentence.
    fn problem(self) -> &'static str {
        match self {
            Self::SiteVisitors => "the site has its maximum of visitors",
            Self::WorkspaceVisitors => "the workspace has its maximum of visitors",
            Self::WorkspaceRuns => "the workspace has its maximum of runs",
        }
    }
}

const DISK_PROBLEM: &str = "the disk has too little free space to store visits";

/// Pages retry until members have removed visitors, or the operator has added space.
fn unavailable(problem: &str) -> errors::Unavailable {
    let problem = problem.to_owned();
    errors::Unavailable { problem }
}

pub enum Full {
    Site(errors::SiteFull),
    Workspace(errors::Unavailable),
}

#[derive(Clone, Copy)]
struct Count {
    at: DateTime,
    is_full: bool,
    /// The number of rows that were deleted since and not replaced yet.
    room: u64,
    /// True if the last attempt to make room found nothing to delete. It survives the next count, for [`Capacity::problem`].
    refuses: bool,
    /// True if room was looked for since the count and not found, so that refused requests do not search again.
    is_exhausted: bool,
}

/// Counts visitors and runs, each number at most once a minute.
pub struct Capacity {
    max_site_visitors: u32,
    limits: StorageLimits,
    counts: Mutex<HashMap<(Counted, Id), Count>>,
    /// One request makes room while the others wait for it.
    making_room: AsyncMutex<()>,
    /// Contains the SQLite database, if there is one.
    folder: Option<PathBuf>,
    was_low: AtomicBool,
}

impl Capacity {
    pub fn new(limits: StorageLimits, folder: Option<PathBuf>) -> Self {
        Self {
            max_site_visitors: MAX_SITE_VISITORS,
            limits,
            counts: Mutex::default(),
            making_room: AsyncMutex::default(),
            folder,
            was_low: AtomicBool::new(false),
        }
    }

    #[must_use]
    pub fn max_site_visitors(mut self, maximum: u32) -> Self {
        self.max_site_visitors = maximum;
        self
    }

    /// Returns the limit that a new visitor would exceed.
    pub async fn visitors(&self, store: &Store, site: &Site, now: DateTime) -> Result<Option<Full>, Internal> {
        let (limit, counted) = (self.max_site_visitors, Counted::SiteVisitors);
        if !self.has_room(store, counted, &site.id, limit, now).await? || !self.admit(counted, &site.id) {
            let limit = limit.to_string();
            return Ok(Some(Full::Site(errors::SiteFull { limit })));
        }
        let (limit, counted) = (self.limits.visitors, Counted::WorkspaceVisitors);
        let id = &site.workspace_id;
        if !self.has_room(store, counted, id, limit, now).await? || !self.admit(counted, id) {
            return Ok(Some(Full::Workspace(unavailable(counted.problem()))));
        }
        Ok(None)
    }

    pub async fn runs(
        &self,
        store: &Store,
        site: &Site,
        now: DateTime,
    ) -> Result<Option<errors::Unavailable>, Internal> {
        let (limit, counted) = (self.limits.runs, Counted::WorkspaceRuns);
        let has_room = self.has_room(store, counted, &site.workspace_id, limit, now);
        Ok((!has_room.await?).then(|| unavailable(counted.problem())))
    }

    /// Returns false if the workspace has no room for a new run.
    pub fn admit_run(&self, workspace_id: &Id) -> bool {
        self.admit(Counted::WorkspaceRuns, workspace_id)
    }

    fn admit(&self, counted: Counted, id: &Id) -> bool {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        match counts.get_mut(&(counted, id.clone())).filter(|count| count.is_full) {
            None => true,
            Some(Count { room: 0, .. }) => false,
            Some(count) => {
                count.room -= 1;
                true
            }
        }
    }

    /// Makes room at the limit, with at most one failed attempt per count.
    async fn has_room(
        &self,
        store: &Store,
        counted: Counted,
        id: &Id,
        limit: u32,
        now: DateTime,
    ) -> Result<bool, Internal> {
        if !self.is_full(store, counted, id, limit, now).await? {
            return Ok(true);
        }
        let key = (counted, id.clone());
        let counts = || self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let known = || match counts().get(&key) {
            Some(count) if count.room == 0 => count.is_exhausted.then_some(false),
            _ => Some(true),
        };
        if let Some(has_room) = known() {
            return Ok(has_room);
        }
        let _one_at_a_time = self.making_room.lock().await;
        if let Some(has_room) = known() {
            return Ok(has_room);
        }
        let (full, needed) = match counted {
            Counted::SiteVisitors => (retention::Full::Site(id), Needed::Visitors),
            Counted::WorkspaceVisitors => (retention::Full::Workspace(id), Needed::Visitors),
            Counted::WorkspaceRuns => (retention::Full::Workspace(id), Needed::Runs),
        };
        let removed = retention::make_room(store, full, needed).await?;
        let room = match needed {
            Needed::Visitors => removed.visitors,
            Needed::Runs => removed.runs,
        };
        let mut counts = counts();
        let Some(count) = counts.get_mut(&key) else {
            return Ok(true);
        };
        count.room = room;
        if room == 0 && !count.refuses {
            tracing::warn!(%id, limit, "new visits are not stored: {}", counted.problem());
        }
        count.refuses = room == 0;
        count.is_exhausted = room == 0;
        Ok(room > 0)
    }

    /// Returns an error while the disk is almost full, because members must be able to work and to remove visitors.
    pub async fn disk(&self, store: &Store) -> Result<Option<errors::Unavailable>, Internal> {
        Ok(self.is_disk_low(store).await?.then(|| unavailable(DISK_PROBLEM)))
    }

    /// Returns why some visits are not stored.
    pub async fn problem(&self, store: &Store, now: DateTime) -> Result<Option<&'static str>, Internal> {
        if self.is_disk_low(store).await? {
            return Ok(Some(DISK_PROBLEM));
        }
        let counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let is_current = |count: &Count| now.as_millis() - count.at.as_millis() < MAX_COUNT_AGE_MS;
        let mut full = counts.iter().filter(|(_, count)| count.refuses && is_current(count));
        Ok(full.next().map(|((counted, _), _)| counted.problem()))
    }

    async fn is_full(
        &self,
        store: &Store,
        counted: Counted,
        id: &Id,
        limit: u32,
        now: DateTime,
    ) -> Result<bool, Internal> {
        let key = (counted, id.clone());
        let counts = || self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let last = counts().get(&key).copied();
        if let Some(last) = last
            && now.as_millis() - last.at.as_millis() < COUNT_INTERVAL_MS
        {
            return Ok(last.is_full);
        }
        let set = |is_full| {
            let mut counts = counts();
            if counts.len() >= MAX_COUNTS {
                counts.clear();
            }
            let count = Count {
                at: now,
                is_full,
                room: 0,
                refuses: is_full && last.is_some_and(|last| last.refuses),
                is_exhausted: false,
            };
            counts.insert(key.clone(), count);
        };
        // Other requests use the last result meanwhile, so that only one of them counts.
        set(last.is_some_and(|last| last.is_full));
        let count = scalar(counted.query()).bind(id.as_str()).bind(i64::from(limit));
        let count: i64 = count.fetch_one(store.reader()).await?;
        let is_full = count >= i64::from(limit);
        set(is_full);
        Ok(is_full)
    }

    /// Deleted rows leave unused pages in the file, which SQLite uses before the file grows.
    async fn is_disk_low(&self, store: &Store) -> Result<bool, Internal> {
        let required = self.limits.min_free_disk.into();
        let Some(mut free) = self.folder.as_deref().and_then(free_disk) else {
            return Ok(false);
        };
        if free < required {
            let unused = scalar("select freelist_count * page_size from pragma_freelist_count(), pragma_page_size()");
            let unused: i64 = unused.fetch_one(store.reader()).await?;
            free += u64::try_from(unused / 1_000_000).unwrap_or_default();
        }
        let is_low = free < required;
        if self.was_low.swap(is_low, Ordering::Relaxed) != is_low {
            if is_low {
                tracing::warn!(free, required, "visits are not stored: {DISK_PROBLEM}");
            } else {
                tracing::info!(
                    free,
                    required,
                    "the disk has enough free space, so visits are stored again"
                );
            }
        }
        Ok(is_low)
    }
}
