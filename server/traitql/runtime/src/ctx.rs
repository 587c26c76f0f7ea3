//! The request, as resolvers see it.

use std::{
    net::IpAddr,
    num::NonZeroU64,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use jiff::Timestamp;

use crate::Selection;

/// An authenticated caller, without permissions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Principal {
    /// Issuer of the token (`iss`, RFC 9068).
    pub issuer: String,
    /// Id of the caller at the issuer (`sub`). Unique only together with the issuer.
    pub subject: String,
    /// Id of the token; empty if unknown.
    pub token_id: String,
    /// Display name, if supplied.
    pub name: Option<String>,
    /// E-mail address, if known.
    pub email: Option<String>,
    /// True if the provider has verified the address.
    pub email_verified: bool,
    /// URL of a picture, if known.
    pub picture: Option<String>,
    /// Roles and groups, as spelled by the provider.
    pub roles: Vec<String>,
    /// True if `roles` is complete.
    pub roles_known: bool,
    /// Time at which the token was issued. The claims of the newest token take precedence.
    pub issued_at: Option<Timestamp>,
    /// Time at which the token expires.
    pub expires_at: Timestamp,
    /// Session at the issuer (`sid`).
    pub session: Option<String>,
    /// The last authentication, for `@auth(maxAge:)`.
    pub authenticated: Authenticated,
    /// The levels that the last authentication has reached, for `@auth(acr:)`.
    pub acr_levels: AcrLevels,
}

/// The last time at which a caller authenticated. Renewals of a token do not count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Authenticated {
    /// Not recent enough for any `@auth(maxAge:)`.
    #[default]
    Unknown,
    /// The time of the sign-in (`auth_time`, OpenID Connect Core 1.0, section 2).
    At(Timestamp),
    /// Recent enough for any `@auth(maxAge:)`.
    Unchecked,
}

/// The levels of `@auth(acr:)` that a caller's last authentication has reached.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum AcrLevels {
    /// Unknown, and therefore none.
    #[default]
    Unknown,
    /// The levels of the caller's issuer.
    Known(Vec<AcrLevel>),
    /// Not checked: any authentication has reached every level.
    Unchecked,
}

/// A level of authentication, which an issuer defines by classes (`acr`, OpenID Connect Core 1.0, section 2).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AcrLevel {
    /// Name in the schema.
    pub name: &'static str,
    /// The classes of this level in order of preference, for the parameter `acr_values` of the next authentication.
    pub acr_values: Arc<[String]>,
    /// True if the last authentication has one of them.
    pub is_reached: bool,
}

impl AcrLevels {
    pub(crate) fn has_reached(&self, name: &str) -> bool {
        matches!(self, Self::Unchecked) || self.find(name).is_some_and(|level| level.is_reached)
    }

    pub(crate) fn find(&self, name: &str) -> Option<&AcrLevel> {
        match self {
            Self::Known(levels) => levels.iter().find(|level| level.name == name),
            Self::Unknown | Self::Unchecked => None,
        }
    }
}

/// Accepted difference between the clocks of the server and the provider, in seconds.
const CLOCK_SKEW_SECONDS: i64 = 60;

impl Authenticated {
    /// Accepts times in the future within the difference of the clocks.
    pub(crate) fn is_within(self, max_age: u32, now: Timestamp) -> bool {
        match self {
            Self::Unknown => false,
            Self::Unchecked => true,
            Self::At(time) => {
                let age = now.as_second() - time.as_second();
                (-CLOCK_SKEW_SECONDS..=i64::from(max_age) + CLOCK_SKEW_SECONDS).contains(&age)
            }
        }
    }
}

impl Principal {
    /// Creates a caller with this subject and name, whose issuer is `development`. For tests and development.
    pub fn development(subject: &str) -> Self {
        Self {
            issuer: "development".to_owned(),
            subject: subject.to_owned(),
            name: Some(subject.to_owned()),
            roles_known: true,
            expires_at: Timestamp::MAX,
            authenticated: Authenticated::Unchecked,
            acr_levels: AcrLevels::Unchecked,
            ..Self::default()
        }
    }
}

/// One request. Cheap to clone.
#[derive(Clone)]
pub struct Ctx {
    inner: Arc<Inner>,
    selection: Option<Arc<Selection>>,
}

struct Inner {
    request_id: String,
    principal: Option<Principal>,
    origin: Option<String>,
    address: Option<IpAddr>,
    /// 0 if the event is not shared.
    event_version: AtomicU64,
}

/// The parts from which a [`Ctx`] is created.
#[derive(Default)]
pub struct CtxParts {
    /// Identifies the request in logs and responses.
    pub request_id: String,
    /// The caller; `None` without a token.
    pub principal: Option<Principal>,
    /// `Origin` header (RFC 6454), if the request had one.
    pub origin: Option<String>,
    /// Network address of the client.
    pub address: Option<IpAddr>,
}

impl From<CtxParts> for Ctx {
    // Avoids copies of the parts, for each request.
    #[inline]
    fn from(parts: CtxParts) -> Self {
        let CtxParts {
            request_id,
            principal,
            origin,
            address,
        } = parts;
        Self {
            inner: Arc::new(Inner {
                request_id,
                principal,
                origin,
                address,
                event_version: AtomicU64::new(0),
            }),
            selection: None,
        }
    }
}

impl Ctx {
    pub(crate) fn selecting(&self, selection: Arc<Selection>) -> Self {
        Self {
            inner: Arc::clone(&self.inner),
            selection: Some(selection),
        }
    }

    /// Returns the selection below the current field, or `None` outside of a resolver.
    pub fn selection(&self) -> Option<&Selection> {
        self.selection.as_deref()
    }

    /// True if a field below the current one is selected, or if the selection is unknown. `path` can be `nodes.title`.
    pub fn selects(&self, path: &str) -> bool {
        self.selection().is_none_or(|selection| selection.has(path))
    }

    /// Declares that the next event is the same for all subscribers with this version, and that its fields do not
    /// depend on the caller. A trusted document is then executed once for all of them. Each state of the event's fields
    /// needs another version, such as the number of the read. Call this before the stream returns the event.
    pub fn share_event(&self, version: NonZeroU64) {
        self.inner.event_version.store(version.get(), Ordering::Relaxed);
    }

    pub(crate) fn event_version(&self) -> Option<NonZeroU64> {
        NonZeroU64::new(self.inner.event_version.load(Ordering::Relaxed))
    }

    /// Returns the id of the request in logs and responses.
    pub fn request_id(&self) -> &str {
        &self.inner.request_id
    }

    /// Returns the caller; `None` without a token.
    pub fn principal(&self) -> Option<&Principal> {
        self.inner.principal.as_ref()
    }

    /// Returns the `Origin` header (RFC 6454), if the request had one.
    pub fn origin(&self) -> Option<&str> {
        self.inner.origin.as_deref()
    }

    /// Returns the network address of the client.
    pub fn address(&self) -> Option<IpAddr> {
        self.inner.address
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_authentication_has_reached_the_levels_of_its_class_only() {
        let level = |name, is_reached| AcrLevel {
            name,
            acr_values: Arc::new(["phr".to_owned()]),
            is_reached,
        };
        let known = AcrLevels::Known(vec![level("strong", true), level("stronger", false)]);
        let reached = |levels: &AcrLevels| ["strong", "stronger", "other"].map(|name| levels.has_reached(name));
        assert_eq!(reached(&known), [true, false, false]);
        assert_eq!(reached(&AcrLevels::Unknown), [false; 3]);
        assert_eq!(reached(&AcrLevels::Unchecked), [true; 3]);
    }

    #[test]
    fn an_authentication_is_recent_up_to_its_maximum_age_and_the_clock_skew() {
        let now = Timestamp::from_second(1_000_000).expect("a timestamp");
        let at = |seconds: i64| Authenticated::At(Timestamp::from_second(1_000_000 + seconds).expect("a timestamp"));
        for (authenticated, is_recent) in [
            (at(0), true),
            (at(-300), true),
            (at(-360), true),
            (at(-361), false),
            (at(60), true),
            (at(61), false),
            (Authenticated::Unknown, false),
            (Authenticated::Unchecked, true),
        ] {
            assert_eq!(authenticated.is_within(300, now), is_recent, "{authenticated:?}");
        }
    }
}
