//! Requests that nobody should send, against the real binary: each has a code, and the server goes on.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::support::{Server, ask, provider, request_body, token};

#[tokio::test]
async fn bad_requests_have_codes() {
    let issuer = provider().await;
    let server = Server::start(&issuer).await;
    let good = request_body("Instance", &json!({})).to_string();
    let unknown = json!({"query": "{ instance { version } }"}).to_string();
    let unknown_hash =
        json!({"extensions": {"persistedQuery": {"version": 1, "sha256Hash": "0".repeat(64)}}}).to_string();
    let large = json!({"query": "x".repeat(2 * 1024 * 1024)}).to_string();
    let json_type = "application/json";
    for (what, kind, body, status, expected) in [
        (
            "malformed JSON",
            json_type,
            "{\"query\": ".to_owned(),
            StatusCode::BAD_REQUEST,
            "MALFORMED_REQUEST",
        ),
        (
            "a list of requests",
            json_type,
            format!("[{good}]"),
            StatusCode::BAD_REQUEST,
            "MALFORMED_REQUEST",
        ),
        (
            "text/plain",
            "text/plain",
            good.clone(),
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "MALFORMED_REQUEST",
        ),
        (
            "an unknown document",
            json_type,
            unknown,
            StatusCode::FORBIDDEN,
            "UNKNOWN_OPERATION",
        ),
        (
            "an unknown hash",
            json_type,
            unknown_hash,
            StatusCode::FORBIDDEN,
            "UNKNOWN_OPERATION",
        ),
        (
            "2 MB",
            json_type,
            large,
            StatusCode::PAYLOAD_TOO_LARGE,
            "PAYLOAD_TOO_LARGE",
        ),
    ] {
        let response = reqwest::Client::new()
            .post(format!("{}/graphql", server.url))
            .header("accept", "application/graphql-response+json")
            .header("content-type", kind)
            .body(body)
            .send()
            .await
            .unwrap();
        assert_eq!(response.status(), status, "{what}");
        let id = response.headers()["x-request-id"].to_str().unwrap().to_owned();
        let answer: Value = serde_json::from_slice(&response.bytes().await.unwrap()).unwrap();
        let extensions = &answer["errors"][0]["extensions"];
        assert_eq!(
            (&extensions["code"], &extensions["requestId"]),
            (&json!(expected), &json!(id)),
            "{what}"
        );
        server.logged(&id).await;
    }
    ask(&server.client(None), "Instance", json!({})).await;
}

#[tokio::test]
async fn all_violations_of_an_input_come_at_once() {
    let issuer = provider().await;
    let server = Server::start(&issuer).await;
    let client = server.client(Some(token(&issuer, "ada")));
    let input = json!({"input": {"name": "", "slug": "Not A Slug"}});
    let answer = client.ask::<Value>("WorkspaceCreate", input).await.unwrap();
    assert_eq!(answer.errors[0].code, "INVALID_INPUT");
    assert_eq!(
        answer.errors[0].extensions["violations"].as_array().map(Vec::len),
        Some(2),
        "{:?}",
        answer.errors
    );
}

/// PostgreSQL cannot keep it, so SQLite is not asked to either.
#[tokio::test]
async fn a_text_with_u_0000_is_refused_where_it_stands() {
    let issuer = provider().await;
    let server = Server::start(&issuer).await;
    let client = server.client(Some(token(&issuer, "ada")));
    let input = json!({"input": {"name": "Ac\u{0}me", "slug": "crew"}});
    let answer = client.ask::<Value>("WorkspaceCreate", input).await.unwrap();
    assert_eq!(answer.errors[0].code, "INVALID_INPUT");
    assert_eq!(
        answer.errors[0].extensions["violations"],
        json!([{"path": "input.name", "problem": "must not contain the character U+0000", "rule": "type"}])
    );
}
