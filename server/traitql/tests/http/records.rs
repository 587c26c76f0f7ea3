//! The log: one line for each request, and nothing in it that a stranger wrote or a person must not see.

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

use crate::fixture::{App, GRAPHQL, HELLO, RENAME};

/// Keeps the fields of every event.
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
    /// One for the whole process: tracing caches per call site whether anybody listens, and a subscriber of one test is
    /// missed when a test without one comes by first.
    fn of_everybody() -> &'static Self {
        static LOG: OnceLock<Log> = OnceLock::new();
        LOG.get_or_init(|| {
            let log = Self::default();
            tracing::subscriber::set_global_default(log.clone()).unwrap();
            log
        })
    }

    /// The line of the request with this id, of which there must be one.
    fn request(&self, id: &str) -> BTreeMap<String, String> {
        let all = self.0.lock().unwrap();
        let mut lines = all
            .iter()
            .filter(|event| event["target"] == "traitql::request" && event["request_id"] == id)
            .cloned();
        match (lines.next(), lines.next()) {
            (Some(line), None) => line,
            other => panic!("not one line for {id}: {other:?}"),
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
async fn each_request_leaves_one_line() {
    let log = Log::of_everybody();
    let app = App::production();
    let ask = async |id: &str, headers: &[(&str, &str)], body: Value| {
        let headers = [&[GRAPHQL, ("x-request-id", id)], headers].concat();
        app.post(&headers, body).await;
        log.summary(id)
    };
    let ada = [("authorization", "Bearer good-ada")];
    let hello = ask(
        "line-1",
        &ada,
        json!({ "query": HELLO, "variables": { "a": "s3cret" } }),
    )
    .await;
    assert_eq!(hello, "Hello query 200 OK");
    let refused = ask(
        "line-2",
        &[],
        json!({ "query": RENAME, "variables": { "do": "refuse" } }),
    )
    .await;
    assert_eq!(refused, "Rename mutation 404 NOT_FOUND");
    let unknown = ask(
        "line-3",
        &[],
        json!({ "query": "{ s3cret }", "operationName": "s3cret" }),
    )
    .await;
    assert_eq!(unknown, "- none 403 UNKNOWN_OPERATION");
    let token = ask(
        "line-4",
        &[("authorization", "Bearer s3cret")],
        json!({ "query": HELLO }),
    )
    .await;
    assert_eq!(token, "Hello query 401 UNAUTHENTICATED");

    let line = log.request("line-1");
    assert!(line.contains_key("duration_ms") && line["bytes"].parse::<u64>().unwrap() > 0);
    let everything = format!("{:?}", log.0.lock().unwrap());
    assert!(
        !everything.contains("s3cret") && !everything.contains("good-ada"),
        "{everything}"
    );
}

#[tokio::test]
async fn a_client_that_goes_away_leaves_a_line_too() {
    let log = Log::of_everybody();
    let app = App::production();
    let hang = json!({ "query": HELLO, "variables": { "do": "hang" } });
    tokio::select! {
        _ = app.post(&[("x-request-id", "gone-1")], hang) => panic!("it hangs"),
        () = tokio::task::yield_now() => {}
    }
    assert_eq!(log.summary("gone-1"), "Hello query 499 CLIENT_GONE");
}
