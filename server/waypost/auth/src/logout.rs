//! Sign-outs, reported by the provider with a logout token or by the account with its own token.

use std::{
    collections::HashMap,
    sync::{PoisonError, RwLock},
};

use serde_json::{Map, Value};

use crate::{
    claims::{self, Moment},
    config::ProviderConfig,
    principal::Principal,
    reject::Reject,
};

/// Maximum age in seconds of an access token of a provider that reports sign-outs. Otherwise sign-outs would be stored
/// permanently.
pub(crate) const MAX_TOKEN_LIFE: u64 = 24 * 60 * 60;

/// Identifies a logout token (section 2.4).
const EVENT: &str = "http://schemas.openid.net/event/backchannel-logout";

/// Accepted difference between clocks, in seconds.
const CLOCK_SKEW: u64 = 60;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Logout {
    pub issuer: String,
    /// `jti` of the logout token, or [`Principal::token_id`].
    pub id: String,
    /// The account, or `None` if only a token or a session ended.
    pub subject: Option<String>,
    /// The session, or `None` if all sessions of the account or only one token ended.
    pub session: Option<String>,
    /// The time in seconds since 1970. Tokens issued later remain valid.
    pub issued_at: u64,
    /// The time in seconds since 1970 at which all affected tokens have expired.
    pub expires_at: u64,
}

impl Logout {
    /// Returns a logout that ends all earlier tokens of the session. Later ones belong to another sign-in.
    pub(crate) fn of_token(principal: &Principal, now: u64) -> Self {
        Self {
            issuer: principal.issuer.clone(),
            id: principal.token_id.clone(),
            subject: None,
            session: principal.issued_at.and(principal.session.clone()),
            issued_at: principal.issued_at.unwrap_or(now),
            // An opaque token's expiry may be unknown, but the provider knows after a day that it is invalid.
            expires_at: expiry(now).max(principal.expires_at.saturating_add(CLOCK_SKEW)),
        }
    }

    /// Expects a valid signature (section 2.6).
    pub(crate) fn read(claims: &Map<String, Value>, provider: &ProviderConfig, moment: Moment) -> Result<Self, Reject> {
        let issued_at = claims::check_logout_token(claims, provider, moment)?;
        let is_logout = claims
            .get("events")
            .and_then(|events| events.get(EVENT))
            .is_some_and(Value::is_object);
        if !is_logout {
            return Err(Reject::Claim("events"));
        }
        // Only ID tokens have a nonce.
        if claims.contains_key("nonce") {
            return Err(Reject::Claim("nonce"));
        }
        let text = |name: &'static str| match claims.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) if (1..=MAX_ID).contains(&text.len()) => Ok(Some(text.clone())),
            Some(_) => Err(Reject::Claim(name)),
        };
        let (subject, session) = (text("sub")?, text("sid")?);
        if subject.is_none() && session.is_none() {
            return Err(Reject::Missing("sid"));
        }
        Ok(Self {
            issuer: provider.issuer.clone(),
            id: text("jti")?.ok_or(Reject::Missing("jti"))?,
            subject,
            session,
            issued_at,
            expires_at: expiry(issued_at),
        })
    }

    fn keys(&self) -> impl Iterator<Item = Key> {
        let session = self.session.clone().map(Key::Session);
        let subject = self.subject.clone().map(|subject| match self.session {
            Some(_) => Key::SubjectWithoutSession(subject),
            None => Key::Subject(subject),
        });
        // No access token has the id of a logout token.
        let token = Key::Token(self.id.clone());
        session.into_iter().chain(subject).chain([token])
    }
}

fn expiry(issued_at: u64) -> u64 {
    issued_at.saturating_add(MAX_TOKEN_LIFE + 2 * CLOCK_SKEW)
}

#[derive(Debug, Clone, Copy)]
pub struct TokenFacts<'a> {
    pub issuer: &'a str,
    pub subject: &'a str,
    /// [`Principal::token_id`].
    pub id: &'a str,
    /// A session at the provider.
    pub session: Option<&'a str>,
    /// The time in seconds since 1970.
    pub issued_at: u64,
}

impl<'a> TokenFacts<'a> {
    /// A token without an issue time counts as issued at `issued_by_default`.
    pub(crate) fn of(principal: &'a Principal, issued_by_default: u64) -> Self {
        Self {
            issuer: &principal.issuer,
            subject: &principal.subject,
            id: &principal.token_id,
            session: principal.session.as_deref(),
            issued_at: principal.issued_at.unwrap_or(issued_by_default),
        }
    }
}

const MAX_ID: usize = 255;

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Key {
    Token(String),
    Session(String),
    Subject(String),
    /// Tokens of the account that do not name their session.
    SubjectWithoutSession(String),
}

/// The times of a [`Logout`], in seconds since 1970.
#[derive(Default)]
struct Times {
    issued_at: u64,
    expires_at: u64,
}

#[derive(Default)]
pub(crate) struct Logouts(RwLock<HashMap<(String, Key), Times>>);

impl Logouts {
    pub(crate) fn add(&self, logouts: &[Logout], now: u64) {
        let mut ended = self.0.write().unwrap_or_else(PoisonError::into_inner);
        ended.retain(|_, times| times.expires_at > now);
        for logout in logouts {
            for key in logout.keys() {
                let times = ended.entry((logout.issuer.clone(), key)).or_default();
                times.issued_at = logout.issued_at.max(times.issued_at);
                times.expires_at = logout.expires_at.max(times.expires_at);
            }
        }
    }

    pub(crate) fn has_ended(&self, token: TokenFacts<'_>) -> bool {
        let ended = self.0.read().unwrap_or_else(PoisonError::into_inner);
        if ended.is_empty() {
            return false;
        }
        let find = |key: Key| ended.get(&(token.issuer.to_owned(), key));
        let is_before = |times: &Times| token.issued_at <= times.issued_at;
        let by_session = match token.session {
            Some(session) => Key::Session(session.to_owned()),
            None => Key::SubjectWithoutSession(token.subject.to_owned()),
        };
        find(by_session).is_some_and(is_before)
            || find(Key::Subject(token.subject.to_owned())).is_some_and(is_before)
            || find(Key::Token(token.id.to_owned())).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ISSUER: &str = "https://idp.example";

    fn logout(subject: Option<&str>, session: Option<&str>) -> Logout {
        Logout {
            issuer: ISSUER.into(),
            id: "1".into(),
            subject: subject.map(Into::into),
            session: session.map(Into::into),
            issued_at: 1000,
            expires_at: 2000,
        }
    }

    fn token<'a>(subject: &'a str, session: Option<&'a str>, issued_at: u64) -> TokenFacts<'a> {
        TokenFacts {
            issuer: ISSUER,
            subject,
            id: "a",
            session,
            issued_at,
        }
    }

    #[test]
    fn a_sign_out_ends_the_tokens_that_it_names() {
        for (subject, session, ended) in [
            // Sessions a and b, no session, another account.
            (Some("ann"), Some("a"), [true, false, true, false]),
            (None, Some("a"), [true, false, false, false]),
            (Some("ann"), None, [true, true, true, false]),
            (None, None, [false, false, false, false]),
        ] {
            let logouts = Logouts::default();
            logouts.add(&[logout(subject, session)], 1000);
            let tokens = [
                token("ann", Some("a"), 1000),
                token("ann", Some("b"), 1000),
                token("ann", None, 1000),
                token("bob", Some("c"), 1000),
            ];
            assert_eq!(
                tokens.map(|token| logouts.has_ended(token)),
                ended,
                "{subject:?} {session:?}"
            );
            let later = token("ann", Some("a"), 1001);
            assert!(!logouts.has_ended(later), "issued later");
            assert!(logouts.has_ended(TokenFacts { id: "1", ..later }), "the token itself");
            let other = TokenFacts {
                issuer: "https://other.example",
                id: "1",
                ..tokens[0]
            };
            assert!(!logouts.has_ended(other));
        }
    }

    #[test]
    fn sign_outs_are_removed_when_their_tokens_have_expired() {
        let logouts = Logouts::default();
        logouts.add(&[logout(Some("ann"), None)], 1000);
        logouts.add(&[], 1999);
        assert!(logouts.has_ended(token("ann", None, 1000)));
        logouts.add(&[], 2000);
        assert!(!logouts.has_ended(token("ann", None, 1000)));
    }
}
