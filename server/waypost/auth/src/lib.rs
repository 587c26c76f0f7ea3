//! Verifies access tokens from any OpenID Connect provider: the resource-server side of sign-in.
//!
//! A [`Verifier`] selects the provider of each token, checks the signature and the claims, and returns a
//! [`Principal`]. It makes no authorization decisions. The rules follow RFC 9068 (JWT access tokens), RFC 8725 (JWT
//! best practice), RFC 7662 (introspection), RFC 9449 ([`dpop`]) and OpenID Connect Back-Channel Logout 1.0
//! ([`Verifier::verify_logout`]). An unreachable provider yields [`Reject::Unavailable`], because a 401 would send
//! every client into a sign-in loop.

mod cache;
mod claims;
mod clock;
mod config;
mod discovery;
pub mod dpop;
mod fetch;
mod keys;
mod logout;
mod loopback;
mod opaque;
pub mod preset;
mod principal;
mod provider;
mod reject;
mod relay;
mod token;
mod verifier;

pub use clock::Clock;
pub use config::{
    Audience, Config, ConfigError, Introspection, ProviderConfig, Secret, Timing, TokenKind, check_issuer,
};
pub use discovery::address as discovery_address;
pub use keys::usable_keys;
pub use logout::{Logout, TokenFacts};
pub use loopback::{LoopbackResolver, is_loopback};
pub use opaque::token_kinds_for_opaque;
pub use principal::{Principal, Profile, Source};
pub use provider::{Origins, ProviderStatus};
pub use reject::Reject;
pub use relay::Credentials;
pub use verifier::Verifier;
