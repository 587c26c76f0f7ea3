//! The log: one line for each request, and nothing in it that a stranger wrote or a person must not see.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{Arc, Mutex},
};

use serde_json::json;
use tracing::{
    Event, Metadata, Subscriber,
    field::{Field, Visit},
    instrument::WithSubscriber,
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
    fn requests(&self) -> Vec<BTreeMap<String, String>> {
        let all = self.0.lock().unwrap();
        all.iter()
            .filter(|event| event["target"] == "traitql::request")
            .cloned()
            .collect()
    }
}

#[tokio::test]
async fn each_request_leaves_one_line() {
    let log = Log::default();
    let app = App::production();
    async {
        let headers = [GRAPHQL, ("x-request-id", "r1"), ("authorization", "Bearer good-ada")];
        app.post(&headers, json!({ "query": HELLO, "variables": { "a": "s3cret" } }))
            .await;
        app.post(&[GRAPHQL], json!({ "query": RENAME, "variables": { "do": "refuse" } }))
            .await;
        app.post(&[GRAPHQL], json!({ "query": "{ s3cret }", "operationName": "s3cret" }))
            .await;
        app.post(
            &[GRAPHQL, ("authorization", "Bearer s3cret")],
            json!({ "query": HELLO }),
        )
        .await;
    }
    .with_subscriber(log.clone())
    .await;
    let lines: Vec<_> = log
        .requests()
        .iter()
        .map(|line| {
            ["operation", "kind", "status", "outcome"]
                .map(|name| line[name].clone())
                .join(" ")
        })
        .collect();
    assert_eq!(
        lines,
        [
            "Hello query 200 OK",
            "Rename mutation 404 NOT_FOUND",
            "- none 403 UNKNOWN_OPERATION",
            "Hello query 401 UNAUTHENTICATED"
        ]
    );
    let requests = log.requests();
    assert_eq!(requests[0]["request_id"], "r1");
    assert!(requests[0].contains_key("duration_ms") && requests[0]["bytes"].parse::<u64>().unwrap() > 0);
    let everything = format!("{:?}", log.0.lock().unwrap());
    assert!(
        !everything.contains("s3cret") && !everything.contains("good-ada"),
        "{everything}"
    );
}

#[tokio::test]
async fn a_client_that_goes_away_leaves_a_line_too() {
    let log = Log::default();
    let app = App::production();
    // The line is written where the request is dropped, outside of what `with_subscriber` covers.
    let _guard = tracing::subscriber::set_default(log.clone());
    let hang = json!({ "query": HELLO, "variables": { "do": "hang" } });
    tokio::select! {
        _ = app.post(&[], hang) => panic!("it hangs"),
        () = tokio::task::yield_now() => {}
    }
    assert_eq!(log.requests()[0]["outcome"], "CLIENT_GONE");
}
