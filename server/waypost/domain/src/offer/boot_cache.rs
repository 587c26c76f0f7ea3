//! A cache of sites, their live tours, and recent visitors, so that most page views need no statement.
//!
//! Each lookup first reads the change notifications. A boot request therefore sees all changes of this process, and
//! those of others shortly after.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use futures_util::FutureExt;
use tokio::sync::broadcast::{Receiver, error::TryRecvError};
use traitql::{Coalesce, DateTime, Id, Internal};
use waypost_api::{Site, VisitorInput};

use super::{
    boot::cut_page,
    bundle,
    candidate::{CurrentRelease, PastRun},
    store,
};
use crate::{
    change::Changed,
    condition::Segments,
    identity::{
        self,
        token::{self, CheckedVisitor, VerificationKey},
    },
    lift, segment,
    site::{self, origin::OriginPattern},
    store::Store,
    theme,
    visitor::{
        identity::{Identity, ReportedVisitor, max_page},
        traits::Traits,
        visitors::{Visitors, browser_id, new_visitor_id},
    },
};

/// The cache is cleared when it is exceeded.
const MAX_SITES: usize = 1_000;
/// Visitors are cleared when it is exceeded.
const MAX_VISITORS: usize = 10_000;
/// A run of a cached visitor has about 500 bytes.
const MAX_RUNS: usize = 20;

#[derive(Debug)]
pub struct LiveSite {
    /// The times of visits can be outdated.
    pub site: Site,
    pub releases: Vec<CurrentRelease>,
    pub segments: Segments,
    keys: Vec<VerificationKey>,
}

impl LiveSite {
    pub fn check(&self, visitor: VisitorInput, now: DateTime) -> CheckedVisitor {
        token::check(&self.site, &self.keys, visitor, now)
    }
}

#[derive(Debug)]
pub struct VisitorHistory {
    pub id: Id,
    pub(crate) identity: Identity,
    external_id: Option<String>,
    /// True if a token of the request proved the external id.
    pub verified: bool,
    /// The traits, as stored or, if the visitor has no row, as reported.
    pub traits: Traits,
    pub past_runs: Vec<PastRun>,
    pub exposed: Vec<Id>,
}

impl VisitorHistory {
    /// True if the visitor has no row.
    pub fn is_new(&self) -> bool {
        self.identity == Identity::New
    }

    pub fn merged(&self) -> &[Id] {
        self.identity.merged()
    }

    /// True if the visitor and the browser have rows as the page reports them.
    pub fn is_known(&self) -> bool {
        matches!(self.identity, Identity::Known(_))
    }

    /// Returns the part of the page that is stored with the visitor's external id and traits.
    pub fn cut_page<'p>(&self, input: &ReportedVisitor, page: &'p str) -> &'p str {
        let external_id = input.external_id.as_deref().or(self.external_id.as_deref());
        let traits = input.traits.as_ref().unwrap_or(&self.traits);
        cut_page(page, max_page(external_id, traits))
    }

    pub fn has_new_traits(&self, input: &ReportedVisitor) -> bool {
        let stored = if self.is_new() {
            &Traits::default()
        } else {
            &self.traits
        };
        input.traits.as_ref().is_some_and(|traits| traits != stored)
    }
}

pub struct BootCache {
    state: Mutex<State>,
    /// One read serves all callers.
    reads: Coalesce<String, Result<Option<Arc<LiveSite>>, Internal>>,
}

struct State {
    changes: Receiver<Changed>,
    /// Counts notifications, so that data read before one is not cached after it.
    generation: u64,
    sites: HashMap<String, Arc<LiveSite>>,
    origins: Option<Arc<[OriginPattern]>>,
    browsers: HashMap<Id, Id>,
    visitors: HashMap<Id, Arc<VisitorHistory>>,
}

impl State {
    fn apply_changes(&mut self) {
        loop {
            match self.changes.try_recv() {
                Ok(
                    Changed::Tour(_)
                    | Changed::SiteActivity(_)
                    | Changed::Reviews(_)
                    | Changed::Opened { .. }
                    | Changed::Members(_)
                    | Changed::Logouts,
                ) => continue,
                Ok(Changed::Visitor(id)) => {
                    self.visitors.remove(&id);
                    self.browsers.remove(&id);
                }
                Ok(Changed::Site(_) | Changed::Live | Changed::Unknown) | Err(TryRecvError::Lagged(_)) => {
                    self.sites.clear();
                    self.origins = None;
                    self.browsers.clear();
                    self.visitors.clear();
                }
                Err(TryRecvError::Empty | TryRecvError::Closed) => return,
            }
            self.generation += 1;
        }
    }
}

impl BootCache {
    pub fn new(store: &Store) -> Self {
        Self {
            state: Mutex::new(State {
                changes: store.changes().receiver(),
                generation: 0,
                sites: HashMap::new(),
                origins: None,
                browsers: HashMap::new(),
                visitors: HashMap::new(),
            }),
            reads: Coalesce::default(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.apply_changes();
        state
    }

    pub async fn site(self: &Arc<Self>, store: &Store, key: &str) -> Result<Option<Arc<LiveSite>>, Internal> {
        if let Some(site) = self.state().sites.get(key) {
            return Ok(Some(Arc::clone(site)));
        }
        let (cache, store, owned_key) = (Arc::clone(self), store.clone(), key.to_owned());
        let read = || async move { cache.read_site(&store, owned_key).await }.boxed();
        let site = self.reads.run(key.to_owned(), read).await;
        site.ok_or_else(|| Internal::new("a shared read of a site panicked"))?
    }

    async fn read_site(&self, store: &Store, key: String) -> Result<Option<Arc<LiveSite>>, Internal> {
        let generation = {
            let state = self.state();
            if let Some(site) = state.sites.get(&key) {
                return Ok(Some(Arc::clone(site)));
            }
            state.generation
        };
        let Some(site) = read_site(store, &key).await? else {
            return Ok(None);
        };
        let site = Arc::new(site);
        let mut state = self.state();
        if state.generation == generation {
            if state.sites.len() >= MAX_SITES {
                state.sites.clear();
            }
            state.sites.insert(key, Arc::clone(&site));
        }
        Ok(Some(site))
    }

    /// False if the sites cannot be read.
    pub async fn lists_origin(&self, store: &Store, origin: &str) -> bool {
        match self.origins(store).await {
            Ok(origins) => origins.iter().any(|pattern| pattern.matches(origin)),
            Err(error) => {
                tracing::warn!(?error, "the origins of the sites could not be read");
                false
            }
        }
    }

    async fn origins(&self, store: &Store) -> Result<Arc<[OriginPattern]>, Internal> {
        let generation = {
            let state = self.state();
            if let Some(origins) = &state.origins {
                return Ok(Arc::clone(origins));
            }
            state.generation
        };
        let listed = site::store::origins(store.reader()).await?;
        let origins: Arc<[_]> = listed.iter().map(|origin| OriginPattern::new(origin)).collect();
        let mut state = self.state();
        if state.generation == generation {
            state.origins = Some(Arc::clone(&origins));
        }
        Ok(origins)
    }

    pub async fn visitor(
        &self,
        store: &Store,
        site: &Site,
        input: &ReportedVisitor,
    ) -> Result<Arc<VisitorHistory>, Internal> {
        let browser = browser_id(site, input);
        let generation = {
            let state = self.state();
            let known = state.browsers.get(&browser).and_then(|id| state.visitors.get(id));
            if let Some(known) = known
                && known.verified == input.verified
                && (input.external_id.is_none() || known.external_id == input.external_id)
            {
                return Ok(Arc::clone(known));
            }
            state.generation
        };
        let history = Arc::new(read_history(store, site, input).await?);
        // Another browser can make a new visitor with an external id known, of which this cache is not notified.
        let is_cacheable = history.is_known() || (history.is_new() && history.external_id.is_none());
        if is_cacheable && history.past_runs.len() <= MAX_RUNS {
            let mut state = self.state();
            if state.generation == generation {
                if state.visitors.len() >= MAX_VISITORS || state.browsers.len() >= MAX_VISITORS {
                    state.visitors.clear();
                    state.browsers.clear();
                }
                state.browsers.insert(browser, history.id.clone());
                state.visitors.insert(history.id.clone(), Arc::clone(&history));
            }
        }
        Ok(history)
    }
}

async fn read_site(store: &Store, key: &str) -> Result<Option<LiveSite>, Internal> {
    let mut reader = store.read().await?;
    let Some(site) = site::store::by_key(reader.db(), key).await? else {
        return Ok(None);
    };
    let themes = theme::store::of_workspaces(reader.db(), std::slice::from_ref(&site.workspace_id)).await?;
    let mut releases = store::current_releases(&mut reader, &site.id, &themes).await?;
    let segments = segment::store::conditions(reader.db(), &site.workspace_id).await?;
    let keys = identity::store::verification_keys(reader.db(), &site.id).await?;
    drop(reader);
    bundle::assign(store, &site.id, &mut releases).await?;
    Ok(Some(LiveSite {
        site,
        releases,
        segments,
        keys,
    }))
}

async fn read_history(store: &Store, site: &Site, input: &ReportedVisitor) -> Result<VisitorHistory, Internal> {
    let mut reader = store.read().await?;
    let visitors = Visitors::read(&mut reader, &[(&site.id, input)]).await?;
    let identity = visitors.identity(&site.id, input);
    let (past_runs, exposed) = match &identity {
        Identity::Known(id) => (
            store::past_runs(&mut reader, id).await?,
            lift::store::exposed_releases(&mut reader, id).await?,
        ),
        _ => (Vec::new(), Vec::new()),
    };
    let id = identity
        .clone()
        .into_id()
        .unwrap_or_else(|| new_visitor_id(site, input));
    Ok(VisitorHistory {
        external_id: visitors
            .external_id_of(&id)
            .or(input.external_id.as_deref())
            .map(str::to_owned),
        verified: input.verified,
        traits: visitors
            .traits_of(&id)
            .or_else(|| input.traits.clone())
            .unwrap_or_default(),
        identity,
        id,
        past_runs,
        exposed,
    })
}
