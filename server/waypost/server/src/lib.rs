//! The application is behind the trait [`Application`], so that a change to a resolver does not recompile this crate.

mod arrival;
mod assets;
pub mod config;
mod demo;
mod descriptors;
mod embed;
mod form_body;
mod health;
mod identity;
mod logging;
mod metrics;
mod page_headers;
mod pages;
mod providers;
mod relay;
mod service_manager;
mod settings;
mod sign_out;
mod signals;
mod start;

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use anyhow::Context;
use axum::Router;
use futures_util::{FutureExt, StreamExt, future::BoxFuture, stream::BoxStream};
use tokio::{
    net::TcpListener,
    time::{sleep, timeout},
};
use tracing::{debug, info, warn};
use traitql::{AdHoc, Documents, Internal, Limits, Principal, RateLimits};
use traitql_axum::{Endpoint, OpenStreams, ServeOptions, Shutdown};
use waypost_api::{EmbedScript, Resolvers};
use waypost_auth::{Clock, TokenKind, Verifier, dpop::Proofs};
use waypost_database::{OpenError, Waits};

use crate::{
    assets::Files,
    config::Config,
    health::Health,
    identity::Identity,
    logging::LostLines,
    metrics::{Metrics, Requests},
    service_manager::ServiceManager,
    signals::Stop,
};

pub use crate::{
    arrival::{ARRIVAL_PATH, ARRIVAL_STREAM_PATH},
    config::{Problems, default_public_url, settings_in_environment, unknown_settings},
    demo::Demo,
    pages::REDIRECT_PATHS,
    providers::{api_providers, parse_url},
    settings::{OidcSettings, Settings},
    sign_out::BACKCHANNEL_PATH,
    start::{Open, StartError, start},
};
pub use waypost_auth::Logout;

/// Descriptors for the database, the log and requests to providers.
const RESERVED_DESCRIPTORS: usize = 128;

/// Each browser uses one or two.
const FEW_CONNECTIONS: usize = 2_000;

/// `/readyz` reports "not ready" for this time, so that load balancers can react.
const DRAIN_PERIOD: Duration = Duration::from_millis(500);

/// Time for requests and streams to end after the drain period.
const GRACE_PERIOD: Duration = Duration::from_secs(4);

/// The start waits for the identity providers, so that members can sign in afterwards. Visitors do not need a provider, so
/// the server starts without one after this time.
const PROVIDER_PERIOD: Duration = Duration::from_secs(10);

/// Pages of other sites call these paths. Each resolver checks the origins.
const EMBED_ROUTES: [(&str, &str); 4] = [
    ("/e/attempts", "AttemptRecord"),
    ("/e/boot", "EmbedBoot"),
    ("/e/goals", "GoalRecord"),
    ("/e/record", "Record"),
];

/// Returns the script that pages load, for [`EmbedScript`] of the API. `None` if the client was built without it.
///
/// # Errors
/// Fails if the manifest of the client contains an invalid file name.
pub fn embed_script(config: &Config) -> anyhow::Result<Option<EmbedScript>> {
    embed::script(&Files::of(config), &config.public_url)
}

pub trait Application: Send + Sync {
    fn resolvers(&self) -> Resolvers;

    fn rates(&self) -> Arc<RateLimits>;

    /// Returns the waits for a connection to the database, with the use of the connection.
    fn database_waits(&self) -> [(&'static str, Arc<Waits>); 2];

    /// Returns the numbers of rows that retention and limits have deleted, with what they are and the reason.
    fn deletions(&self) -> Vec<(&'static str, &'static str, u64)>;

    fn check(&self) -> BoxFuture<'_, Result<(), OpenError>>;

    /// Returns why some visits are not stored, although members can work.
    fn storage_problem(&self) -> BoxFuture<'_, Result<Option<&'static str>, Internal>>;

    /// Returns why changes of other processes are noticed late.
    fn notification_problem(&self) -> Option<&'static str>;

    /// True if the replica of the database serves reads. `None` if there is no replica.
    fn uses_replica(&self) -> Option<bool>;

    /// True if pages of this origin may read the responses of the routes for other sites.
    fn lists_origin(&self, origin: String) -> BoxFuture<'_, bool>;

    fn bundle(&self, hash: String) -> BoxFuture<'_, Result<Option<String>, Internal>>;

    /// Notifies all processes. Returns false if its id is already stored.
    fn record_logout<'a>(&'a self, logout: &'a Logout) -> BoxFuture<'a, anyhow::Result<bool>>;

    /// Returns the stored sign-outs whose tokens may not have expired, then all later ones.
    fn logouts(&self) -> BoxStream<'static, Vec<Logout>>;

    /// All processes of the installation share the key.
    fn nonce_key(&self) -> BoxFuture<'_, Result<String, OpenError>>;

    /// Returns `None` unless the token is one of Waypost's access tokens. The future returns the caller, or `None` if
    /// the token is unknown, was revoked or has expired.
    fn access_token<'a>(&'a self, token: &'a str) -> Option<BoxFuture<'a, Result<Option<Principal>, Internal>>>;

    /// Stores the loader of the running version. Returns the file names and the scripts of all stored ones.
    fn loaders<'a>(&'a self, file: &'a str, script: &'a str)
    -> BoxFuture<'a, Result<Vec<(String, String)>, OpenError>>;

    fn close(&self) -> BoxFuture<'_, ()>;
}

struct Server {
    config: Config,
    demo: Option<Demo>,
    verifier: Arc<Verifier>,
    stop: Stop,
    requests: Requests,
    lost_lines: LostLines,
}

impl Server {
    /// Fails if signal handlers cannot be installed or the providers' settings conflict.
    fn new(config: Config, demo: Option<Demo>, requests: Requests, lost_lines: LostLines) -> anyhow::Result<Self> {
        let stop = Stop::listen().context("The signal handlers could not be installed")?;
        let providers = config.providers.iter().map(|provider| provider.tokens.clone());
        let verifier = Arc::new(Verifier::new(waypost_auth::Config {
            providers: providers.collect(),
            ..waypost_auth::Config::default()
        })?);
        Ok(Self {
            config,
            demo,
            verifier,
            stop,
            requests,
            lost_lines,
        })
    }

    fn config(&self) -> &Config {
        &self.config
    }

    /// Runs the server until a signal stops it, then closes the application.
    ///
    /// # Errors
    /// Fails if the address is in use or the server fails.
    async fn run(mut self, app: Arc<dyn Application>) -> anyhow::Result<()> {
        let draining = Arc::new(AtomicBool::new(false));
        let shutdown = Shutdown::default();
        let health = Health::new(Arc::clone(&app), Arc::clone(&self.verifier), Arc::clone(&draining));
        let (router, streams) = self.router(&app, health.clone(), &shutdown).await?;
        self.warn_about_userinfo();
        self.follow_logouts(&app).await;
        let listener = self.listen().await?;
        self.serve_metrics(&app, health, streams, &shutdown).await?;
        if let Some(demo) = self.demo.take() {
            (demo.on_listening)();
        }
        let manager = Arc::new(ServiceManager::from_environment());
        tokio::spawn({
            let (verifier, manager) = (Arc::clone(&self.verifier), Arc::clone(&manager));
            async move {
                // This also fetches the keys, so that the first request need not wait for them.
                let _ = timeout(PROVIDER_PERIOD, verifier.ready()).await;
                manager.ready();
                manager.keep_alive().await;
            }
        });
        debug!(?router, "routes");
        let options = self.serve_options();
        let server = tokio::spawn(traitql_axum::serve(listener, router, options, shutdown.clone()));

        let signal = self.stop.next().await;
        info!(signal, "stopping; waiting for requests and streams to finish");
        manager.stopping();
        draining.store(true, Ordering::Relaxed);
        tokio::select! {
            () = sleep(DRAIN_PERIOD) => {}
            _ = self.stop.next() => warn!("second signal received; skipping the drain period"),
        }
        shutdown.trigger();
        tokio::select! {
            ended = server => ended.context("The server failed during shutdown")?,
            _ = self.stop.next() => warn!("another signal received; open requests were aborted"),
        }
        app.close().await;
        info!("stopped");
        Ok(())
    }

    fn serve_options(&self) -> ServeOptions {
        let defaults = ServeOptions::default();
        let max_connections = descriptors::raise_limit().map_or(defaults.max_connections, |limit| {
            defaults
                .max_connections
                .min(limit.saturating_sub(RESERVED_DESCRIPTORS).max(1))
        });
        if max_connections < FEW_CONNECTIONS {
            warn!(
                max_connections,
                "the limit of open files (`ulimit -Hn`) permits few connections; raise it"
            );
        }
        ServeOptions {
            grace_period: GRACE_PERIOD,
            max_connections,
            // Behind a proxy, all connections have its address.
            max_connections_per_address: if self.config.trust_proxy {
                max_connections
            } else {
                (max_connections / 4).max(1)
            },
            ..defaults
        }
    }

    async fn router(
        &self,
        app: &Arc<dyn Application>,
        health: Health,
        shutdown: &Shutdown,
    ) -> anyhow::Result<(Router, OpenStreams)> {
        let Self {
            config, demo, verifier, ..
        } = self;
        let identity = Identity {
            verifier: Arc::clone(verifier),
            proofs: self.proofs(app).await?,
            app: Arc::clone(app),
        };
        let files = embed::with_loaders(Files::of(config), app).await?;
        let endpoint = self.endpoint(app, identity, shutdown)?;
        let streams = endpoint.open_streams();
        let router = Router::new()
            .merge(health::router(health))
            .merge(arrival::router(config.trust_proxy))
            .merge(traitql_axum::router(endpoint))
            .merge(embed::router(Arc::clone(app), config.trust_proxy))
            .merge(relay::router(config, verifier))
            .merge(sign_out::router(config, verifier, app))
            .merge(pages::router(config, verifier, files));
        let router = match demo {
            Some(demo) => demo::only_local(router.merge(demo.provider.clone()), &config.public_url),
            None => router,
        };
        Ok((router, streams))
    }

    async fn serve_metrics(
        &self,
        app: &Arc<dyn Application>,
        health: Health,
        streams: OpenStreams,
        shutdown: &Shutdown,
    ) -> anyhow::Result<()> {
        let Some(address) = self.config.metrics else {
            return Ok(());
        };
        let listener = TcpListener::bind(address).await.with_context(|| {
            format!("The server cannot listen on {address}; set WAYPOST_METRICS_BIND to another address or port")
        })?;
        let address = listener
            .local_addr()
            .context("The bound address could not be determined")?;
        info!(%address, "metrics are at http://{address}/metrics");
        let sqlite = self.config.postgres.is_none().then(|| self.config.data.clone());
        let router = metrics::router(Metrics {
            requests: self.requests.clone(),
            lost_lines: self.lost_lines.clone(),
            health,
            streams,
            waits: app.database_waits(),
            app: Arc::clone(app),
            data: sqlite,
        });
        tokio::spawn(traitql_axum::serve(
            listener,
            router,
            ServeOptions::default(),
            shutdown.clone(),
        ));
        Ok(())
    }

    async fn proofs(&self, app: &Arc<dyn Application>) -> anyhow::Result<Option<Proofs>> {
        let Config {
            providers, public_url, ..
        } = &self.config;
        if providers.iter().all(|provider| !provider.tokens.dpop) {
            return Ok(None);
        }
        let key = app.nonce_key().await.context("The key of nonces could not be read")?;
        Ok(Some(Proofs::new(
            public_url.join("/graphql")?,
            key.as_bytes(),
            Clock::system(),
        )))
    }

    fn endpoint(
        &self,
        app: &Arc<dyn Application>,
        identity: Identity,
        shutdown: &Shutdown,
    ) -> anyhow::Result<Endpoint> {
        let documents = Documents::from_manifest(waypost_api::MANIFEST)?;
        let engine = waypost_api::engine(&app.resolvers(), app.rates());
        let readers = Arc::clone(app);
        let may_read = move |origin| {
            let readers = Arc::clone(&readers);
            async move { readers.lists_origin(origin).await }.boxed()
        };
        let mut endpoint = Endpoint::new(Arc::new(engine), documents)
            .authenticate(Arc::new(identity))
            .routes(EMBED_ROUTES, may_read)?
            .trust_proxy(self.config.trust_proxy)
            .shutdown(shutdown.clone());
        if self.config.ad_hoc {
            warn!("WAYPOST_ADHOC is on: the server accepts ad-hoc documents; do not use it in production");
            let ad_hoc = AdHoc::new(waypost_api::SDL, Limits::default()).map_err(anyhow::Error::msg)?;
            endpoint = endpoint.ad_hoc(ad_hoc);
        }
        Ok(endpoint)
    }

    /// Rejects the tokens of earlier sign-outs before the server listens.
    async fn follow_logouts(&self, app: &Arc<dyn Application>) {
        let mut logouts = app.logouts();
        if let Some(stored) = logouts.next().await {
            self.verifier.sign_out(&stored);
        }
        let verifier = Arc::clone(&self.verifier);
        tokio::spawn(async move {
            while let Some(new) = logouts.next().await {
                verifier.sign_out(&new);
            }
        });
    }

    fn warn_about_userinfo(&self) {
        for provider in &self.config.providers {
            if provider.tokens.token == TokenKind::Userinfo {
                warn!(
                    provider = provider.id,
                    "tokens are verified by userinfo, which does not check their audience: tokens that this provider issued \
                     for other applications are accepted too"
                );
            }
        }
    }

    async fn listen(&self) -> anyhow::Result<TcpListener> {
        let listen = self.config.listen;
        let listener = TcpListener::bind(listen).await.with_context(|| {
            format!("The server cannot listen on {listen}; set PORT or WAYPOST_BIND to another port or address")
        })?;
        let address = listener
            .local_addr()
            .context("The bound address could not be determined")?;
        info!(%address, version = env!("CARGO_PKG_VERSION"), "Waypost is running at {}", self.config.public_url);
        Ok(listener)
    }
}
