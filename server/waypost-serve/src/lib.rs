//! The server: what is connected to what, in which order it begins, and how it ends.
//!
//! It knows an application by [`Application`] only, so a line in a resolver compiles nothing here again, and little of the binary
//! that brings both together.

mod assets;
mod client;
mod health;
mod identity;
mod offer;
mod pages;
mod program;
mod relay;
mod signals;

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use anyhow::Context;
use axum::Router;
use futures_util::future::BoxFuture;
use tokio::{net::TcpListener, time::sleep};
use tracing::{info, warn};
use traitql::{
    AdHoc, Documents, Limits, Rates,
    http::{Endpoint, ServeOptions, Shutdown},
};
use waypost_api::Resolvers;
use waypost_auth::{TokenKind, Verifier};
use waypost_cli::config::Config;
use waypost_store::OpenError;

use crate::{health::Health, identity::Identity, signals::Stop};

pub use crate::{
    offer::{offered, web_address},
    program::{Open, run},
};

/// How long `/readyz` says "not ready" while new connections are still taken, so that a balancer can notice.
const DRAIN: Duration = Duration::from_millis(500);

/// How long requests and streams may take to end after that.
const GRACE: Duration = Duration::from_secs(4);

/// Operations that pages of other sites may ask for. Each resolver checks the site's list of origins itself.
const EMBEDDED_OPERATIONS: [&str; 3] = ["Boot", "GoalRecord", "Record"];

/// What answers the API.
pub trait Application: Send + Sync {
    /// Everything that answers fields.
    fn resolvers(&self) -> Resolvers;

    /// Whether the database answers.
    fn ready(&self) -> BoxFuture<'_, Result<(), OpenError>>;

    /// Ends: calls that are under way finish first.
    fn close(&self) -> BoxFuture<'_, ()>;
}

/// A server that is about to be. It hears signals already, so that one which comes while the application opens is not lost.
struct Server {
    config: Config,
    verifier: Arc<Verifier>,
    stop: Stop,
}

impl Server {
    /// Prepares what does not need the application.
    ///
    /// # Errors
    /// Signals cannot be received, or the settings of the providers do not fit together.
    fn new(config: Config) -> anyhow::Result<Self> {
        let stop = Stop::listen().context("signals cannot be received")?;
        let providers = config.providers.iter().map(|provider| provider.tokens.clone());
        let verifier = Arc::new(Verifier::new(waypost_auth::Config {
            providers: providers.collect(),
            ..waypost_auth::Config::default()
        })?);
        Ok(Self { config, verifier, stop })
    }

    /// What it was told.
    fn config(&self) -> &Config {
        &self.config
    }

    /// Runs the server until a signal stops it, and closes the application.
    ///
    /// # Errors
    /// The address is taken, or the server fails while it ends.
    async fn run(mut self, app: Arc<dyn Application>) -> anyhow::Result<()> {
        let draining = Arc::new(AtomicBool::new(false));
        let shutdown = Shutdown::default();
        let router = self.router(&app, &draining, &shutdown)?;
        self.warn_of_userinfo();
        let listener = self.listen().await?;
        // Nobody waits for this: it only makes the first request of a new server as quick as the others.
        tokio::spawn({
            let verifier = Arc::clone(&self.verifier);
            async move { verifier.ready().await }
        });
        let options = ServeOptions {
            grace: GRACE,
            ..ServeOptions::default()
        };
        let server = tokio::spawn(traitql::http::serve(listener, router, options, shutdown.clone()));

        let signal = self.stop.next().await;
        info!(signal, "stopping: requests finish, streams complete");
        draining.store(true, Ordering::Relaxed);
        tokio::select! {
            () = sleep(DRAIN) => {}
            _ = self.stop.next() => warn!("stopping at once"),
        }
        shutdown.begin();
        tokio::select! {
            ended = server => ended.context("the server failed while it was ending")?,
            _ = self.stop.next() => warn!("a second signal: requests were cut"),
        }
        app.close().await;
        info!("stopped");
        Ok(())
    }

    fn router(
        &self,
        app: &Arc<dyn Application>,
        draining: &Arc<AtomicBool>,
        shutdown: &Shutdown,
    ) -> anyhow::Result<Router> {
        let Self { config, verifier, .. } = self;
        let health = Health {
            app: Arc::clone(app),
            verifier: Arc::clone(verifier),
            draining: Arc::clone(draining),
        };
        Ok(Router::new()
            .merge(health::router(health))
            .merge(traitql::http::router(self.endpoint(&app.resolvers(), shutdown)?))
            .merge(relay::router(config, verifier))
            .merge(client::router(config, verifier)))
    }

    fn endpoint(&self, resolvers: &Resolvers, shutdown: &Shutdown) -> anyhow::Result<Endpoint> {
        let documents = Documents::from_manifest(waypost_api::MANIFEST)?;
        let engine = waypost_api::engine(resolvers, Arc::new(Rates::default()));
        let mut endpoint = Endpoint::new(Arc::new(engine), documents)
            .authenticate(Arc::new(Identity(Arc::clone(&self.verifier))))
            .embeds(EMBEDDED_OPERATIONS, |_origin| true)
            .trust_proxy(self.config.trust_proxy)
            .shutdown(shutdown.clone());
        if self.config.ad_hoc {
            warn!("WAYPOST_ADHOC is on: documents that the client does not have are answered too");
            let ad_hoc = AdHoc::new(waypost_api::SDL, Limits::default()).map_err(anyhow::Error::msg)?;
            endpoint = endpoint.ad_hoc(ad_hoc);
        }
        Ok(endpoint)
    }

    fn warn_of_userinfo(&self) {
        for provider in &self.config.providers {
            if provider.tokens.token == TokenKind::Userinfo {
                warn!(
                    provider = provider.id,
                    "tokens are checked by userinfo, which cannot tell for whom they were made: those of other applications of \
                     this provider are accepted too"
                );
            }
        }
    }

    async fn listen(&self) -> anyhow::Result<TcpListener> {
        let wanted = self.config.listen;
        let listener = TcpListener::bind(wanted)
            .await
            .with_context(|| format!("Nothing can listen on {wanted}; set PORT or WAYPOST_BIND to another address"))?;
        let address = listener
            .local_addr()
            .context("the address that was bound cannot be read")?;
        info!(%address, version = env!("CARGO_PKG_VERSION"), "Waypost is at {}", self.config.public_url);
        Ok(listener)
    }
}
