//! The product: Waypost's nouns, what may be done with them, and where they are kept.
//!
//! One folder per noun, with three files: `mod.rs` decides (pure functions over values), `resolvers.rs` answers the schema's
//! fields in about ten lines each (load, decide, store), `store.rs` holds the noun's SQL. This crate never sees HTTP.

mod access;
mod account;
mod audit;
mod change;
mod clock;
mod condition;
mod insights;
mod instance;
mod invitation;
mod lift;
mod participant;
mod release;
mod review;
mod run;
mod sample;
mod site;
mod store;
mod theme;
mod tour;
mod workspace;

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

use std::{path::PathBuf, sync::Arc};

use traitql::{DateTime, Url};
use waypost_api::{Provider, Resolvers, Role, TokenStore};

use crate::{change::Changes, clock::Clock, store::Store};

pub use waypost_store::{OpenError, PostgresUrl};

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

/// A role for everybody whom a provider says to have a role or to be in a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimGrant {
    /// The provider.
    pub issuer: String,
    /// How it calls the role or group.
    pub claim: String,
    /// Slug of the workspace.
    pub workspace: String,
    /// The role there.
    pub role: Role,
}

/// The application: everything that resolvers need. Cheap to clone.
#[derive(Clone)]
pub struct App {
    store: Store,
    ingest: run::Ingest,
    frozen: Arc<tour::frozen::Frozen>,
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
    pub async fn open(config: AppConfig) -> Result<Self, OpenError> {
        Self::open_at(config, Clock::system()).await
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
            ingest: run::Ingest::start(store.clone(), config.own_origin()),
            frozen: Arc::default(),
            store,
            config: Arc::new(config),
            clock,
        };
        sample::settle(&app).await?;
        Ok(app)
    }

    /// Everything that answers fields. Made in this crate, because a generic function is compiled where it is called: the
    /// crates above need not compile the resolvers a second time.
    pub fn resolvers(&self) -> Resolvers {
        Resolvers::new(Arc::new(self.clone()))
    }

    /// Whether the database answers.
    pub async fn ready(&self) -> Result<(), OpenError> {
        self.store.ping().await
    }

    /// Writes what is still in the log into the database and closes it. Calls that are under way finish first.
    pub async fn close(&self) {
        self.store.close().await;
    }

    pub(crate) fn now(&self) -> DateTime {
        self.clock.now()
    }

    /// Origin (RFC 6454) of Waypost's own pages.
    pub(crate) fn own_origin(&self) -> String {
        self.config.own_origin()
    }
}
