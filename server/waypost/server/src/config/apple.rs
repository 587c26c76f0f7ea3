//! A client secret is a JWT that is signed with the team's key for each request, so that a leaked one expires soon.

use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde_json::json;

use super::AppleKey;

/// Apple allows six months.
const LIFETIME_SECONDS: i64 = 5 * 60;

const AUDIENCE: &str = "https://appleid.apple.com";

pub(super) fn secret(key: &AppleKey, client_id: &str, now: i64) -> Result<String, String> {
    let header = Header {
        kid: Some(key.key_id.clone()),
        typ: None,
        ..Header::new(Algorithm::ES256)
    };
    let claims = json!({
        "iss": key.team_id, "iat": now, "exp": now + LIFETIME_SECONDS, "aud": AUDIENCE, "sub": client_id,
    });
    jsonwebtoken::encode(&header, &claims, &EncodingKey::from_ec_der(&key.key))
        .map_err(|error| format!("The client secret could not be signed with the Apple key: {error}"))
}

#[cfg(test)]
mod tests {
    use aws_lc_rs::signature::{
        ECDSA_P256_SHA256_FIXED, ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair, UnparsedPublicKey,
    };
    use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
    use serde_json::Value;

    use super::*;

    #[test]
    fn the_secret_is_a_jwt_that_the_public_key_verifies() {
        let pair = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).expect("a key");
        let private = pair.to_pkcs8v1().expect("its PKCS#8 form");
        let key = AppleKey {
            team_id: "TEAM".into(),
            key_id: "KEY".into(),
            key: private.as_ref().to_vec(),
        };
        let token = secret(&key, "com.example.tours", 1000).expect("a token");
        let (signed, signature) = token.rsplit_once('.').expect("a signature");
        let signature = URL_SAFE_NO_PAD.decode(signature).expect("base64url");
        UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, pair.public_key().as_ref())
            .verify(signed.as_bytes(), &signature)
            .expect("signed with the key");
        let part = |index: usize| -> Value {
            let text = token.split('.').nth(index).expect("a part");
            serde_json::from_slice(&URL_SAFE_NO_PAD.decode(text).expect("base64url")).expect("JSON")
        };
        assert_eq!(part(0), json!({"alg": "ES256", "kid": "KEY"}));
        assert_eq!(
            part(1),
            json!({"iss": "TEAM", "iat": 1000, "exp": 1300, "aud": "https://appleid.apple.com", "sub": "com.example.tours"})
        );
        let broken = AppleKey { key: vec![1, 2], ..key };
        assert!(secret(&broken, "x", 0).is_err());
    }
}
