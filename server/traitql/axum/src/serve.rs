//! `axum::serve` has no timeouts. Here heads, idle connections and unread responses have (`conn.rs`), and so have the
//! bodies of all routes (`limited.rs`). At shutdown, requests finish, streams complete, and connections that remain after the grace period are closed.
//!
//! HTTP/1.1 only: browsers require TLS for HTTP/2, and TLS ends at the reverse proxy.

use std::{
    collections::{HashMap, hash_map::Entry},
    io, mem,
    net::SocketAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use axum::{
    Router,
    body::Body,
    extract::ConnectInfo,
    http::{Request, Response, StatusCode},
};
use hyper::{
    body::{Body as _, Incoming},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::TokioIo;
use tokio::{
    net::{TcpListener, TcpStream},
    sync::Semaphore,
    task::JoinSet,
    time::{sleep, timeout},
};
use tower::ServiceExt;
use tracing::{debug, warn};
use traitql::address_key;

use super::{
    conn::{Guarded, Phase, Tracked},
    limited::{BodyLimits, Limits},
    shutdown::Shutdown,
};

/// hyper's default.
const DEFAULT_HEAD_FIELDS: usize = 100;

/// Limits of connections.
#[derive(Debug, Clone)]
pub struct ServeOptions {
    /// Time limit for a request's head.
    pub head_timeout: Duration,
    /// Time limit for an idle connection between two requests.
    pub idle_timeout: Duration,
    /// Time limit for a client that does not read.
    pub write_timeout: Duration,
    /// Time limit for a request's body. An [`Endpoint`](super::Endpoint) has its own.
    pub body_timeout: Duration,
    /// Maximum bytes of a request body. An [`Endpoint`](super::Endpoint) has its own.
    pub body_bytes: usize,
    /// Maximum bytes of a request head.
    pub head_bytes: usize,
    /// Maximum header fields of a request.
    pub head_fields: usize,
    /// Maximum connections. Others wait.
    pub max_connections: usize,
    /// Maximum connections of one address, or one /64 with IPv6. Others are closed. Behind a proxy, all connections
    /// have its address.
    pub max_connections_per_address: usize,
    /// Time limit after the shutdown signal.
    pub grace_period: Duration,
}

impl Default for ServeOptions {
    fn default() -> Self {
        Self {
            head_timeout: Duration::from_secs(10),
            idle_timeout: Duration::from_secs(75),
            write_timeout: Duration::from_secs(30),
            body_timeout: Duration::from_secs(10),
            body_bytes: 32 * 1024,
            head_bytes: 16 * 1024,
            head_fields: DEFAULT_HEAD_FIELDS,
            max_connections: 20_000,
            max_connections_per_address: 20_000,
            grace_period: Duration::from_secs(5),
        }
    }
}

/// Serves until the shutdown signal, and at most the grace period longer.
pub async fn serve(listener: TcpListener, app: Router, options: ServeOptions, shutdown: Shutdown) {
    let slots = Arc::new(Semaphore::new(options.max_connections));
    let addresses = Addresses::new(options.max_connections_per_address);
    let mut connections = JoinSet::new();
    loop {
        let slot = Arc::clone(&slots).acquire_owned();
        let accepted = async { (slot.await, listener.accept().await) };
        tokio::select! {
            biased;
            () = shutdown.triggered() => break,
            (slot, accepted) = accepted => match accepted {
                Ok((stream, peer)) => {
                    let Some(place) = addresses.enter(address_key(peer.ip())) else {
                        debug!(%peer, "closed a connection because its address has too many");
                        continue;
                    };
                    let connection = connection(stream, peer, app.clone(), options.clone(), shutdown.clone());
                    connections.spawn(async move {
                        connection.await;
                        drop((slot, place));
                    });
                }
                Err(error) => accept_failed(&error).await,
            },
            Some(_) = connections.join_next(), if !connections.is_empty() => {}
        }
    }
    drop(listener);
    let ended = async {
        while connections.join_next().await.is_some() {}
        shutdown.drained().await;
    };
    if timeout(options.grace_period, ended).await.is_err() {
        warn!(
            connections = connections.len(),
            "closed the remaining connections after the grace period"
        );
        connections.shutdown().await;
    }
}

#[derive(Clone)]
struct Addresses {
    max: usize,
    counts: Arc<Mutex<HashMap<String, usize>>>,
}

impl Addresses {
    fn new(max: usize) -> Self {
        Self {
            max,
            counts: Arc::default(),
        }
    }

    fn enter(&self, address: String) -> Option<CountedConnection> {
        let mut counts = self.lock();
        let count = counts.entry(address.clone()).or_insert(0);
        if *count >= self.max {
            return None;
        }
        *count += 1;
        drop(counts);
        Some(CountedConnection {
            addresses: self.clone(),
            address,
        })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, usize>> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct CountedConnection {
    addresses: Addresses,
    address: String,
}

impl Drop for CountedConnection {
    fn drop(&mut self) {
        let mut counts = self.addresses.lock();
        if let Entry::Occupied(mut entry) = counts.entry(mem::take(&mut self.address)) {
            *entry.get_mut() -= 1;
            if *entry.get() == 0 {
                entry.remove();
            }
        }
    }
}

/// Ignores errors of one connection. Others, such as a lack of file descriptors, are temporary, so it waits.
async fn accept_failed(error: &io::Error) {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    if !matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset) {
        warn!(%error, "failed to accept a connection");
        sleep(Duration::from_millis(100)).await;
    }
}

async fn connection(stream: TcpStream, peer: SocketAddr, app: Router, options: ServeOptions, shutdown: Shutdown) {
    // No Nagle's algorithm, because events are small and must not be delayed.
    let _ = stream.set_nodelay(true);
    // hyper allocates its buffers before the first byte arrives. The head has its own timeout from then on.
    let mut first = [0];
    let sends = tokio::select! {
        peeked = timeout(options.head_timeout, stream.peek(&mut first)) => matches!(peeked, Ok(Ok(1..))),
        () = shutdown.triggered() => false,
    };
    if !sends {
        debug!(%peer, "closed a connection that sent nothing");
        return;
    }
    let phase = Phase::default();
    let idle = options.idle_timeout.max(options.head_timeout);
    let io = Guarded::new(stream, phase.clone(), options.head_timeout, idle, options.write_timeout);
    let limits = Limits {
        bytes: options.body_bytes,
        timeout: options.body_timeout,
    };
    let service = service_fn(move |request: Request<Incoming>| {
        phase.request();
        respond(app.clone(), request, peer, phase.clone(), limits)
    });
    let mut builder = http1::Builder::new();
    builder
        .header_read_timeout(None)
        .max_buf_size(options.head_bytes.max(8 * 1024));
    // hyper allocates a buffer per request for a custom limit.
    if options.head_fields != DEFAULT_HEAD_FIELDS {
        builder.max_headers(options.head_fields);
    }
    let mut connection = Box::pin(builder.serve_connection(TokioIo::new(io), service).with_upgrades());
    let result = tokio::select! {
        result = connection.as_mut() => result,
        () = shutdown.triggered() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = result {
        debug!(%peer, %error, "connection closed with an error");
    }
}

async fn respond(
    app: Router,
    request: Request<Incoming>,
    peer: SocketAddr,
    phase: Phase,
    limits: Limits,
) -> Result<Response<Tracked<Body>>, std::convert::Infallible> {
    let (mut parts, body) = request.into_parts();
    parts.extensions.insert(ConnectInfo(peer));
    let limits = (!body.is_end_stream()).then(|| BodyLimits::new(limits));
    let body = match &limits {
        Some(limits) => {
            parts.extensions.insert(limits.clone());
            Body::new(limits.limit(&parts.headers, body))
        }
        None => Body::new(body),
    };
    let mut response = app.oneshot(Request::from_parts(parts, body)).await?;
    if let Some(cut) = limits.and_then(|limits| limits.cut()) {
        cut.mark(&mut response);
    }
    if response.status() == StatusCode::SWITCHING_PROTOCOLS {
        phase.upgraded();
    }
    Ok(response.map(|body| Tracked::new(body, phase)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_of_one_network_are_counted_together() {
        let addresses = Addresses::new(1);
        let enter = |address: &str| addresses.enter(address_key(address.parse().expect("an address")));
        let first = enter("2001:db8::1");
        assert!(first.is_some() && enter("2001:db8::2").is_none());
        assert!(enter("2001:db8:0:1::1").is_some(), "another network");
        drop(first);
        assert!(enter("2001:db8::2").is_some());
        assert!(addresses.lock().is_empty());
    }
}
