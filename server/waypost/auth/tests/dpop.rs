#![allow(clippy::unwrap_used)]

mod issuer;

use std::time::Duration;

use issuer::{Issuer, header, jwk, sign, with};
use serde_json::{Value, json};
use waypost_auth::{
    Clock, Config, Introspection, ProviderConfig, Reject, TokenKind, Verifier,
    dpop::{ProofKey, Proofs},
};

const URL: &str = "https://tours.example/graphql";

struct Fixture {
    issuer: Issuer,
    verifier: Verifier,
    proofs: Proofs,
    clock: Clock,
    key: ProofKey,
    token: String,
}

fn proofs(clock: &Clock) -> Proofs {
    Proofs::new(URL.parse().unwrap(), b"shared by all processes", clock.clone())
}

fn verifier(clock: &Clock, provider: ProviderConfig) -> Verifier {
    let config = Config {
        providers: vec![provider],
        ..Config::default()
    };
    Verifier::with_clock(config, clock.clone()).unwrap()
}

impl Fixture {
    async fn new() -> Self {
        let issuer = Issuer::start(json!([jwk(0, "k1")])).await;
        let clock = Clock::manual();
        let key = ProofKey::generate().unwrap();
        let provider = ProviderConfig {
            dpop: true,
            ..ProviderConfig::new(&issuer.url, issuer::AUDIENCE)
        };
        Self {
            token: bound(&issuer, json!({ "jkt": key.thumbprint() })),
            verifier: verifier(&clock, provider),
            proofs: proofs(&clock),
            issuer,
            clock,
            key,
        }
    }

    fn claims(&self) -> Value {
        let nonce = self.proofs.nonce();
        ProofKey::claims("POST", URL, Some(&self.token), Some(&nonce), self.clock.unix()).unwrap()
    }

    async fn send(&self, proof: &str) -> Result<(), Reject> {
        self.send_to(&self.proofs, &self.token, proof).await
    }

    async fn send_to(&self, proofs: &Proofs, token: &str, proof: &str) -> Result<(), Reject> {
        let result = self.verifier.verify_bound(token, proofs, proof, "POST").await;
        result.map(|principal| assert_eq!(principal.subject, "u1"))
    }
}

fn bound(issuer: &Issuer, confirmation: Value) -> String {
    sign(0, &header("k1"), &with(issuer.claims(), "cnf", confirmation))
}

#[tokio::test]
async fn a_bound_token_needs_a_proof_for_this_request() {
    let fixture = Fixture::new().await;
    assert_eq!(
        fixture.send(&fixture.key.sign(&fixture.claims()).unwrap()).await,
        Ok(())
    );
    let url = "HTTPS://tours.example:443/graphql?query#fragment";
    let claims = with(fixture.claims(), "htu", json!(url));
    assert_eq!(
        fixture.send(&fixture.key.sign(&claims).unwrap()).await,
        Ok(()),
        "a URL that is not normalized"
    );
    let claims = with(fixture.claims(), "iat", json!(1));
    assert_eq!(
        fixture.send(&fixture.key.sign(&claims).unwrap()).await,
        Ok(()),
        "the clock of the client is wrong"
    );
    for (name, value, expected) in [
        ("htm", json!("GET"), Reject::Proof("it is for another HTTP method")),
        ("htm", json!("post"), Reject::Proof("it is for another HTTP method")),
        (
            "htu",
            json!("https://tours.example/other"),
            Reject::Proof("it is for another URL"),
        ),
        (
            "htu",
            json!("http://tours.example/graphql"),
            Reject::Proof("it is for another URL"),
        ),
        (
            "htu",
            json!("https://tours.example:81/graphql"),
            Reject::Proof("it is for another URL"),
        ),
        ("htu", json!("/graphql"), Reject::Proof("it is for another URL")),
        (
            "ath",
            json!("fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo"),
            Reject::Proof("it is for another access token"),
        ),
        ("nonce", json!(null), Reject::Nonce),
        ("nonce", json!("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"), Reject::Nonce),
        (
            "jti",
            json!(null),
            Reject::Proof("it is not a JWT with all required members"),
        ),
        (
            "ath",
            json!(null),
            Reject::Proof("it is not a JWT with all required members"),
        ),
        (
            "iat",
            json!(null),
            Reject::Proof("it is not a JWT with all required members"),
        ),
        (
            "iat",
            json!("1"),
            Reject::Proof("it is not a JWT with all required members"),
        ),
        ("jti", json!("x".repeat(4096)), Reject::Proof("it is longer than 4 kB")),
    ] {
        let claims = with(fixture.claims(), name, value.clone());
        let proof = fixture.key.sign(&claims).unwrap();
        assert_eq!(fixture.send(&proof).await, Err(expected), "{name} = {value}");
    }
}

#[tokio::test]
async fn the_header_of_a_proof_is_checked() {
    let fixture = Fixture::new().await;
    let key = &fixture.key;
    let valid = json!({ "typ": "dpop+jwt", "alg": "ES256", "jwk": key.jwk() });
    assert_eq!(
        fixture.send(&key.sign_with(&valid, &fixture.claims()).unwrap()).await,
        Ok(())
    );
    let algorithm = Reject::Proof("its algorithm is not accepted, or does not fit its key");
    let private = Reject::Proof("it contains a private key");
    for (name, value, expected) in [
        ("typ", json!("JWT"), Reject::Proof("its type is not `dpop+jwt`")),
        ("crit", json!(["b64"]), Reject::Proof("its type is not `dpop+jwt`")),
        ("alg", json!("none"), algorithm.clone()),
        ("alg", json!("HS256"), algorithm.clone()),
        ("alg", json!("ES384"), algorithm.clone()),
        ("alg", json!("RS256"), algorithm.clone()),
        ("jwk", with(key.jwk(), "d", json!("AA")), private.clone()),
        ("jwk", json!({ "kty": "oct", "k": "AA" }), private),
        (
            "jwk",
            json!(null),
            Reject::Proof("it is not a JWT with all required members"),
        ),
        ("jwk", json!({ "kty": "EC" }), algorithm),
        (
            "jwk",
            ProofKey::generate().unwrap().jwk(),
            Reject::Proof("its key is not the one to which the access token is bound"),
        ),
    ] {
        let proof = key
            .sign_with(&with(valid.clone(), name, value.clone()), &fixture.claims())
            .unwrap();
        assert_eq!(fixture.send(&proof).await, Err(expected), "{name} = {value}");
    }
    let proof = key.sign(&fixture.claims()).unwrap();
    let other = key.sign(&fixture.claims()).unwrap();
    let (signed, _) = proof.rsplit_once('.').unwrap();
    let (_, signature) = other.rsplit_once('.').unwrap();
    let forged = format!("{signed}.{signature}");
    assert_eq!(
        fixture.send(&forged).await,
        Err(Reject::Proof("its signature is invalid"))
    );
    for malformed in ["", "a.b.c", "...", &proof.replace('.', "..")] {
        assert_eq!(
            fixture.send(malformed).await,
            Err(Reject::Proof("it is not a JWT with all required members")),
            "{malformed}"
        );
    }
}

#[tokio::test]
async fn a_proof_is_accepted_once_and_only_while_its_nonce_is_valid() {
    let fixture = Fixture::new().await;
    let proof = fixture.key.sign(&fixture.claims()).unwrap();
    assert_eq!(fixture.send(&proof).await, Ok(()));
    assert_eq!(fixture.send(&proof).await, Err(Reject::Proof("it was used before")));
    let later = fixture.key.sign(&fixture.claims()).unwrap();
    fixture.clock.advance(Duration::from_secs(4 * 60));
    for proof in [proof, later] {
        assert_eq!(fixture.send(&proof).await, Err(Reject::Nonce));
    }
    // With the same cached token.
    let proof = fixture.key.sign(&fixture.claims()).unwrap();
    assert_eq!(fixture.send(&proof).await, Ok(()));
}

#[tokio::test]
async fn a_rejected_proof_can_be_repeated() {
    let fixture = Fixture::new().await;
    let proof = fixture.key.sign(&fixture.claims()).unwrap();
    let (signed, _) = proof.rsplit_once('.').unwrap();
    assert!(fixture.send(&format!("{signed}.AAAA")).await.is_err());
    assert_eq!(fixture.send(&proof).await, Ok(()), "only valid proofs are remembered");
}

#[tokio::test]
async fn another_process_accepts_the_nonce() {
    let fixture = Fixture::new().await;
    let other = proofs(&fixture.clock);
    let proof = fixture.key.sign(&fixture.claims()).unwrap();
    assert_eq!(fixture.send_to(&other, &fixture.token, &proof).await, Ok(()));
    let restarted = Proofs::new(URL.parse().unwrap(), b"another installation", fixture.clock.clone());
    assert_eq!(
        fixture.send_to(&restarted, &fixture.token, &proof).await,
        Err(Reject::Nonce)
    );
}

#[tokio::test]
async fn neither_a_stolen_nor_an_unbound_token_is_accepted() {
    let fixture = Fixture::new().await;
    assert_eq!(fixture.verifier.verify(&fixture.token).await.err(), Some(Reject::Bound));
    let thief = ProofKey::generate().unwrap();
    assert_eq!(
        fixture.send(&thief.sign(&fixture.claims()).unwrap()).await,
        Err(Reject::Proof(
            "its key is not the one to which the access token is bound"
        ))
    );
    let bearer = sign(0, &header("k1"), &fixture.issuer.claims());
    assert_eq!(fixture.verifier.verify(&bearer).await.err(), Some(Reject::Unbound));
    let nonce = fixture.proofs.nonce();
    let claims = ProofKey::claims("POST", URL, Some(&bearer), Some(&nonce), fixture.clock.unix()).unwrap();
    let proof = fixture.key.sign(&claims).unwrap();
    assert_eq!(
        fixture.send_to(&fixture.proofs, &bearer, &proof).await,
        Err(Reject::Unbound)
    );
    for confirmation in [
        json!({}),
        json!("x"),
        json!({ "jkt": 7 }),
        json!({ "x5t#S256": "x" }),
        json!({ "jkt": fixture.key.thumbprint(), "x5t#S256": "x" }),
    ] {
        let token = bound(&fixture.issuer, confirmation.clone());
        let proof = fixture.key.sign(&fixture.claims()).unwrap();
        let result = fixture.send_to(&fixture.proofs, &token, &proof).await;
        assert_eq!(result, Err(Reject::Bound), "{confirmation}");
    }
}

#[tokio::test]
async fn introspection_returns_the_key_of_an_opaque_token() {
    let fixture = Fixture::new().await;
    let provider = ProviderConfig {
        token: TokenKind::Introspection(Introspection {
            client_id: "api:1".into(),
            client_secret: "s&cret".to_owned().into(),
            endpoint: None,
        }),
        dpop: true,
        ..ProviderConfig::new(&fixture.issuer.url, issuer::AUDIENCE)
    };
    let verifier = verifier(&fixture.clock, provider);
    let response = json!({ "active": true, "sub": "u1", "aud": "api", "cnf": { "jkt": fixture.key.thumbprint() } });
    *fixture.issuer.state.introspection.lock().unwrap() = (200, response);
    // The prefix that selects a provider is not a part of the token.
    for sent in ["opaque", "oidc~opaque"] {
        let nonce = fixture.proofs.nonce();
        let claims = ProofKey::claims("POST", URL, Some("opaque"), Some(&nonce), fixture.clock.unix()).unwrap();
        let proof = fixture.key.sign(&claims).unwrap();
        let principal = verifier
            .verify_bound(sent, &fixture.proofs, &proof, "POST")
            .await
            .unwrap();
        assert_eq!(principal.subject, "u1");
        assert_eq!(verifier.verify(sent).await.err(), Some(Reject::Bound));
    }
}

#[test]
fn the_thumbprint_is_that_of_rfc_7638() {
    // The key and the thumbprint of RFC 9449, sections 4.1 and 6.1.
    let jwk = json!({
        "kty": "EC", "x": "l8tFrhx-34tV3hRICRDY9zCkDlpBhF42UQUfWVAWBFs",
        "y": "9VE4jf_Ok_o64zbTTlcuNJajHmt6v9TDVrU0CdvGRDA", "crv": "P-256"
    });
    assert_eq!(
        waypost_auth::dpop::thumbprint(&jwk).as_deref(),
        Some("0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I")
    );
}
