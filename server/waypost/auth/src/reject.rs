//! Reasons for rejecting a token.

use std::fmt;

/// The reason for rejecting a token. The `Display` text is safe to send to the caller: from the token it contains only
/// names of claims.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reject {
    /// Not a token: empty, too long, not three parts, not base64url or not JSON. Contains the reason.
    Malformed(&'static str),
    /// Unsigned, or signed with an algorithm that is not accepted.
    Algorithm,
    /// The header names critical extensions (RFC 7515, section 4.1.11), none of which is supported.
    Critical,
    /// The header's `typ` is another kind of token, such as a logout token.
    Type(String),
    /// No published key of the provider matches the token's `kid` and algorithm.
    UnknownKey,
    /// The signature does not match.
    Signature,
    /// The token has expired.
    Expired,
    /// `nbf` or `iat` is in the future.
    NotYet,
    /// The issuer is not configured.
    Issuer,
    /// The audience is another service.
    Audience,
    /// A required claim is missing.
    Missing(&'static str),
    /// A claim has an invalid type or value.
    Claim(&'static str),
    /// An ID token, which identifies the account to a client but grants no access.
    IdToken,
    /// An access token from a provider whose ID tokens are expected.
    AccessToken,
    /// Bound to a key of the client (`cnf`, RFC 7800), but sent as a plain bearer token.
    Bound,
    /// The required scope is missing.
    Scope,
    /// The session of the token was ended by a sign-out.
    SignedOut,
    /// The provider reports that the token is invalid or no longer valid.
    Inactive,
    /// An opaque token, but no provider is configured for introspection or userinfo. Contains the fix, one sentence
    /// with the settings that the provider supports.
    Opaque(String),
    /// An opaque token, but several providers could have issued it. It is not sent to all of them, because that would
    /// disclose one provider's token to another.
    AmbiguousProvider,
    /// The provider cannot be reached, so the token could not be verified. Respond with 503 and `Retry-After`, never
    /// 401. Contains the cause, for the log.
    Unavailable(String),
}

impl Reject {
    /// True if the token was not verified because the provider could not be reached.
    pub fn is_unavailable(&self) -> bool {
        matches!(self, Self::Unavailable(_))
    }
}

impl fmt::Display for Reject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(what) => write!(f, "The access token is malformed: {what}."),
            Self::Algorithm => f.write_str("The access token is not signed with an accepted algorithm."),
            Self::Critical => f.write_str("The access token requires extensions that are not supported."),
            Self::Type(_) => f.write_str("The token is not an access token."),
            Self::UnknownKey => f.write_str("The access token is signed with a key that its issuer does not publish."),
            Self::Signature => f.write_str("The signature of the access token is invalid."),
            Self::Expired => f.write_str("The access token has expired."),
            Self::NotYet => f.write_str("The access token is not valid yet."),
            Self::Issuer => f.write_str("The issuer of the access token is not accepted by this server."),
            Self::Audience => f.write_str("The access token was issued for another service."),
            Self::Missing(claim) => write!(f, "The access token has no claim `{claim}`."),
            Self::Claim(claim) => write!(f, "The claim `{claim}` of the access token is invalid."),
            Self::IdToken => f.write_str("The token is an ID token; send the access token instead."),
            Self::AccessToken => f.write_str("The token is an access token; send the ID token instead."),
            Self::Bound => f.write_str("The access token is bound to a key and cannot be used as a bearer token."),
            Self::Scope => f.write_str("The access token does not have the scope that this service requires."),
            Self::SignedOut => f.write_str("The session of the access token has ended: the account signed out."),
            Self::Inactive => {
                f.write_str("The identity provider does not accept this access token, or no longer does.")
            }
            Self::Opaque(fix) => write!(
                f,
                "The access token is opaque, so it cannot be verified as a JWT. {fix}"
            ),
            Self::AmbiguousProvider => {
                f.write_str("The access token does not name its provider; prefix it with the provider's id and `~`.")
            }
            Self::Unavailable(_) => f.write_str("The identity provider cannot be reached; try again shortly."),
        }
    }
}

impl std::error::Error for Reject {}
