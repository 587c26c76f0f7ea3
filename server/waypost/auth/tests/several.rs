#![allow(clippy::unwrap_used)]

mod issuer;

use std::sync::atomic::Ordering::SeqCst;

use issuer::{Issuer, header, jwk, sign, with};
use jsonwebtoken::Header;
use serde_json::{Value, json};
use waypost_auth::{Audience, Config, Introspection, ProviderConfig, Reject, TokenKind, Verifier};

fn verifier(providers: Vec<ProviderConfig>) -> Verifier {
    Verifier::new(Config {
        providers,
        ..Config::default()
    })
    .unwrap()
}

fn client(issuer: &Issuer, id: &str, client_id: &str, audience: &str) -> ProviderConfig {
    ProviderConfig {
        id: id.into(),
        client_id: Some(client_id.into()),
        ..ProviderConfig::new(&issuer.url, audience)
    }
}

fn introspected(issuer: &Issuer, id: &str) -> ProviderConfig {
    ProviderConfig {
        id: id.into(),
        token: TokenKind::Introspection(Introspection {
            client_id: "api:1".into(),
            client_secret: "s&cret".to_owned().into(),
            endpoint: None,
        }),
        ..ProviderConfig::new(&issuer.url, issuer::AUDIENCE)
    }
}

#[tokio::test]
async fn two_clients_of_one_issuer_can_be_configured() {
    let issuer = Issuer::start(json!([jwk(0, "k1")])).await;
    let id_tokens = ProviderConfig {
        token: TokenKind::IdToken,
        roles: vec!["/groups".into()],
        ..client(&issuer, "oidc-2", "mobile", "mobile")
    };
    let verifier = verifier(vec![client(&issuer, "oidc", "web", "api"), id_tokens]);
    let claims = with(issuer.claims(), "groups", json!(["staff"]));
    let access = sign(0, &header("k1"), &claims);
    assert!(
        verifier
            .verify(&access)
            .await
            .unwrap()
            .roles
            .contains(&"author".to_owned())
    );
    let id = with(with(claims.clone(), "aud", json!("mobile")), "at_hash", json!("x"));
    let plain = Header {
        typ: None,
        ..header("k1")
    };
    assert_eq!(verifier.verify(&sign(0, &plain, &id)).await.unwrap().roles, ["staff"]);
    // A token for neither client is rejected with the first provider's reason.
    let neither = sign(0, &header("k1"), &with(claims, "aud", json!("x")));
    assert_eq!(verifier.verify(&neither).await, Err(Reject::Audience));
}

#[tokio::test]
async fn of_two_matching_providers_the_one_with_the_tokens_client_is_used() {
    let issuer = Issuer::start(json!([jwk(0, "k1")])).await;
    let second = ProviderConfig {
        roles: vec!["/groups".into()],
        ..client(&issuer, "oidc-2", "mobile", "api")
    };
    let verifier = verifier(vec![client(&issuer, "oidc", "web", "api"), second]);
    let claims = with(issuer.claims(), "groups", json!(["staff"]));
    let of = |client: &str| sign(0, &header("k1"), &with(claims.clone(), "client_id", json!(client)));
    assert_eq!(verifier.verify(&of("web")).await.unwrap().roles, ["author", "staff"]);
    assert_eq!(verifier.verify(&of("mobile")).await.unwrap().roles, ["staff"]);
    let hinted = format!("oidc-2~{}", of("web"));
    assert_eq!(
        verifier.verify(&hinted).await.unwrap().roles,
        ["staff"],
        "the hint selects the provider"
    );
}

#[test]
fn configuring_the_same_client_twice_is_an_error() {
    let one = ProviderConfig::new("https://login.example.com", "api");
    let other = ProviderConfig {
        id: "oidc-2".into(),
        ..one.clone()
    };
    let problems = |providers| {
        let config = Config {
            providers,
            ..Config::default()
        };
        config.check().err().map_or(0, |error| error.problems.len())
    };
    assert_eq!(problems(vec![one.clone(), other.clone()]), 1);
    let named = ProviderConfig {
        client_id: Some("web".into()),
        ..other
    };
    assert_eq!(problems(vec![one, named]), 0);
}

#[tokio::test]
async fn an_opaque_token_is_sent_only_to_its_own_provider() {
    let (first, second) = (Issuer::start(json!([])).await, Issuer::start(json!([])).await);
    for issuer in [&first, &second] {
        *issuer.state.introspection.lock().unwrap() = (200, json!({"active": true, "sub": "u", "aud": "api"}));
    }
    let both = verifier(vec![introspected(&first, "oidc"), introspected(&second, "oidc-2")]);
    assert_eq!(both.verify("opaque").await, Err(Reject::AmbiguousProvider));
    for unknown in ["oidc-3~opaque", "OIDC-2~opaque"] {
        assert_eq!(
            both.verify(unknown).await,
            Err(Reject::AmbiguousProvider),
            "no provider has this id, which is case-sensitive"
        );
    }
    assert_eq!(both.verify("oidc-2~opaque").await.unwrap().issuer, second.url);
    let requests = |issuer: &Issuer| issuer.state.verification_requests.load(SeqCst);
    assert_eq!((requests(&first), requests(&second)), (0, 1));
    // A token may contain tildes itself.
    assert_eq!(both.verify("oidc~a~b").await.unwrap().issuer, first.url);
    let alone = verifier(vec![introspected(&first, "oidc")]);
    assert_eq!(alone.verify("a~b").await.unwrap().issuer, first.url);
    assert_eq!(alone.verify("oidc~").await, Err(Reject::Malformed("it is empty")));
}

#[tokio::test]
async fn an_alias_of_the_issuer_yields_the_same_account() {
    let issuer = Issuer::start(json!([jwk(0, "k1")])).await;
    let provider = ProviderConfig {
        aliases: vec!["accounts.example.com".into()],
        ..ProviderConfig::new(&issuer.url, "api")
    };
    let verifier = verifier(vec![provider]);
    for spelling in [issuer.url.as_str(), "accounts.example.com"] {
        let token = sign(0, &header("k1"), &with(issuer.claims(), "iss", json!(spelling)));
        assert_eq!(verifier.verify(&token).await.unwrap().issuer, issuer.url, "{spelling}");
    }
    let other = sign(
        0,
        &header("k1"),
        &with(issuer.claims(), "iss", json!("accounts.example.co")),
    );
    assert_eq!(verifier.verify(&other).await, Err(Reject::Issuer));
}

#[tokio::test]
async fn userinfo_supplies_a_subject_that_introspection_omits() {
    let issuer = Issuer::start(json!([])).await;
    let provider = ProviderConfig {
        audience: Audience::ClientId(vec!["web".into()]),
        userinfo: true,
        roles: vec!["/groups".into()],
        ..introspected(&issuer, "oidc")
    };
    let verifier = verifier(vec![provider]);
    *issuer.state.introspection.lock().unwrap() = (200, json!({"active": true, "client_id": "web"}));
    assert_eq!(
        verifier.verify("t1").await,
        Err(Reject::Inactive),
        "userinfo rejects it"
    );
    *issuer.state.userinfo.lock().unwrap() = (503, json!({}));
    assert!(verifier.verify("t2").await.unwrap_err().is_unavailable());
    *issuer.state.userinfo.lock().unwrap() = (200, json!({"sub": "7", "name": "Alice", "groups": ["acme/tours"]}));
    let principal = verifier.verify("t3").await.unwrap();
    assert_eq!(
        (principal.subject.as_str(), principal.profile.name.as_deref()),
        ("7", Some("Alice"))
    );
    assert_eq!(principal.roles, ["acme/tours"]);
    *issuer.state.introspection.lock().unwrap() = (200, json!({"active": true, "client_id": "another application"}));
    assert_eq!(verifier.verify("t4").await, Err(Reject::Audience));
}

#[tokio::test]
async fn unknown_roles_are_distinguished_from_no_roles() {
    let issuer = Issuer::start(json!([jwk(0, "k1")])).await;
    let known = async |userinfo: bool, claims: Value, response: (u16, Value)| {
        *issuer.state.userinfo.lock().unwrap() = response;
        let provider = ProviderConfig {
            userinfo,
            ..ProviderConfig::new(&issuer.url, "api")
        };
        let verifier = verifier(vec![provider]);
        verifier
            .verify(&sign(0, &header("k1"), &claims))
            .await
            .unwrap()
            .roles_known
    };
    let none = with(issuer.claims(), "roles", Value::Null);
    let down = || (503, json!({}));
    assert!(known(false, issuer.claims(), down()).await);
    assert!(known(false, none.clone(), down()).await, "only the token is used");
    assert!(!known(true, none.clone(), down()).await, "userinfo is unavailable");
    assert!(known(true, none.clone(), (200, json!({"sub": "u1"}))).await);
    assert!(!known(true, none.clone(), (200, json!({"sub": "other"}))).await);
    let too_many = with(none, "_claim_names", json!({"groups": "src1"}));
    assert!(!known(false, too_many, down()).await);
}
