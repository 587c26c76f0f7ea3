//! The application: the resolvers of Waypost's schema.
//!
//! A resolver has about ten lines: load, decide, store. The decisions and the SQL are in `waypost-domain`. This crate
//! never sees HTTP.

mod access;
mod account;
mod audit;
mod insights;
mod instance;
mod invitation;
mod lift;
mod release;
mod review;
mod run;
mod site;
mod theme;
mod tour;
mod visitor;
mod workspace;

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

use std::{path::PathBuf, sync::Arc};

use futures_util::{
    future::{BoxFuture, LocalBoxFuture},
    stream::BoxStream,
};
use traitql::{DateTime, Internal, Url};
use waypost_api::{Provider, Resolvers, TokenStore};
use waypost_domain::{
    change::Changes, clock::Clock, logout, run::ingest::Ingest, sample, store::Store,
    tour::revision_cache::RevisionCache,
};

pub use waypost_domain::{
    account::ClaimGrant,
    logout::Logout,
    sample::Sample,
    store::{OpenError, PostgresUrl},
};

/// The configuration of the application.
#[derive(Debug, Clone)]
pub struct AppConfig {
    /// The folder of the SQLite database. Created if it does not exist.
    pub data_dir: PathBuf,
    /// The address of a PostgreSQL database, which replaces the SQLite database.
    pub postgres: Option<PostgresUrl>,
    /// The public URL of this installation. Its origin is that of Waypost's own pages.
    pub public_url: Url,
    /// The identity providers offered at sign-in.
    pub providers: Vec<Provider>,
    /// The storage in which browsers keep tokens.
    pub token_store: TokenStore,
    /// The URL of the source code of this version (AGPL-3.0, section 13).
    pub source_url: Url,
    /// The version of the server.
    pub version: String,
    /// The contents of the sample workspace "Acme", if an empty database gets it.
    pub sample: Option<Sample>,
    /// The slug of the workspace in which role claims named like Waypost's roles grant these roles, if any.
    pub claims_workspace: Option<String>,
    /// The roles granted by other role and group claims, in any workspace.
    pub grants: Vec<ClaimGrant>,
}

/// The state that resolvers share. Cheap to clone.
///
/// The public functions are not generic and return boxed futures. Otherwise they would be instantiated in the calling
/// crates, which would compile the resolvers a second time.
#[derive(Clone)]
pub struct App {
    store: Store,
    ingest: Ingest,
    revisions: Arc<RevisionCache>,
    config: Arc<AppConfig>,
    clock: Clock,
}

impl AppConfig {
    fn own_origin(&self) -> String {
        self.public_url.parsed().origin().ascii_serialization()
    }
}

impl App {
    /// Opens the database, applies pending migrations, and creates the sample workspace if it is configured and the
    /// database has no workspaces.
    pub fn open(config: AppConfig) -> LocalBoxFuture<'static, Result<Self, OpenError>> {
        Box::pin(Self::open_at(config, Clock::system()))
    }

    pub(crate) async fn open_at(config: AppConfig, clock: Clock) -> Result<Self, OpenError> {
        let store = Store::open(
            &config.data_dir,
            config.postgres.as_ref(),
            Changes::default(),
            clock.clone(),
        )
        .await?;
        let app = Self {
            ingest: Ingest::start(store.clone(), config.own_origin()),
            revisions: Arc::default(),
            store,
            config: Arc::new(config),
            clock,
        };
        if let Some(contents) = app.config.sample {
            sample::seed(&app.store, contents, &app.own_origin()).await?;
        }
        Ok(app)
    }

    /// Returns the resolvers of all fields.
    pub fn resolvers(&self) -> Resolvers {
        Resolvers::new(Arc::new(self.clone()))
    }

    /// Fails if the database does not respond or cannot be written.
    pub fn check(&self) -> BoxFuture<'_, Result<(), OpenError>> {
        Box::pin(self.store.check())
    }

    /// Stores a sign-out at an identity provider and notifies all processes. Returns false if its id is already stored.
    pub fn record_logout<'a>(&'a self, logout: &'a Logout) -> BoxFuture<'a, Result<bool, Internal>> {
        Box::pin(logout::record(&self.store, logout))
    }

    /// Returns the stored sign-outs, and then those that any process stores later.
    pub fn logouts(&self) -> BoxStream<'static, Vec<Logout>> {
        logout::follow(self.store.clone())
    }

    /// Closes the database after running statements have finished. SQLite then checkpoints its write-ahead log.
    pub fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(self.store.close())
    }

    pub(crate) fn now(&self) -> DateTime {
        self.clock.now()
    }

    /// Returns the origin (RFC 6454) of Waypost's own pages.
    pub(crate) fn own_origin(&self) -> String {
        self.config.own_origin()
    }
}
