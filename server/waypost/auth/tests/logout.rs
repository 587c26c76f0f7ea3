#![allow(clippy::unwrap_used)]

mod issuer;

use futures_util::FutureExt;
use issuer::{Issuer, header, jwk, now, sign, with};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use serde_json::{Value, json};
use waypost_auth::{Config, Logout, ProviderConfig, Reject, Timing, TokenFacts, TokenKind, Verifier};

const DAY: u64 = 24 * 60 * 60;
const EVENT: &str = "http://schemas.openid.net/event/backchannel-logout";

async fn start() -> (Issuer, Verifier) {
    let issuer = Issuer::start(json!([jwk(0, "k1")])).await;
    let verifier = verifier(&issuer, TokenKind::Jwt);
    (issuer, verifier)
}

fn verifier(issuer: &Issuer, token: TokenKind) -> Verifier {
    let provider = ProviderConfig {
        client_id: Some("spa".into()),
        token,
        backchannel_logout: true,
        ..ProviderConfig::new(&issuer.url, issuer::AUDIENCE)
    };
    let timing = Timing {
        // Tokens with unknown keys would wait for it.
        unknown_key_cool_down: std::time::Duration::ZERO,
        ..Timing::default()
    };
    Verifier::new(Config {
        providers: vec![provider],
        timing,
    })
    .unwrap()
}

fn logout_claims(issuer: &Issuer) -> Value {
    json!({
        "iss": issuer.url, "aud": "spa", "iat": now(), "exp": now() + 120, "jti": "j1", "sub": "u1", "sid": "s1",
        "events": {EVENT: {}},
    })
}

fn logout_header() -> Header {
    Header {
        typ: Some("logout+jwt".into()),
        ..header("k1")
    }
}

fn logout(issuer: &Issuer, subject: Option<&str>, session: Option<&str>, issued_at: u64) -> Logout {
    Logout {
        issuer: issuer.url.clone(),
        id: "j1".into(),
        subject: subject.map(Into::into),
        session: session.map(Into::into),
        issued_at,
        expires_at: issued_at + DAY + 120,
    }
}

#[tokio::test]
async fn a_valid_logout_token_is_accepted() {
    let (issuer, verifier) = start().await;
    let claims = logout_claims(&issuer);
    for typ in [Some("logout+jwt"), Some("JWT"), None] {
        let header = Header {
            typ: typ.map(Into::into),
            ..header("k1")
        };
        let verified = verifier.verify_logout(&sign(0, &header, &claims)).await.unwrap();
        let issued_at = claims["iat"].as_u64().unwrap();
        assert_eq!(verified, logout(&issuer, Some("u1"), Some("s1"), issued_at));
    }
    let of_account = sign(0, &logout_header(), &with(claims, "sid", Value::Null));
    assert_eq!(verifier.verify_logout(&of_account).await.unwrap().session, None);
}

#[tokio::test]
async fn invalid_logout_tokens_are_rejected() {
    let (issuer, verifier) = start().await;
    let claims = logout_claims(&issuer);
    let token = |name: &str, value: Value| sign(0, &logout_header(), &with(claims.clone(), name, value));
    let neither = with(with(claims.clone(), "sub", Value::Null), "sid", Value::Null);
    let access_token = sign(0, &header("k1"), &claims);
    let secret = EncodingKey::from_secret(b"spa");
    let symmetric = Header {
        kid: Some("k1".into()),
        ..Header::new(Algorithm::HS256)
    };
    for (case, token, expected) in [
        (
            "another issuer",
            token("iss", json!("https://evil.example")),
            Reject::Issuer,
        ),
        ("another client", token("aud", json!("other")), Reject::Audience),
        ("the API", token("aud", json!(issuer::AUDIENCE)), Reject::Audience),
        ("no audience", token("aud", Value::Null), Reject::Missing("aud")),
        ("expired", token("exp", json!(now() - 70)), Reject::Expired),
        ("no expiry", token("exp", Value::Null), Reject::Missing("exp")),
        ("issued in the future", token("iat", json!(now() + 120)), Reject::NotYet),
        ("no issue time", token("iat", Value::Null), Reject::Missing("iat")),
        ("no id", token("jti", Value::Null), Reject::Missing("jti")),
        ("a nonce", token("nonce", json!("n")), Reject::Claim("nonce")),
        ("no events", token("events", Value::Null), Reject::Claim("events")),
        (
            "another event",
            token("events", json!({"urn:other": {}})),
            Reject::Claim("events"),
        ),
        (
            "an event without an object",
            token("events", json!({EVENT: true})),
            Reject::Claim("events"),
        ),
        ("a number as session", token("sid", json!(7)), Reject::Claim("sid")),
        ("an empty session", token("sid", json!("")), Reject::Claim("sid")),
        (
            "neither account nor session",
            sign(0, &logout_header(), &neither),
            Reject::Missing("sid"),
        ),
        ("an access token", access_token, Reject::Type("at+jwt".into())),
        ("a foreign key", sign(1, &logout_header(), &claims), Reject::Signature),
        (
            "a shared secret",
            encode(&symmetric, &claims, &secret).unwrap(),
            Reject::Algorithm,
        ),
        (
            "no signature",
            format!("eyJhbGciOiJub25lIn0.{}.", access_payload(&claims)),
            Reject::Algorithm,
        ),
    ] {
        assert_eq!(verifier.verify_logout(&token).await, Err(expected), "{case}");
    }
}

fn access_payload(claims: &Value) -> String {
    let token = sign(0, &logout_header(), claims);
    token.split('.').nth(1).unwrap().to_owned()
}

#[tokio::test]
async fn a_provider_that_does_not_report_sign_outs_is_not_accepted() {
    let issuer = Issuer::start(json!([jwk(0, "k1")])).await;
    let provider = ProviderConfig {
        client_id: Some("spa".into()),
        ..ProviderConfig::new(&issuer.url, issuer::AUDIENCE)
    };
    let verifier = Verifier::new(Config {
        providers: vec![provider],
        ..Config::default()
    });
    let token = sign(0, &logout_header(), &logout_claims(&issuer));
    assert_eq!(verifier.unwrap().verify_logout(&token).await, Err(Reject::Issuer));
}

#[tokio::test]
async fn keys_are_fetched_for_logout_tokens_of_providers_with_opaque_access_tokens() {
    let issuer = Issuer::start(json!([jwk(0, "k1")])).await;
    let verifier = verifier(&issuer, TokenKind::Userinfo);
    let token = sign(0, &logout_header(), &logout_claims(&issuer));
    assert!(verifier.verify_logout(&token).await.is_ok());
}

#[tokio::test]
async fn a_sign_out_ends_cached_and_new_tokens_of_its_session() {
    let (issuer, verifier) = start().await;
    let claims = with(issuer.claims(), "sid", json!("s1"));
    let ended = sign(0, &header("k1"), &claims);
    let other = sign(0, &header("k1"), &with(claims.clone(), "sid", json!("s2")));
    let principal = verifier.verify(&ended).await.unwrap();
    assert_eq!(principal.session.as_deref(), Some("s1"));
    let stream = verifier.session_ended(TokenFacts {
        issuer: &issuer.url,
        subject: "u1",
        id: &principal.token_id,
        session: Some("s1"),
        issued_at: now(),
    });
    let mut stream = std::pin::pin!(stream);
    assert!(stream.as_mut().now_or_never().is_none());

    verifier.sign_out(&[logout(&issuer, Some("u1"), Some("s1"), now())]);
    assert_eq!(verifier.verify(&ended).await, Err(Reject::SignedOut));
    let renewed = with(claims.clone(), "jti", json!("another token"));
    assert_eq!(
        verifier.verify(&sign(0, &header("k1"), &renewed)).await,
        Err(Reject::SignedOut)
    );
    assert!(verifier.verify(&other).await.is_ok(), "another session of the account");
    let later = with(claims, "iat", json!(now() + 2));
    assert!(verifier.verify(&sign(0, &header("k1"), &later)).await.is_ok());
    stream.await;
}

#[tokio::test]
async fn signing_out_with_a_token_ends_its_session_up_to_that_token() {
    let (issuer, verifier) = start().await;
    let token = |session: &str, ago: u64| {
        let claims = with(issuer.claims(), "sid", json!(session));
        sign(0, &header("k1"), &with(claims, "iat", json!(now() - ago)))
    };
    let (replaced, current, later) = (token("s1", 60), token("s1", 30), token("s1", 10));
    let other = token("s2", 30);
    for token in [&replaced, &current, &later, &other] {
        assert!(verifier.verify(token).await.is_ok());
    }
    let logout = verifier.verify_sign_out(&current).await.unwrap();
    assert!(verifier.verify(&current).await.is_ok(), "verification has no effect");
    verifier.sign_out(&[logout]);
    for (token, ended) in [(&replaced, true), (&current, true), (&later, false), (&other, false)] {
        assert_eq!(verifier.verify(token).await.is_err(), ended);
    }
    assert_eq!(verifier.verify_sign_out(&current).await, Err(Reject::SignedOut));
}

#[tokio::test]
async fn signing_out_with_a_token_that_names_no_session_ends_only_that_token() {
    let (issuer, verifier) = start().await;
    let token = |id: &str| sign(0, &header("k1"), &with(issuer.claims(), "jti", json!(id)));
    let (ended, other) = (token("1"), token("2"));
    let logout = verifier.verify_sign_out(&ended).await.unwrap();
    assert!(!ended.contains(&logout.id), "the id is not a part of the token");
    verifier.sign_out(&[logout]);
    assert_eq!(verifier.verify(&ended).await, Err(Reject::SignedOut));
    assert!(verifier.verify(&other).await.is_ok());
}

#[tokio::test]
async fn an_opaque_token_that_was_signed_out_is_rejected_even_if_the_provider_accepts_it() {
    let issuer = Issuer::start(json!([jwk(0, "k1")])).await;
    let verifier = verifier(&issuer, TokenKind::Userinfo);
    *issuer.state.userinfo.lock().unwrap() = (200, json!({"sub": "u1", "sid": "s1"}));
    assert!(verifier.verify("oidc~opaque").await.is_ok());
    let logout = verifier.verify_sign_out("opaque").await.unwrap();
    assert!(logout.expires_at >= now() + DAY, "its expiry is unknown");
    verifier.sign_out(&[logout]);
    for (token, expected) in [
        ("opaque", Some(Reject::SignedOut)),
        ("oidc~opaque", Some(Reject::SignedOut)),
        ("another", None),
    ] {
        assert_eq!(verifier.verify(token).await.err(), expected, "{token}");
    }
}

#[tokio::test]
async fn a_bound_token_can_be_signed_out_without_a_proof() {
    let (issuer, verifier) = start().await;
    let bound = with(issuer.claims(), "cnf", json!({"jkt": "thumbprint"}));
    assert!(verifier.verify_sign_out(&sign(0, &header("k1"), &bound)).await.is_ok());
}

#[tokio::test]
async fn tokens_of_a_provider_that_reports_sign_outs_live_at_most_a_day() {
    let (issuer, verifier) = start().await;
    let claims = with(issuer.claims(), "exp", json!(now() + 30 * DAY));
    let issued = |ago: u64| sign(0, &header("k1"), &with(claims.clone(), "iat", json!(now() - ago)));
    let principal = verifier.verify(&issued(60)).await.unwrap();
    assert!(principal.expires_at <= now() + DAY - 60, "{}", principal.expires_at);
    assert_eq!(verifier.verify(&issued(DAY + 120)).await, Err(Reject::Expired));
    let without = sign(0, &header("k1"), &with(claims, "iat", Value::Null));
    assert_eq!(verifier.verify(&without).await, Err(Reject::Missing("iat")));
}

#[tokio::test]
async fn a_token_without_an_issue_time_is_verified_again_after_a_sign_out() {
    let issuer = Issuer::start(json!([jwk(0, "k1")])).await;
    let verifier = verifier(&issuer, TokenKind::Userinfo);
    *issuer.state.userinfo.lock().unwrap() = (200, json!({"sub": "u1"}));
    assert!(verifier.verify("opaque").await.is_ok());
    *issuer.state.userinfo.lock().unwrap() = (401, json!({}));
    assert!(verifier.verify("opaque").await.is_ok(), "the result is cached");
    verifier.sign_out(&[logout(&issuer, Some("u1"), None, now() - 1)]);
    assert_eq!(verifier.verify("opaque").await, Err(Reject::Inactive));
}
