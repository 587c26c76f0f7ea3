//! Serving a router on a socket: who may connect for how long, and how everything ends.
//!
//! `axum::serve` has no limits, so a client that never finishes its head stays for ever. Here heads, idle connections
//! and unread answers have limits (see `conn.rs`), connections are counted, and a stop is orderly: no new connections, what
//! is in flight finishes, streams complete, and whatever is left after the grace time is cut.
//!
//! HTTP/1.1 only: HTTP/2 needs TLS in browsers, and TLS ends at the proxy in front of us.

use std::{io, net::SocketAddr, sync::Arc, time::Duration};

use axum::{
    Router,
    body::Body,
    extract::ConnectInfo,
    http::{Request, Response, StatusCode},
};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use tokio::{
    net::{TcpListener, TcpStream},
    sync::Semaphore,
    task::JoinSet,
    time::{sleep, timeout},
};
use tower::ServiceExt;
use tracing::{debug, warn};

use super::{
    conn::{Guarded, Phase, Tracked},
    shutdown::Shutdown,
};

/// As many header fields as hyper takes where nothing is said.
const HEAD_FIELDS: usize = 100;

/// Limits of connections.
#[derive(Debug, Clone)]
pub struct ServeOptions {
    /// How long a client may take for the head of a request, once it has connected or begun to send it.
    pub head: Duration,
    /// How long a connection may rest between two requests.
    pub idle: Duration,
    /// How long a client may leave an answer unread.
    pub write: Duration,
    /// Bytes of a request's head.
    pub head_bytes: usize,
    /// Header fields of a request.
    pub head_fields: usize,
    /// Connections at once; more wait to be accepted.
    pub connections: usize,
    /// How long everything in flight may take to end after the shutdown signal.
    pub grace: Duration,
}

impl Default for ServeOptions {
    fn default() -> Self {
        Self {
            head: Duration::from_secs(10),
            idle: Duration::from_secs(75),
            write: Duration::from_secs(30),
            head_bytes: 16 * 1024,
            head_fields: HEAD_FIELDS,
            connections: 20_000,
            grace: Duration::from_secs(5),
        }
    }
}

/// Serves until the signal, and then until everything has ended.
pub async fn serve(listener: TcpListener, app: Router, options: ServeOptions, shutdown: Shutdown) {
    let places = Arc::new(Semaphore::new(options.connections));
    let mut connections = JoinSet::new();
    loop {
        let place = Arc::clone(&places).acquire_owned();
        let accepted = async { (place.await, listener.accept().await) };
        tokio::select! {
            biased;
            () = shutdown.begun() => break,
            (place, accepted) = accepted => match accepted {
                Ok((stream, peer)) => {
                    let connection = connection(stream, peer, app.clone(), options.clone(), shutdown.clone());
                    connections.spawn(async move {
                        connection.await;
                        drop(place);
                    });
                }
                Err(error) => refused(&error).await,
            },
            Some(_) = connections.join_next(), if !connections.is_empty() => {}
        }
    }
    drop(listener);
    let ended = async {
        while connections.join_next().await.is_some() {}
        shutdown.drained().await;
    };
    if timeout(options.grace, ended).await.is_err() {
        warn!(
            connections = connections.len(),
            "connections were cut at the end of the grace time"
        );
        connections.shutdown().await;
    }
}

/// An error of one connection concerns nobody else. Others (no file descriptors left) pass after a while.
async fn refused(error: &io::Error) {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    if !matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset) {
        warn!(%error, "a connection could not be accepted");
        sleep(Duration::from_millis(100)).await;
    }
}

async fn connection(stream: TcpStream, peer: SocketAddr, app: Router, options: ServeOptions, shutdown: Shutdown) {
    // Events of a stream are small and must not wait for each other.
    let _ = stream.set_nodelay(true);
    let phase = Phase::default();
    let idle = options.idle.max(options.head);
    let io = Guarded::new(stream, phase.clone(), options.head, idle, options.write);
    let service = service_fn(move |request: Request<Incoming>| {
        phase.request();
        answer(app.clone(), request, peer, phase.clone())
    });
    let mut builder = http1::Builder::new();
    builder
        .header_read_timeout(None)
        .max_buf_size(options.head_bytes.max(8 * 1024));
    // Room for a number of its own is made for each request; that for the usual one is there.
    if options.head_fields != HEAD_FIELDS {
        builder.max_headers(options.head_fields);
    }
    let mut connection = Box::pin(builder.serve_connection(TokioIo::new(io), service).with_upgrades());
    let result = tokio::select! {
        result = connection.as_mut() => result,
        () = shutdown.begun() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = result {
        debug!(%peer, %error, "a connection ended with an error");
    }
}

async fn answer(
    app: Router,
    request: Request<Incoming>,
    peer: SocketAddr,
    phase: Phase,
) -> Result<Response<Tracked<Body>>, std::convert::Infallible> {
    let mut request = request.map(Body::new);
    request.extensions_mut().insert(ConnectInfo(peer));
    let response = app.oneshot(request).await?;
    if response.status() == StatusCode::SWITCHING_PROTOCOLS {
        phase.upgraded();
    }
    Ok(response.map(|body| Tracked::new(body, phase)))
}
