//! Parses a compact JWS (RFC 7515, section 3.1) and checks its header.

use aws_lc_rs::digest;
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use jsonwebtoken::{Algorithm, DecodingKey};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::{
    keys::{self, KeySet},
    reject::Reject,
};

/// The maximum in bytes. Tokens of Entra ID with 200 groups stay below 8 kB.
pub(crate) const MAX_LENGTH: usize = 16 * 1024;

/// The signature is not yet verified.
pub(crate) struct Unverified<'t> {
    signed: &'t str,
    signature: &'t str,
    pub(crate) kid: Option<String>,
    pub(crate) algorithm: Algorithm,
    /// Must not be trusted before [`Unverified::verify`].
    pub(crate) claims: Map<String, Value>,
    /// True if `typ` declares an access token (RFC 9068, section 2.1).
    pub(crate) is_typed_access_token: bool,
}

#[derive(Deserialize)]
struct Header {
    alg: Value,
    kid: Option<String>,
    typ: Option<String>,
    crit: Option<Value>,
}

pub(crate) fn looks_like_jwt(token: &str) -> bool {
    let mut parts = token.split('.');
    let header = parts.next().unwrap_or_default();
    parts.count() == 2 && decode_object(header).is_some()
}

/// Hashes the text that its issuer has signed, or an opaque token, without the signature, because ECDSA signatures can
/// be changed into other valid ones.
pub(crate) fn id(token: &str) -> String {
    let identifying = match token.rsplit_once('.') {
        Some((signed, _)) if looks_like_jwt(token) => signed,
        _ => token,
    };
    hash(identifying)
}

pub(crate) fn hash(text: &str) -> String {
    URL_SAFE_NO_PAD.encode(digest::digest(&digest::SHA256, text.as_bytes()))
}

impl<'t> Unverified<'t> {
    pub(crate) fn read(token: &'t str) -> Result<Self, Reject> {
        Self::read_typed(token, check_type)
    }

    pub(crate) fn read_logout(token: &'t str) -> Result<Self, Reject> {
        Self::read_typed(token, check_logout_type)
    }

    fn read_typed(token: &'t str, check_type: fn(Option<String>) -> Result<bool, Reject>) -> Result<Self, Reject> {
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
        let is_typed_access_token = check_type(header.typ)?;
        let claims = decode_object(payload).ok_or(Reject::Malformed("its payload is not a JSON object"))?;
        Ok(Self {
            signed,
            signature,
            kid: header.kid,
            algorithm,
            claims,
            is_typed_access_token,
        })
    }

    /// Use it only to select the provider whose keys verify the token.
    pub(crate) fn claimed_issuer(&self) -> Result<&str, Reject> {
        match self.claims.get("iss") {
            None | Some(Value::Null) => Err(Reject::Missing("iss")),
            Some(Value::String(issuer)) => Ok(issuer),
            Some(_) => Err(Reject::Claim("iss")),
        }
    }

    /// A token without `kid` that no key has signed may be signed with an unknown key.
    pub(crate) fn verify(&self, keys: &KeySet) -> Result<(), Reject> {
        let candidates = keys.candidates(self.kid.as_deref(), self.algorithm);
        let has_candidates = !candidates.is_empty();
        if candidates.into_iter().any(|key| self.signed_by(key)) {
            Ok(())
        } else if has_candidates && self.kid.is_some() {
            Err(Reject::Signature)
        } else {
            Err(Reject::UnknownKey)
        }
    }

    fn signed_by(&self, key: &DecodingKey) -> bool {
        jsonwebtoken::crypto::verify(self.signature, self.signed.as_bytes(), key, self.algorithm).unwrap_or(false)
    }
}

/// RFC 9068, section 4, requires `at+jwt`, but many providers use `JWT` or omit it. Any other type marks a token for
/// another purpose (RFC 8725, section 3.11).
fn check_type(typ: Option<String>) -> Result<bool, Reject> {
    let Some(typ) = typ else { return Ok(false) };
    match typ.to_ascii_lowercase().as_str() {
        "jwt" => Ok(false),
        "at+jwt" | "application/at+jwt" => Ok(true),
        _ => Err(Reject::Type(typ)),
    }
}

fn check_logout_type(typ: Option<String>) -> Result<bool, Reject> {
    let Some(typ) = typ else { return Ok(false) };
    match typ.to_ascii_lowercase().as_str() {
        "jwt" | "logout+jwt" | "application/logout+jwt" => Ok(false),
        _ => Err(Reject::Type(typ)),
    }
}

fn decode_object(part: &str) -> Option<Map<String, Value>> {
    let bytes = URL_SAFE_NO_PAD.decode(part).ok()?;
    serde_json::from_slice(&bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_of_a_jwt_does_not_depend_on_its_signature() {
        assert_eq!(id("e30.e30.AA"), id("e30.e30.BB"));
        assert_ne!(id("e30.e30.AA"), id("e30.e31.AA"));
        assert_ne!(id("a.b.1"), id("a.b.2"), "an opaque token");
    }
}
