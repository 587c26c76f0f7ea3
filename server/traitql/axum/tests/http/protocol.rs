use std::time::Duration;

use axum::{
    body::{Body, Bytes},
    http::Request,
};
use futures_util::{StreamExt, stream};
use serde_json::json;

use crate::fixture::{App, GRAPHQL, HELLO, RENAME, post};

fn hello() -> serde_json::Value {
    json!({ "query": HELLO, "operationName": "Hello", "variables": { "a": 1 } })
}

#[tokio::test]
async fn the_response_has_the_accepted_media_type() {
    let app = App::production();
    for (accept, content_type) in [
        ("*/*", "application/json; charset=utf-8"),
        ("application/json", "application/json; charset=utf-8"),
        (
            "application/graphql-response+json",
            "application/graphql-response+json; charset=utf-8",
        ),
        (
            "application/graphql-response+json,application/json;q=0.9",
            "application/graphql-response+json; charset=utf-8",
        ),
    ] {
        let answer = app.post(&[("accept", accept)], hello()).await;
        assert_eq!(
            (answer.status.as_u16(), answer.header("content-type")),
            (200, content_type),
            "{accept}"
        );
        assert_eq!(answer.json, json!({ "data": { "variables": { "a": 1 } } }));
    }
    let answer = app.post(&[], hello()).await;
    assert_eq!(
        answer.header("content-type"),
        "application/json; charset=utf-8",
        "without an Accept header"
    );
    assert_eq!(answer.header("cache-control"), "no-store");
    assert_eq!(answer.header("vary"), "accept, authorization, origin, sec-fetch-site");
    assert_eq!(answer.header("x-content-type-options"), "nosniff");
    assert_eq!(answer.header("access-control-allow-origin"), "");
}

#[tokio::test]
async fn a_request_without_an_acceptable_media_type_is_not_executed() {
    let app = App::production();
    let answer = app.post(&[("accept", "text/html")], json!({ "query": RENAME })).await;
    assert_eq!(answer.verdict(), (406, "MALFORMED_REQUEST"));
    assert!(app.fake.names().is_empty());
}

#[tokio::test]
async fn the_status_depends_on_errors_only_for_graphql_response_json() {
    let app = App::production();
    let refused = json!({ "query": HELLO, "variables": { "do": "refuse" } });
    assert_eq!(app.post(&[GRAPHQL], &refused).await.verdict(), (404, "NOT_FOUND"));
    assert_eq!(app.post(&[], &refused).await.verdict(), (200, "NOT_FOUND"));
    // A malformed request is an error for both media types.
    assert_eq!(app.post(&[GRAPHQL], "{").await.verdict(), (400, "MALFORMED_REQUEST"));
    assert_eq!(app.post(&[], "{").await.verdict(), (400, "MALFORMED_REQUEST"));
}

#[tokio::test]
async fn malformed_json_is_reported_with_its_position() {
    let answer = App::production()
        .post(&[], "{\n  \"query\": \"{ hello }\",\n  \"variables\": {,}\n}")
        .await;
    assert_eq!(
        answer.problem(),
        "the body is not a valid request: key must be a string at line 3 column 17"
    );
    assert_eq!(
        answer.json["errors"][0]["message"],
        "The request is not a GraphQL request: the body is not a valid request: key must be a string at line 3 column 17."
    );
}

#[tokio::test]
async fn batched_requests_are_rejected() {
    let app = App::production();
    let answer = app.post(&[], json!([hello(), hello()])).await;
    assert_eq!(answer.verdict(), (400, "MALFORMED_REQUEST"));
    assert!(answer.problem().contains("batched requests"), "{}", answer.problem());
    assert!(app.fake.names().is_empty());
}

#[tokio::test]
async fn content_types_that_a_foreign_form_can_send_are_rejected() {
    let app = App::production();
    let mutation = json!({ "query": RENAME, "variables": { "id": "1" } });
    for content_type in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=a",
        "",
    ] {
        let answer = app.post(&[("content-type", content_type)], &mutation).await;
        assert_eq!(answer.verdict(), (415, "MALFORMED_REQUEST"), "{content_type}");
        assert_eq!(answer.header("accept"), "application/json");
    }
    let bare = Request::post("/graphql")
        .body(Body::from(mutation.to_string()))
        .unwrap();
    assert_eq!(app.send(bare).await.verdict(), (415, "MALFORMED_REQUEST"));
    assert!(app.fake.names().is_empty());
}

#[tokio::test]
async fn get_is_for_queries_only() {
    let app = App::production();
    let answer = app
        .get(
            &[GRAPHQL],
            &[
                ("query", HELLO),
                ("variables", r#"{"a":1}"#),
                ("operationName", "Hello"),
            ],
        )
        .await;
    assert_eq!(
        (answer.status.as_u16(), &answer.json["data"]["variables"]),
        (200, &json!({ "a": 1 }))
    );
    for accept in [GRAPHQL, ("accept", "*/*")] {
        let answer = app
            .get(&[accept], &[("query", RENAME), ("variables", r#"{"id":"1"}"#)])
            .await;
        assert_eq!(
            (answer.verdict(), answer.header("allow")),
            ((405, "MALFORMED_REQUEST"), "POST")
        );
    }
    assert_eq!(app.fake.names(), ["Hello"]);
}

#[tokio::test]
async fn other_methods_get_the_list_of_allowed_ones() {
    let app = App::production();
    for method in ["PUT", "DELETE", "PATCH", "HEAD"] {
        let request = Request::builder()
            .method(method)
            .uri("/graphql")
            .body(Body::empty())
            .unwrap();
        let answer = app.send(request).await;
        assert_eq!(
            (answer.status.as_u16(), answer.header("allow")),
            (405, "GET, POST, OPTIONS"),
            "{method}"
        );
    }
}

#[tokio::test]
async fn a_body_of_two_megabytes_is_rejected() {
    let app = App::production();
    let large = json!({ "query": HELLO, "variables": { "a": "x".repeat(2 * 1024 * 1024) } });
    let answer = app.post(&[], &large).await;
    assert_eq!(answer.verdict(), (413, "PAYLOAD_TOO_LARGE"));
    assert_eq!(
        answer.json["errors"][0]["message"],
        "The request is larger than 262144 bytes."
    );
    assert_eq!(
        answer.json["errors"][0]["extensions"]["slots"],
        json!({ "limit": 262_144 })
    );

    for declared in [None, Some("10"), Some("2000000000")] {
        let chunks = stream::repeat(Bytes::from_static(&[b'x'; 4096]))
            .take(512)
            .map(Ok::<_, std::io::Error>);
        let mut request = Request::post("/graphql").header("content-type", "application/json");
        if let Some(declared) = declared {
            request = request.header("content-length", declared);
        }
        let answer = app.send(request.body(Body::from_stream(chunks)).unwrap()).await;
        assert_eq!(answer.verdict(), (413, "PAYLOAD_TOO_LARGE"), "{declared:?}");
    }
    assert!(app.fake.names().is_empty());
}

#[tokio::test(start_paused = true)]
async fn an_incomplete_body_times_out() {
    let app = App::new(|endpoint| endpoint.body_timeout(Duration::from_secs(30)));
    let slow = stream::unfold(0_u8, |n| async move {
        tokio::time::sleep(Duration::from_secs(10)).await;
        Some((Ok::<_, std::io::Error>(Bytes::from_static(b"{")), n))
    });
    let request = Request::post("/graphql")
        .header("content-type", "application/json")
        .body(Body::from_stream(slow));
    let began = tokio::time::Instant::now();
    let answer = app.send(request.unwrap()).await;
    assert_eq!(answer.verdict(), (408, "MALFORMED_REQUEST"));
    assert_eq!(
        began.elapsed().as_secs(),
        30,
        "single bytes must not extend the deadline"
    );
}

#[tokio::test(start_paused = true)]
async fn an_engine_that_hangs_times_out() {
    let app = App::production();
    let began = tokio::time::Instant::now();
    for accept in [GRAPHQL, ("accept", "application/json")] {
        let answer = app
            .post(&[accept], json!({ "query": HELLO, "variables": { "do": "hang" } }))
            .await;
        assert_eq!(answer.verdict(), (504, "TIMEOUT"));
    }
    assert_eq!(began.elapsed().as_secs(), 20);
}

#[tokio::test]
async fn a_panic_of_the_engine_is_an_internal_error_with_a_reference() {
    let request = post(
        &[GRAPHQL, ("x-request-id", "abc-1")],
        json!({ "query": HELLO, "variables": { "do": "panic" } }),
    );
    let answer = App::production().send(request).await;
    assert_eq!(answer.verdict(), (500, "INTERNAL"));
    assert_eq!(
        answer.json["errors"][0]["message"],
        "Something failed on our side. Reference abc-1."
    );
    assert!(!answer.json.to_string().contains("makes the engine panic"));
}

#[tokio::test]
async fn errors_contain_the_request_id() {
    let app = App::production();
    let answer = app.post(&[("x-request-id", "trace_7")], "{").await;
    assert_eq!(answer.header("x-request-id"), "trace_7");
    assert_eq!(answer.json["errors"][0]["extensions"]["requestId"], "trace_7");
    let answer = app.post(&[("x-request-id", "no spaces, please")], hello()).await;
    assert_eq!(answer.header("x-request-id").len(), 32);
    assert_eq!(
        app.fake.requests.lock().unwrap()[0].request_id,
        answer.header("x-request-id")
    );
}

#[tokio::test]
async fn the_forwarded_address_is_used_only_with_a_trusted_proxy() {
    let forwarded = [("x-forwarded-for", "203.0.113.9, 198.51.100.7")];
    for (trust, expected) in [(false, None), (true, Some("198.51.100.7".parse().unwrap()))] {
        let app = App::new(|endpoint| endpoint.trust_proxy(trust));
        app.post(&forwarded, hello()).await;
        assert_eq!(
            app.fake.requests.lock().unwrap()[0].address,
            expected,
            "earlier entries are written by the client"
        );
    }
}

/// Bytes are removed, duplicated, or replaced by significant ones.
#[tokio::test]
async fn every_body_gets_a_json_response_with_a_code() {
    const MEANINGFUL: &[u8] = b"{}[]\",:\\ \0\xff1ea";
    let app = App::development();
    let right = json!({ "query": HELLO, "operationName": "Hello", "variables": { "a": [1, "b"] }, "extensions": {} })
        .to_string();
    let mut state = 0x9E37_79B9_u32;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state as usize % below
    };
    for _ in 0..1_000 {
        let mut body = right.clone().into_bytes();
        for _ in 0..=random(4) {
            let (at, length) = (random(body.len()), random(12));
            let end = (at + length).min(body.len());
            match random(3) {
                0 => drop(body.drain(at..end)),
                1 => body.extend_from_within(at..end),
                _ => body[at] = MEANINGFUL[random(MEANINGFUL.len())],
            }
            if body.is_empty() {
                body.push(b' ');
            }
        }
        let request = Request::post("/graphql").header("content-type", "application/json");
        let answer = app.send(request.body(Body::from(body.clone())).unwrap()).await;
        let right = answer.json.get("data").is_some();
        let refused = ["MALFORMED_REQUEST", "UNKNOWN_OPERATION", "INVALID_DOCUMENT"].contains(&answer.code());
        assert!(right || refused, "{}: {answer:?}", String::from_utf8_lossy(&body));
    }
}
