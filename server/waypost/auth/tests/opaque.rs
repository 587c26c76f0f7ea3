#![allow(clippy::unwrap_used)]

mod issuer;

use std::{
    sync::{Arc, atomic::Ordering::SeqCst},
    time::{Duration, Instant},
};

use issuer::{Issuer, header, jwk, now, sign, with};
use jsonwebtoken::Header;
use serde_json::{Value, json};
use tokio::task::JoinSet;
use waypost_auth::{
    Audience, Clock, Config, Introspection, ProviderConfig, Reject, Source, Timing, TokenKind, Verifier,
};

fn introspection(issuer: &Issuer, secret: &str) -> ProviderConfig {
    let token = TokenKind::Introspection(Introspection {
        client_id: "api:1".into(),
        client_secret: secret.to_owned().into(),
        endpoint: None,
    });
    ProviderConfig {
        token,
        ..ProviderConfig::new(&issuer.url, issuer::AUDIENCE)
    }
}

fn verifier(providers: Vec<ProviderConfig>) -> Verifier {
    Verifier::new(Config {
        providers,
        ..Config::default()
    })
    .unwrap()
}

#[tokio::test]
async fn introspection_responses_are_checked() {
    let issuer = Issuer::start(json!([])).await;
    let verifier = verifier(vec![introspection(&issuer, "s&cret")]);
    for (number, (status, response, expected)) in [
        (
            200,
            json!({"active": true, "sub": "u", "exp": now() + 60, "aud": "api"}),
            Ok(()),
        ),
        (200, json!({"active": true, "username": "u", "aud": "api"}), Ok(())),
        (200, json!({"active": true, "sub": "u", "client_id": "api"}), Ok(())),
        (
            200,
            json!({"active": true, "sub": "u", "client_id": "another application"}),
            Err(Reject::Audience),
        ),
        (
            200,
            json!({"active": true, "sub": "u"}),
            Err(Reject::Missing("client_id")),
        ),
        (
            200,
            json!({"active": true, "sub": "u", "aud": "other"}),
            Err(Reject::Audience),
        ),
        (
            200,
            json!({"active": true, "sub": "u", "exp": now() - 100}),
            Err(Reject::Expired),
        ),
        (
            200,
            json!({"active": true, "sub": "u", "iss": "https://evil.test"}),
            Err(Reject::Issuer),
        ),
        (
            200,
            json!({"active": true, "sub": "u", "aud": "api", "cnf": {"jkt": "x"}}),
            Err(Reject::Bound),
        ),
        (200, json!({"active": true}), Err(Reject::Missing("sub"))),
        (200, json!({"active": "true", "sub": "u"}), Err(Reject::Inactive)),
        (200, json!({"active": false}), Err(Reject::Inactive)),
        (200, json!({}), Err(Reject::Inactive)),
        (
            500,
            json!({}),
            Err(Reject::Unavailable(
                "the introspection endpoint returned 500 Internal Server Error".into(),
            )),
        ),
        (
            200,
            json!([]),
            Err(Reject::Unavailable("the introspection endpoint returned 200 OK".into())),
        ),
    ]
    .into_iter()
    .enumerate()
    {
        *issuer.state.introspection.lock().unwrap() = (status, response.clone());
        let result = verifier.verify(&format!("opaque-{number}")).await.map(|_| ());
        assert_eq!(result, expected, "{status} {response}");
    }
    assert!(matches!(verifier.verify("to ken").await, Err(Reject::Malformed(_))));
}

#[tokio::test]
async fn an_introspection_response_is_cached_for_a_minute() {
    let issuer = Issuer::start(json!([])).await;
    let clock = Clock::manual();
    let config = Config {
        providers: vec![introspection(&issuer, "s&cret")],
        ..Config::default()
    };
    let verifier = Verifier::with_clock(config, clock.clone()).unwrap();
    *issuer.state.introspection.lock().unwrap() = (200, json!({"active": true, "sub": "u", "aud": "api"}));
    for (seconds, requests) in [(0, 1), (59, 1), (1, 2)] {
        clock.advance(Duration::from_secs(seconds));
        assert_eq!(verifier.verify("opaque").await.unwrap().source, Source::Introspection);
        assert_eq!(issuer.state.verification_requests.load(SeqCst), requests);
    }
    *issuer.state.introspection.lock().unwrap() = (200, json!({"active": false}));
    clock.advance(Duration::from_secs(60));
    assert_eq!(
        verifier.verify("opaque").await,
        Err(Reject::Inactive),
        "signed out at the provider"
    );
}

#[tokio::test]
async fn a_wrong_introspection_secret_makes_the_provider_unavailable() {
    let issuer = Issuer::start(json!([])).await;
    let reject = verifier(vec![introspection(&issuer, "wrong")])
        .verify("opaque")
        .await
        .unwrap_err();
    assert!(reject.is_unavailable());
}

#[tokio::test]
async fn userinfo_verifies_opaque_tokens_if_configured() {
    let issuer = Issuer::start(json!([])).await;
    let provider = ProviderConfig {
        token: TokenKind::Userinfo,
        ..ProviderConfig::new(&issuer.url, "api")
    };
    let verifier = verifier(vec![provider]);
    assert_eq!(verifier.verify("opaque").await, Err(Reject::Inactive));
    *issuer.state.userinfo.lock().unwrap() = (503, json!({}));
    assert!(verifier.verify("opaque").await.unwrap_err().is_unavailable());
    *issuer.state.userinfo.lock().unwrap() = (200, json!({"sub": "u", "roles": ["x"]}));
    assert_eq!(verifier.verify("opaque").await.unwrap().roles, ["x"]);
}

#[tokio::test]
async fn userinfo_fills_in_claims_that_the_token_lacks() {
    let issuer = Issuer::start(json!([jwk(0, "k1")])).await;
    let verifier = verifier(vec![ProviderConfig {
        userinfo: true,
        ..ProviderConfig::new(&issuer.url, "api")
    }]);
    let without_profile = ["name", "email", "roles"]
        .iter()
        .fold(issuer.claims(), |claims, name| with(claims, name, Value::Null));
    let token = |sub: &str| sign(0, &header("k1"), &with(without_profile.clone(), "sub", json!(sub)));

    *issuer.state.userinfo.lock().unwrap() = (
        200,
        json!({"sub": "u1", "name": "Alice", "email": "a@example.com", "email_verified": true, "roles": "author"}),
    );
    let principal = verifier.verify(&token("u1")).await.unwrap();
    assert_eq!(principal.profile.name.as_deref(), Some("Alice"));
    assert!(principal.profile.email_verified);
    assert_eq!(principal.roles, ["author"]);

    let other = verifier.verify(&token("u2")).await.unwrap();
    assert_eq!(
        (other.profile.name.as_deref(), other.roles.len()),
        (None, 0),
        "a response about another subject is ignored"
    );

    *issuer.state.userinfo.lock().unwrap() = (500, json!({}));
    verifier
        .verify(&token("u3"))
        .await
        .expect("a valid token does not depend on userinfo");
}

#[tokio::test]
async fn names_that_introspection_lacks_are_read_from_userinfo() {
    let issuer = Issuer::start(json!([])).await;
    let verifier = verifier(vec![ProviderConfig {
        userinfo: true,
        ..introspection(&issuer, "s&cret")
    }]);
    *issuer.state.introspection.lock().unwrap() = (200, json!({"active": true, "sub": "u1", "aud": "api"}));
    *issuer.state.userinfo.lock().unwrap() = (200, json!({"sub": "u1", "name": "Alice", "email": "a@example.com"}));
    let profile = verifier.verify("opaque").await.unwrap().profile.clone();
    assert_eq!(
        (profile.name.as_deref(), profile.email.as_deref()),
        (Some("Alice"), Some("a@example.com"))
    );

    issuer.state.without_userinfo.store(true, SeqCst);
    let verifier = self::verifier(vec![ProviderConfig {
        userinfo: true,
        ..introspection(&issuer, "s&cret")
    }]);
    let principal = verifier.verify("opaque").await.unwrap();
    assert_eq!((principal.profile.name.as_deref(), principal.roles_known), (None, true));
}

#[tokio::test]
async fn each_token_is_verified_by_its_provider() {
    let (jwt, opaque) = (
        Issuer::start(json!([jwk(0, "k1")])).await,
        Issuer::start(json!([jwk(1, "k1")])).await,
    );
    *opaque.state.introspection.lock().unwrap() = (200, json!({"active": true, "sub": "u1", "aud": "api"}));
    let verifier = verifier(vec![
        ProviderConfig::new(&jwt.url, "api"),
        ProviderConfig {
            id: "oidc-2".into(),
            ..introspection(&opaque, "s&cret")
        },
    ]);

    let first = verifier.verify(&sign(0, &header("k1"), &jwt.claims())).await.unwrap();
    let second = verifier.verify("opaque").await.unwrap();
    assert_eq!((&first.subject, &second.subject), (&"u1".to_owned(), &"u1".to_owned()));
    assert_ne!(
        first.issuer, second.issuer,
        "the same subject at two issuers is two accounts"
    );

    let crossed = sign(1, &header("k1"), &jwt.claims());
    assert_eq!(
        verifier.verify(&crossed).await,
        Err(Reject::Signature),
        "signed with one provider's key, but naming the other issuer"
    );
    let third = Issuer::start(json!([jwk(0, "k1")])).await;
    assert_eq!(
        verifier.verify(&sign(0, &header("k1"), &third.claims())).await,
        Err(Reject::Issuer)
    );
}

#[tokio::test]
async fn client_ids_and_id_token_audiences_are_checked() {
    let issuer = Issuer::start(json!([jwk(0, "k1")])).await;
    let cognito = ProviderConfig {
        audience: Audience::ClientId(vec!["spa".into()]),
        ..ProviderConfig::new(&issuer.url, "api")
    };
    let id_tokens = ProviderConfig {
        token: TokenKind::IdToken,
        ..ProviderConfig::new(&issuer.url, "spa")
    };
    let no_aud = with(issuer.claims(), "aud", Value::Null);
    let id_token = with(with(issuer.claims(), "aud", json!("spa")), "at_hash", json!("x"));
    let two = with(id_token.clone(), "aud", json!(["spa", "other"]));
    let of_type = |kind: &str| Header {
        typ: Some(kind.to_owned()),
        ..header("k1")
    };
    for (case, provider, claims, expected) in [
        (
            "our client",
            &cognito,
            with(no_aud.clone(), "client_id", json!("spa")),
            Ok(()),
        ),
        (
            "another client",
            &cognito,
            with(no_aud.clone(), "client_id", json!("x")),
            Err(Reject::Audience),
        ),
        ("no client", &cognito, no_aud.clone(), Err(Reject::Missing("client_id"))),
        ("ID token for us", &id_tokens, id_token.clone(), Ok(())),
        (
            "ID token for another client",
            &id_tokens,
            with(id_token.clone(), "aud", json!("x")),
            Err(Reject::Audience),
        ),
        (
            "an access token where ID tokens are expected",
            &id_tokens,
            with(issuer.claims(), "aud", json!("spa")),
            Err(Reject::AccessToken),
        ),
        (
            "Amazon Cognito's ID token",
            &cognito,
            with(
                with(no_aud.clone(), "client_id", json!("spa")),
                "token_use",
                json!("id"),
            ),
            Err(Reject::IdToken),
        ),
        (
            "ID token for two clients, without azp",
            &id_tokens,
            two.clone(),
            Err(Reject::Audience),
        ),
        (
            "ID token for two clients, azp is ours",
            &id_tokens,
            with(two.clone(), "azp", json!("spa")),
            Ok(()),
        ),
        (
            "ID token for two clients, azp is the other",
            &id_tokens,
            with(two, "azp", json!("other")),
            Err(Reject::Audience),
        ),
    ] {
        let kind = if provider.token == TokenKind::IdToken {
            "JWT"
        } else {
            "at+jwt"
        };
        let result = verifier(vec![provider.clone()])
            .verify(&sign(0, &of_type(kind), &claims))
            .await
            .map(|_| ());
        assert_eq!(result, expected, "{case}");
    }
}

#[tokio::test]
async fn a_slow_provider_makes_every_waiting_token_unavailable_in_time() {
    let issuer = Issuer::start(json!([])).await;
    let timing = Timing {
        timeout: Duration::from_millis(500),
        ..Timing::default()
    };
    let verifier = Verifier::new(Config {
        providers: vec![introspection(&issuer, "s&cret")],
        timing,
    });
    let verifier = Arc::new(verifier.unwrap());
    assert_eq!(verifier.verify("first").await.map(|_| ()), Err(Reject::Inactive));
    issuer.state.delay_ms.store(60_000, SeqCst);
    let started = Instant::now();
    let mut results = JoinSet::new();
    for number in 0..320 {
        let verifier = Arc::clone(&verifier);
        results.spawn(async move { verifier.verify(&format!("token-{number}")).await });
    }
    for result in results.join_all().await {
        assert!(result.unwrap_err().is_unavailable());
    }
    assert!(started.elapsed() < Duration::from_secs(3), "{:?}", started.elapsed());
}
