use std::{
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use axum::http::{HeaderName, HeaderValue};
use futures_util::{SinkExt, StreamExt};
use hyper_util::{rt::TokioIo, service::TowerToHyperService};
use serde_json::{Value, json};
use tokio::{io::DuplexStream, time::Instant};
use tokio_tungstenite::{
    WebSocketStream, client_async,
    tungstenite::{self, Message, client::IntoClientRequest, protocol::CloseFrame},
};
use traitql_axum::Shutdown;

use crate::fixture::{App, BoundTokens, CHANGED, HELLO, SIGN_OUT, response};

fn connect(app: &App) -> DuplexStream {
    let (client, server) = tokio::io::duplex(64 * 1024);
    let service = TowerToHyperService::new(app.router.clone());
    let connection = hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(server), service);
    tokio::spawn(connection.with_upgrades());
    client
}

pub(crate) struct Socket(WebSocketStream<DuplexStream>);

impl Socket {
    pub(crate) async fn open(app: &App, headers: &[(&'static str, &'static str)]) -> Result<Self, tungstenite::Error> {
        let mut request = "ws://tours.example/graphql".into_client_request().unwrap();
        request.headers_mut().insert(
            "sec-websocket-protocol",
            HeaderValue::from_static("graphql-transport-ws"),
        );
        for (name, value) in headers {
            request
                .headers_mut()
                .insert(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
        client_async(request, connect(app))
            .await
            .map(|(socket, _)| Self(socket))
    }

    async fn ready(app: &App, headers: &[(&'static str, &'static str)]) -> Self {
        let mut socket = Self::open(app, headers).await.unwrap();
        socket.send(json!({ "type": "connection_init" })).await;
        assert_eq!(socket.receive().await, json!({ "type": "connection_ack" }));
        socket
    }

    pub(crate) async fn send(&mut self, message: Value) {
        self.0.send(Message::text(message.to_string())).await.unwrap();
    }

    async fn receive(&mut self) -> Value {
        loop {
            match self.0.next().await.unwrap().unwrap() {
                Message::Text(text) => return serde_json::from_str(&text).unwrap(),
                Message::Ping(_) => {}
                other => panic!("expected a text message, got {other:?}"),
            }
        }
    }

    pub(crate) async fn closed(&mut self) -> (u16, String) {
        loop {
            match self.0.next().await {
                Some(Ok(Message::Close(Some(CloseFrame { code, reason })))) => {
                    return (code.into(), reason.to_string());
                }
                Some(Ok(_)) => {}
                other => panic!("expected a close frame, got {other:?}"),
            }
        }
    }
}

fn subscribe(id: &str, query: &str, variables: Value) -> Value {
    json!({ "type": "subscribe", "id": id, "payload": { "query": query, "variables": variables } })
}

fn event(n: i32) -> traitql::Response {
    response(json!({ "data": { "n": n } }), 200, &[])
}

#[tokio::test(start_paused = true)]
async fn a_subscription_sends_its_events_and_completes() {
    let app = App::production();
    let feed = app.fake.feed();
    let mut socket = Socket::ready(&app, &[]).await;
    socket.send(subscribe("1", CHANGED, json!({}))).await;
    for n in 0..2 {
        feed.send(event(n)).unwrap();
        assert_eq!(
            socket.receive().await,
            json!({ "id": "1", "type": "next", "payload": { "data": { "n": n } } })
        );
    }
    drop(feed);
    assert_eq!(socket.receive().await, json!({ "id": "1", "type": "complete" }));
}

#[tokio::test(start_paused = true)]
async fn queries_and_their_errors_work_over_the_socket() {
    let app = App::production();
    let mut socket = Socket::ready(&app, &[]).await;
    socket.send(subscribe("q", HELLO, json!({ "a": 1 }))).await;
    assert_eq!(
        socket.receive().await["payload"],
        json!({ "data": { "variables": { "a": 1 } } })
    );
    assert_eq!(socket.receive().await, json!({ "id": "q", "type": "complete" }));

    socket.send(subscribe("q", HELLO, json!({ "do": "refuse" }))).await;
    let error = socket.receive().await;
    assert_eq!(
        (&error["type"], &error["payload"][0]["extensions"]["code"]),
        (&json!("error"), &json!("NOT_FOUND"))
    );

    for (query, variables, code) in [
        ("{ secret }", json!({}), "UNKNOWN_OPERATION"),
        (HELLO, json!({ "do": "panic" }), "INTERNAL"),
        (HELLO, json!({ "do": "hang" }), "TIMEOUT"),
        (CHANGED, json!({ "do": "refuse" }), "NOT_FOUND"),
    ] {
        socket.send(subscribe("q", query, variables)).await;
        let error = socket.receive().await;
        assert_eq!(
            (&error["type"], &error["payload"][0]["extensions"]["code"]),
            (&json!("error"), &json!(code))
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_client_may_complete_an_operation_and_use_its_id_again() {
    let app = App::production();
    let feed = app.fake.feed();
    let mut socket = Socket::ready(&app, &[]).await;
    socket.send(subscribe("1", CHANGED, json!({}))).await;
    feed.send(event(1)).unwrap();
    socket.receive().await;
    socket.send(json!({ "type": "complete", "id": "1" })).await;
    socket.send(subscribe("1", HELLO, json!({}))).await;
    assert_eq!(socket.receive().await["payload"]["data"], json!({ "variables": {} }));
    assert_eq!(socket.receive().await["type"], "complete");
    assert!(
        app.fake.dropped.load(Ordering::SeqCst),
        "the engine's stream must be dropped"
    );
    socket.send(json!({ "type": "complete", "id": "never there" })).await;
    socket.send(json!({ "type": "ping", "payload": { "a": 1 } })).await;
    assert_eq!(socket.receive().await, json!({ "type": "pong", "payload": { "a": 1 } }));
}

#[tokio::test(start_paused = true)]
async fn breaking_the_protocol_closes_the_socket_with_its_code() {
    let init = || json!({ "type": "connection_init" });
    let cases: Vec<(Vec<Value>, u16, &str)> = vec![
        (vec![json!("text")], 4400, "Invalid message"),
        (
            vec![json!({ "type": "hello" })],
            4400,
            "Invalid message: unknown message type `hello`",
        ),
        (
            vec![json!({ "type": "connection_init", "payload": [] })],
            4400,
            "must be an object",
        ),
        (
            vec![init(), json!({ "type": "subscribe", "id": "1" })],
            4400,
            "`payload` is missing",
        ),
        (
            vec![init(), json!({ "type": "subscribe", "payload": { "query": HELLO } })],
            4400,
            "`id` must be a non-empty string",
        ),
        (
            vec![init(), json!({ "type": "subscribe", "id": "1", "payload": {} })],
            4400,
            "`query` is missing",
        ),
        (
            vec![init(), json!({ "type": "complete" })],
            4400,
            "`id` must be a non-empty string",
        ),
        (vec![subscribe("1", HELLO, json!({}))], 4401, "Unauthorized"),
        (
            vec![
                init(),
                subscribe("1", CHANGED, json!({})),
                subscribe("1", CHANGED, json!({})),
            ],
            4409,
            "Subscriber for 1 already exists",
        ),
        (vec![init(), init()], 4429, "Too many initialisation requests"),
    ];
    for (messages, code, reason) in cases {
        let app = App::production();
        let _feed = app.fake.feed();
        let mut socket = Socket::open(&app, &[]).await.unwrap();
        for message in &messages {
            socket.send(message.clone()).await;
        }
        let (got, text) = socket.closed().await;
        assert!(got == code && text.contains(reason), "{messages:?}: {got} {text}");
    }
    let app = App::production();
    let mut socket = Socket::open(&app, &[]).await.unwrap();
    socket.0.send(Message::binary(vec![1])).await.unwrap();
    assert_eq!(socket.closed().await.0, 4400);
}

#[tokio::test(start_paused = true)]
async fn a_close_frame_is_answered() {
    let app = App::production();
    let feed = app.fake.feed();
    let mut socket = Socket::ready(&app, &[]).await;
    socket.send(subscribe("1", CHANGED, json!({}))).await;
    feed.send(event(1)).unwrap();
    socket.receive().await;
    let frame = CloseFrame {
        code: 1000.into(),
        reason: "Normal closure".into(),
    };
    socket.0.send(Message::Close(Some(frame))).await.unwrap();
    assert_eq!(socket.closed().await, (1000, "Normal closure".into()));
    assert!(
        socket.0.next().await.is_none(),
        "the connection must end after the close frame"
    );
    assert!(feed.is_closed());
}

#[tokio::test(start_paused = true)]
async fn a_client_without_connection_init_is_disconnected() {
    let app = App::production();
    let began = Instant::now();
    let mut socket = Socket::open(&app, &[]).await.unwrap();
    assert_eq!(
        socket.closed().await,
        (4408, "Connection initialisation timeout".into())
    );
    assert_eq!(began.elapsed().as_secs(), 3);
}

#[tokio::test(start_paused = true)]
async fn other_subprotocols_are_rejected() {
    let app = App::production();
    let request = "ws://tours.example/graphql".into_client_request().unwrap();
    let (socket, _) = client_async(request, connect(&app)).await.unwrap();
    assert_eq!(
        Socket(socket).closed().await,
        (4406, "Subprotocol not acceptable".into())
    );
}

#[tokio::test(start_paused = true)]
async fn a_token_is_accepted_in_the_handshake_or_the_first_message() {
    let app = App::production();
    for (headers, payload, subject) in [
        (&[][..], json!({}), None),
        (&[("authorization", "Bearer good-ada")], json!(null), Some("ada")),
        (
            &[],
            json!({ "authorization": "Bearer good-bob", "other": 1 }),
            Some("bob"),
        ),
        (
            &[("authorization", "Bearer good-ada")],
            json!({ "Authorization": "bearer good-bob" }),
            Some("bob"),
        ),
    ] {
        let mut socket = Socket::open(&app, headers).await.unwrap();
        socket
            .send(json!({ "type": "connection_init", "payload": payload }))
            .await;
        assert_eq!(socket.receive().await, json!({ "type": "connection_ack" }));
        socket.send(subscribe("1", HELLO, json!({}))).await;
        socket.receive().await;
        assert_eq!(
            app.fake.requests.lock().unwrap().last().unwrap().subject.as_deref(),
            subject,
            "{payload}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn an_invalid_token_closes_the_socket() {
    let app = App::production();
    for (token, code) in [("Bearer expired", 4403), ("Basic YTpi", 4403), ("Bearer away", 1013)] {
        let mut socket = Socket::open(&app, &[]).await.unwrap();
        socket
            .send(json!({ "type": "connection_init", "payload": { "authorization": token } }))
            .await;
        assert_eq!(socket.closed().await.0, code, "{token}");
    }
    let refused = Socket::open(&app, &[("authorization", "Bearer expired")]).await.err();
    assert!(
        matches!(&refused, Some(tungstenite::Error::Http(answer)) if answer.status() == 401),
        "{refused:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn the_proof_of_a_bound_token_is_in_the_first_message() {
    let app = App::new(|endpoint| endpoint.authenticate(Arc::new(BoundTokens)));
    let init = |proof: &str| json!({ "authorization": "DPoP good-ada", "dpop": proof });
    for (payload, closed) in [
        (init("GET n1"), None),
        (init("GET n0"), Some("use_dpop_nonce n1")),
        (init("POST n1"), Some("Forbidden")),
        (json!({ "authorization": "Bearer good-ada" }), Some("Forbidden")),
    ] {
        let mut socket = Socket::open(&app, &[]).await.unwrap();
        socket
            .send(json!({ "type": "connection_init", "payload": payload }))
            .await;
        match closed {
            None => assert_eq!(socket.receive().await, json!({ "type": "connection_ack" })),
            Some(reason) => assert_eq!(socket.closed().await, (4403, reason.into()), "{payload}"),
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_socket_closes_when_its_token_expires() {
    let app = App::production();
    let _feed = app.fake.feed();
    let mut socket = Socket::ready(&app, &[("authorization", "Bearer good-ada")]).await;
    let began = Instant::now();
    socket.send(subscribe("1", CHANGED, json!({}))).await;
    assert_eq!(socket.closed().await, (4403, "Token expired".into()));
    assert!((59..=61).contains(&began.elapsed().as_secs()), "{:?}", began.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_socket_closes_with_the_session() {
    let app = App::production();
    let _feed = app.fake.feed();
    let mut socket = Socket::open(&app, &[]).await.unwrap();
    let began = Instant::now();
    let init = json!({ "type": "connection_init", "payload": { "authorization": "Bearer good-leaver" } });
    socket.send(init).await;
    assert_eq!(socket.closed().await, (4403, "Session ended".into()));
    assert_eq!(began.elapsed().as_secs(), SIGN_OUT.as_secs());
}

#[tokio::test(start_paused = true)]
async fn pages_of_other_sites_cannot_open_a_socket() {
    let app = App::production();
    for headers in [
        &[("origin", "https://evil.example")][..],
        &[("origin", "https://tours.example"), ("sec-fetch-site", "cross-site")],
    ] {
        let refused = Socket::open(&app, headers).await.err();
        assert!(
            matches!(&refused, Some(tungstenite::Error::Http(answer)) if answer.status() == 403),
            "{refused:?}"
        );
    }
    assert!(Socket::open(&app, &[("origin", "https://tours.example")]).await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn a_socket_has_a_limited_number_of_operations() {
    let app = App::new(|endpoint| endpoint.operations_per_socket(2));
    let mut socket = Socket::ready(&app, &[]).await;
    for id in ["1", "2", "3"] {
        socket.send(subscribe(id, HELLO, json!({ "do": "hang" }))).await;
    }
    let error = socket.receive().await;
    assert_eq!(
        (&error["id"], &error["payload"][0]["extensions"]["code"]),
        (&json!("3"), &json!("RATE_LIMITED"))
    );
}

#[tokio::test(start_paused = true)]
async fn a_caller_has_a_limited_number_of_sockets() {
    let app = App::new(|endpoint| endpoint.streams_per_caller(2));
    let ada = [("authorization", "Bearer good-ada")];
    let _first = Socket::ready(&app, &ada).await;
    let _second = Socket::ready(&app, &ada).await;
    assert_eq!(refused_status(&app, &ada).await, Some(429));
    let mut third = Socket::open(&app, &[]).await.unwrap();
    let init = json!({ "type": "connection_init", "payload": { "authorization": "Bearer good-ada" } });
    third.send(init).await;
    assert_eq!(third.closed().await, (1013, "Try again later".into()));
    Socket::ready(&app, &[("authorization", "Bearer good-bob")]).await;
}

#[tokio::test(start_paused = true)]
async fn a_socket_counts_for_its_address_from_the_handshake_until_it_signs_in() {
    let app = App::new(|endpoint| endpoint.streams_per_caller(2));
    let mut first = Socket::open(&app, &[]).await.unwrap();
    let _second = Socket::open(&app, &[]).await.unwrap();
    assert_eq!(refused_status(&app, &[]).await, Some(429));
    let init = json!({ "type": "connection_init", "payload": { "authorization": "Bearer good-ada" } });
    first.send(init).await;
    assert_eq!(first.receive().await["type"], "connection_ack");
    let _third = Socket::open(&app, &[]).await.unwrap();
    assert_eq!(refused_status(&app, &[]).await, Some(429));
}

/// Returns the status of a rejected handshake, or `None` if the server accepts the socket.
async fn refused_status(app: &App, headers: &[(&'static str, &'static str)]) -> Option<u16> {
    match Socket::open(app, headers).await {
        Err(tungstenite::Error::Http(response)) => Some(response.status().as_u16()),
        _ => None,
    }
}

#[tokio::test(start_paused = true)]
async fn a_message_has_a_limited_size() {
    let app = App::new(|endpoint| endpoint.body_limit(1_000));
    let mut socket = Socket::ready(&app, &[]).await;
    let large = subscribe("1", HELLO, json!({ "a": "x".repeat(2_000) }));
    let _ = socket.0.send(Message::text(large.to_string())).await;
    let end = tokio::time::timeout(Duration::from_secs(60), async {
        while let Some(Ok(_)) = socket.0.next().await {}
    });
    assert!(end.await.is_ok(), "the socket must end");
    assert!(app.fake.names().is_empty());
}

#[tokio::test(start_paused = true)]
async fn shutdown_completes_operations_and_closes_the_socket() {
    let shutdown = Shutdown::default();
    let app = App::new(|endpoint| endpoint.shutdown(shutdown.clone()));
    let feed = app.fake.feed();
    let mut socket = Socket::ready(&app, &[]).await;
    socket.send(subscribe("1", CHANGED, json!({}))).await;
    feed.send(event(1)).unwrap();
    socket.receive().await;
    shutdown.trigger();
    assert_eq!(socket.receive().await, json!({ "id": "1", "type": "complete" }));
    assert_eq!(socket.closed().await, (1001, "Going away".into()));
}

#[tokio::test(start_paused = true)]
async fn a_client_that_does_not_answer_pings_is_disconnected() {
    let app = App::production();
    let feed = app.fake.feed();
    let mut socket = Socket::ready(&app, &[]).await;
    socket.send(subscribe("1", CHANGED, json!({}))).await;
    feed.send(event(1)).unwrap();
    socket.receive().await;
    // A client that does not read does not answer pings. The connection itself stays open.
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert!(feed.is_closed());
}
