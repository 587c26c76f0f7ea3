//! Verification of DPoP proofs (RFC 9449), in an order in which forged requests cost no signature checks: token, key,
//! signature.

mod jwt;
mod key;
mod nonce;
mod replay;

use std::sync::{Mutex, PoisonError};

use jsonwebtoken::jwk::{Jwk, ThumbprintHash};
use serde_json::Value;
use url::Url;

pub use self::key::ProofKey;
use self::{
    jwt::Proof,
    nonce::Nonces,
    replay::{Full, Replays},
};
use crate::{clock::Clock, reject::Reject, token};

/// Value of the parameter `algs` of a challenge (section 7.1).
pub const ALGORITHMS: &str = "ES256 EdDSA RS256";

/// Verifies the proofs of requests to one URL. Share one instance per process: it remembers used proofs.
///
/// Each proof must contain a nonce of this server, which limits it to a few minutes regardless of the client's clock
/// (section 4.3, item 11), and prevents proofs signed for later. A nonce is a time and a MAC with a key that all
/// processes share. Sharing used proofs would cost a write for each request, so another process accepts a captured
/// proof a second time, but only with the access token and until its nonce expires.
pub struct Proofs {
    url: Url,
    nonces: Nonces,
    replays: Mutex<Replays>,
    clock: Clock,
}

impl Proofs {
    pub fn new(url: Url, nonce_key: &[u8], clock: Clock) -> Self {
        Self {
            url,
            nonces: Nonces::new(nonce_key),
            replays: Mutex::default(),
            clock,
        }
    }

    pub fn nonce(&self) -> String {
        self.nonces.issue(self.clock.unix())
    }

    /// The token must be bound to the key with this thumbprint.
    pub(crate) fn check(&self, proof: &str, method: &str, token: &str, thumbprint: &str) -> Result<(), Reject> {
        let proof = Proof::read(proof)?;
        if proof.claims.htm != method {
            return Err(Reject::Proof("it is for another HTTP method"));
        }
        if !self.is_own_url(&proof.claims.htu) {
            return Err(Reject::Proof("it is for another URL"));
        }
        // Section 4.2.
        if proof.claims.ath != token::hash(token) {
            return Err(Reject::Proof("it is for another access token"));
        }
        if proof.thumbprint()? != thumbprint {
            return Err(Reject::Proof(
                "its key is not the one to which the access token is bound",
            ));
        }
        let now = self.clock.unix();
        let nonce = proof.claims.nonce.as_deref().unwrap_or_default();
        let period = self.nonces.verify(nonce, now).ok_or(Reject::Nonce)?;
        proof.verify()?;
        let mut replays = self.replays.lock().unwrap_or_else(PoisonError::into_inner);
        replays.forget_before(Nonces::oldest(now));
        match replays.insert(period, thumbprint, &proof.claims.jti) {
            Ok(true) => Ok(()),
            Ok(false) => Err(Reject::Proof("it was used before")),
            Err(Full) => Err(Reject::Unavailable(
                "too many DPoP proofs were used in a short time".into(),
            )),
        }
    }

    /// Compares without query and fragment, after syntax-based normalization (section 4.3, item 9).
    fn is_own_url(&self, htu: &str) -> bool {
        htu == self.url.as_str()
            || Url::parse(htu).is_ok_and(|mut url| {
                url.set_query(None);
                url.set_fragment(None);
                url == self.url
            })
    }
}

/// Returns the thumbprint (RFC 7638), or `None` if the type of key is not supported.
pub fn thumbprint(jwk: &Value) -> Option<String> {
    let jwk: Jwk = serde_json::from_value(jwk.clone()).ok()?;
    jwk.thumbprint(ThumbprintHash::SHA256).ok()
}
