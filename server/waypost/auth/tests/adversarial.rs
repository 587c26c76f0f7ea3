#![allow(clippy::unwrap_used)]

mod issuer;

use std::time::Duration;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD as BASE64};
use issuer::{Issuer, header, jwk, now, rsa_der, sign, with};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use serde_json::{Value, json};
use waypost_auth::{Config, ProviderConfig, Reject, Source, Timing, Verifier};

fn verifier(issuer: &Issuer) -> Verifier {
    let providers = vec![ProviderConfig::new(&issuer.url, issuer::AUDIENCE)];
    let timing = Timing {
        // Tokens with unknown keys would wait for it.
        unknown_key_cool_down: Duration::ZERO,
        ..Timing::default()
    };
    Verifier::new(Config { providers, timing }).unwrap()
}

fn raw(header: Value, claims: &Value, signature: &[u8]) -> String {
    let part = |bytes: &[u8]| BASE64.encode(bytes);
    format!(
        "{}.{}.{}",
        part(header.to_string().as_bytes()),
        part(claims.to_string().as_bytes()),
        part(signature)
    )
}

fn signed_raw(header: Value, claims: &Value) -> String {
    let unsigned = raw(header, claims, b"");
    let message = unsigned.trim_end_matches('.');
    let key = EncodingKey::from_rsa_der(rsa_der(0));
    format!(
        "{message}.{}",
        jsonwebtoken::crypto::sign(message.as_bytes(), &key, Algorithm::RS256).unwrap()
    )
}

/// The provider announces introspection and userinfo.
fn opaque() -> Reject {
    let fix =
        "Set WAYPOST_OIDC_RESOURCE, or WAYPOST_OIDC_TOKEN=introspection|id_token|userinfo; see `waypost doctor oidc`.";
    Reject::Opaque(fix.to_owned())
}

async fn check(verifier: &Verifier, rows: Vec<(&str, String, Result<(), Reject>)>) {
    let mut wrong = Vec::new();
    for (case, token, expected) in rows {
        let result = verifier.verify(&token).await.map(|_| ());
        if result != expected {
            wrong.push(format!("{case}: {result:?}, expected {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "tokens with a wrong result:\n{}", wrong.join("\n"));
}

#[tokio::test]
async fn a_valid_token_yields_its_principal() {
    let issuer = Issuer::start(json!([jwk(0, "k1")])).await;
    let token = sign(0, &header("k1"), &issuer.claims());
    let principal = verifier(&issuer).verify(&token).await.unwrap();
    assert_eq!(
        (principal.issuer.as_str(), principal.subject.as_str()),
        (issuer.url.as_str(), "u1")
    );
    assert_eq!(
        (principal.roles.as_slice(), principal.scopes.as_slice()),
        (["author".into()].as_slice(), ["waypost".into()].as_slice())
    );
    assert_eq!(principal.profile.name.as_deref(), Some("Alice Author"));
    assert_eq!(principal.source, Source::Signature);
}

#[tokio::test]
async fn tokens_with_invalid_claims_are_rejected() {
    let issuer = Issuer::start(json!([jwk(0, "k1")])).await;
    let claims = issuer.claims();
    let token = |name: &str, value: Value| sign(0, &header("k1"), &with(claims.clone(), name, value));
    let slash = format!("{}/", issuer.url);
    check(
        &verifier(&issuer),
        vec![
            (
                "expired for 70 s",
                token("exp", json!(now() - 70)),
                Err(Reject::Expired),
            ),
            (
                "expired for 30 s, within the leeway",
                token("exp", json!(now() - 30)),
                Ok(()),
            ),
            ("no exp", token("exp", Value::Null), Err(Reject::Missing("exp"))),
            (
                "exp as a string",
                token("exp", json!("9999999999")),
                Err(Reject::Claim("exp")),
            ),
            ("exp negative", token("exp", json!(-1)), Err(Reject::Claim("exp"))),
            ("exp with a fraction", token("exp", json!(now() as f64 + 300.5)), Ok(())),
            ("exp is the largest u64", token("exp", json!(u64::MAX)), Ok(())),
            (
                "exp beyond the largest u64",
                token("exp", json!(1e300)),
                Err(Reject::Claim("exp")),
            ),
            (
                "nbf in two minutes",
                token("nbf", json!(now() + 120)),
                Err(Reject::NotYet),
            ),
            (
                "nbf in 30 s, within the leeway",
                token("nbf", json!(now() + 30)),
                Ok(()),
            ),
            ("nbf as a string", token("nbf", json!("0")), Err(Reject::Claim("nbf"))),
            (
                "iat in two minutes",
                token("iat", json!(now() + 120)),
                Err(Reject::NotYet),
            ),
            ("foreign aud", token("aud", json!("other")), Err(Reject::Audience)),
            ("no aud", token("aud", Value::Null), Err(Reject::Missing("aud"))),
            ("aud among others", token("aud", json!(["x", "api"])), Ok(())),
            (
                "aud list without ours",
                token("aud", json!(["x", "y"])),
                Err(Reject::Audience),
            ),
            ("aud list empty", token("aud", json!([])), Err(Reject::Audience)),
            (
                "aud list with a number",
                token("aud", json!(["api", 7])),
                Err(Reject::Claim("aud")),
            ),
            ("aud a number", token("aud", json!(7)), Err(Reject::Claim("aud"))),
            (
                "aud longer than ours",
                token("aud", json!("api2")),
                Err(Reject::Audience),
            ),
            ("aud in another case", token("aud", json!("API")), Err(Reject::Audience)),
            (
                "foreign iss",
                token("iss", json!("https://evil.test")),
                Err(Reject::Issuer),
            ),
            (
                "iss with an extra slash",
                token("iss", json!(slash)),
                Err(Reject::Issuer),
            ),
            (
                "iss a list that contains ours",
                token("iss", json!([issuer.url])),
                Err(Reject::Claim("iss")),
            ),
            ("no iss", token("iss", Value::Null), Err(Reject::Missing("iss"))),
            ("no sub", token("sub", Value::Null), Err(Reject::Missing("sub"))),
            ("sub empty", token("sub", json!("")), Err(Reject::Claim("sub"))),
            ("sub a number", token("sub", json!(1)), Err(Reject::Claim("sub"))),
            (
                "sub too long",
                token("sub", json!("x".repeat(256))),
                Err(Reject::Claim("sub")),
            ),
            (
                "ID token with at_hash",
                token("at_hash", json!("x")),
                Err(Reject::IdToken),
            ),
            (
                "ID token with c_hash",
                token("c_hash", json!("x")),
                Err(Reject::IdToken),
            ),
            (
                "ID token of Cognito",
                token("token_use", json!("id")),
                Err(Reject::IdToken),
            ),
            ("ID token of Keycloak", token("typ", json!("ID")), Err(Reject::IdToken)),
            ("bound to a key", token("cnf", json!({"jkt": "x"})), Err(Reject::Bound)),
            (
                "logout token without its typ",
                token("events", json!({})),
                Err(Reject::Type("security event".into())),
            ),
        ],
    )
    .await;
}

#[tokio::test]
async fn tokens_with_invalid_headers_keys_or_signatures_are_rejected() {
    let mut encryption = jwk(2, "enc");
    encryption["use"] = json!("enc");
    let symmetric =
        json!({"kty": "oct", "kid": "sym", "k": BASE64.encode("secret-secret-secret-secret-1234"), "alg": "HS256"});
    let issuer = Issuer::start(json!([jwk(0, "k1"), encryption, symmetric])).await;
    let claims = issuer.claims();
    let valid = sign(0, &header("k1"), &claims);
    let typed = |typ: Option<&str>| {
        sign(
            0,
            &Header {
                typ: typ.map(String::from),
                ..header("k1")
            },
            &claims,
        )
    };
    let flipped = |at: usize| {
        let mut bytes = valid.clone().into_bytes();
        bytes[at] = if bytes[at] == b'A' { b'B' } else { b'A' };
        String::from_utf8(bytes).unwrap()
    };
    let ps256 = Header {
        alg: Algorithm::PS256,
        ..header("k1")
    };
    check(
        &verifier(&issuer),
        vec![
            (
                "another key under a known kid",
                sign(1, &header("k1"), &claims),
                Err(Reject::Signature),
            ),
            (
                "alg none",
                raw(json!({"alg": "none", "kid": "k1"}), &claims, b""),
                Err(Reject::Algorithm),
            ),
            (
                "alg nOnE",
                raw(json!({"alg": "nOnE"}), &claims, b""),
                Err(Reject::Algorithm),
            ),
            (
                "alg empty",
                raw(json!({"alg": ""}), &claims, b""),
                Err(Reject::Algorithm),
            ),
            (
                "alg missing",
                raw(json!({"kid": "k1"}), &claims, b"x"),
                Err(Reject::Malformed("its header has wrong types")),
            ),
            (
                "alg a list",
                raw(json!({"alg": ["RS256"]}), &claims, b"x"),
                Err(Reject::Algorithm),
            ),
            (
                "alg in lower case",
                signed_raw(json!({"alg": "rs256", "kid": "k1"}), &claims),
                Err(Reject::Algorithm),
            ),
            (
                "crit",
                sign(
                    0,
                    &Header {
                        crit: Some(vec!["b64".into()]),
                        ..header("k1")
                    },
                    &claims,
                ),
                Err(Reject::Critical),
            ),
            (
                "crit of a wrong type",
                signed_raw(json!({"alg": "RS256", "crit": 1}), &claims),
                Err(Reject::Critical),
            ),
            (
                "typ logout+jwt",
                typed(Some("logout+jwt")),
                Err(Reject::Type("logout+jwt".into())),
            ),
            (
                "typ dpop+jwt",
                typed(Some("dpop+jwt")),
                Err(Reject::Type("dpop+jwt".into())),
            ),
            ("typ JWT", typed(Some("JWT")), Ok(())),
            ("typ as a media type", typed(Some("application/at+JWT")), Ok(())),
            ("typ absent", typed(None), Ok(())),
            (
                "no kid",
                sign(
                    0,
                    &Header {
                        kid: None,
                        ..header("k1")
                    },
                    &claims,
                ),
                Ok(()),
            ),
            (
                "kid a number",
                signed_raw(json!({"alg": "RS256", "kid": 1}), &claims),
                Err(Reject::Malformed("its header has wrong types")),
            ),
            (
                "key for encryption",
                sign(2, &header("enc"), &claims),
                Err(Reject::UnknownKey),
            ),
            (
                "key offered by jku",
                sign(
                    1,
                    &Header {
                        jku: Some("http://evil.test/jwks".into()),
                        ..header("zz")
                    },
                    &claims,
                ),
                Err(Reject::UnknownKey),
            ),
            (
                "key offered in the header",
                signed_raw(json!({"alg": "RS256", "kid": "zz", "jwk": jwk(0, "zz")}), &claims),
                Err(Reject::UnknownKey),
            ),
            (
                "PS256 with a key for RS256",
                encode(&ps256, &claims, &EncodingKey::from_rsa_der(rsa_der(0))).unwrap(),
                Err(Reject::UnknownKey),
            ),
            ("empty", String::new(), Err(Reject::Malformed("it is empty"))),
            (
                "20 kB",
                "a".repeat(20_000),
                Err(Reject::Malformed("it is longer than 16 kB")),
            ),
            (
                "three dotted words",
                "a.b.c".into(),
                Err(Reject::Malformed("its header is not a JSON object")),
            ),
            (
                "header a list",
                raw(json!([]), &claims, b"x"),
                Err(Reject::Malformed("its header is not a JSON object")),
            ),
            (
                "payload a list",
                raw(json!({"alg": "RS256"}), &json!([]), b"x"),
                Err(Reject::Malformed("its payload is not a JSON object")),
            ),
            ("five parts, as an encrypted token", "a.b.c.d.e".into(), Err(opaque())),
            ("opaque", "abcdef".into(), Err(opaque())),
            ("a newline at the end", format!("{valid}\n"), Err(Reject::Signature)),
            (
                "no signature",
                format!("{}.", valid.rsplit_once('.').unwrap().0),
                Err(Reject::Signature),
            ),
            ("padded signature", format!("{valid}=="), Err(Reject::Signature)),
            ("a changed signature", flipped(valid.len() - 10), Err(Reject::Signature)),
        ],
    )
    .await;
    let changed_payload = flipped(valid.find('.').unwrap() + 30);
    assert!(verifier(&issuer).verify(&changed_payload).await.is_err());
}

/// Signs with HS256 and a public value as the secret: the classic algorithm confusion.
#[tokio::test]
async fn tokens_signed_with_a_public_value_are_rejected() {
    let symmetric =
        json!({"kty": "oct", "kid": "sym", "k": BASE64.encode("secret-secret-secret-secret-1234"), "alg": "HS256"});
    let public = jwk(0, "k1");
    let issuer = Issuer::start(json!([public, symmetric])).await;
    let modulus = public["n"].as_str().unwrap();
    let (bytes, jwk) = (BASE64.decode(modulus).unwrap(), public.to_string());
    let secrets: [&[u8]; 6] = [
        modulus.as_bytes(),
        &bytes,
        jwk.as_bytes(),
        b"secret-secret-secret-secret-1234",
        b"k1",
        b"",
    ];
    let verifier = verifier(&issuer);
    for secret in secrets {
        for kid in ["k1", "sym"] {
            for alg in [Algorithm::HS256, Algorithm::HS512] {
                let header = Header {
                    kid: Some(kid.into()),
                    ..Header::new(alg)
                };
                let token = encode(&header, &issuer.claims(), &EncodingKey::from_secret(secret)).unwrap();
                assert_eq!(verifier.verify(&token).await, Err(Reject::Algorithm), "{kid} {alg:?}");
            }
        }
    }
}

#[tokio::test]
async fn tokens_without_the_required_scope_are_rejected() {
    let issuer = Issuer::start(json!([jwk(0, "k1")])).await;
    let provider = ProviderConfig {
        required_scope: Some("waypost".into()),
        ..ProviderConfig::new(&issuer.url, "api")
    };
    let verifier = Verifier::new(Config {
        providers: vec![provider],
        ..Config::default()
    })
    .unwrap();
    let token = |claims: Value| sign(0, &header("k1"), &claims);
    let without = with(issuer.claims(), "scope", Value::Null);
    check(
        &verifier,
        vec![
            (
                "in the list",
                token(with(issuer.claims(), "scope", json!("openid waypost"))),
                Ok(()),
            ),
            (
                "in scp, as in tokens of Okta and Entra ID",
                token(with(without.clone(), "scp", json!(["waypost"]))),
                Ok(()),
            ),
            (
                "a longer scope",
                token(with(issuer.claims(), "scope", json!("waypost2"))),
                Err(Reject::Scope),
            ),
            ("no scope", token(without), Err(Reject::Scope)),
        ],
    )
    .await;
}
