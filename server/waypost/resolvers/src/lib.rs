//! A resolver loads, decides and stores, with the decisions and the SQL of `waypost-domain`. This crate never sees
//! HTTP.

mod access;
mod access_token;
mod account;
mod audit;
mod identity;
mod insights;
mod instance;
mod invitation;
mod lift;
mod live;
mod loaders;
mod release;
mod review;
mod run;
mod segment;
mod site;
mod theme;
mod tour;
mod visitor;
mod workspace;

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

use std::{path::PathBuf, sync::Arc, time::Instant};

use futures_util::{
    future::{BoxFuture, LocalBoxFuture},
    stream::BoxStream,
};
use traitql::{Ctx, DateTime, Internal, RateLimit, RateLimits, Url, address_key};
use waypost_api::{EmbedScript, Provider, Resolvers, Site, TokenStore, Tour, Visitor, Workspace};
use waypost_domain::{
    change::Changes,
    clock::Clock,
    logout,
    offer::{boot_cache::BootCache, bundle},
    retention::{Sweeper, capacity::Capacity},
    run::ingest::Ingest,
    sample,
    store::Store,
    tour::open_tours::OpenTours,
    visitor::presence::Presence,
};

use crate::live::LiveReads;

pub use waypost_domain::{
    account::ClaimGrant,
    logout::Logout,
    sample::Sample,
    store::{OpenError, PostgresUrl, StorageLimits, Waits, migrations},
};

/// The limit per address for rejected calls.
const UNCOUNTED: RateLimit = RateLimit {
    field: "rejected calls of pages",
    limit: 600,
    window_seconds: 60,
};

#[derive(Debug, Clone)]
pub struct AppConfig {
    /// Created if missing.
    pub data_dir: PathBuf,
    /// Replaces SQLite.
    pub postgres: Option<PostgresUrl>,
    /// Its origin is that of Waypost's own pages.
    pub public_url: Url,
    pub providers: Vec<Provider>,
    /// The place where browsers store tokens.
    pub token_store: TokenStore,
    /// AGPL-3.0, section 13.
    pub source_url: Url,
    pub version: String,
    /// True if only this machine can reach the server, whose accounts have no passwords.
    pub demo: bool,
    /// `None` if the client was not built.
    pub embed: Option<EmbedScript>,
    /// The sample for an empty database.
    pub sample: Option<Sample>,
    /// True if only administrators may create workspaces.
    pub restricts_workspace_creation: bool,
    /// Role claims named like Waypost's roles grant them here.
    pub claims_workspace: Option<String>,
    /// The roles that claims grant in any workspace.
    pub grants: Vec<ClaimGrant>,
    pub storage_limits: StorageLimits,
}

/// Cheap to clone.
///
/// The public functions are not generic and return boxed futures, or calling crates would compile the resolvers again.
#[derive(Clone)]
pub struct App {
    store: Store,
    ingest: Ingest,
    boot_cache: Arc<BootCache>,
    presence: Presence,
    capacity: Arc<Capacity>,
    open_tours: OpenTours,
    config: Arc<AppConfig>,
    clock: Clock,
    rates: Arc<RateLimits>,
    live_tours: LiveReads<Tour>,
    live_sites: LiveReads<Site>,
    live_visitors: LiveReads<Visitor>,
    live_reviews: LiveReads<Workspace>,
    /// Deletes expired data.
    sweeper: Option<Sweeper>,
}

impl AppConfig {
    fn own_origin(&self) -> String {
        self.public_url.parsed().origin().ascii_serialization()
    }
}

impl App {
    /// Applies migrations, and creates the sample workspace in an empty database.
    pub fn open(config: AppConfig) -> LocalBoxFuture<'static, Result<Self, OpenError>> {
        Box::pin(async {
            let app = Self::open_at(config, Clock::system()).await?;
            let sweeper = Sweeper::start(app.store.clone());
            Ok(Self {
                sweeper: Some(sweeper),
                ..app
            })
        })
    }

    pub(crate) async fn open_at(config: AppConfig, clock: Clock) -> Result<Self, OpenError> {
        let store = Store::open(
            &config.data_dir,
            config.postgres.as_ref(),
            Changes::default(),
            clock.clone(),
        )
        .await?;
        let sqlite = config.postgres.is_none().then(|| config.data_dir.clone());
        let app = Self {
            ingest: Ingest::start(store.clone(), config.own_origin()),
            boot_cache: Arc::new(BootCache::new(&store)),
            presence: Presence::start(store.clone()),
            capacity: Arc::new(Capacity::new(config.storage_limits, sqlite)),
            open_tours: OpenTours::start(&store),
            store,
            config: Arc::new(config),
            clock,
            rates: Arc::default(),
            live_tours: LiveReads::default(),
            live_sites: LiveReads::default(),
            live_visitors: LiveReads::default(),
            live_reviews: LiveReads::default(),
            sweeper: None,
        };
        if let Some(contents) = app.config.sample {
            sample::seed(&app.store, contents, &app.own_origin()).await?;
        }
        Ok(app)
    }

    pub fn resolvers(&self) -> Resolvers {
        Resolvers::new(Arc::new(self.clone()))
    }

    pub fn rates(&self) -> Arc<RateLimits> {
        Arc::clone(&self.rates)
    }

    /// Calls with an invalid site key do not use up the rate of other pages behind the address, up to [`UNCOUNTED`]
    /// calls, because each may read the database.
    pub(crate) fn uncount(&self, field: &'static str, cx: &Ctx) {
        let caller = caller(cx);
        if self.rates.check(UNCOUNTED, &caller, Instant::now()).is_ok() {
            self.rates.uncount(field, &caller);
        }
    }

    /// Returns the waits for the connections that read, and for the one that writes.
    pub fn database_waits(&self) -> [(&'static str, Arc<Waits>); 2] {
        self.store.waits()
    }

    /// Returns the numbers of rows that retention and limits have deleted, with what they are and the reason.
    pub fn deletions(&self) -> Vec<(&'static str, &'static str, u64)> {
        self.store.deletions().counts()
    }

    pub fn check(&self) -> BoxFuture<'_, Result<(), OpenError>> {
        Box::pin(self.store.check())
    }

    /// Returns why some visits are not stored.
    pub fn storage_problem(&self) -> BoxFuture<'_, Result<Option<&'static str>, Internal>> {
        Box::pin(self.capacity.problem(&self.store, self.now()))
    }

    /// Returns why changes of other processes are noticed late.
    pub fn notification_problem(&self) -> Option<&'static str> {
        self.store.notification_problem()
    }

    /// True if the replica of the database serves reads. `None` if there is no replica.
    pub fn uses_replica(&self) -> Option<bool> {
        self.store.uses_replica()
    }

    /// True if its pages may read boot responses.
    pub fn lists_origin(&self, origin: String) -> BoxFuture<'_, bool> {
        Box::pin(async move { self.boot_cache.lists_origin(&self.store, &origin).await })
    }

    pub fn bundle(&self, hash: String) -> BoxFuture<'_, Result<Option<String>, Internal>> {
        Box::pin(async move { bundle::find(self.store.reader(), &hash).await })
    }

    /// Returns false if its id is already stored.
    pub fn record_logout<'a>(&'a self, logout: &'a Logout) -> BoxFuture<'a, Result<bool, Internal>> {
        Box::pin(logout::record(&self.store, logout))
    }

    pub fn logouts(&self) -> BoxStream<'static, Vec<Logout>> {
        logout::follow(self.store.clone())
    }

    pub fn nonce_key(&self) -> BoxFuture<'_, Result<String, OpenError>> {
        Box::pin(self.store.nonce_key())
    }

    /// Stores the loader of the running version, and returns all stored ones.
    pub fn loaders<'a>(
        &'a self,
        file: &'a str,
        script: &'a str,
    ) -> BoxFuture<'a, Result<Vec<(String, String)>, OpenError>> {
        Box::pin(self.store.loaders(file, script))
    }

    /// Waits for running statements. SQLite then checkpoints its write-ahead log.
    pub fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {
            if let Some(sweeper) = &self.sweeper {
                sweeper.stop();
            }
            self.presence.write_or_log(&self.store).await;
            self.store.close().await;
        })
    }

    pub(crate) fn now(&self) -> DateTime {
        self.clock.now()
    }

    pub(crate) fn own_origin(&self) -> String {
        self.config.own_origin()
    }
}

/// Returns the key under which calls of a page are counted, which is that of the engine.
pub(crate) fn caller(cx: &Ctx) -> String {
    cx.address().map_or_else(String::new, address_key)
}
