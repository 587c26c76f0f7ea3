//! Signs and verifies tokens with one key (ES256), which stays the same, so that sessions survive a restart.

use anyhow::Context;
use aws_lc_rs::{
    rand,
    signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use jsonwebtoken::{
    Algorithm, DecodingKey, EncodingKey, Header, TokenData, Validation,
    jwk::{Jwk, ThumbprintHash},
};
use serde_json::{Value, json};

/// The type of a token (`typ` in its header).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Id,
    /// RFC 9068.
    Access,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Id => "JWT",
            Self::Access => "at+jwt",
        }
    }
}

pub(crate) struct Keys {
    private: EncodingKey,
    verifying: DecodingKey,
    id: String,
    public: Value,
}

impl Keys {
    /// Returns a new key, as text for [`Keys::read`].
    pub(crate) fn generate() -> anyhow::Result<String> {
        let random = rand::SystemRandom::new();
        let key = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random)
            .context("A signing key could not be generated")?;
        Ok(URL_SAFE_NO_PAD.encode(key))
    }

    pub(crate) fn read(text: &str) -> anyhow::Result<Self> {
        let private = EncodingKey::from_ec_der(&URL_SAFE_NO_PAD.decode(text)?);
        let jwk = Jwk::from_encoding_key(&private, Algorithm::ES256)?;
        let id = jwk.thumbprint(ThumbprintHash::SHA256)?;
        let mut public = serde_json::to_value(&jwk)?;
        public["kid"] = json!(id);
        public["use"] = json!("sig");
        Ok(Self {
            verifying: DecodingKey::from_jwk(&jwk)?,
            private,
            id,
            public,
        })
    }

    /// Returns the public key as JSON (RFC 7517).
    pub(crate) fn public(&self) -> &Value {
        &self.public
    }

    pub(crate) fn sign(&self, kind: Kind, claims: &Value) -> String {
        let header = Header {
            kid: Some(self.id.clone()),
            typ: Some(kind.name().to_owned()),
            ..Header::new(Algorithm::ES256)
        };
        jsonwebtoken::encode(&header, claims, &self.private).expect("claims in JSON can be signed with a valid key")
    }

    /// Returns the claims of a token that this provider has issued, even if it has expired.
    pub(crate) fn verify(&self, kind: Kind, token: &str) -> Option<Value> {
        let mut validation = Validation::new(Algorithm::ES256);
        validation.validate_exp = false;
        validation.validate_aud = false;
        validation.required_spec_claims.clear();
        let TokenData { header, claims, .. } = jsonwebtoken::decode(token, &self.verifying, &validation).ok()?;
        (header.typ.as_deref() == Some(kind.name())).then_some(claims)
    }
}
