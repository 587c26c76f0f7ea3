//! What frozen revisions show. It never changes (a trigger of the database sees to that), and every page view of every visitor
//! asks for it: so it is read once and kept.

use std::{
    collections::HashMap,
    sync::{Arc, PoisonError, RwLock},
};

use traitql::{Id, Internal};
use waypost_api::{StartRule, Step};

use super::revisions;
use crate::store::{Conn, Row, json, sql};

/// How many are kept; when there are more, keeping begins anew. Those of the sample have 2 kB of JSON, and one at all limits of
/// the schema (40 steps) some hundred.
const MOST: usize = 500;

/// The steps of a revision, and when they start.
#[derive(Debug)]
pub(crate) struct Shown {
    pub(crate) steps: Vec<Arc<Step>>,
    pub(crate) start: StartRule,
}

/// Those that were asked for so far.
#[derive(Debug, Default)]
pub struct Frozen(RwLock<HashMap<Id, Arc<Shown>>>);

impl Frozen {
    /// What some frozen revisions show, by their ids.
    pub(crate) async fn shown(&self, conn: &mut Conn, ids: &[Id]) -> Result<HashMap<Id, Arc<Shown>>, Internal> {
        let mut shown = self.known(ids);
        let missing: Vec<&Id> = ids.iter().filter(|id| !shown.contains_key(*id)).collect();
        if !missing.is_empty() {
            let read = read(conn, &missing).await?;
            self.keep(&read);
            shown.extend(read);
        }
        Ok(shown)
    }

    fn known(&self, ids: &[Id]) -> HashMap<Id, Arc<Shown>> {
        let kept = self.0.read().unwrap_or_else(PoisonError::into_inner);
        ids.iter()
            .filter_map(|id| kept.get_key_value(id))
            .map(|(id, shown)| (id.clone(), Arc::clone(shown)))
            .collect()
    }

    fn keep(&self, read: &[(Id, Arc<Shown>)]) {
        let mut kept = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if kept.len() + read.len() > MOST {
            kept.clear();
        }
        kept.extend(read.iter().cloned());
    }
}

async fn read(conn: &mut Conn, ids: &[&Id]) -> Result<Vec<(Id, Arc<Shown>)>, Internal> {
    Ok(sql("select id, steps, start from revisions
         where state = 'FROZEN' and id in (select value from json_each(?))")
    .bind(json(&ids))
    .try_map(|row: Row| {
        let shown = Shown {
            steps: revisions::steps(&row)?,
            start: revisions::start(&row)?,
        };
        Ok((row.id("id")?, Arc::new(shown)))
    })
    .fetch_all(conn)
    .await?)
}
