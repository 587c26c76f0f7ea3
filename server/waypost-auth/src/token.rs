//! A compact JWS (RFC 7515, section 3.1) taken apart, and the rules for its header.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use jsonwebtoken::{Algorithm, DecodingKey};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::{
    keys::{self, KeySet},
    reject::Reject,
};

/// Longer tokens are refused before anything is decoded. Entra ID with 200 groups stays below 8 kB.
pub(crate) const MAX_LENGTH: usize = 16 * 1024;

/// The parts of a token whose signature nobody has checked yet.
pub(crate) struct Unverified<'t> {
    signed: &'t str,
    signature: &'t str,
    pub(crate) kid: Option<String>,
    pub(crate) algorithm: Algorithm,
    /// Nobody has vouched for them yet.
    pub(crate) claims: Map<String, Value>,
    /// RFC 9068, section 2.1: the header says that this is an access token.
    pub(crate) says_access: bool,
}

#[derive(Deserialize)]
struct Header {
    alg: Value,
    kid: Option<String>,
    typ: Option<String>,
    crit: Option<Value>,
}

/// True for the shape of a compact JWS; opaque tokens may contain dots too, but rarely two that split off a JSON header.
pub(crate) fn looks_like_jwt(token: &str) -> bool {
    let mut parts = token.split('.');
    let header = parts.next().unwrap_or_default();
    parts.count() == 2 && decode_object(header).is_some()
}

impl<'t> Unverified<'t> {
    /// Takes a token apart and applies the rules that its header alone can break.
    pub(crate) fn read(token: &'t str) -> Result<Self, Reject> {
        let (signed, signature) = token
            .rsplit_once('.')
            .ok_or(Reject::Malformed("it has no signature part"))?;
        let (header, payload) = signed.split_once('.').ok_or(Reject::Malformed("it has no payload"))?;
        let header = decode_object(header).ok_or(Reject::Malformed("its header is not a JSON object"))?;
        let header: Header = serde_json::from_value(header.into())
            .map_err(|_wrong_type| Reject::Malformed("its header has wrong types"))?;
        if header.crit.is_some() {
            return Err(Reject::Critical);
        }
        let algorithm = header.alg.as_str().and_then(keys::algorithm).ok_or(Reject::Algorithm)?;
        let says_access = check_type(header.typ)?;
        let claims = decode_object(payload).ok_or(Reject::Malformed("its payload is not a JSON object"))?;
        Ok(Self {
            signed,
            signature,
            kid: header.kid,
            algorithm,
            claims,
            says_access,
        })
    }

    /// The issuer it claims: good for choosing the provider whose keys then decide, and for nothing else.
    pub(crate) fn claimed_issuer(&self) -> Result<&str, Reject> {
        match self.claims.get("iss") {
            None | Some(Value::Null) => Err(Reject::Missing("iss")),
            Some(Value::String(issuer)) => Ok(issuer),
            Some(_) => Err(Reject::Claim("iss")),
        }
    }

    /// True when the set has a key that could have signed it.
    pub(crate) fn has_key_in(&self, keys: &KeySet) -> bool {
        !keys.candidates(self.kid.as_deref(), self.algorithm).is_empty()
    }

    /// Checks the signature and hands out the claims.
    pub(crate) fn verify(self, keys: &KeySet) -> Result<Map<String, Value>, Reject> {
        let candidates = keys.candidates(self.kid.as_deref(), self.algorithm);
        if candidates.is_empty() {
            return Err(Reject::UnknownKey);
        }
        if candidates.into_iter().any(|key| self.signed_by(key)) {
            Ok(self.claims)
        } else {
            Err(Reject::Signature)
        }
    }

    fn signed_by(&self, key: &DecodingKey) -> bool {
        jsonwebtoken::crypto::verify(self.signature, self.signed.as_bytes(), key, self.algorithm).unwrap_or(false)
    }
}

/// RFC 9068, section 4 asks for `at+jwt`; many providers still write `JWT` or nothing. Everything else says that the token is
/// for another purpose (RFC 8725, section 3.11).
fn check_type(typ: Option<String>) -> Result<bool, Reject> {
    let Some(typ) = typ else { return Ok(false) };
    match typ.to_ascii_lowercase().as_str() {
        "jwt" => Ok(false),
        "at+jwt" | "application/at+jwt" => Ok(true),
        _ => Err(Reject::Type(typ)),
    }
}

fn decode_object(part: &str) -> Option<Map<String, Value>> {
    let bytes = URL_SAFE_NO_PAD.decode(part).ok()?;
    serde_json::from_slice(&bytes).ok()
}
