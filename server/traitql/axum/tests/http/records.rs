//! One entry per request, without untrusted text and secrets.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{Arc, Mutex, OnceLock},
};

use serde_json::{Value, json};
use tracing::{
    Event, Metadata, Subscriber,
    field::{Field, Visit},
    span,
};

use crate::{
    fixture::{App, GRAPHQL, HELLO, RENAME},
    socket::Socket,
};

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<BTreeMap<String, String>>>>);

struct Fields(BTreeMap<String, String>);

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.0.insert(
            field.name().to_owned(),
            format!("{value:?}").trim_matches('"').to_owned(),
        );
    }
}

impl Subscriber for Log {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }
    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }
    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}
    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}
    fn event(&self, event: &Event<'_>) {
        let mut fields = Fields(BTreeMap::from([(
            "target".to_owned(),
            event.metadata().target().to_owned(),
        )]));
        event.record(&mut fields);
        self.0.lock().unwrap().push(fields.0);
    }
    fn enter(&self, _: &span::Id) {}
    fn exit(&self, _: &span::Id) {}
}

impl Log {
    /// tracing caches per call site whether a subscriber is interested, so one test's subscriber could miss a call
    /// site that a test without one has reached before.
    fn shared() -> &'static Self {
        static LOG: OnceLock<Log> = OnceLock::new();
        LOG.get_or_init(|| {
            let log = Self::default();
            tracing::subscriber::set_global_default(log.clone()).unwrap();
            log
        })
    }

    fn request(&self, id: &str) -> BTreeMap<String, String> {
        let all = self.0.lock().unwrap();
        let mut lines = all
            .iter()
            .filter(|event| event["target"] == "traitql::request" && event["request_id"] == id)
            .cloned();
        match (lines.next(), lines.next()) {
            (Some(line), None) => line,
            other => panic!("expected exactly one log entry for {id}, got {other:?}"),
        }
    }

    fn summary(&self, id: &str) -> String {
        let line = self.request(id);
        ["operation", "kind", "status", "outcome"]
            .map(|name| line[name].clone())
            .join(" ")
    }
}

#[tokio::test]
async fn each_request_is_logged_once() {
    let log = Log::shared();
    let app = App::production();
    let send = async |id: &str, headers: &[(&str, &str)], body: Value| {
        let headers = [&[GRAPHQL, ("x-request-id", id)], headers].concat();
        app.post(&headers, body).await;
        log.summary(id)
    };
    let ada = [("authorization", "Bearer good-ada")];
    let hello = send(
        "line-1",
        &ada,
        json!({ "query": HELLO, "variables": { "a": "s3cret" } }),
    )
    .await;
    assert_eq!(hello, "Hello query 200 OK");
    let refused = send(
        "line-2",
        &[],
        json!({ "query": RENAME, "variables": { "do": "refuse" } }),
    )
    .await;
    assert_eq!(refused, "Rename mutation 404 NOT_FOUND");
    let unknown = send(
        "line-3",
        &[],
        json!({ "query": "{ s3cret }", "operationName": "s3cret" }),
    )
    .await;
    assert_eq!(unknown, "- none 403 UNKNOWN_OPERATION");
    let token = send(
        "line-4",
        &[("authorization", "Bearer s3cret")],
        json!({ "query": HELLO }),
    )
    .await;
    assert_eq!(token, "Hello query 401 UNAUTHENTICATED");

    let line = log.request("line-1");
    assert!(line.contains_key("duration_us") && line["bytes"].parse::<u64>().unwrap() > 0);
    let fields = ["method", "path", "subject"].map(|name| line[name].as_str());
    assert_eq!(fields, ["POST", "/graphql", "ada"]);
    let everything = format!("{:?}", log.0.lock().unwrap());
    assert!(
        !everything.contains("s3cret") && !everything.contains("good-ada"),
        "{everything}"
    );
}

#[tokio::test]
async fn a_request_whose_client_disconnects_is_logged() {
    let log = Log::shared();
    let app = App::production();
    let hang = json!({ "query": HELLO, "variables": { "do": "hang" } });
    tokio::select! {
        _ = app.post(&[("x-request-id", "gone-1")], hang) => panic!("it hangs"),
        () = tokio::task::yield_now() => {}
    }
    assert_eq!(log.summary("gone-1"), "Hello query 499 CLIENT_GONE");
}

#[tokio::test(start_paused = true)]
async fn a_token_that_a_socket_rejects_is_logged_with_the_reason() {
    let log = Log::shared();
    let mut socket = Socket::open(&App::production(), &[]).await.unwrap();
    socket
        .send(json!({ "type": "connection_init", "payload": { "authorization": "Bearer opaque" } }))
        .await;
    socket.closed().await;
    let all = log.0.lock().unwrap();
    let rejected = all
        .iter()
        .find(|line| line.get("reason").is_some_and(|reason| reason == "the token is opaque"));
    let line = rejected.unwrap();
    let fields = ["transport", "operation", "status", "outcome"].map(|name| line[name].as_str());
    assert_eq!(fields, ["ws", "-", "401", "UNAUTHENTICATED"]);
}
