//! GraphQL over HTTP on axum: `POST` and `GET` according to the draft specification, and subscriptions as
//! `multipart/mixed` on the same path and as graphql-transport-ws over a WebSocket.
//!
//! It rejects mutations by `GET` or with a content type that a foreign page can send, batches, unbounded bodies, and
//! documents that are neither trusted nor checked within limits. `handler.rs` shows the path of a request:
//!
//! origin → negotiation → reading → document → authentication → engine → response
//!
//! It depends on [`Documents`] and [`AdHoc`], an [`Authenticate`] and an [`Engine`], but not on the schema. Rejections
//! are GraphQL responses with a code and the request id.

#![warn(missing_docs)]

mod accept;
mod access_log;
mod address;
mod auth;
mod body;
mod conditional_get;
mod conn;
mod deadline;
mod execute;
mod explorer;
mod handler;
mod id;
mod limited;
mod multipart;
mod origin;
mod problem;
mod request;
mod routes;
mod serve;
mod shutdown;
mod streams;
mod trusted;
mod ws;

use std::{fmt, sync::Arc, time::Duration};

use axum::{
    Router,
    routing::{any, post},
};
use futures_util::future::BoxFuture;

pub use self::{
    address::client_address,
    auth::{AnyToken, AuthFailure, Authenticate, Credentials, Dpop, Proof},
    conditional_get::if_none_match,
    explorer::explorer,
    routes::UnknownOperation,
    serve::{ServeOptions, serve},
    shutdown::Shutdown,
    streams::OpenStreams,
};
use self::{
    limited::Limits,
    routes::{Route, Routes},
    streams::Streams,
};
use traitql::{AdHoc, Documents, Engine};

/// The configuration of a GraphQL endpoint.
pub struct Endpoint {
    engine: Arc<dyn Engine>,
    documents: Documents,
    authenticate: Option<Arc<dyn Authenticate>>,
    ad_hoc: Option<AdHoc>,
    routes: Option<Routes>,
    shutdown: Shutdown,
    streams: Arc<Streams>,
    path: Arc<str>,
    trust_proxy: bool,
    body: Limits,
    operation_timeout: Duration,
    heartbeat: Duration,
    socket: ws::SocketLimits,
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Endpoint")
            .field("path", &self.path)
            .field("documents", &self.documents.len())
            .field("ad_hoc", &self.ad_hoc)
            .field("routes", &self.routes)
            .finish_non_exhaustive()
    }
}

impl Endpoint {
    /// Creates an endpoint at `/graphql` that serves trusted documents to pages of its own origin.
    pub fn new(engine: Arc<dyn Engine>, documents: Documents) -> Self {
        Self {
            engine,
            documents,
            authenticate: None,
            ad_hoc: None,
            routes: None,
            shutdown: Shutdown::default(),
            streams: Arc::new(Streams::new(50)),
            path: "/graphql".into(),
            trust_proxy: false,
            body: Limits {
                bytes: 256 * 1024,
                timeout: Duration::from_secs(30),
            },
            operation_timeout: Duration::from_secs(10),
            heartbeat: Duration::from_secs(5),
            socket: ws::SocketLimits::default(),
        }
    }

    /// Sets the verification of access tokens. Without it, every token is rejected.
    pub fn authenticate(mut self, authenticate: Arc<dyn Authenticate>) -> Self {
        self.authenticate = Some(authenticate);
        self
    }

    /// Enables ad-hoc documents, within limits. For development.
    pub fn ad_hoc(mut self, ad_hoc: AdHoc) -> Self {
        self.ad_hoc = Some(ad_hoc);
        self
    }

    /// Serves trusted operations at their own paths, for pages of any site: see the module `routes`. Items are a path
    /// and the name of a query or mutation with one root field. Pages of origins for which `may_read` returns true can
    /// read the responses.
    ///
    /// # Errors
    /// Fails if an operation is not a query or mutation of the manifest.
    pub fn routes<'o>(
        mut self,
        operations: impl IntoIterator<Item = (&'o str, &'o str)>,
        may_read: impl Fn(String) -> BoxFuture<'static, bool> + Send + Sync + 'static,
    ) -> Result<Self, UnknownOperation> {
        let operations = operations.into_iter();
        let documents =
            operations.map(|(path, operation)| Ok((path.to_owned(), routes::find(&self.documents, operation)?)));
        self.routes = Some(Routes {
            documents: documents.collect::<Result<_, _>>()?,
            may_read: Arc::new(may_read),
        });
        Ok(self)
    }

    /// Sets the signal at which streams complete. Pass the same one to [`serve`].
    pub fn shutdown(mut self, shutdown: Shutdown) -> Self {
        self.shutdown = shutdown;
        self
    }

    /// Sets the path of the endpoint; `/graphql` by default.
    pub fn path(mut self, path: impl Into<String>) -> Self {
        self.path = path.into().into();
        self
    }

    /// Takes the client address from the last entry of `X-Forwarded-For`. Only if all requests pass through exactly one
    /// proxy.
    pub fn trust_proxy(mut self, trust_proxy: bool) -> Self {
        self.trust_proxy = trust_proxy;
        self
    }

    /// Sets the maximum bytes of a request body and of a WebSocket message; 256 KiB by default.
    pub fn body_limit(mut self, bytes: usize) -> Self {
        self.body.bytes = bytes;
        self
    }

    /// Sets the time limit for receiving a request body; 30 seconds by default.
    pub fn body_timeout(mut self, timeout: Duration) -> Self {
        self.body.timeout = timeout;
        self
    }

    /// Sets the time limit of a query or mutation; 10 seconds by default.
    pub fn operation_timeout(mut self, timeout: Duration) -> Self {
        self.operation_timeout = timeout;
        self
    }

    /// Sets the maximum number of open streams per caller, or per address without one; 50 by default.
    pub fn streams_per_caller(mut self, streams: usize) -> Self {
        self.streams = Arc::new(Streams::new(streams));
        self
    }

    /// Returns a counter of the open streams, for metrics.
    pub fn open_streams(&self) -> OpenStreams {
        OpenStreams(Arc::clone(&self.streams))
    }

    /// Sets the maximum number of operations per socket; 20 by default.
    pub fn operations_per_socket(mut self, operations: usize) -> Self {
        self.socket.operations = operations;
        self
    }
}

/// Returns the routes of an endpoint.
pub fn router(endpoint: Endpoint) -> Router {
    let endpoint = Arc::new(endpoint);
    let mut router = Router::new()
        .route(&endpoint.path, any(handler::handle))
        .with_state(Arc::clone(&endpoint));
    for (path, document) in endpoint.routes.iter().flat_map(|routes| &routes.documents) {
        let route = Route {
            path: path.as_str().into(),
            document: Arc::clone(document),
            endpoint: Arc::clone(&endpoint),
        };
        router = router.route(path, post(routes::handle).with_state(route));
    }
    router
}
