//! A cache of frozen revisions.
//!
//! Every boot request needs the content of the live revisions. It can be cached without invalidation because a database
//! trigger prevents changes of frozen revisions.

use std::{
    collections::HashMap,
    sync::{Arc, PoisonError, RwLock},
};

use traitql::{Id, Internal};
use waypost_api::{StartRule, Step};

use super::revisions;
use crate::store::{Conn, Row, json, sql};

/// Maximum number of cached revisions. The cache is cleared when it is exceeded. A revision of the sample workspace has
/// 2 kB of JSON, and one at all limits of the schema (40 steps) a few hundred.
const MAX_CACHED: usize = 500;

/// The cached part of a revision.
#[derive(Debug)]
pub(crate) struct RevisionContent {
    pub(crate) steps: Vec<Arc<Step>>,
    pub(crate) start: StartRule,
}

/// The cached revisions by id.
#[derive(Debug, Default)]
pub struct RevisionCache(RwLock<HashMap<Id, Arc<RevisionContent>>>);

impl RevisionCache {
    /// Returns the frozen revisions with these ids, from the cache or from the database.
    pub(crate) async fn get_or_load(
        &self,
        conn: &mut Conn,
        ids: &[Id],
    ) -> Result<HashMap<Id, Arc<RevisionContent>>, Internal> {
        let mut contents = self.get(ids);
        let missing: Vec<&Id> = ids.iter().filter(|id| !contents.contains_key(*id)).collect();
        if !missing.is_empty() {
            let loaded = read(conn, &missing).await?;
            self.insert(&loaded);
            contents.extend(loaded);
        }
        Ok(contents)
    }

    fn get(&self, ids: &[Id]) -> HashMap<Id, Arc<RevisionContent>> {
        let cached = self.0.read().unwrap_or_else(PoisonError::into_inner);
        ids.iter()
            .filter_map(|id| cached.get_key_value(id))
            .map(|(id, content)| (id.clone(), Arc::clone(content)))
            .collect()
    }

    fn insert(&self, loaded: &[(Id, Arc<RevisionContent>)]) {
        let mut cached = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if cached.len() + loaded.len() > MAX_CACHED {
            cached.clear();
        }
        cached.extend(loaded.iter().cloned());
    }
}

async fn read(conn: &mut Conn, ids: &[&Id]) -> Result<Vec<(Id, Arc<RevisionContent>)>, Internal> {
    Ok(sql("select id, steps, start from revisions
         where state = 'FROZEN' and id in (select value from json_each(?))")
    .bind(json(&ids))
    .try_map(|row: Row| {
        let content = RevisionContent {
            steps: revisions::steps(&row)?,
            start: revisions::start(&row)?,
        };
        Ok((row.id("id")?, Arc::new(content)))
    })
    .fetch_all(conn)
    .await?)
}
