//! Over loopback sockets.

use std::{net::SocketAddr, time::Duration};

use axum::{
    Router,
    body::Bytes,
    extract::{ConnectInfo, rejection::BytesRejection},
    routing::{get, post},
};
use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::oneshot,
    task::JoinHandle,
    time::Instant,
};
use traitql_axum::{ServeOptions, Shutdown, serve};

use crate::fixture::{App, CHANGED, HELLO, MULTIPART, response};

struct Server {
    address: SocketAddr,
    shutdown: Shutdown,
    task: JoinHandle<()>,
}

impl Server {
    async fn start(app: Router, options: ServeOptions, shutdown: Shutdown) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let task = tokio::spawn(serve(listener, app, options, shutdown.clone()));
        Self {
            address,
            shutdown,
            task,
        }
    }

    async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).await.unwrap()
    }
}

fn request(headers: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "POST /graphql HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n{headers}content-length: {length}\r\n\r\n{body}"
    )
}

async fn to_end(stream: &mut TcpStream) -> String {
    let mut text = Vec::new();
    let _ = stream.read_to_end(&mut text).await;
    String::from_utf8(text).unwrap()
}

async fn until(stream: &mut TcpStream, end: &str) -> String {
    let mut text = String::new();
    let mut buffer = [0; 1024];
    while !text.contains(end) {
        let read = stream.read(&mut buffer).await.unwrap();
        assert!(read > 0, "ended before {end:?}: {text}");
        text.push_str(std::str::from_utf8(&buffer[..read]).unwrap());
    }
    text
}

fn slow() -> (Router, oneshot::Sender<()>) {
    let (go, wait) = oneshot::channel();
    let wait = std::sync::Arc::new(tokio::sync::Mutex::new(Some(wait)));
    let slow = async move || {
        let wait = wait.lock().await.take().unwrap();
        wait.await.unwrap();
        "done"
    };
    (Router::new().route("/slow", get(slow)), go)
}

#[tokio::test]
async fn one_connection_serves_several_requests_with_the_peer_address() {
    let peer = Router::new().route(
        "/peer",
        get(async |ConnectInfo(peer): ConnectInfo<SocketAddr>| peer.to_string()),
    );
    let app = App::production().router.merge(peer);
    let server = Server::start(app, ServeOptions::default(), Shutdown::default()).await;
    let mut stream = server.connect().await;
    let body = json!({ "query": HELLO }).to_string();
    for _ in 0..2 {
        stream.write_all(request("", &body).as_bytes()).await.unwrap();
        assert!(until(&mut stream, "}}}").await.starts_with("HTTP/1.1 200 OK"));
    }
    let own = stream.local_addr().unwrap().to_string();
    stream
        .write_all(b"GET /peer HTTP/1.1\r\nhost: a\r\n\r\n")
        .await
        .unwrap();
    until(&mut stream, &own).await;
}

#[tokio::test(start_paused = true)]
async fn an_incomplete_head_times_out() {
    let server = Server::start(App::production().router, ServeOptions::default(), Shutdown::default()).await;
    let mut silent = server.connect().await;
    let began = Instant::now();
    to_end(&mut silent).await;
    assert_eq!(began.elapsed().as_secs(), 10);

    let mut slow = server.connect().await;
    let began = Instant::now();
    slow.write_all(b"POST /graphql HTTP/1.1\r\n").await.unwrap();
    let (mut reader, mut writer) = slow.into_split();
    let trickle = tokio::spawn(async move {
        while writer.write_all(b"x: y\r\n").await.is_ok() {
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    });
    let mut rest = Vec::new();
    let _ = reader.read_to_end(&mut rest).await;
    assert!((9..=11).contains(&began.elapsed().as_secs()), "{:?}", began.elapsed());
    trickle.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn an_idle_connection_is_kept_but_its_next_head_must_complete_in_time() {
    let server = Server::start(App::production().router, ServeOptions::default(), Shutdown::default()).await;
    let body = json!({ "query": HELLO }).to_string();
    let mut stream = server.connect().await;
    stream.write_all(request("", &body).as_bytes()).await.unwrap();
    until(&mut stream, "}}}").await;
    tokio::time::sleep(Duration::from_secs(60)).await;
    stream.write_all(request("", &body).as_bytes()).await.unwrap();
    until(&mut stream, "}}}").await;
    tokio::time::sleep(Duration::from_secs(60)).await;
    stream.write_all(b"POST /gra").await.unwrap();
    let began = Instant::now();
    to_end(&mut stream).await;
    assert_eq!(began.elapsed().as_secs(), 10);

    let mut resting = server.connect().await;
    resting.write_all(request("", &body).as_bytes()).await.unwrap();
    until(&mut resting, "}}}").await;
    let began = Instant::now();
    to_end(&mut resting).await;
    assert_eq!(began.elapsed().as_secs(), 75);
}

#[tokio::test(start_paused = true)]
async fn an_incomplete_body_gets_a_response_and_the_connection_closes() {
    let server = Server::start(App::production().router, ServeOptions::default(), Shutdown::default()).await;
    let mut stream = server.connect().await;
    let began = Instant::now();
    stream
        .write_all(request("", &"x".repeat(100)).strip_suffix('x').unwrap().as_bytes())
        .await
        .unwrap();
    let answer = to_end(&mut stream).await;
    assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
    assert_eq!(began.elapsed().as_secs(), 30);
}

#[tokio::test]
async fn a_body_that_is_too_large_gets_a_response_before_the_connection_closes() {
    let server = Server::start(App::production().router, ServeOptions::default(), Shutdown::default()).await;
    let mut stream = server.connect().await;
    stream
        .write_all(request("", &"x".repeat(2 * 1024 * 1024)).as_bytes())
        .await
        .unwrap();
    let answer = to_end(&mut stream).await;
    assert!(
        answer.starts_with("HTTP/1.1 413 ") && answer.contains("PAYLOAD_TOO_LARGE"),
        "{answer}"
    );

    let mut polite = server.connect().await;
    let head = request("expect: 100-continue\r\n", &"x".repeat(2 * 1024 * 1024));
    polite
        .write_all(head.split_inclusive("\r\n\r\n").next().unwrap().as_bytes())
        .await
        .unwrap();
    let answer = to_end(&mut polite).await;
    assert!(
        answer.starts_with("HTTP/1.1 413 "),
        "the response must precede the body: {answer}"
    );
}

#[tokio::test(start_paused = true)]
async fn the_body_of_every_route_is_limited() {
    let read = post(async |body: Result<Bytes, BytesRejection>| match body {
        Ok(body) => body.len().to_string(),
        Err(_) => "a route that answers anyway".to_owned(),
    });
    let app = App::production().router.route("/read", read);
    let server = Server::start(app, ServeOptions::default(), Shutdown::default()).await;
    let send = async |path: &str, declared: usize, body: &str| {
        let mut stream = server.connect().await;
        let began = Instant::now();
        let head = format!("POST {path} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n");
        let request = format!("{head}content-length: {declared}\r\n\r\n{body}");
        stream.write_all(request.as_bytes()).await.unwrap();
        let answer = until(&mut stream, "\r\n\r\n").await;
        (answer[9..12].to_owned(), answer, began.elapsed().as_secs())
    };
    for body in ["", "x", &"x".repeat(20_000)] {
        let (status, answer, seconds) = send("/read", 30_000, body).await;
        assert_eq!((status.as_str(), seconds), ("408", 10), "{answer}");
        assert!(answer.contains("connection: close"), "{answer}");
        let (status, _, seconds) = send("/graphql", 30_000, body).await;
        assert_eq!(
            (status.as_str(), seconds),
            ("408", 30),
            "an endpoint has its own limits"
        );
    }
    let (status, answer, seconds) = send("/read", 1_000_000, "x").await;
    assert_eq!((status.as_str(), seconds), ("413", 2), "{answer}");
    let large = "x".repeat(40_000);
    assert_eq!(send("/read", 40_000, &large).await.0, "413");
    let document = json!({ "query": large }).to_string();
    let (_, answer, _) = send("/graphql", document.len(), &document).await;
    assert!(answer.starts_with("HTTP/1.1 200 "), "an unknown operation: {answer}");
    assert_eq!(send("/read", 20_000, &large[..20_000]).await.0, "200");
}

#[tokio::test]
async fn a_head_that_is_too_large_is_rejected() {
    let server = Server::start(App::production().router, ServeOptions::default(), Shutdown::default()).await;
    let mut stream = server.connect().await;
    let head = request(&format!("x-large: {}\r\n", "x".repeat(40_000)), "");
    let _ = stream.write_all(head.as_bytes()).await;
    let answer = to_end(&mut stream).await;
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 431 "), "{answer}");
}

#[tokio::test(start_paused = true)]
async fn a_client_that_does_not_read_is_disconnected() {
    let flood = Router::new().route("/flood", get(async || vec![b'x'; 64 * 1024 * 1024]));
    let server = Server::start(flood, ServeOptions::default(), Shutdown::default()).await;
    let mut stream = server.connect().await;
    stream
        .write_all(b"GET /flood HTTP/1.1\r\nhost: a\r\n\r\n")
        .await
        .unwrap();
    tokio::time::sleep(Duration::from_secs(40)).await;
    let mut received = 0;
    let mut buffer = vec![0; 1024 * 1024];
    while let Ok(read) = stream.read(&mut buffer).await
        && read > 0
    {
        received += read;
    }
    assert!(
        received < 64 * 1024 * 1024,
        "the client received everything although it did not read in time"
    );
}

#[tokio::test]
async fn shutdown_finishes_requests_completes_streams_and_accepts_no_connections() {
    let shutdown = Shutdown::default();
    let app = App::new(|endpoint| endpoint.shutdown(shutdown.clone()));
    let feed = app.fake.feed();
    let (slow, go) = slow();
    let server = Server::start(app.router.clone().merge(slow), ServeOptions::default(), shutdown).await;

    let mut stream = server.connect().await;
    let accept = format!("accept: {}\r\n", MULTIPART.1);
    stream
        .write_all(request(&accept, &json!({ "query": CHANGED }).to_string()).as_bytes())
        .await
        .unwrap();
    feed.send(response(json!({ "data": { "n": 1 } }), 200, &[])).unwrap();
    until(&mut stream, r#"{"payload":{"data":{"n":1}}}"#).await;

    let mut in_flight = server.connect().await;
    in_flight
        .write_all(b"GET /slow HTTP/1.1\r\nhost: a\r\n\r\n")
        .await
        .unwrap();
    let mut idle = server.connect().await;
    idle.write_all(request("", &json!({ "query": HELLO }).to_string()).as_bytes())
        .await
        .unwrap();
    until(&mut idle, "}}}").await;

    server.shutdown.trigger();
    assert_eq!(to_end(&mut idle).await, "", "an idle connection is closed");
    let rest = to_end(&mut stream).await;
    assert!(rest.contains("--\r\n"), "the stream completes: {rest:?}");
    go.send(()).unwrap();
    let answer = to_end(&mut in_flight).await;
    assert!(
        answer.starts_with("HTTP/1.1 200 OK") && answer.ends_with("done"),
        "{answer}"
    );
    server.task.await.unwrap();
    assert!(TcpStream::connect(server.address).await.is_err());
}

#[tokio::test(start_paused = true)]
async fn remaining_connections_are_closed_after_the_grace_period() {
    let (slow, _go) = slow();
    let server = Server::start(slow, ServeOptions::default(), Shutdown::default()).await;
    let mut stuck = server.connect().await;
    stuck.write_all(b"GET /slow HTTP/1.1\r\nhost: a\r\n\r\n").await.unwrap();
    tokio::time::sleep(Duration::from_secs(1)).await;
    server.shutdown.trigger();
    let began = Instant::now();
    server.task.await.unwrap();
    assert_eq!(began.elapsed().as_secs(), 5);
    assert_eq!(to_end(&mut stuck).await, "");
}

#[tokio::test]
async fn connections_over_the_limit_wait_to_be_accepted() {
    let options = ServeOptions {
        max_connections: 1,
        ..ServeOptions::default()
    };
    let server = Server::start(App::production().router, options, Shutdown::default()).await;
    let body = json!({ "query": HELLO }).to_string();
    let mut first = server.connect().await;
    first.write_all(request("", &body).as_bytes()).await.unwrap();
    until(&mut first, "}}}").await;
    let mut second = server.connect().await;
    second.write_all(request("", &body).as_bytes()).await.unwrap();
    drop(first);
    until(&mut second, "}}}").await;
}

#[tokio::test]
async fn connections_over_the_limit_of_their_address_are_closed() {
    let options = ServeOptions {
        max_connections_per_address: 1,
        ..ServeOptions::default()
    };
    let server = Server::start(App::production().router, options, Shutdown::default()).await;
    let body = json!({ "query": HELLO }).to_string();
    let mut first = server.connect().await;
    first.write_all(request("", &body).as_bytes()).await.unwrap();
    until(&mut first, "}}}").await;

    assert_eq!(to_end(&mut server.connect().await).await, "");

    first.shutdown().await.unwrap();
    to_end(&mut first).await;
    // The server notices the end at an unknown time.
    let mut next = loop {
        let mut next = server.connect().await;
        if next.write_all(request("", &body).as_bytes()).await.is_ok()
            && next.peek(&mut [0]).await.is_ok_and(|read| read > 0)
        {
            break next;
        }
    };
    until(&mut next, "}}}").await;
}

/// Returns the bytes that a server has allocated for each connection after `text` was sent and responded to.
fn bytes_per_connection(text: &str) -> i64 {
    const CONNECTIONS: i64 = 40;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let app = App::production().router;
    let server = runtime.block_on(Server::start(app, ServeOptions::default(), Shutdown::default()));
    let connect = async || {
        let mut stream = server.connect().await;
        stream.write_all(text.as_bytes()).await.unwrap();
        if !text.is_empty() {
            assert!(until(&mut stream, "\r\n\r\n").await.starts_with("HTTP/1.1 101"));
        }
        stream
    };
    let open = async |count| {
        let mut streams = Vec::new();
        for _ in 0..count {
            streams.push(connect().await);
        }
        // Lets the server's tasks wait for their next message.
        for _ in 0..1000 {
            tokio::task::yield_now().await;
        }
        streams
    };
    // The first connections fill caches.
    let warm = runtime.block_on(open(5));
    let mut streams = Vec::new();
    let allocated = allocation_counter::measure(|| streams = runtime.block_on(open(CONNECTIONS)));
    drop((warm, streams));
    allocated.bytes_current / CONNECTIONS
}

#[test]
fn a_connection_that_sends_nothing_allocates_less_than_4_kilobytes() {
    let bytes = bytes_per_connection("");
    assert!((500..4000).contains(&bytes), "{bytes} bytes");
}

#[test]
fn a_socket_that_sends_nothing_allocates_less_than_8_kilobytes() {
    let bytes = bytes_per_connection(
        "GET /graphql HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n\
         sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nsec-websocket-protocol: graphql-transport-ws\r\n\r\n",
    );
    assert!((500..8000).contains(&bytes), "{bytes} bytes");
}
