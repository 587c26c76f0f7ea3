//! Secrets with which programs call Waypost as members of a workspace.
//!
//! A token has an account, so that permissions, the audit log and the authors of changes need no special case.

pub mod store;

use traitql::{Authenticated, DateTime, Principal};
use waypost_api::{AccessTokenRole, Role};

use self::store::Known;
use crate::invitation::new_token;

/// Issuer of the accounts of access tokens. Their subject is the id of the token.
pub const ISSUER: &str = "urn:waypost:token";

/// Expired tokens count, too.
pub const MAX_TOKENS: i32 = 20;

/// Distinguishes secrets from tokens of identity providers, and lets scanners find leaked ones.
const PREFIX: &str = "wp_tok_";

/// The time in milliseconds in which the last use is stored at most once.
const USE_INTERVAL: i64 = 60 * 60 * 1000;

pub fn new_secret() -> String {
    format!("{PREFIX}{}", new_token())
}

pub fn is_secret(token: &str) -> bool {
    token.starts_with(PREFIX)
}

pub fn role(role: AccessTokenRole) -> Role {
    match role {
        AccessTokenRole::Viewer => Role::Viewer,
        AccessTokenRole::Author => Role::Author,
        AccessTokenRole::Publisher => Role::Publisher,
    }
}

/// Returns the caller, or `None` if the token has expired.
pub fn principal(known: &Known, now: DateTime) -> Option<Principal> {
    (now < known.expires_at).then(|| Principal {
        issuer: ISSUER.to_owned(),
        subject: known.id.as_str().to_owned(),
        token_id: known.id.as_str().to_owned(),
        name: Some(known.name.clone()),
        expires_at: known.expires_at.timestamp(),
        // A program never signs in.
        authenticated: Authenticated::Unknown,
        ..Principal::default()
    })
}

pub fn must_store_use(last: Option<DateTime>, now: DateTime) -> bool {
    last.is_none_or(|last| now.as_millis() - last.as_millis() >= USE_INTERVAL)
}
