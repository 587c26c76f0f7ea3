//! Why a token was not accepted.

use std::fmt;

/// Why a token was not accepted. The `Display` text is safe to send to the caller; it quotes nothing but names of claims.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reject {
    /// It is no token at all: empty, too long, not three parts, not base64url, not JSON. Says which.
    Malformed(&'static str),
    /// Signed with an algorithm outside the fixed list, or not signed.
    Algorithm,
    /// Its header names critical extensions (RFC 7515, section 4.1.11); none is understood here.
    Critical,
    /// Its header's `typ` says that it is something else, a logout token for instance.
    Type(String),
    /// No published key of the provider fits the token's `kid` and algorithm.
    UnknownKey,
    /// The signature does not match.
    Signature,
    /// The token's life is over.
    Expired,
    /// `nbf` or `iat` lies in the future.
    NotYet,
    /// Comes from an issuer that is not configured here.
    Issuer,
    /// Was made for somebody else.
    Audience,
    /// A claim that must be there is not.
    Missing(&'static str),
    /// A claim has a type or value it cannot have.
    Claim(&'static str),
    /// It is an ID token, which tells a client who signed in and opens nothing.
    IdToken,
    /// It is an access token, where the provider's ID tokens are asked for.
    AccessToken,
    /// Bound to a key of the client (RFC 7800 `cnf`), but presented as a plain bearer token.
    Bound,
    /// Lacks the scope that this API asks for.
    Scope,
    /// The provider says that the token is not, or no longer, good.
    Inactive,
    /// An opaque token, and no provider is configured to be asked about one.
    Opaque,
    /// An opaque token, and several providers could be asked. Showing one's token to another would give it away.
    Whose,
    /// The provider cannot be asked, so nobody knows. Answer 503 with `Retry-After`, never 401. Holds the cause, for the log.
    Unavailable(String),
}

impl Reject {
    /// True when the token was not judged because the provider could not be reached.
    pub fn is_unavailable(&self) -> bool {
        matches!(self, Self::Unavailable(_))
    }
}

impl fmt::Display for Reject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(what) => write!(f, "The access token is malformed: {what}."),
            Self::Algorithm => f.write_str("The access token is not signed with an accepted algorithm."),
            Self::Critical => f.write_str("The access token needs extensions that are not supported."),
            Self::Type(_) => f.write_str("The token is of a type that is no access token."),
            Self::UnknownKey => f.write_str("The access token is signed with a key that its issuer does not publish."),
            Self::Signature => f.write_str("The signature of the access token is not valid."),
            Self::Expired => f.write_str("The access token has expired."),
            Self::NotYet => f.write_str("The access token is not valid yet."),
            Self::Issuer => f.write_str("The access token comes from an issuer that is not accepted here."),
            Self::Audience => f.write_str("The access token was made for another service."),
            Self::Missing(claim) => write!(f, "The access token has no claim `{claim}`."),
            Self::Claim(claim) => write!(f, "The claim `{claim}` of the access token cannot be read."),
            Self::IdToken => f.write_str("This is an ID token; send the access token."),
            Self::AccessToken => f.write_str("This is an access token; this provider's ID token is asked for."),
            Self::Bound => f.write_str("The access token is bound to a key and cannot be used as a bearer token."),
            Self::Scope => f.write_str("The access token lacks the scope of this service."),
            Self::Inactive => f.write_str("The identity provider no longer accepts this access token."),
            Self::Opaque => {
                f.write_str("The access token is opaque, and no provider is configured to be asked about it.")
            }
            Self::Whose => {
                f.write_str("The access token does not say its provider; write the provider's id and ~ before it.")
            }
            Self::Unavailable(_) => f.write_str("The identity provider cannot be reached; try again shortly."),
        }
    }
}

impl std::error::Error for Reject {}
