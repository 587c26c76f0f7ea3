use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::support::{Server, provider, request_body, run_operation, token};

#[tokio::test]
async fn invalid_requests_are_rejected_with_error_codes() {
    let issuer = provider().await;
    let server = Server::start(&issuer).await;
    let valid = request_body("Instance", &json!({})).to_string();
    let unknown = json!({"query": "{ instance { version } }"}).to_string();
    let unknown_hash =
        json!({"extensions": {"persistedQuery": {"version": 1, "sha256Hash": "0".repeat(64)}}}).to_string();
    let large = json!({"query": "x".repeat(2 * 1024 * 1024)}).to_string();
    let json_type = "application/json";
    for (case, content_type, body, status, expected) in [
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
            format!("[{valid}]"),
            StatusCode::BAD_REQUEST,
            "MALFORMED_REQUEST",
        ),
        (
            "text/plain",
            "text/plain",
            valid.clone(),
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
            .header("content-type", content_type)
            .body(body)
            .send()
            .await
            .unwrap();
        assert_eq!(response.status(), status, "{case}");
        let id = response.headers()["x-request-id"].to_str().unwrap().to_owned();
        let body: Value = serde_json::from_slice(&response.bytes().await.unwrap()).unwrap();
        let extensions = &body["errors"][0]["extensions"];
        assert_eq!(
            (&extensions["code"], &extensions["requestId"]),
            (&json!(expected), &json!(id)),
            "{case}"
        );
        server.logged(&id).await;
    }
    run_operation(&server.client(None), "Instance", json!({})).await;
}

#[tokio::test]
async fn all_violations_of_an_input_are_reported_at_once() {
    let issuer = provider().await;
    let server = Server::start(&issuer).await;
    let client = server.client(Some(token(&issuer, "ada")));
    let input = json!({"input": {"name": "", "slug": "Not A Slug"}});
    let response = client.run_by_name::<Value>("WorkspaceCreate", input).await.unwrap();
    assert_eq!(response.errors[0].code, "INVALID_INPUT");
    assert_eq!(
        response.errors[0].extensions["violations"].as_array().map(Vec::len),
        Some(2),
        "{:?}",
        response.errors
    );
}

/// PostgreSQL cannot store U+0000, so it is rejected with SQLite too.
#[tokio::test]
async fn strings_with_u_0000_are_rejected_with_their_path() {
    let issuer = provider().await;
    let server = Server::start(&issuer).await;
    let client = server.client(Some(token(&issuer, "ada")));
    let input = json!({"input": {"name": "Ac\u{0}me", "slug": "crew"}});
    let response = client.run_by_name::<Value>("WorkspaceCreate", input).await.unwrap();
    assert_eq!(response.errors[0].code, "INVALID_INPUT");
    assert_eq!(
        response.errors[0].extensions["violations"],
        json!([{"path": "input.name", "problem": "must not contain the character U+0000", "rule": "type", "params": {"expected": "NO_NUL"}}])
    );
}

#[tokio::test]
async fn texts_with_control_characters_are_rejected() {
    let issuer = provider().await;
    let server = Server::start(&issuer).await;
    let client = server.client(Some(token(&issuer, "ada")));
    let create = |name: &str| json!({ "input": { "name": name, "slug": "crew" } });
    for hostile in [
        "A \u{1b}[31mRED\u{1b}]0;owned\u{7}",
        "\u{9b}2J",
        "a\r\nb",
        "\u{202e}txt.exe",
    ] {
        let response = client
            .run_by_name::<Value>("WorkspaceCreate", create(hostile))
            .await
            .unwrap();
        let error = &response.errors[0];
        assert_eq!(error.code, "INVALID_INPUT", "{error:?}");
        assert!(
            error.message.contains("must be one line without control characters"),
            "{error:?}"
        );
    }
    run_operation(&client, "WorkspaceCreate", create("Wélcome 👋 שלום")).await;
}

/// Texts that members type and others read. A text without a format can contain any character, so only keys, searches and
/// values of other systems have none.
#[test]
fn every_text_of_an_author_has_a_format() {
    const OTHERS: [&str; 10] = [
        "action",
        "after",
        "search",
        "value",
        "publicKey",
        "token",
        "siteKey",
        "externalId",
        // A value of CSS, which browsers parse and which no program prints.
        "fontFamily",
        "key",
    ];
    for line in waypost_api::SDL.lines().filter(|line| line.contains("@length")) {
        let is_text = line.contains(": String") || line.contains(": [String");
        let mut words = line.split(|c: char| !c.is_alphanumeric());
        let is_other = words.any(|word| OTHERS.contains(&word));
        assert!(
            !is_text || is_other || line.contains("@format"),
            "add @format(is: LINE), or TEXT if the text can have several lines, to: {}",
            line.trim()
        );
    }
}
