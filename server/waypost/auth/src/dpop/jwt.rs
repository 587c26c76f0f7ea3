use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use jsonwebtoken::{
    Algorithm, DecodingKey,
    jwk::{AlgorithmParameters, EllipticCurve, Jwk, ThumbprintHash},
};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Map, Value};

use crate::reject::Reject;

/// The maximum in bytes. A proof with an RSA key of 4096 bits has about 2 kB.
const MAX_LENGTH: usize = 4 * 1024;

/// Must not be disclosed (RFC 7518, section 6).
const SECRET_MEMBERS: [&str; 8] = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];

/// The signature is not yet verified.
pub(super) struct Proof<'p> {
    signed: &'p str,
    signature: &'p str,
    algorithm: Algorithm,
    jwk: Jwk,
    pub(super) claims: Claims,
}

#[derive(Deserialize)]
struct Header {
    typ: String,
    alg: String,
    jwk: Map<String, Value>,
    crit: Option<Value>,
}

#[derive(Deserialize)]
pub(super) struct Claims {
    pub(super) jti: String,
    pub(super) htm: String,
    pub(super) htu: String,
    pub(super) ath: String,
    pub(super) nonce: Option<String>,
    /// Not compared: the nonce decides about the age, because users' clocks are often wrong.
    #[serde(rename = "iat")]
    _iat: f64,
}

impl<'p> Proof<'p> {
    pub(super) fn read(text: &'p str) -> Result<Self, Reject> {
        if text.len() > MAX_LENGTH {
            return Err(Reject::Proof("it is longer than 4 kB"));
        }
        let malformed = Reject::Proof("it is not a JWT with all required members");
        let parts = text.rsplit_once('.').and_then(|(signed, signature)| {
            let (header, claims) = signed.split_once('.')?;
            Some((signed, signature, header, claims))
        });
        let Some((signed, signature, header, claims)) = parts else {
            return Err(malformed);
        };
        let (Some(header), Some(claims)) = (decode::<Header>(header), decode::<Claims>(claims)) else {
            return Err(malformed);
        };
        if header.typ != "dpop+jwt" || header.crit.is_some() {
            return Err(Reject::Proof("its type is not `dpop+jwt`"));
        }
        if SECRET_MEMBERS.iter().any(|name| header.jwk.contains_key(*name)) {
            return Err(Reject::Proof("it contains a private key"));
        }
        let jwk: Jwk = serde_json::from_value(header.jwk.into())
            .map_err(|_unsupported| Reject::Proof("its key is not supported"))?;
        let algorithm = match (&jwk.algorithm, header.alg.as_str()) {
            (AlgorithmParameters::EllipticCurve(key), "ES256") if key.curve == EllipticCurve::P256 => Algorithm::ES256,
            (AlgorithmParameters::OctetKeyPair(key), "EdDSA") if key.curve == EllipticCurve::Ed25519 => {
                Algorithm::EdDSA
            }
            (AlgorithmParameters::RSA(_), "RS256") => Algorithm::RS256,
            _ => return Err(Reject::Proof("its algorithm is not accepted, or does not fit its key")),
        };
        Ok(Self {
            signed,
            signature,
            algorithm,
            jwk,
            claims,
        })
    }

    pub(super) fn thumbprint(&self) -> Result<String, Reject> {
        self.jwk
            .thumbprint(ThumbprintHash::SHA256)
            .map_err(|_unsupported| Reject::Proof("its key is not supported"))
    }

    pub(super) fn verify(&self) -> Result<(), Reject> {
        let is_signed = DecodingKey::from_jwk(&self.jwk).is_ok_and(|key| {
            jsonwebtoken::crypto::verify(self.signature, self.signed.as_bytes(), &key, self.algorithm).unwrap_or(false)
        });
        is_signed.then_some(()).ok_or(Reject::Proof("its signature is invalid"))
    }
}

fn decode<T: DeserializeOwned>(part: &str) -> Option<T> {
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(part).ok()?).ok()
}
