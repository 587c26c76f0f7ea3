//! `GET` with a hash: what a cache may keep, and how it learns that it still holds.

use serde_json::json;

use crate::fixture::{Answer, App, BOOT, GRAPHQL, HELLO, hash, post};

/// Asks for a document by its hash, as Apollo's clients do.
async fn ask(app: &App, text: &str, headers: &[(&str, &str)], variables: &str) -> Answer {
    let extensions = json!({ "persistedQuery": { "version": 1, "sha256Hash": hash(text) } }).to_string();
    app.get(headers, &[("extensions", &extensions), ("variables", variables)])
        .await
}

fn validator(answer: &Answer) -> (&str, &str) {
    (answer.header("cache-control"), answer.header("etag"))
}

#[tokio::test]
async fn a_public_query_is_asked_again_for_the_price_of_its_headers() {
    let app = App::production();
    let first = ask(&app, BOOT, &[], r#"{"a":1}"#).await;
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
        let again = ask(&app, BOOT, &[("if-none-match", &known)], r#"{"a":1}"#).await;
        assert_eq!((again.status.as_u16(), again.bytes), (304, 0), "{known}");
        assert_eq!(validator(&again), (control, tag));
        assert_eq!(
            (again.header("content-type"), again.header("vary")),
            ("", first.header("vary"))
        );
        assert_eq!(
            again.header("x-request-id").len(),
            32,
            "it is in the log like any other"
        );
    }
    let other = ask(&app, BOOT, &[("if-none-match", tag)], r#"{"a":2}"#).await;
    assert_eq!(
        (other.status.as_u16(), &other.json["data"]["variables"]["a"]),
        (200, &json!(2))
    );
    assert_ne!(other.header("etag"), tag);
    assert_eq!(
        app.fake.names(),
        ["Boot"; 6],
        "the engine is always asked: nothing is answered from memory"
    );
}

#[tokio::test]
async fn each_media_type_has_a_validator_of_its_own() {
    let app = App::production();
    let json = ask(&app, BOOT, &[], "").await;
    let graphql = ask(&app, BOOT, &[GRAPHQL, ("if-none-match", json.header("etag"))], "").await;
    assert_eq!(graphql.status.as_u16(), 200);
    assert_ne!(graphql.header("etag"), json.header("etag"));
}

#[tokio::test]
async fn what_somebody_got_who_is_signed_in_stays_with_them() {
    let app = App::production();
    let answer = ask(&app, BOOT, &[("authorization", "Bearer good-ada")], "").await;
    assert_eq!(answer.header("cache-control"), "private, no-cache");
    assert_ne!(answer.header("etag"), "");
}

#[tokio::test]
async fn whatever_is_not_a_public_answer_by_get_is_kept_nowhere() {
    let app = App::production();
    let known = ("if-none-match", "*");
    let answers = [
        ("an error", ask(&app, BOOT, &[known], r#"{"do":"refuse"}"#).await, 200),
        (
            "an error",
            ask(&app, BOOT, &[GRAPHQL, known], r#"{"do":"refuse"}"#).await,
            404,
        ),
        ("a panic", ask(&app, BOOT, &[known], r#"{"do":"panic"}"#).await, 500),
        (
            "a bad token",
            ask(&app, BOOT, &[known, ("authorization", "Bearer expired")], "").await,
            401,
        ),
        ("an unknown hash", ask(&app, "{ other }", &[known], "").await, 200),
        ("a query for some", ask(&app, HELLO, &[known], "").await, 200),
        ("a POST", app.send(post(&[known], json!({ "query": BOOT }))).await, 200),
    ];
    for (what, answer, status) in answers {
        assert_eq!(answer.status.as_u16(), status, "{what}");
        assert_eq!(validator(&answer), ("no-store", ""), "{what}");
        assert!(answer.bytes > 0, "{what}");
    }
}

#[tokio::test]
async fn a_document_that_is_not_trusted_is_not_public_either() {
    let answer = App::development()
        .get(&[("if-none-match", "*")], &[("query", "{ boot }")])
        .await;
    assert_eq!((answer.status.as_u16(), validator(&answer)), (200, ("no-store", "")));
}

#[tokio::test]
async fn a_page_that_embeds_us_may_keep_what_it_may_read() {
    let app = App::new(|endpoint| endpoint.embeds(["Boot"], |origin| origin == "https://shop.example"));
    let shop = [("origin", "https://shop.example"), ("sec-fetch-site", "cross-site")];
    let first = ask(&app, BOOT, &shop, "").await;
    let again = ask(
        &app,
        BOOT,
        &[shop[0], shop[1], ("if-none-match", first.header("etag"))],
        "",
    )
    .await;
    assert_eq!((first.status.as_u16(), again.status.as_u16()), (200, 304));
    assert_eq!(again.header("access-control-allow-origin"), "https://shop.example");
    assert!(first.header("vary").contains("origin"));
}
