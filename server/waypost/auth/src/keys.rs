//! The provider's published keys (RFC 7517).
//!
//! Symmetric keys are ignored, so that an attacker cannot sign with HS256 and a public value as the secret.

use jsonwebtoken::{
    Algorithm, DecodingKey,
    jwk::{AlgorithmParameters, EllipticCurve, Jwk, KeyOperations, PublicKeyUse},
};
use serde_json::Value;

use crate::reject::Reject;

/// RFC 7518, section 3.1, and RFC 8037.
const ALGORITHMS: [(&str, Algorithm); 9] = [
    ("RS256", Algorithm::RS256),
    ("RS384", Algorithm::RS384),
    ("RS512", Algorithm::RS512),
    ("PS256", Algorithm::PS256),
    ("PS384", Algorithm::PS384),
    ("PS512", Algorithm::PS512),
    ("ES256", Algorithm::ES256),
    ("ES384", Algorithm::ES384),
    ("EdDSA", Algorithm::EdDSA),
];

/// Tried for a token without `kid`; providers publish two or three.
const MAX_CANDIDATES: usize = 8;

pub(crate) fn algorithm(name: &str) -> Option<Algorithm> {
    ALGORITHMS
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, algorithm)| *algorithm)
}

#[derive(Default)]
pub(crate) struct KeySet {
    keys: Vec<(Jwk, DecodingKey)>,
}

impl PartialEq for KeySet {
    fn eq(&self, other: &Self) -> bool {
        self.keys
            .iter()
            .map(|(jwk, _)| jwk)
            .eq(other.keys.iter().map(|(jwk, _)| jwk))
    }
}

impl KeySet {
    /// Skips keys of unknown types and keys not for signatures (RFC 7517, section 5).
    pub(crate) fn read(document: &Value) -> Result<Self, Reject> {
        let Some(listed) = document["keys"].as_array() else {
            return Err(Reject::Unavailable(
                "the provider's key set has no member `keys`".into(),
            ));
        };
        let keys: Vec<_> = listed.iter().filter_map(usable).collect();
        if keys.is_empty() {
            return Err(Reject::Unavailable(
                "the provider's key set has no usable signing key".into(),
            ));
        }
        Ok(Self { keys })
    }

    pub(crate) fn candidates(&self, kid: Option<&str>, algorithm: Algorithm) -> Vec<&DecodingKey> {
        self.keys
            .iter()
            .filter(|(jwk, _)| supports(jwk, algorithm))
            .filter(|(jwk, _)| kid.is_none_or(|kid| jwk.common.key_id.as_deref() == Some(kid)))
            .map(|(_, key)| key)
            .take(MAX_CANDIDATES)
            .collect()
    }
}

/// Lists each key as "type id".
pub fn usable_keys(document: &Value) -> Result<Vec<String>, String> {
    let set = KeySet::read(document).map_err(|reject| match reject {
        Reject::Unavailable(cause) => cause,
        other => other.to_string(),
    })?;
    let describe = |jwk: &Jwk| {
        let algorithm = jwk.common.key_algorithm.map(|algorithm| algorithm.to_string());
        let kind = match &jwk.algorithm {
            AlgorithmParameters::RSA(_) => "RSA",
            AlgorithmParameters::EllipticCurve(_) => "EC",
            _ => "OKP",
        };
        let id = jwk.common.key_id.as_deref().unwrap_or("without an id (`kid`)");
        format!("{} {id}", algorithm.as_deref().unwrap_or(kind))
    };
    Ok(set.keys.iter().map(|(jwk, _)| describe(jwk)).collect())
}

fn usable(value: &Value) -> Option<(Jwk, DecodingKey)> {
    let jwk: Jwk = serde_json::from_value(value.clone()).ok()?;
    let asymmetric = matches!(
        jwk.algorithm,
        AlgorithmParameters::RSA(_) | AlgorithmParameters::EllipticCurve(_) | AlgorithmParameters::OctetKeyPair(_)
    );
    let signs = matches!(jwk.common.public_key_use, None | Some(PublicKeyUse::Signature));
    let verifies = match &jwk.common.key_operations {
        Some(operations) => operations.contains(&KeyOperations::Verify),
        None => true,
    };
    if !(asymmetric && signs && verifies) {
        return None;
    }
    let key = DecodingKey::from_jwk(&jwk).ok()?;
    Some((jwk, key))
}

fn supports(jwk: &Jwk, algorithm: Algorithm) -> bool {
    use Algorithm::{ES256, ES384, EdDSA, PS256, PS384, PS512, RS256, RS384, RS512};

    if let Some(stated) = &jwk.common.key_algorithm
        && Algorithm::try_from(*stated).ok() != Some(algorithm)
    {
        return false;
    }
    match (&jwk.algorithm, algorithm) {
        (AlgorithmParameters::RSA(_), RS256 | RS384 | RS512 | PS256 | PS384 | PS512) => true,
        (AlgorithmParameters::EllipticCurve(key), ES256) => key.curve == EllipticCurve::P256,
        (AlgorithmParameters::EllipticCurve(key), ES384) => key.curve == EllipticCurve::P384,
        (AlgorithmParameters::OctetKeyPair(key), EdDSA) => key.curve == EllipticCurve::Ed25519,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const P256_X: &str = "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU";
    const P256_Y: &str = "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0";

    fn ec(extra: Value) -> Value {
        let mut key = json!({"kty": "EC", "crv": "P-256", "x": P256_X, "y": P256_Y, "kid": "a"});
        key.as_object_mut()
            .expect("an object")
            .extend(extra.as_object().expect("an object").clone());
        key
    }

    #[test]
    fn unusable_keys_are_skipped() {
        for (key, usable) in [
            (ec(json!({})), true),
            (ec(json!({"use": "sig", "alg": "ES256", "key_ops": ["verify"]})), true),
            (ec(json!({"use": "enc"})), false),
            (ec(json!({"use": "something"})), false),
            (ec(json!({"key_ops": ["sign"]})), false),
            (json!({"kty": "oct", "k": "c2VjcmV0"}), false),
            (json!({"kty": "new", "crv": "?"}), false),
            (json!("not an object"), false),
        ] {
            assert_eq!(KeySet::read(&json!({"keys": [key]})).is_ok(), usable, "{key}");
        }
        assert!(KeySet::read(&json!({})).is_err());
    }

    #[test]
    fn keys_verify_only_their_own_algorithm() {
        let set = KeySet::read(&json!({"keys": [ec(json!({}))]})).expect("a usable key");
        assert_eq!(set.candidates(Some("a"), Algorithm::ES256).len(), 1);
        assert_eq!(set.candidates(None, Algorithm::ES256).len(), 1);
        assert_eq!(set.candidates(Some("b"), Algorithm::ES256).len(), 0);
        assert_eq!(set.candidates(Some("a"), Algorithm::ES384).len(), 0);
        assert_eq!(set.candidates(Some("a"), Algorithm::RS256).len(), 0);
        let other = KeySet::read(&json!({"keys": [ec(json!({"alg": "ES384"}))]})).expect("a usable key");
        assert_eq!(other.candidates(Some("a"), Algorithm::ES256).len(), 0);
    }
}
