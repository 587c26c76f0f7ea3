//! Tests of pages of other sites: rejected, except for the operations that may be embedded.

use axum::{body::Body, http::Request};
use serde_json::json;

use crate::fixture::{Answer, App, BOOT, HELLO, RENAME};

const SHOP: [(&str, &str); 2] = [("origin", "https://shop.example"), ("sec-fetch-site", "cross-site")];
const EVIL: [(&str, &str); 2] = [("origin", "https://evil.example"), ("sec-fetch-site", "cross-site")];

fn app() -> App {
    App::new(|endpoint| endpoint.embeds(["Boot"], |origin| origin == "https://shop.example"))
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
async fn an_allowed_foreign_page_can_run_only_the_listed_operations() {
    let app = app();
    let answer = preflight(&app, SHOP).await;
    assert_eq!(answer.status.as_u16(), 204);
    assert_eq!(answer.header("access-control-allow-origin"), "https://shop.example");
    assert_eq!(answer.header("access-control-allow-methods"), "POST");
    assert_eq!(
        answer.header("access-control-allow-headers"),
        "content-type, x-request-id"
    );
    assert_eq!(answer.header("access-control-allow-credentials"), "");

    let answer = app.post(&SHOP, json!({ "query": BOOT })).await;
    assert_eq!(answer.status.as_u16(), 200);
    assert_eq!(answer.header("access-control-allow-origin"), "https://shop.example");
    assert_eq!(
        answer.header("access-control-expose-headers"),
        "x-request-id, retry-after"
    );

    let answer = app.post(&SHOP, json!({ "query": HELLO })).await;
    assert_eq!(answer.verdict(), (403, "MALFORMED_REQUEST"));
    assert_eq!(app.fake.names(), ["Boot"]);

    let refused = preflight(&app, EVIL).await;
    assert_eq!(
        (refused.status.as_u16(), refused.header("access-control-allow-origin")),
        (403, "")
    );
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
