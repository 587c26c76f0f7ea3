use std::sync::Arc;

use axum::http::Request;
use serde_json::json;
use traitql_axum::{Endpoint, router};

use crate::fixture::{App, BoundTokens, GRAPHQL, HELLO, RENAME, documents, post};

fn hello() -> serde_json::Value {
    json!({ "query": HELLO })
}

#[tokio::test]
async fn a_valid_token_identifies_the_caller_and_no_token_is_anonymous() {
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
        .requests
        .lock()
        .unwrap()
        .iter()
        .map(|request| request.subject.clone())
        .collect();
    assert_eq!(subjects, [None, Some("ada".into()), Some("ada".into())]);
}

#[tokio::test]
async fn an_invalid_token_is_rejected_and_never_treated_as_anonymous() {
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
async fn a_caller_who_must_authenticate_again_receives_a_challenge() {
    let app = App::production();
    let body = json!({ "query": RENAME, "variables": { "id": "t1", "do": "step up" } });
    for (accept, status) in [(GRAPHQL, 401), (("accept", "application/json"), 200)] {
        let answer = app.post(&[accept, ("authorization", "Bearer good-ada")], &body).await;
        assert_eq!(answer.verdict(), (status, "STEP_UP_REQUIRED"));
        let challenge = r#"Bearer error="insufficient_user_authentication", acr_values="phrh phr", max_age="300""#;
        assert_eq!(answer.header("www-authenticate"), challenge);
    }
    let bound = [("authorization", "DPoP good-ada"), ("dpop", "POST n1")];
    let answer = with_bound_tokens().post(&bound, &body).await;
    let challenge =
        r#"DPoP error="insufficient_user_authentication", acr_values="phrh phr", max_age="300", algs="ES256 EdDSA""#;
    assert_eq!(answer.header("www-authenticate"), challenge);
}

#[tokio::test]
async fn a_token_that_the_server_cannot_verify_is_distinguished_from_an_invalid_one() {
    let app = App::production();
    for (token, is_unsupported) in [("Bearer opaque", Some(true)), ("Bearer expired", None)] {
        let answer = app.post(&[GRAPHQL, ("authorization", token)], hello()).await;
        assert_eq!(answer.verdict(), (401, "UNAUTHENTICATED"));
        let extensions = &answer.json["errors"][0]["extensions"];
        assert_eq!(extensions["unsupportedToken"].as_bool(), is_unsupported, "{token}");
    }
}

#[tokio::test]
async fn two_authorization_headers_are_rejected() {
    let app = App::production();
    let mut request: Request<_> = post(&[("authorization", "Bearer good-ada")], hello());
    request
        .headers_mut()
        .append("authorization", "Bearer good-bob".parse().unwrap());
    let answer = app.send(request).await;
    assert_eq!(answer.verdict(), (400, "MALFORMED_REQUEST"));
    assert_eq!(answer.problem(), "it has more than one `Authorization` header");
}

#[tokio::test]
async fn an_unreachable_issuer_is_a_server_error() {
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
async fn an_issuer_that_does_not_respond_times_out() {
    let answer = App::production()
        .post(&[GRAPHQL, ("authorization", "Bearer hang")], hello())
        .await;
    assert_eq!(answer.verdict(), (503, "UNAVAILABLE"));
}

#[tokio::test]
async fn without_an_issuer_every_token_is_rejected() {
    let mut app = App::production();
    app.router = router(Endpoint::new(app.fake.clone(), documents()));
    let answer = app
        .post(&[GRAPHQL, ("authorization", "Bearer good-ada")], hello())
        .await;
    assert_eq!(answer.verdict(), (401, "UNAUTHENTICATED"));
    assert_eq!(app.post(&[GRAPHQL], hello()).await.status.as_u16(), 200);
}

fn with_bound_tokens() -> App {
    App::new(|endpoint| endpoint.authenticate(Arc::new(BoundTokens)))
}

#[tokio::test]
async fn a_bound_token_needs_a_proof_for_the_method() {
    let app = with_bound_tokens();
    let token = ("authorization", "dpop good-ada");
    let answer = app.post(&[token, ("dpop", "POST n1")], hello()).await;
    assert_eq!((answer.status.as_u16(), answer.header("dpop-nonce")), (200, "n1"));
    assert_eq!(
        app.get(&[token, ("dpop", "GET n1")], &[("query", HELLO)])
            .await
            .status
            .as_u16(),
        200
    );
    for (headers, challenge) in [
        (
            &[token, ("dpop", "GET n1")][..],
            r#"DPoP error="invalid_dpop_proof", error_description="the method is wrong", algs="ES256 EdDSA""#,
        ),
        (
            &[token],
            r#"DPoP error="invalid_dpop_proof", error_description="the proof is missing", algs="ES256 EdDSA""#,
        ),
        (
            &[("authorization", "Bearer good-ada"), ("dpop", "POST n1")],
            r#"Bearer error="invalid_token", error_description="the token is not bound", DPoP algs="ES256 EdDSA""#,
        ),
    ] {
        let answer = app.post(headers, hello()).await;
        assert_eq!(answer.verdict(), (401, "UNAUTHENTICATED"), "{headers:?}");
        assert_eq!(answer.header("www-authenticate"), challenge);
    }
    let mut request = post(&[token, ("dpop", "POST n1")], hello());
    request.headers_mut().append("dpop", "POST n1".parse().unwrap());
    assert_eq!(app.send(request).await.verdict(), (400, "MALFORMED_REQUEST"));
}

#[tokio::test]
async fn a_proof_without_a_valid_nonce_gets_one() {
    let app = with_bound_tokens();
    let token = ("authorization", "DPoP good-ada");
    let answer = app.post(&[token, ("dpop", "POST n0")], hello()).await;
    assert_eq!(
        (answer.verdict(), answer.header("dpop-nonce")),
        ((401, "UNAUTHENTICATED"), "n1")
    );
    let challenge = r#"DPoP error="use_dpop_nonce", error_description="the proof needs a nonce of this server", algs="ES256 EdDSA""#;
    assert_eq!(answer.header("www-authenticate"), challenge);
    assert_eq!(app.post(&[], hello()).await.header("dpop-nonce"), "", "without a token");
}

#[tokio::test]
async fn bound_tokens_are_rejected_unless_the_application_supports_them() {
    let answer = App::production()
        .post(&[("authorization", "DPoP good-ada"), ("dpop", "POST n1")], hello())
        .await;
    assert_eq!(answer.verdict(), (400, "MALFORMED_REQUEST"));
}
