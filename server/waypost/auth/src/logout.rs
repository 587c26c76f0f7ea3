//! Sign-outs at the provider: logout tokens (OpenID Connect Back-Channel Logout 1.0), and the sessions that they ended.

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

/// Maximum life of an access token of a provider that reports sign-outs, in seconds. Without a limit, sign-outs would
/// have to be stored permanently.
pub(crate) const MAX_TOKEN_LIFE: u64 = 24 * 60 * 60;

/// Member of `events` that identifies a logout token (section 2.4).
const EVENT: &str = "http://schemas.openid.net/event/backchannel-logout";

/// A sign-out at a provider: of one session, or of all sessions of an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Logout {
    /// Issuer of the sessions.
    pub issuer: String,
    /// Id of the logout token (`jti`).
    pub id: String,
    /// The account that signed out.
    pub subject: Option<String>,
    /// The session that ended; `None` if all sessions of the account ended.
    pub session: Option<String>,
    /// Time of the sign-out in seconds since 1970. Tokens issued later remain valid.
    pub issued_at: u64,
}

impl Logout {
    /// Returns the time in seconds since 1970 at which all affected tokens have expired.
    pub fn expires_at(&self) -> u64 {
        // The tokens and their issue time may each be off by the clock skew.
        self.issued_at.saturating_add(MAX_TOKEN_LIFE + 2 * 60)
    }

    /// Reads the claims of a logout token with a valid signature (section 2.6).
    pub(crate) fn read(claims: &Map<String, Value>, provider: &ProviderConfig, moment: Moment) -> Result<Self, Reject> {
        let issued_at = claims::check_logout_token(claims, provider, moment)?;
        let is_logout = claims
            .get("events")
            .and_then(|events| events.get(EVENT))
            .is_some_and(Value::is_object);
        if !is_logout {
            return Err(Reject::Claim("events"));
        }
        // A nonce would be a sign of an ID token.
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
        })
    }

    fn keys(&self) -> impl Iterator<Item = Key> {
        let session = self.session.clone().map(Key::Session);
        let subject = self.subject.clone().map(|subject| match self.session {
            Some(_) => Key::SubjectWithoutSession(subject),
            None => Key::Subject(subject),
        });
        session.into_iter().chain(subject)
    }
}

/// Longest id of a token, a session or an account, in bytes.
const MAX_ID: usize = 255;

/// The tokens that a sign-out ends.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Key {
    /// Those of this session.
    Session(String),
    /// Those of this account.
    Subject(String),
    /// Those of this account that do not name their session.
    SubjectWithoutSession(String),
}

/// The sign-outs whose tokens may not have expired, with the time of each in seconds since 1970.
#[derive(Default)]
pub(crate) struct Logouts(RwLock<HashMap<(String, Key), u64>>);

impl Logouts {
    pub(crate) fn add(&self, logouts: &[Logout], now: u64) {
        let mut ended = self.0.write().unwrap_or_else(PoisonError::into_inner);
        ended.retain(|_, issued_at| issued_at.saturating_add(MAX_TOKEN_LIFE + 2 * 60) > now);
        for logout in logouts {
            for key in logout.keys() {
                let time = ended.entry((logout.issuer.clone(), key)).or_default();
                *time = logout.issued_at.max(*time);
            }
        }
    }

    /// True if the session of a token has ended. A token without an issue time counts as issued at `now`, because its
    /// provider has just verified it.
    pub(crate) fn include(&self, principal: &Principal, now: u64) -> bool {
        self.has_ended(
            &principal.issuer,
            &principal.subject,
            principal.session.as_deref(),
            principal.issued_at.unwrap_or(now),
        )
    }

    pub(crate) fn has_ended(&self, issuer: &str, subject: &str, session: Option<&str>, issued_at: u64) -> bool {
        let ended = self.0.read().unwrap_or_else(PoisonError::into_inner);
        if ended.is_empty() {
            return false;
        }
        let is_ended = |key: Key| {
            ended
                .get(&(issuer.to_owned(), key))
                .is_some_and(|time| issued_at <= *time)
        };
        let by_session = match session {
            Some(session) => Key::Session(session.to_owned()),
            None => Key::SubjectWithoutSession(subject.to_owned()),
        };
        is_ended(by_session) || is_ended(Key::Subject(subject.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn logout(subject: Option<&str>, session: Option<&str>) -> Logout {
        Logout {
            issuer: "https://idp.example".into(),
            id: "1".into(),
            subject: subject.map(Into::into),
            session: session.map(Into::into),
            issued_at: 1000,
        }
    }

    #[test]
    fn a_sign_out_ends_the_tokens_that_it_names() {
        for (subject, session, ended) in [
            // Tokens: of session a, of session b, without a session, of another account.
            (Some("ann"), Some("a"), [true, false, true, false]),
            (None, Some("a"), [true, false, false, false]),
            (Some("ann"), None, [true, true, true, false]),
        ] {
            let logouts = Logouts::default();
            logouts.add(&[logout(subject, session)], 1000);
            let has_ended = |issuer: &str, subject: &str, session: Option<&str>, issued_at| {
                logouts.has_ended(issuer, subject, session, issued_at)
            };
            let issuer = "https://idp.example";
            let tokens = [
                has_ended(issuer, "ann", Some("a"), 1000),
                has_ended(issuer, "ann", Some("b"), 1000),
                has_ended(issuer, "ann", None, 1000),
                has_ended(issuer, "bob", Some("c"), 1000),
            ];
            assert_eq!(tokens, ended, "{subject:?} {session:?}");
            assert!(!has_ended(issuer, "ann", Some("a"), 1001), "issued later");
            assert!(!has_ended("https://other.example", "ann", Some("a"), 1000));
        }
    }

    #[test]
    fn sign_outs_are_removed_when_their_tokens_have_expired() {
        let logouts = Logouts::default();
        let first = logout(Some("ann"), None);
        logouts.add(std::slice::from_ref(&first), 1000);
        logouts.add(&[], first.expires_at() - 1);
        assert!(logouts.has_ended(&first.issuer, "ann", None, 1000));
        logouts.add(&[], first.expires_at());
        assert!(!logouts.has_ended(&first.issuer, "ann", None, 1000));
    }
}
