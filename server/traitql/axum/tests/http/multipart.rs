use std::{sync::atomic::Ordering, time::Duration};

use axum::body::BodyDataStream;
use futures_util::{FutureExt, StreamExt};
use serde_json::{Value, json};
use tokio::time::{Instant, timeout};
use tower::ServiceExt;
use traitql_axum::Shutdown;

use crate::fixture::{App, CHANGED, MULTIPART, SIGN_OUT, post, response};

struct Parts {
    body: BodyDataStream,
}

impl Parts {
    async fn begin(app: &App, headers: &[(&str, &str)]) -> Self {
        let headers = [&[MULTIPART], headers].concat();
        let response = app
            .router
            .clone()
            .oneshot(post(&headers, json!({ "query": CHANGED })))
            .await
            .unwrap();
        let content_type = response.headers()["content-type"].to_str().unwrap();
        assert_eq!(content_type, "multipart/mixed;boundary=graphql;subscriptionSpec=1.0");
        assert_eq!(response.headers()["cache-control"], "no-store");
        let mut parts = Self {
            body: response.into_body().into_data_stream(),
        };
        assert_eq!(parts.chunk().await.unwrap(), "\r\n--graphql");
        parts
    }

    async fn chunk(&mut self) -> Option<String> {
        self.body
            .next()
            .await
            .map(|chunk| String::from_utf8(chunk.unwrap().to_vec()).unwrap())
    }

    async fn part(&mut self) -> Value {
        let chunk = self.chunk().await.unwrap();
        let json = chunk
            .strip_prefix("\r\ncontent-type: application/json\r\n\r\n")
            .expect(&chunk);
        serde_json::from_str(json.strip_suffix("\r\n--graphql").expect(&chunk)).unwrap()
    }
}

fn event(n: i32) -> traitql::Response {
    response(json!({ "data": { "n": n } }), 200, &[])
}

#[tokio::test(start_paused = true)]
async fn an_event_can_be_read_before_the_next_one_is_sent() {
    let app = App::production();
    let feed = app.fake.feed();
    let mut parts = Parts::begin(&app, &[]).await;
    for n in 0..3 {
        assert!(parts.body.next().now_or_never().is_none(), "no event was sent yet");
        feed.send(event(n)).unwrap();
        assert_eq!(
            parts.part().now_or_never().unwrap(),
            json!({ "payload": { "data": { "n": n } } })
        );
    }
    drop(feed);
    assert_eq!(parts.chunk().await.unwrap(), "--\r\n");
    assert_eq!(parts.chunk().await, None);
}

#[tokio::test(start_paused = true)]
async fn an_idle_stream_has_a_heartbeat() {
    let app = App::production();
    let feed = app.fake.feed();
    let mut parts = Parts::begin(&app, &[]).await;
    let began = Instant::now();
    assert_eq!(parts.part().await, json!({}));
    assert_eq!(parts.part().await, json!({}));
    assert_eq!(began.elapsed().as_secs(), 10);
    tokio::time::advance(Duration::from_secs(4)).await;
    feed.send(event(1)).unwrap();
    assert_eq!(parts.part().await["payload"]["data"]["n"], 1);
    assert_eq!(parts.part().await, json!({}));
    assert_eq!(
        began.elapsed().as_secs(),
        19,
        "an event restarts the heartbeat interval"
    );
}

#[tokio::test(start_paused = true)]
async fn a_stream_ends_when_its_token_expires() {
    let app = App::production();
    let _feed = app.fake.feed();
    let mut parts = Parts::begin(&app, &[("authorization", "Bearer good-ada"), ("x-request-id", "abc")]).await;
    let began = Instant::now();
    let last = loop {
        let chunk = parts.chunk().await.unwrap();
        if chunk.ends_with("--\r\n") {
            break chunk;
        }
    };
    assert!((59..=61).contains(&began.elapsed().as_secs()), "{:?}", began.elapsed());
    let error =
        json!({ "message": "Sign in to continue.", "extensions": { "code": "UNAUTHENTICATED", "requestId": "abc" } });
    let expected = json!({ "payload": null, "errors": [error] });
    assert!(last.contains(&expected.to_string()), "{last}");
    assert_eq!(parts.chunk().await, None);
}

#[tokio::test(start_paused = true)]
async fn a_stream_ends_with_the_session() {
    let app = App::production();
    let _feed = app.fake.feed();
    let mut parts = Parts::begin(&app, &[("authorization", "Bearer good-leaver")]).await;
    let began = Instant::now();
    let last = loop {
        let chunk = parts.chunk().await.unwrap();
        if chunk.ends_with("--\r\n") {
            break chunk;
        }
    };
    assert_eq!(began.elapsed().as_secs(), SIGN_OUT.as_secs());
    assert!(last.contains(r#""code":"UNAUTHENTICATED""#), "{last}");
    assert!(last.contains(r#""sessionEnded":true"#), "{last}");
}

#[tokio::test(start_paused = true)]
async fn shutdown_completes_streams() {
    let shutdown = Shutdown::default();
    let app = App::new(|endpoint| endpoint.shutdown(shutdown.clone()));
    let feed = app.fake.feed();
    let mut parts = Parts::begin(&app, &[]).await;
    feed.send(event(1)).unwrap();
    parts.part().await;
    shutdown.trigger();
    assert_eq!(parts.chunk().now_or_never().unwrap().unwrap(), "--\r\n");
    assert!(feed.is_closed(), "the engine's stream must be dropped at once");
}

#[tokio::test]
async fn a_client_that_disconnects_drops_the_engines_stream() {
    let app = App::production();
    let feed = app.fake.feed();
    let parts = Parts::begin(&app, &[]).await;
    assert!(!app.fake.dropped.load(Ordering::SeqCst));
    drop(parts);
    assert!(app.fake.dropped.load(Ordering::SeqCst));
    assert!(feed.is_closed());
}

#[tokio::test]
async fn a_panic_in_the_stream_is_a_protocol_error() {
    let app = App::production();
    let feed = app.fake.feed();
    let mut parts = Parts::begin(&app, &[]).await;
    feed.send(response(json!({}), 599, &[])).unwrap();
    let last = parts.chunk().await.unwrap();
    assert!(
        last.contains(r#""payload":null"#) && last.contains("INTERNAL") && last.ends_with("--graphql--\r\n"),
        "{last}"
    );
}

#[tokio::test]
async fn a_subscription_that_cannot_start_is_a_single_response() {
    let app = App::production();
    let answer = app
        .post(
            &[MULTIPART],
            json!({ "query": CHANGED, "variables": { "do": "refuse" } }),
        )
        .await;
    assert_eq!(answer.verdict(), (404, "NOT_FOUND"));
    assert_eq!(
        answer.header("content-type"),
        "application/graphql-response+json; charset=utf-8"
    );
}

#[tokio::test]
async fn a_stream_must_be_accepted() {
    let app = App::production();
    let answer = app
        .post(&[("accept", "application/json")], json!({ "query": CHANGED }))
        .await;
    assert_eq!(answer.verdict(), (406, "MALFORMED_REQUEST"));
    assert_eq!(app.get(&[MULTIPART], &[("query", CHANGED)]).await.status.as_u16(), 405);
    assert!(app.fake.names().is_empty());
}

#[tokio::test]
async fn a_caller_has_a_limited_number_of_streams() {
    let app = App::new(|endpoint| endpoint.streams_per_caller(2));
    let ada = [("authorization", "Bearer good-ada")];
    let first = Parts::begin(&app, &ada).await;
    let _second = Parts::begin(&app, &ada).await;
    let answer = app.post(&[MULTIPART, ada[0]], json!({ "query": CHANGED })).await;
    assert_eq!(
        (answer.verdict(), answer.header("retry-after")),
        ((429, "RATE_LIMITED"), "5")
    );
    let _other = Parts::begin(&app, &[("authorization", "Bearer good-bob")]).await;
    drop(first);
    let again = timeout(Duration::from_secs(5), Parts::begin(&app, &ada)).await;
    assert!(again.is_ok());
}
