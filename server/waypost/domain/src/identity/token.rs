use std::fmt;

use jsonwebtoken::{Algorithm, DecodingKey, Validation};
use serde::Deserialize;
use serde_json::Value;
use traitql::{DateTime, Id, Internal};
use waypost_api::{IdentityAlgorithm, Site, TokenProblem, VisitorInput};

use crate::visitor::{
    identity::{ReportedVisitor, max_declared_traits, stored_external_id},
    traits::Traits,
};

/// The accepted difference between the clocks of the signing server and this one.
const CLOCK_TOLERANCE_SECONDS: f64 = 60.0;

pub struct VerificationKey {
    id: Id,
    algorithm: Algorithm,
    key: DecodingKey,
}

impl fmt::Debug for VerificationKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VerificationKey")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}

impl VerificationKey {
    /// Parses the stored form: the secret, or the parameter `x` of the public key.
    pub(super) fn new(id: Id, algorithm: IdentityAlgorithm, material: &str) -> Result<Self, Internal> {
        let (algorithm, key) = match algorithm {
            IdentityAlgorithm::Hs256 => (Algorithm::HS256, DecodingKey::from_secret(material.as_bytes())),
            IdentityAlgorithm::Eddsa => (Algorithm::EdDSA, DecodingKey::from_ed_components(material)?),
        };
        Ok(Self { id, algorithm, key })
    }
}

#[derive(Deserialize)]
struct Claims {
    sub: String,
    aud: Audience,
    exp: f64,
    iat: Option<f64>,
    nbf: Option<f64>,
    #[serde(default)]
    traits: serde_json::Map<String, Value>,
}

impl Claims {
    /// Returns the traits, with numbers and booleans as text.
    fn traits(self) -> impl Iterator<Item = (String, String)> {
        self.traits.into_iter().filter_map(|(key, value)| match value {
            Value::String(text) => Some((key, text)),
            Value::Number(number) => Some((key, number.to_string())),
            Value::Bool(flag) => Some((key, flag.to_string())),
            Value::Null | Value::Array(_) | Value::Object(_) => None,
        })
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Audience {
    One(String),
    Several(Vec<String>),
}

impl Audience {
    fn contains(&self, audience: &str) -> bool {
        match self {
            Self::One(one) => one == audience,
            Self::Several(several) => several.iter().any(|one| one == audience),
        }
    }
}

#[derive(Debug)]
pub struct CheckedVisitor {
    pub visitor: ReportedVisitor,
    pub problem: Option<TokenProblem>,
    pub key: Option<Id>,
}

pub(crate) fn check(site: &Site, keys: &[VerificationKey], input: VisitorInput, now: DateTime) -> CheckedVisitor {
    use waypost_api::IdentityMode::{Off, Optional, Required};
    let (external_id, token) = (input.external_id.value(), input.token.value());
    let mut signed = None;
    let (key, problem) = match &token {
        Some(token) if site.identity_mode != Off => match verify(keys, token, site, external_id.as_deref(), now) {
            Ok((key, claims)) => {
                signed = Some(claims).filter(|claims| !claims.traits.is_empty());
                (Some(key.clone()), None)
            }
            Err(problem) => (None, Some(problem)),
        },
        _ => (None, None),
    };
    let is_accepted = match site.identity_mode {
        Off | Optional => true,
        Required => key.is_some(),
    };
    let declared = input.traits.value();
    let external_id = external_id.map(stored_external_id);
    let has_traits = signed.is_some() || declared.is_some();
    let declared = declared.into_iter().flatten().map(|each| (each.key, each.value));
    let signed = signed.into_iter().flat_map(Claims::traits);
    let traits = Traits::new(signed, declared.collect(), max_declared_traits(external_id.as_deref()));
    CheckedVisitor {
        visitor: ReportedVisitor {
            anonymous_id: input.anonymous_id,
            external_id: external_id.filter(|_| is_accepted),
            verified: key.is_some(),
            locale: input.locale.value(),
            traits: has_traits.then_some(traits),
        },
        problem,
        key,
    }
}

/// Verifies a token, and returns the id of its key with the claims.
///
/// The algorithm is a property of the key, not of the token. A public key is therefore never used as a secret.
fn verify<'k>(
    keys: &'k [VerificationKey],
    token: &str,
    site: &Site,
    external_id: Option<&str>,
    now: DateTime,
) -> Result<(&'k Id, Claims), TokenProblem> {
    let header = jsonwebtoken::decode_header(token).map_err(|_| TokenProblem::Malformed)?;
    // No extension is supported (RFC 7515, section 4.1.11).
    if header.crit.is_some() {
        return Err(TokenProblem::Malformed);
    }
    let signed = keys.iter().filter(|key| key.algorithm == header.alg).find_map(|key| {
        let mut validation = Validation::new(key.algorithm);
        // The claims are checked below, with the clock of the application.
        validation.required_spec_claims.clear();
        validation.validate_exp = false;
        validation.validate_aud = false;
        match jsonwebtoken::decode::<Value>(token, &key.key, &validation) {
            Ok(token) => Some((key, token.claims)),
            Err(_) => None,
        }
    });
    let (key, claims) = signed.ok_or(TokenProblem::Signature)?;
    let claims: Claims = serde_json::from_value(claims).map_err(|_| TokenProblem::Malformed)?;
    #[allow(
        clippy::cast_precision_loss,
        reason = "milliseconds since 1970 are exact in a double"
    )]
    let now = now.as_millis() as f64 / 1000.0;
    let is_future = |at: Option<f64>| at.is_some_and(|at| at > now + CLOCK_TOLERANCE_SECONDS);
    match &claims {
        Claims { aud, .. } if !aud.contains(&site.key) => Err(TokenProblem::Audience),
        Claims { sub, .. } if external_id != Some(sub) => Err(TokenProblem::Subject),
        Claims { exp, .. } if exp + CLOCK_TOLERANCE_SECONDS <= now => Err(TokenProblem::Expired),
        Claims { iat, nbf, .. } if is_future(*iat) || is_future(*nbf) => Err(TokenProblem::NotYetValid),
        _ => Ok((&key.id, claims)),
    }
}

#[cfg(test)]
mod tests {
    use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
    use jsonwebtoken::{EncodingKey, Header};
    use serde_json::json;
    use traitql::Patch;
    use waypost_api::IdentityMode;

    use super::*;

    const SECRET: &str = "wp_sec_1";
    /// The key pair of RFC 8037, appendix A.
    const PRIVATE: &str = "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A";
    const PUBLIC: &str = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo";
    const NOW: i64 = 1_800_000_000;

    fn site(mode: IdentityMode) -> Site {
        Site {
            identity_mode: mode,
            ..crate::testing::site(false, &[])
        }
    }

    fn key(id: &str, algorithm: IdentityAlgorithm, material: &str) -> VerificationKey {
        VerificationKey::new(id.into(), algorithm, material).expect("a key")
    }

    fn claims(change: Value) -> Value {
        let mut claims = json!({"sub": "ada", "aud": "wp_pub_1", "iat": NOW - 10, "exp": NOW + 300});
        for (name, value) in change.as_object().expect("claims") {
            claims[name] = value.clone();
        }
        claims
    }

    fn hs256(secret: &str, claims: &Value) -> String {
        let key = EncodingKey::from_secret(secret.as_bytes());
        jsonwebtoken::encode(&Header::new(Algorithm::HS256), claims, &key).expect("a token")
    }

    fn eddsa(claims: &Value) -> String {
        let mut der = hex::decode("302e020100300506032b657004220420").expect("the prefix of RFC 8410");
        der.extend(BASE64_URL_SAFE_NO_PAD.decode(PRIVATE).expect("a key"));
        let key = EncodingKey::from_ed_der(&der);
        jsonwebtoken::encode(&Header::new(Algorithm::EdDSA), claims, &key).expect("a token")
    }

    fn unsigned(header: &Value, claims: &Value) -> String {
        let part = |value: &Value| BASE64_URL_SAFE_NO_PAD.encode(value.to_string());
        format!("{}.{}.", part(header), part(claims))
    }

    fn checked(mode: IdentityMode, keys: &[VerificationKey], token: Option<&str>) -> CheckedVisitor {
        let input = VisitorInput {
            external_id: Patch::Set("ada".to_owned()),
            token: token.map_or(Patch::Keep, |token| Patch::Set(token.to_owned())),
            ..VisitorInput::new("browser-1".into())
        };
        check(
            &site(mode),
            keys,
            input,
            DateTime::from_millis(NOW * 1000).expect("a valid time"),
        )
    }

    fn problem(keys: &[VerificationKey], token: &str) -> Option<TokenProblem> {
        let checked = checked(IdentityMode::Optional, keys, Some(token));
        assert_eq!(checked.visitor.verified, checked.problem.is_none());
        checked.problem
    }

    #[test]
    fn tokens_of_both_algorithms_are_accepted() {
        let keys = [
            key("h", IdentityAlgorithm::Hs256, SECRET),
            key("e", IdentityAlgorithm::Eddsa, PUBLIC),
        ];
        for (token, id) in [
            (hs256(SECRET, &claims(json!({}))), "h"),
            (eddsa(&claims(json!({}))), "e"),
            (hs256(SECRET, &claims(json!({"aud": ["other", "wp_pub_1"]}))), "h"),
            (
                hs256(
                    SECRET,
                    &claims(json!({"exp": NOW as f64 + 0.5, "iat": null, "extra": 1})),
                ),
                "h",
            ),
        ] {
            let checked = checked(IdentityMode::Required, &keys, Some(&token));
            assert_eq!((checked.key, checked.problem), (Some(id.into()), None), "{token}");
            assert_eq!(checked.visitor.external_id.as_deref(), Some("ada"));
            assert!(checked.visitor.verified);
        }
    }

    #[test]
    fn a_token_that_no_key_has_signed_is_refused() {
        let hs256_key = [key("h", IdentityAlgorithm::Hs256, SECRET)];
        let eddsa_key = [key("e", IdentityAlgorithm::Eddsa, PUBLIC)];
        let valid = hs256(SECRET, &claims(json!({})));
        assert_eq!(problem(&hs256_key, &valid), None);
        let (body, signature) = valid.rsplit_once('.').expect("a signature");
        let other = hs256(SECRET, &claims(json!({"sub": "bob"})));
        for (keys, token) in [
            (&hs256_key, hs256("wp_sec_2", &claims(json!({})))),
            (&hs256_key, eddsa(&claims(json!({})))),
            (&hs256_key, format!("{body}.")),
            (
                &hs256_key,
                format!("{}.{signature}", other.rsplit_once('.').expect("a signature").0),
            ),
            // The public key used as the secret of an HMAC, in the forms in which a site's server may know it.
            (&eddsa_key, hs256(PUBLIC, &claims(json!({})))),
            (&eddsa_key, {
                let bytes = BASE64_URL_SAFE_NO_PAD.decode(PUBLIC).expect("a key");
                let key = EncodingKey::from_secret(&bytes);
                jsonwebtoken::encode(&Header::new(Algorithm::HS256), &claims(json!({})), &key).expect("a token")
            }),
            (&eddsa_key, valid.clone()),
        ] {
            assert_eq!(problem(keys, &token), Some(TokenProblem::Signature), "{token}");
        }
        assert_eq!(
            problem(&[], &valid),
            Some(TokenProblem::Signature),
            "the key was revoked"
        );
    }

    #[test]
    fn a_malformed_token_is_refused() {
        let keys = [
            key("h", IdentityAlgorithm::Hs256, SECRET),
            key("e", IdentityAlgorithm::Eddsa, PUBLIC),
        ];
        let critical = Header {
            crit: Some(vec!["b64".into()]),
            ..Header::new(Algorithm::HS256)
        };
        let secret = EncodingKey::from_secret(SECRET.as_bytes());
        let mut tokens = vec![
            String::new(),
            "ada".into(),
            "a.b.c".into(),
            jsonwebtoken::encode(&critical, &claims(json!({})), &secret).expect("a token"),
        ];
        for alg in ["none", "None", "NONE", ""] {
            tokens.push(unsigned(&json!({"alg": alg, "typ": "JWT"}), &claims(json!({}))));
        }
        for missing in ["sub", "aud", "exp"] {
            tokens.push(hs256(SECRET, &claims(json!({missing: null}))));
        }
        for token in tokens {
            assert_eq!(problem(&keys, &token), Some(TokenProblem::Malformed), "{token}");
        }
    }

    #[test]
    fn a_token_for_another_site_visitor_or_time_is_refused() {
        let keys = [key("h", IdentityAlgorithm::Hs256, SECRET)];
        for (change, expected) in [
            (json!({"aud": "wp_pub_2"}), Some(TokenProblem::Audience)),
            (json!({"aud": []}), Some(TokenProblem::Audience)),
            (json!({"sub": "bob"}), Some(TokenProblem::Subject)),
            (json!({"sub": "Ada"}), Some(TokenProblem::Subject)),
            (json!({"exp": NOW - 59}), None),
            (json!({"exp": NOW - 60}), Some(TokenProblem::Expired)),
            (json!({"iat": NOW + 60}), None),
            (json!({"iat": NOW + 61}), Some(TokenProblem::NotYetValid)),
            (json!({"nbf": NOW + 61}), Some(TokenProblem::NotYetValid)),
        ] {
            assert_eq!(
                problem(&keys, &hs256(SECRET, &claims(change.clone()))),
                expected,
                "{change}"
            );
        }
    }

    #[test]
    fn the_traits_of_a_valid_token_are_signed() {
        let keys = [key("h", IdentityAlgorithm::Hs256, SECRET)];
        let traits =
            json!({"plan": "pro", "seats": 7, "trial": false, "Bad key": "x", "long": "x".repeat(201), "list": []});
        let token = |secret| hs256(secret, &claims(json!({"traits": traits})));
        let found = |token: &str| {
            let traits = checked(IdentityMode::Optional, &keys, Some(token)).visitor.traits;
            let traits = traits.map(Traits::into_list).unwrap_or_default();
            traits
                .into_iter()
                .map(|each| format!("{}={} {}", each.key, each.value, each.signed))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            found(&token(SECRET)),
            ["plan=pro true", "seats=7 true", "trial=false true"]
        );
        assert_eq!(found(&token("other")), [] as [String; 0]);
    }

    #[test]
    fn the_mode_decides_about_an_external_id_without_a_valid_token() {
        use IdentityMode::{Off, Optional, Required};
        let keys = [key("h", IdentityAlgorithm::Hs256, SECRET)];
        let (valid, invalid) = (hs256(SECRET, &claims(json!({}))), hs256("other", &claims(json!({}))));
        for (mode, token, expected) in [
            (Off, None, (Some("ada"), false, None)),
            (Off, Some(&valid), (Some("ada"), false, None)),
            (Off, Some(&invalid), (Some("ada"), false, None)),
            (Optional, None, (Some("ada"), false, None)),
            (Optional, Some(&valid), (Some("ada"), true, None)),
            (
                Optional,
                Some(&invalid),
                (Some("ada"), false, Some(TokenProblem::Signature)),
            ),
            (Required, None, (None, false, None)),
            (Required, Some(&valid), (Some("ada"), true, None)),
            (Required, Some(&invalid), (None, false, Some(TokenProblem::Signature))),
        ] {
            let CheckedVisitor { visitor, problem, .. } = checked(mode, &keys, token.map(String::as_str));
            let found = (visitor.external_id.as_deref(), visitor.verified, problem);
            assert_eq!(found, expected, "{mode:?}");
        }
    }
}
