//! The application: what answers the fields of Waypost's schema, in about ten lines each (load, decide, store). What is decided
//! and how it is stored is in `waypost-domain`. This crate never sees HTTP.

mod access;
mod account;
mod audit;
mod insights;
mod instance;
mod invitation;
mod lift;
mod participant;
mod release;
mod review;
mod run;
mod site;
mod theme;
mod tour;
mod workspace;

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

use std::{path::PathBuf, sync::Arc};

use futures_util::future::{BoxFuture, LocalBoxFuture};
use traitql::{DateTime, Url};
use waypost_api::{Provider, Resolvers, TokenStore};
use waypost_domain::{change::Changes, clock::Clock, run::ingest::Ingest, sample, store::Store, tour::frozen::Frozen};

pub use waypost_domain::{
    account::ClaimGrant,
    store::{OpenError, PostgresUrl},
};

/// What the product must know about its surroundings.
#[derive(Debug, Clone)]
pub struct AppConfig {
    /// Folder of the database; made if it is not there.
    pub data_dir: PathBuf,
    /// Where the database is, if not in that folder.
    pub postgres: Option<PostgresUrl>,
    /// Where people reach this installation. Its origin is the one of Waypost's own site.
    pub public_url: Url,
    /// The identity providers to offer.
    pub providers: Vec<Provider>,
    /// Where browsers keep the tokens of their sessions.
    pub token_store: TokenStore,
    /// Where the source code of this version is published (AGPL-3.0, section 13).
    pub source_url: Url,
    /// The version of the server.
    pub version: String,
    /// Whether an empty database gets the workspace "Acme" to look around in.
    pub sample: bool,
    /// Slug of the workspace that the providers' verified role claims grant a role in; none, if claims grant nothing.
    pub claims_workspace: Option<String>,
    /// What roles and groups of other names are worth, in any workspace.
    pub grants: Vec<ClaimGrant>,
}

/// The application: everything that resolvers need. Cheap to clone.
///
/// What it offers is not generic, and its futures are boxed: whatever is generic would be compiled where it is called, so that the
/// crates above would compile the resolvers a second time.
#[derive(Clone)]
pub struct App {
    store: Store,
    ingest: Ingest,
    frozen: Arc<Frozen>,
    config: Arc<AppConfig>,
    clock: Clock,
}

impl AppConfig {
    fn own_origin(&self) -> String {
        self.public_url.parsed().origin().ascii_serialization()
    }
}

impl App {
    /// Opens the database, brings it up to date, and adds the sample workspace if it is wanted and there is none yet.
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
            frozen: Arc::default(),
            store,
            config: Arc::new(config),
            clock,
        };
        if app.config.sample {
            sample::settle(&app.store, &app.own_origin()).await?;
        }
        Ok(app)
    }

    /// Everything that answers fields.
    pub fn resolvers(&self) -> Resolvers {
        Resolvers::new(Arc::new(self.clone()))
    }

    /// Whether the database answers.
    pub fn ready(&self) -> BoxFuture<'_, Result<(), OpenError>> {
        Box::pin(self.store.ping())
    }

    /// Writes what is still in the log into the database and closes it. Calls that are under way finish first.
    pub fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(self.store.close())
    }

    pub(crate) fn now(&self) -> DateTime {
        self.clock.now()
    }

    /// Origin (RFC 6454) of Waypost's own pages.
    pub(crate) fn own_origin(&self) -> String {
        self.config.own_origin()
    }
}
