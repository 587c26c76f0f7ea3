//! Signs proofs like a browser, for `waypost doctor oidc --sign-in`, tests and benchmarks.

use aws_lc_rs::{
    rand::SystemRandom,
    signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde_json::{Value, json};

use super::thumbprint;
use crate::token;

pub struct ProofKey(EcdsaKeyPair);

impl ProofKey {
    /// Fails if the system has no randomness.
    pub fn generate() -> anyhow::Result<Self> {
        Ok(Self(EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING)?))
    }

    pub fn jwk(&self) -> Value {
        // Uncompressed: 4, x and y.
        let (x, y) = self.0.public_key().as_ref()[1..].split_at(32);
        let encode = |coordinate: &[u8]| URL_SAFE_NO_PAD.encode(coordinate);
        json!({ "kty": "EC", "crv": "P-256", "x": encode(x), "y": encode(y) })
    }

    pub fn thumbprint(&self) -> Option<String> {
        thumbprint(&self.jwk())
    }

    /// Returns the claims of a proof. `token` is `None` for the token endpoint.
    ///
    /// # Errors
    /// Fails if the system has no randomness.
    pub fn claims(
        method: &str,
        url: &str,
        token: Option<&str>,
        nonce: Option<&str>,
        now: u64,
    ) -> anyhow::Result<Value> {
        let mut jti = [0; 16];
        aws_lc_rs::rand::fill(&mut jti)?;
        let mut claims = json!({ "jti": URL_SAFE_NO_PAD.encode(jti), "htm": method, "htu": url, "iat": now });
        if let Some(token) = token {
            claims["ath"] = token::hash(token).into();
        }
        if let Some(nonce) = nonce {
            claims["nonce"] = nonce.into();
        }
        Ok(claims)
    }

    /// Fails if the system has no randomness.
    pub fn sign(&self, claims: &Value) -> anyhow::Result<String> {
        self.sign_with(&json!({ "typ": "dpop+jwt", "alg": "ES256", "jwk": self.jwk() }), claims)
    }

    /// Signs a proof with another header.
    ///
    /// # Errors
    /// Fails if the system has no randomness.
    pub fn sign_with(&self, header: &Value, claims: &Value) -> anyhow::Result<String> {
        let [header, claims] = [header, claims].map(|part| URL_SAFE_NO_PAD.encode(part.to_string()));
        let signed = format!("{header}.{claims}");
        let signature = self.0.sign(&SystemRandom::new(), signed.as_bytes())?;
        Ok(format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature)))
    }
}
