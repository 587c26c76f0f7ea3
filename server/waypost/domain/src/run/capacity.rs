//! The maximum number of visitors of a site bounds what pages can store.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use traitql::{DateTime, Id, Internal};
use waypost_api::errors;

use crate::store::{Store, scalar};

const MAX_VISITORS: i64 = 1_000_000;
/// In milliseconds. Counting a million rows takes tens of milliseconds.
const COUNT_INTERVAL_MS: i64 = 60 * 1000;
/// All counts are forgotten when it is exceeded.
const MAX_SITES: usize = 1_000;

/// Counts the visitors of sites, each site at most once a minute.
pub struct SiteCapacity {
    max_visitors: i64,
    counts: Mutex<HashMap<Id, (DateTime, bool)>>,
}

impl Default for SiteCapacity {
    fn default() -> Self {
        Self::with_max(MAX_VISITORS)
    }
}

impl SiteCapacity {
    pub fn with_max(max_visitors: i64) -> Self {
        Self {
            max_visitors,
            counts: Mutex::default(),
        }
    }

    pub async fn check(&self, store: &Store, site: &Id, now: DateTime) -> Result<Option<errors::SiteFull>, Internal> {
        let limit = self.max_visitors;
        let full = || {
            let limit = limit.to_string();
            errors::SiteFull { limit }
        };
        let counts = || self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let known = counts().get(site).copied();
        if let Some((at, is_full)) = known
            && now.as_millis() - at.as_millis() < COUNT_INTERVAL_MS
        {
            return Ok(is_full.then(full));
        }
        let count: i64 = scalar("select count(*) from (select 1 from visitors where site_id = ? limit ?) v")
            .bind(site.as_str())
            .bind(limit)
            .fetch_one(store.reader())
            .await?;
        let is_full = count >= limit;
        if is_full {
            tracing::warn!(%site, limit, "the site has its maximum of visitors, so new visitors are rejected");
        }
        let mut counts = counts();
        if counts.len() >= MAX_SITES {
            counts.clear();
        }
        counts.insert(site.clone(), (now, is_full));
        Ok(is_full.then(full))
    }
}
