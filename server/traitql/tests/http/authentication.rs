//! Bearer tokens.

use axum::http::Request;
use serde_json::json;
use traitql::http::{Endpoint, router};

use crate::fixture::{App, GRAPHQL, HELLO, documents, post};

fn hello() -> serde_json::Value {
    json!({ "query": HELLO })
}

#[tokio::test]
async fn a_good_token_says_who_asks_and_no_token_means_nobody() {
    let app = App::production();
    for headers in [
        &[][..],
        &[("authorization", "Bearer good-ada")],
        &[("authorization", "bEaReR   good-ada ")],
    ] {
        assert_eq!(app.post(headers, hello()).await.status.as_u16(), 200, "{headers:?}");
    }
    let subjects: Vec<_> = app
        .fake
        .asked
        .lock()
        .unwrap()
        .iter()
        .map(|asked| asked.subject.clone())
        .collect();
    assert_eq!(subjects, [None, Some("ada".into()), Some("ada".into())]);
}

#[tokio::test]
async fn a_bad_token_is_refused_and_never_taken_for_none() {
    let app = App::production();
    for accept in [GRAPHQL, ("accept", "application/json")] {
        let answer = app.post(&[accept, ("authorization", "Bearer expired")], hello()).await;
        assert_eq!(answer.verdict(), (401, "UNAUTHENTICATED"));
        let challenge = r#"Bearer error="invalid_token", error_description="the token has expired""#;
        assert_eq!(answer.header("www-authenticate"), challenge);
        assert_eq!(answer.json["errors"][0]["message"], "Sign in to continue.");
        assert!(!answer.json.to_string().contains("Bearer expired"));
    }
    for credentials in ["Basic YTpi", "Bearer", "Bearer ", ""] {
        let answer = app.post(&[("authorization", credentials)], hello()).await;
        assert!(matches!(answer.status.as_u16(), 400 | 401), "{credentials}: {answer:?}");
    }
    assert!(app.fake.names().is_empty());
}

#[tokio::test]
async fn two_tokens_are_refused() {
    let app = App::production();
    let mut request: Request<_> = post(&[("authorization", "Bearer good-ada")], hello());
    request
        .headers_mut()
        .append("authorization", "Bearer good-bob".parse().unwrap());
    let answer = app.send(request).await;
    assert_eq!(answer.verdict(), (400, "MALFORMED_REQUEST"));
    assert_eq!(answer.problem(), "there are two `Authorization` headers");
}

#[tokio::test]
async fn an_issuer_that_is_away_is_our_trouble_and_not_the_tokens() {
    let answer = App::production()
        .post(&[GRAPHQL, ("authorization", "Bearer away")], hello())
        .await;
    assert_eq!(
        (answer.verdict(), answer.header("retry-after")),
        ((503, "UNAVAILABLE"), "7")
    );
    assert_eq!(answer.header("www-authenticate"), "");
}

#[tokio::test(start_paused = true)]
async fn an_issuer_that_does_not_answer_is_away_too() {
    let answer = App::production()
        .post(&[GRAPHQL, ("authorization", "Bearer hang")], hello())
        .await;
    assert_eq!(answer.verdict(), (503, "UNAVAILABLE"));
}

#[tokio::test]
async fn without_an_issuer_every_token_is_refused() {
    let mut app = App::production();
    app.router = router(Endpoint::new(app.fake.clone(), documents()));
    let answer = app
        .post(&[GRAPHQL, ("authorization", "Bearer good-ada")], hello())
        .await;
    assert_eq!(answer.verdict(), (401, "UNAUTHENTICATED"));
    assert_eq!(app.post(&[GRAPHQL], hello()).await.status.as_u16(), 200);
}
