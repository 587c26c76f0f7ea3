//! Times, pages and locales change with every page view, so they are collected and written together.

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use serde::Serialize;
use traitql::{DateTime, Id, Internal};
use waypost_api::Site;

use super::identity::ReportedVisitor;
use crate::{
    change::Changed,
    identity, site,
    store::{Store, json, sql},
};

/// A crash loses the visits of one interval.
const WRITE_INTERVAL: Duration = Duration::from_secs(1);
/// Visits of others are not recorded until the next write.
const MAX_COLLECTED: usize = 10_000;

#[derive(Serialize)]
struct Visit {
    id: Id,
    at: i64,
    page: Option<String>,
    locale: Option<String>,
}

/// Visits with an external id on one day.
#[derive(Default)]
struct IdentifiedVisits {
    identified: i64,
    verified: i64,
}

#[derive(Default)]
struct Collected {
    visitors: HashMap<Id, Visit>,
    sites: HashMap<Id, Visit>,
    identified: HashMap<(Id, i64), IdentifiedVisits>,
    keys: HashMap<Id, DateTime>,
    /// The number of requests and the time of the last one, by site and origin.
    refused: HashMap<(Id, String), (i64, DateTime)>,
}

#[derive(Default)]
struct Memory {
    collected: Collected,
    /// The refused origins of sites that were admitted, also before the last write.
    admitted: HashSet<(Id, String)>,
}

#[derive(Clone, Default)]
pub struct Presence(Arc<Mutex<Memory>>);

impl Presence {
    pub fn start(store: Store) -> Self {
        let presence = Self::default();
        let memory = Arc::downgrade(&presence.0);
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(WRITE_INTERVAL).await;
                let Some(memory) = memory.upgrade() else { return };
                Self(memory).write_or_log(&store).await;
            }
        });
        presence
    }

    pub fn visitor_seen(&self, id: &Id, input: &ReportedVisitor, page: &str, now: DateTime) {
        let mut memory = self.memory();
        let collected = &mut memory.collected;
        if collected.visitors.len() >= MAX_COLLECTED && !collected.visitors.contains_key(id) {
            return;
        }
        let visit = Visit {
            id: id.clone(),
            at: now.as_millis(),
            page: Some(page.to_owned()),
            locale: input.locale.clone(),
        };
        collected.visitors.insert(id.clone(), visit);
    }

    pub fn site_seen(&self, site: &Site, page: &str, now: DateTime) {
        let mut memory = self.memory();
        let collected = &mut memory.collected;
        let visit = Visit {
            id: site.id.clone(),
            at: now.as_millis(),
            page: Some(page.to_owned()),
            locale: None,
        };
        collected.sites.insert(site.id.clone(), visit);
    }

    /// Records a page view with an external id, and the identity key that verified it, if one did.
    pub fn visitor_identified(&self, site: &Site, key: Option<&Id>, now: DateTime) {
        let mut memory = self.memory();
        let collected = &mut memory.collected;
        let visits = collected
            .identified
            .entry((site.id.clone(), identity::store::day(now)))
            .or_default();
        visits.identified += 1;
        visits.verified += i64::from(key.is_some());
        if let Some(key) = key {
            collected.keys.insert(key.clone(), now);
        }
    }

    /// Calls `admit` for each new origin.
    pub fn origin_refused(&self, site: &Site, origin: &str, admit: impl FnOnce() -> bool, now: DateTime) {
        let mut memory = self.memory();
        let key = (site.id.clone(), origin.to_owned());
        if !memory.admitted.contains(&key) {
            if !admit() {
                return;
            }
            if memory.admitted.len() >= MAX_COLLECTED {
                memory.admitted.clear();
            }
            memory.admitted.insert(key.clone());
        }
        let (count, last) = memory.collected.refused.entry(key).or_insert((0, now));
        *count += 1;
        *last = now;
    }

    fn memory(&self) -> MutexGuard<'_, Memory> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub async fn write_or_log(&self, store: &Store) {
        if let Err(error) = self.write(store).await {
            tracing::warn!(?error, "visits could not be written");
        }
    }

    async fn write(&self, store: &Store) -> Result<(), Internal> {
        let Collected {
            visitors,
            sites,
            identified,
            keys,
            refused,
        } = std::mem::take(&mut self.memory().collected);
        if visitors.is_empty() && sites.is_empty() && identified.is_empty() && refused.is_empty() {
            return Ok(());
        }
        let mut tx = store.save().await?;
        if !identified.is_empty() {
            let days: Vec<_> = identified
                .iter()
                .map(|((site, day), visits)| (site, *day, visits.identified, visits.verified))
                .collect();
            identity::store::count_visits(tx.conn(), &days).await?;
        }
        if !keys.is_empty() {
            let keys: Vec<_> = keys.iter().map(|(id, at)| (id, at.as_millis())).collect();
            identity::store::set_last_used(tx.conn(), &keys).await?;
        }
        if !refused.is_empty() {
            let refused: Vec<_> = refused
                .iter()
                .map(|((site, origin), (count, at))| (site, origin.as_str(), *count, at.as_millis()))
                .collect();
            let now = tx.now;
            site::store::count_refused(tx.conn(), &refused, now).await?;
        }
        for (visits, statement) in [
            (
                &visitors,
                "update visitors set last_seen_at = max(last_seen_at, cast(v.value ->> 'at' as bigint)),
                   locale = coalesce(v.value ->> 'locale', locale), last_page = coalesce(v.value ->> 'page', last_page)
                 from json_each(?1, '$') v where visitors.id = unhex(v.value ->> 'id', '-')",
            ),
            (
                &sites,
                "update sites set installed_at = coalesce(installed_at, cast(v.value ->> 'at' as bigint)),
                   last_seen_at = max(coalesce(last_seen_at, 0), cast(v.value ->> 'at' as bigint)),
                   last_page = coalesce(v.value ->> 'page', last_page)
                 from json_each(?1, '$') v where sites.id = v.value ->> 'id'",
            ),
        ] {
            if !visits.is_empty() {
                let visits: Vec<&Visit> = visits.values().collect();
                sql(statement).bind(json(&visits)).execute(tx.conn()).await?;
            }
        }
        let seen: HashSet<Id> = sites
            .into_keys()
            .chain(identified.into_keys().map(|(site, _)| site))
            .chain(refused.into_keys().map(|(site, _)| site))
            .collect();
        for site in seen {
            tx.touch(Changed::SiteActivity(site));
        }
        tx.commit().await
    }
}
