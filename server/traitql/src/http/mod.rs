//! GraphQL over HTTP on axum: `POST` and `GET` as the draft specification says, subscriptions as `multipart/mixed` over the
//! same address and as graphql-transport-ws over a WebSocket.
//!
//! This is our own layer because what a GraphQL server must *not* do matters more than what it must: no mutation by `GET` or
//! by a content type that a foreign page can send, no lists of requests, no unbounded body, and no document near an executor
//! that is not trusted or was not checked within bounds. The path of a request reads top-down in `answer.rs`:
//!
//! origin → negotiation → reading → document → authentication → engine → answer
//!
//! The layer knows no schema. It asks three things: [`Documents`] and [`AdHoc`] for documents, an [`Authenticate`] for people
//! and an [`Engine`] for answers; everything else is decided here, and every refusal is an answer in GraphQL's shape with a
//! code and the request's id.

mod accept;
mod address;
mod answer;
mod auth;
mod body;
mod conn;
mod explorer;
mod id;
mod multipart;
mod origin;
mod problem;
mod record;
mod request;
mod revalidate;
mod serve;
mod shutdown;
mod streams;
mod trusted;
mod within;
mod ws;

use std::{fmt, sync::Arc, time::Duration};

use axum::{Router, routing::any};

pub use self::{
    address::client_address,
    auth::{AnyToken, AuthFailure, Authenticate},
    explorer::explorer,
    serve::{ServeOptions, serve},
    shutdown::Shutdown,
};
use self::{origin::Embeds, streams::Streams};
use crate::{documents::Documents, engine::Engine, limits::AdHoc};

/// What a GraphQL endpoint is made of.
pub struct Endpoint {
    engine: Arc<dyn Engine>,
    documents: Documents,
    authenticate: Option<Arc<dyn Authenticate>>,
    ad_hoc: Option<AdHoc>,
    embeds: Option<Embeds>,
    shutdown: Shutdown,
    streams: Arc<Streams>,
    path: String,
    trust_proxy: bool,
    body_limit: usize,
    body_deadline: Duration,
    deadline: Duration,
    heartbeat: Duration,
    socket: ws::SocketLimits,
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Endpoint")
            .field("path", &self.path)
            .field("documents", &self.documents.len())
            .field("ad_hoc", &self.ad_hoc)
            .field("embeds", &self.embeds)
            .finish_non_exhaustive()
    }
}

impl Endpoint {
    /// An endpoint at `/graphql` that answers trusted documents to pages of its own origin.
    pub fn new(engine: Arc<dyn Engine>, documents: Documents) -> Self {
        Self {
            engine,
            documents,
            authenticate: None,
            ad_hoc: None,
            embeds: None,
            shutdown: Shutdown::default(),
            streams: Arc::new(Streams::new(50)),
            path: "/graphql".into(),
            trust_proxy: false,
            body_limit: 256 * 1024,
            body_deadline: Duration::from_secs(30),
            deadline: Duration::from_secs(10),
            heartbeat: Duration::from_secs(5),
            socket: ws::SocketLimits::default(),
        }
    }

    /// Who checks access tokens. Without it, every request with a token is refused.
    pub fn authenticate(mut self, authenticate: Arc<dyn Authenticate>) -> Self {
        self.authenticate = Some(authenticate);
        self
    }

    /// Answers other documents than the trusted ones, within limits. For development.
    pub fn ad_hoc(mut self, ad_hoc: AdHoc) -> Self {
        self.ad_hoc = Some(ad_hoc);
        self
    }

    /// Lets pages of other sites ask for these trusted operations, if `allow_origin` says yes to their origin.
    pub fn embeds<I>(mut self, operations: I, allow_origin: impl Fn(&str) -> bool + Send + Sync + 'static) -> Self
    where
        I: IntoIterator<Item: Into<String>>,
    {
        let operations = operations.into_iter().map(Into::into).collect();
        self.embeds = Some(Embeds {
            operations,
            allow_origin: Arc::new(allow_origin),
        });
        self
    }

    /// The signal at which streams complete. Give the same to [`serve`].
    pub fn shutdown(mut self, shutdown: Shutdown) -> Self {
        self.shutdown = shutdown;
        self
    }

    /// Where the endpoint is; `/graphql` by default.
    pub fn path(mut self, path: impl Into<String>) -> Self {
        self.path = path.into();
        self
    }

    /// Takes the caller's address from the last entry of `X-Forwarded-For`. Only where every request passes one proxy.
    pub fn trust_proxy(mut self, trust_proxy: bool) -> Self {
        self.trust_proxy = trust_proxy;
        self
    }

    /// Bytes of a request's body and of a message on a socket; 256 KiB by default.
    pub fn body_limit(mut self, bytes: usize) -> Self {
        self.body_limit = bytes;
        self
    }

    /// How long a request's body may take to arrive; 30 seconds by default.
    pub fn body_deadline(mut self, deadline: Duration) -> Self {
        self.body_deadline = deadline;
        self
    }

    /// How long a query or mutation may take; 10 seconds by default.
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.deadline = deadline;
        self
    }

    /// Streams that one person, or one address without a person, may have open; 50 by default.
    pub fn streams_per_caller(mut self, streams: usize) -> Self {
        self.streams = Arc::new(Streams::new(streams));
        self
    }

    /// Operations that may run on one socket at once; 20 by default.
    pub fn operations_per_socket(mut self, operations: usize) -> Self {
        self.socket.operations = operations;
        self
    }
}

/// The routes of an endpoint.
pub fn router(endpoint: Endpoint) -> Router {
    let path = endpoint.path.clone();
    Router::new()
        .route(&path, any(answer::answer))
        .with_state(Arc::new(endpoint))
}
