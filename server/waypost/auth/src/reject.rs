use std::fmt;

/// The `Display` text is safe for the caller: from the token it contains only names of claims.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reject {
    /// The token is empty, too long, not three parts, not base64url or not JSON.
    Malformed(&'static str),
    /// The token is unsigned, or the algorithm is not accepted.
    Algorithm,
    /// The header names critical extensions (RFC 7515, section 4.1.11).
    Critical,
    /// The header `typ` names another kind of token, such as a logout token.
    Type(String),
    /// No published key matches `kid` and algorithm.
    UnknownKey,
    Signature,
    Expired,
    /// The claim `nbf` or `iat` is in the future.
    NotYet,
    /// No provider with this issuer is configured.
    Issuer,
    /// The token is for another service.
    Audience,
    Missing(&'static str),
    Claim(&'static str),
    /// ID tokens identify an account to a client but grant no access.
    IdToken,
    /// The provider's ID tokens are expected.
    AccessToken,
    /// The token is bound to a key (`cnf`, RFC 7800), but was sent as a plain bearer token, or is bound by another
    /// method than DPoP.
    Bound,
    /// The token is not bound, although the provider's tokens must be, or although it was sent with a proof.
    Unbound,
    /// The DPoP proof is invalid (RFC 9449).
    Proof(&'static str),
    /// The proof lacks a valid nonce.
    Nonce,
    Scope,
    /// A sign-out ended the session.
    SignedOut,
    /// The provider reports the token as invalid.
    Inactive,
    /// No provider is configured for introspection or userinfo. Contains the settings that the provider supports.
    Opaque(String),
    /// Several providers could have issued the opaque token. Sending it to all would disclose it.
    AmbiguousProvider,
    /// The provider cannot be reached. Respond with 503 and `Retry-After`, never
    /// 401. Contains the cause.
    Unavailable(String),
}

impl Reject {
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
            Self::NotYet => f.write_str(
                "The access token is not valid yet: the clock of the identity provider is ahead of this server's. An \
                 administrator has to synchronize both.",
            ),
            Self::Issuer => f.write_str("The issuer of the access token is not accepted by this server."),
            Self::Audience => f.write_str("The access token was issued for another service."),
            Self::Missing(claim) => write!(f, "The access token has no claim `{claim}`."),
            Self::Claim(claim) => write!(f, "The claim `{claim}` of the access token is invalid."),
            Self::IdToken => f.write_str("The token is an ID token; send the access token instead."),
            Self::AccessToken => f.write_str("The token is an access token; send the ID token instead."),
            Self::Bound => f.write_str("The access token is bound to a key and cannot be used as a bearer token."),
            Self::Unbound => f.write_str("The access token is not bound to a key of the client (DPoP)."),
            Self::Proof(reason) => write!(f, "The DPoP proof is invalid: {reason}."),
            Self::Nonce => f.write_str("The DPoP proof must contain a nonce that this server has issued recently."),
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
