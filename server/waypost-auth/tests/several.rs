//! Several providers side by side, other spellings of an issuer, and what is known of roles.

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

fn asked(issuer: &Issuer, id: &str) -> ProviderConfig {
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
async fn two_clients_of_one_issuer_work_side_by_side() {
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
    // For neither: the first one says why.
    let neither = sign(0, &header("k1"), &with(claims, "aud", json!("x")));
    assert_eq!(verifier.verify(&neither).await, Err(Reject::Audience));
}

#[tokio::test]
async fn of_two_that_accept_a_token_the_one_decides_whose_client_got_it() {
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
        "a hint chooses"
    );
}

#[test]
fn the_same_client_twice_is_a_mistake() {
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
async fn an_opaque_token_is_shown_to_its_own_provider_only() {
    let (first, second) = (Issuer::start(json!([])).await, Issuer::start(json!([])).await);
    for issuer in [&first, &second] {
        *issuer.state.introspection.lock().unwrap() = (200, json!({"active": true, "sub": "u", "aud": "api"}));
    }
    let both = verifier(vec![asked(&first, "oidc"), asked(&second, "oidc-2")]);
    assert_eq!(both.verify("opaque").await, Err(Reject::Whose));
    assert_eq!(
        both.verify("oidc-3~opaque").await,
        Err(Reject::Whose),
        "no provider of this name"
    );
    assert_eq!(both.verify("oidc-2~opaque").await.unwrap().issuer, second.url);
    let questions = |issuer: &Issuer| issuer.state.questions.load(SeqCst);
    assert_eq!((questions(&first), questions(&second)), (0, 1));
    // A token may hold tildes of its own.
    assert_eq!(both.verify("oidc~a~b").await.unwrap().issuer, first.url);
    let alone = verifier(vec![asked(&first, "oidc")]);
    assert_eq!(alone.verify("a~b").await.unwrap().issuer, first.url);
    assert_eq!(alone.verify("oidc~").await, Err(Reject::Malformed("it is empty")));
}

#[tokio::test]
async fn another_spelling_of_the_issuer_is_the_same_person() {
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
async fn introspection_may_leave_it_to_userinfo_whose_token_it_is() {
    let issuer = Issuer::start(json!([])).await;
    let provider = ProviderConfig {
        audience: Audience::ClientId(vec!["web".into()]),
        userinfo: true,
        roles: vec!["/groups".into()],
        ..asked(&issuer, "oidc")
    };
    let verifier = verifier(vec![provider]);
    *issuer.state.introspection.lock().unwrap() = (200, json!({"active": true, "client_id": "web"}));
    assert_eq!(
        verifier.verify("t1").await,
        Err(Reject::Inactive),
        "userinfo refuses it"
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
async fn no_roles_and_unknown_roles_are_told_apart() {
    let issuer = Issuer::start(json!([jwk(0, "k1")])).await;
    let known = async |userinfo: bool, claims: Value, answer: (u16, Value)| {
        *issuer.state.userinfo.lock().unwrap() = answer;
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
    assert!(known(false, none.clone(), down()).await, "the token is all there is");
    assert!(!known(true, none.clone(), down()).await, "nobody could be asked");
    assert!(known(true, none.clone(), (200, json!({"sub": "u1"}))).await);
    assert!(!known(true, none.clone(), (200, json!({"sub": "other"}))).await);
    let too_many = with(none, "_claim_names", json!({"groups": "src1"}));
    assert!(!known(false, too_many, down()).await);
}
