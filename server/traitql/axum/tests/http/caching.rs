//! `GET` by hash: responses that caches may store and revalidate.

use serde_json::json;

use crate::fixture::{Answer, App, BOOT, GRAPHQL, HELLO, hash, post};

async fn request(app: &App, text: &str, headers: &[(&str, &str)], variables: &str) -> Answer {
    let extensions = json!({ "persistedQuery": { "version": 1, "sha256Hash": hash(text) } }).to_string();
    app.get(headers, &[("extensions", &extensions), ("variables", variables)])
        .await
}

fn validator(answer: &Answer) -> (&str, &str) {
    (answer.header("cache-control"), answer.header("etag"))
}

#[tokio::test]
async fn a_public_query_is_revalidated_without_a_body() {
    let app = App::production();
    let first = request(&app, BOOT, &[], r#"{"a":1}"#).await;
    let (control, tag) = validator(&first);
    assert_eq!((first.status.as_u16(), control), (200, "public, no-cache"));
    assert!(tag.starts_with('"') && tag.ends_with('"'), "a strong validator: {tag}");
    assert!(first.header("vary").contains("authorization"));

    for known in [
        tag.to_owned(),
        format!("W/{tag}"),
        format!("\"other\", {tag}"),
        "*".to_owned(),
    ] {
        let again = request(&app, BOOT, &[("if-none-match", &known)], r#"{"a":1}"#).await;
        assert_eq!((again.status.as_u16(), again.bytes), (304, 0), "{known}");
        assert_eq!(validator(&again), (control, tag));
        assert_eq!(
            (again.header("content-type"), again.header("vary")),
            ("", first.header("vary"))
        );
        assert_eq!(
            again.header("x-request-id").len(),
            32,
            "it is logged like any other request"
        );
    }
    let other = request(&app, BOOT, &[("if-none-match", tag)], r#"{"a":2}"#).await;
    assert_eq!(
        (other.status.as_u16(), &other.json["data"]["variables"]["a"]),
        (200, &json!(2))
    );
    assert_ne!(other.header("etag"), tag);
    assert_eq!(
        app.fake.names(),
        ["Boot"; 6],
        "the engine executes every request: no response is cached on the server"
    );
}

#[tokio::test]
async fn each_media_type_has_its_own_validator() {
    let app = App::production();
    let json = request(&app, BOOT, &[], "").await;
    let graphql = request(&app, BOOT, &[GRAPHQL, ("if-none-match", json.header("etag"))], "").await;
    assert_eq!(graphql.status.as_u16(), 200);
    assert_ne!(graphql.header("etag"), json.header("etag"));
}

#[tokio::test]
async fn responses_to_signed_in_callers_are_private() {
    let app = App::production();
    let answer = request(&app, BOOT, &[("authorization", "Bearer good-ada")], "").await;
    assert_eq!(answer.header("cache-control"), "private, no-cache");
    assert_ne!(answer.header("etag"), "");
}

#[tokio::test]
async fn all_other_responses_are_not_stored() {
    let app = App::production();
    let known = ("if-none-match", "*");
    let answers = [
        (
            "an error",
            request(&app, BOOT, &[known], r#"{"do":"refuse"}"#).await,
            200,
        ),
        (
            "an error",
            request(&app, BOOT, &[GRAPHQL, known], r#"{"do":"refuse"}"#).await,
            404,
        ),
        ("a panic", request(&app, BOOT, &[known], r#"{"do":"panic"}"#).await, 500),
        (
            "a bad token",
            request(&app, BOOT, &[known, ("authorization", "Bearer expired")], "").await,
            401,
        ),
        ("an unknown hash", request(&app, "{ other }", &[known], "").await, 200),
        ("a query for some", request(&app, HELLO, &[known], "").await, 200),
        ("a POST", app.send(post(&[known], json!({ "query": BOOT }))).await, 200),
    ];
    for (what, answer, status) in answers {
        assert_eq!(answer.status.as_u16(), status, "{what}");
        assert_eq!(validator(&answer), ("no-store", ""), "{what}");
        assert!(answer.bytes > 0, "{what}");
    }
}

#[tokio::test]
async fn an_ad_hoc_document_is_never_public() {
    let answer = App::development()
        .get(&[("if-none-match", "*")], &[("query", "{ boot }")])
        .await;
    assert_eq!((answer.status.as_u16(), validator(&answer)), (200, ("no-store", "")));
}
