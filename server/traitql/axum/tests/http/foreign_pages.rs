use std::sync::Arc;

use axum::{body::Body, http::Request};
use futures_util::FutureExt;
use serde_json::json;
use traitql_axum::Endpoint;

use crate::fixture::{Answer, App, Fake, HELLO, RENAME, documents};

const SHOP: [(&str, &str); 2] = [("origin", "https://shop.example"), ("sec-fetch-site", "cross-site")];
const EVIL: [(&str, &str); 2] = [("origin", "https://evil.example"), ("sec-fetch-site", "cross-site")];

fn app() -> App {
    App::new(|endpoint| {
        let readers = |origin: String| async move { origin == "https://shop.example" }.boxed();
        endpoint.routes([("/e/rename", "Rename")], readers).unwrap()
    })
}

async fn send(app: &App, headers: &[(&str, &str)], content_type: &str, body: &str) -> Answer {
    let mut request = Request::post("/e/rename").header("content-type", content_type);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    app.send(request.body(Body::from(body.to_owned())).unwrap()).await
}

async fn preflight(app: &App, origin: [(&str, &str); 2]) -> Answer {
    let mut request = Request::options("/graphql")
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", "content-type");
    for (name, value) in origin {
        request = request.header(name, value);
    }
    app.send(request.body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn a_foreign_page_cannot_run_a_mutation() {
    let app = App::production();
    let mutation = json!({ "query": RENAME, "variables": { "id": "1" } });
    let same_site = [
        ("origin", "https://other.tours.example"),
        ("sec-fetch-site", "same-site"),
    ];
    let old_browser = [("origin", "https://evil.example"), ("host", "tours.example")];
    for headers in [EVIL, SHOP, same_site, old_browser] {
        let answer = app.post(&headers, &mutation).await;
        assert_eq!(answer.verdict(), (403, "MALFORMED_REQUEST"), "{headers:?}");
        assert_eq!(
            answer.header("access-control-allow-origin"),
            "",
            "it cannot read the error either"
        );
        assert_eq!(app.get(&headers, &[("query", HELLO)]).await.status.as_u16(), 403);
    }
    assert_eq!(preflight(&app, EVIL).await.status.as_u16(), 403);
    assert!(app.fake.names().is_empty());
    let own = [("origin", "https://tours.example"), ("host", "tours.example")];
    assert_eq!(app.post(&own, &mutation).await.status.as_u16(), 200);
}

#[tokio::test]
async fn a_route_executes_its_operation_without_a_preflight() {
    let app = app();
    for content_type in ["text/plain;charset=UTF-8", "application/json"] {
        let answer = send(&app, &SHOP, content_type, r#"{"id":"1"}"#).await;
        assert_eq!(
            (answer.status.as_u16(), &answer.json),
            (200, &json!({"id": "1"})),
            "{content_type}"
        );
        assert_eq!(answer.header("access-control-allow-origin"), "https://shop.example");
        assert_eq!(answer.header("access-control-allow-credentials"), "");
        assert_eq!(answer.header("vary"), "origin");
        assert_eq!(
            (answer.header("cache-control"), answer.header("x-content-type-options")),
            ("no-store", "nosniff")
        );
    }
    assert_eq!(app.fake.names(), ["Rename", "Rename"]);
    let refused = send(&app, &SHOP, "multipart/form-data", "{}").await;
    assert_eq!(
        (refused.status.as_u16(), &refused.json["error"]["code"]),
        (415, &json!("MALFORMED_REQUEST"))
    );
}

#[tokio::test]
async fn a_route_ignores_tokens_and_cookies() {
    let app = app();
    let credentials = [SHOP[0], ("authorization", "Bearer good-ada"), ("cookie", "a=b")];
    assert_eq!(send(&app, &credentials, "text/plain", "{}").await.status.as_u16(), 200);
    assert_eq!(app.fake.requests.lock().unwrap()[0].subject, None);
}

#[tokio::test]
async fn errors_of_a_route_have_their_status_and_code() {
    let app = app();
    for (body, status, code) in [
        (r#"{"do":"refuse"}"#, 404, "NOT_FOUND"),
        (r#"{"do":"panic"}"#, 500, "INTERNAL"),
        (r#"{"do":"two fields"}"#, 500, "INTERNAL"),
        ("null", 400, "MALFORMED_REQUEST"),
        ("[]", 400, "MALFORMED_REQUEST"),
        ("{", 400, "MALFORMED_REQUEST"),
        (r#"{"id":"1","id":"2"}"#, 400, "MALFORMED_REQUEST"),
    ] {
        let answer = send(&app, &SHOP, "text/plain", body).await;
        let found = (answer.status.as_u16(), &answer.json["error"]["code"]);
        assert_eq!(found, (status, &json!(code)), "{body}");
        assert!(answer.json["error"]["message"].is_string(), "{body}");
        assert_eq!(
            answer.header("access-control-allow-origin"),
            "https://shop.example",
            "{body}"
        );
    }
    let outage = send(&app, &SHOP, "text/plain", r#"{"do":"fail"}"#).await;
    assert_eq!((outage.status.as_u16(), outage.header("retry-after")), (503, "5"));
    assert!(outage.header("access-control-expose-headers").contains("retry-after"));
    let large = send(&app, &SHOP, "text/plain", &"a".repeat(300_000)).await;
    assert_eq!(
        (large.status.as_u16(), &large.json["error"]["code"]),
        (413, &json!("PAYLOAD_TOO_LARGE"))
    );
}

#[tokio::test]
async fn other_pages_cannot_read_the_responses_of_a_route() {
    let app = app();
    for headers in [&EVIL[..], &[]] {
        let answer = send(&app, headers, "text/plain", "{}").await;
        assert_eq!(
            (answer.status.as_u16(), answer.header("access-control-allow-origin")),
            (200, "")
        );
    }
}

#[test]
fn a_route_needs_an_operation_of_the_manifest() {
    for operation in ["Missing", "Changed"] {
        let endpoint = Endpoint::new(Arc::<Fake>::default(), documents());
        let error = endpoint
            .routes([("/e", operation)], |_| async { true }.boxed())
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("`{operation}` is not a query or mutation of the manifest")
        );
    }
}

#[tokio::test]
async fn options_without_an_origin_lists_the_methods() {
    let request = Request::options("/graphql").body(Body::empty()).unwrap();
    let answer = App::production().send(request).await;
    assert_eq!(
        (answer.status.as_u16(), answer.header("allow")),
        (204, "GET, POST, OPTIONS")
    );
}
