//! The server: what is connected to what, in which order it begins, and how it ends.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::Context;
use axum::{
    Router,
    extract::{Request, State},
    http::{HeaderName, HeaderValue},
    response::Response,
};
use tokio::{net::TcpListener, time::sleep};
use tracing::{debug, info, warn};
use traitql::{
    AdHoc, Documents, Id, Limits, Rates,
    http::{Endpoint, ServeOptions, Shutdown},
};
use uuid::Uuid;
use waypost_app::{App, AppConfig, ClaimGrant};
use waypost_auth::{
    Origins, TokenKind, Verifier,
    preset::{Logout, Renewal},
};
use waypost_cli::config::{Config, Provider};

use crate::{
    assets::{Assets, Files},
    health::{self, Health},
    identity::Identity,
    pages::PageHeaders,
    relay,
    signals::Stop,
};

/// How long `/readyz` says "not ready" while new connections are still taken, so that a balancer can notice.
const DRAIN: Duration = Duration::from_millis(500);

/// How long requests and streams may take to end after that.
const GRACE: Duration = Duration::from_secs(4);

/// Operations that pages of other sites may ask for. Each resolver checks the site's list of origins itself.
const EMBEDDED_OPERATIONS: [&str; 3] = ["Boot", "GoalRecord", "Record"];

/// Runs the server until a signal stops it.
pub(crate) async fn run(config: Config) -> anyhow::Result<()> {
    let mut stop = Stop::listen().context("signals cannot be received")?;
    let verifier = Arc::new(Verifier::new(waypost_auth::Config {
        providers: config
            .providers
            .iter()
            .map(|provider| provider.tokens.clone())
            .collect(),
        ..waypost_auth::Config::default()
    })?);
    let app = App::open(app_config(&config)?)
        .await
        .with_context(|| match &config.postgres {
            Some(postgres) => format!("The database {postgres} cannot be opened"),
            None => format!("The database in {} cannot be opened", config.data.display()),
        })?;
    let draining = Arc::new(AtomicBool::new(false));
    let shutdown = Shutdown::default();
    let router = Router::new()
        .merge(health::router(Health {
            app: app.clone(),
            verifier: Arc::clone(&verifier),
            draining: Arc::clone(&draining),
        }))
        .merge(traitql::http::router(endpoint(&config, &app, &verifier, &shutdown)?))
        .merge(relay::router(&config, &verifier))
        .merge(client(&config, &verifier));

    for provider in &config.providers {
        if provider.tokens.token == TokenKind::Userinfo {
            warn!(
                provider = provider.id,
                "tokens are checked by userinfo, which cannot tell for whom they were made: those of other applications of \
                 this provider are accepted too"
            );
        }
    }
    let listener = TcpListener::bind(config.listen).await.with_context(|| {
        format!(
            "Nothing can listen on {}; set PORT or WAYPOST_BIND to another address",
            config.listen
        )
    })?;
    let address = listener
        .local_addr()
        .context("the address that was bound cannot be read")?;
    info!(%address, version = env!("CARGO_PKG_VERSION"), "Waypost is at {}", config.public_url);
    // Nobody waits for this: it only makes the first request of a new server as quick as the others.
    tokio::spawn({
        let verifier = Arc::clone(&verifier);
        async move { verifier.ready().await }
    });
    let options = ServeOptions {
        grace: GRACE,
        ..ServeOptions::default()
    };
    let server = tokio::spawn(traitql::http::serve(listener, router, options, shutdown.clone()));

    let signal = stop.next().await;
    info!(signal, "stopping: requests finish, streams complete");
    draining.store(true, Ordering::Relaxed);
    tokio::select! {
        () = sleep(DRAIN) => {}
        _ = stop.next() => warn!("stopping at once"),
    }
    shutdown.begin();
    tokio::select! {
        ended = server => ended.context("the server failed while it was ending")?,
        _ = stop.next() => warn!("a second signal: requests were cut"),
    }
    app.close().await;
    info!("stopped");
    Ok(())
}

fn web_address(text: &str) -> anyhow::Result<traitql::Url> {
    text.parse().map_err(|problem| anyhow::anyhow!("`{text}` {problem}"))
}

fn app_config(config: &Config) -> anyhow::Result<AppConfig> {
    Ok(AppConfig {
        data_dir: config.data.clone(),
        postgres: config.postgres.clone(),
        public_url: web_address(config.public_url.as_str())?,
        providers: offered(config)?,
        token_store: config.token_store,
        source_url: web_address(config.source_url.as_str())?,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        sample: config.sample,
        claims_workspace: config.roles_workspace.clone(),
        grants: config.providers.iter().flat_map(granted).collect(),
    })
}

/// What the roles and groups of a provider are worth.
fn granted(provider: &Provider) -> impl Iterator<Item = ClaimGrant> {
    provider.grants.iter().map(|grant| ClaimGrant {
        issuer: provider.tokens.issuer.clone(),
        claim: grant.claim.clone(),
        workspace: grant.workspace.clone(),
        role: grant.role,
    })
}

/// What the sign-in page is told about the providers.
fn offered(config: &Config) -> anyhow::Result<Vec<waypost_api::Provider>> {
    let asked = config
        .providers
        .iter()
        .filter(|provider| is_asked(&provider.tokens.token));
    let ambiguous = asked.count() > 1;
    config
        .providers
        .iter()
        .map(|provider| offer(provider, &config.public_url, ambiguous))
        .collect()
}

fn offer(provider: &Provider, public_url: &url::Url, ambiguous: bool) -> anyhow::Result<waypost_api::Provider> {
    let metadata = provider
        .relay
        .as_ref()
        .map(|_| relay::metadata_url(public_url, &provider.id));
    let asked = is_asked(&provider.tokens.token);
    Ok(waypost_api::Provider {
        id: Id::from(provider.id.as_str()),
        name: provider.name.clone(),
        issuer: web_address(&provider.tokens.issuer)?,
        issuer_aliases: provider.tokens.aliases.clone(),
        client_id: provider.client_id.clone(),
        scope: provider.scope.clone(),
        resource: provider.resource.clone(),
        parameters: provider
            .parameters
            .iter()
            .map(|(name, value)| waypost_api::ProviderParameter {
                name: name.clone(),
                value: value.clone(),
            })
            .collect(),
        metadata_url: metadata.map(|url| web_address(&url)).transpose()?,
        token: match provider.tokens.token {
            TokenKind::IdToken => waypost_api::ProviderToken::IdToken,
            _ => waypost_api::ProviderToken::AccessToken,
        },
        token_prefix: (ambiguous && asked).then(|| format!("{}~", provider.id)),
        renewals: provider
            .renewals
            .iter()
            .map(|renewal| match renewal {
                Renewal::RefreshToken => waypost_api::Renewal::RefreshToken,
                Renewal::Frame => waypost_api::Renewal::Frame,
            })
            .collect(),
        logout: match provider.logout {
            Logout::Provider => waypost_api::Logout::Provider,
            Logout::Popup => waypost_api::Logout::Popup,
            Logout::Frame => waypost_api::Logout::Frame,
            Logout::Cognito => waypost_api::Logout::Cognito,
            Logout::Local => waypost_api::Logout::Local,
        },
        revocation: provider.preset.revocation,
        monitored: provider.monitored,
    })
}

/// Whether only the provider can tell what its tokens are worth, so that a token must say whose it is when there are several.
fn is_asked(token: &TokenKind) -> bool {
    matches!(token, TokenKind::Introspection(_) | TokenKind::Userinfo)
}

fn endpoint(config: &Config, app: &App, verifier: &Arc<Verifier>, shutdown: &Shutdown) -> anyhow::Result<Endpoint> {
    let documents = Documents::from_manifest(waypost_api::MANIFEST)?;
    let engine = waypost_api::engine(&app.resolvers(), Arc::new(Rates::default()));
    let mut endpoint = Endpoint::new(Arc::new(engine), documents)
        .authenticate(Arc::new(Identity(Arc::clone(verifier))))
        .embeds(EMBEDDED_OPERATIONS, |_origin| true)
        .trust_proxy(config.trust_proxy)
        .shutdown(shutdown.clone());
    if config.ad_hoc {
        warn!("WAYPOST_ADHOC is on: documents that the client does not have are answered too");
        let ad_hoc = AdHoc::new(waypost_api::SDL, Limits::default()).map_err(anyhow::Error::msg)?;
        endpoint = endpoint.ad_hoc(ad_hoc);
    }
    Ok(endpoint)
}

/// Everything that is not the API: the client's pages and files.
fn client(config: &Config, verifier: &Arc<Verifier>) -> Router {
    let files = config.client.clone().map_or(Files::Embedded, Files::Folder);
    let pages = Pages {
        assets: Assets::new(files, PageHeaders::new(config.public_url.scheme() == "https")),
        verifier: Arc::clone(verifier),
        visited: config
            .providers
            .iter()
            .map(|provider| Visited {
                id: provider.id.clone(),
                calls: provider.relay.is_none(),
                frames: provider.renewals.contains(&Renewal::Frame)
                    || provider.logout == Logout::Frame
                    || provider.monitored,
            })
            .collect(),
    };
    Router::new().fallback(page).with_state(Arc::new(pages))
}

/// What pages need.
struct Pages {
    assets: Assets,
    verifier: Arc<Verifier>,
    visited: Vec<Visited>,
}

/// What a page does with a provider.
struct Visited {
    id: String,
    /// It calls its endpoints: not, where the relay does.
    calls: bool,
    /// It opens it in a frame: to renew sessions, to end or to watch them.
    frames: bool,
}

impl Pages {
    /// The origins that the policy of pages has to allow.
    fn origins(&self) -> Origins {
        let mut all = Origins::default();
        for visited in &self.visited {
            let found = self.verifier.origins(&visited.id).unwrap_or_default();
            if visited.calls {
                all.called.extend(found.called);
            }
            if visited.frames {
                all.framed.extend(found.framed);
            }
        }
        all
    }
}

async fn page(State(pages): State<Arc<Pages>>, request: Request) -> Response {
    let began = Instant::now();
    let request_id = Uuid::now_v7().simple().to_string();
    let path = request.uri().path();
    let origins = pages.origins();
    let mut response = pages.assets.answer(request.method(), path, request.headers(), &origins);
    // The path is logged without its query, which holds codes and states of sign-in.
    debug!(request_id, method = %request.method(), path, status = response.status().as_u16(), duration_us = began.elapsed().as_micros() as u64, "page");
    let id = HeaderValue::from_str(&request_id).expect("an id is hexadecimal");
    response
        .headers_mut()
        .insert(HeaderName::from_static("x-request-id"), id);
    response
}
