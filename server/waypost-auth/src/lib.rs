//! Access tokens of any OpenID Connect provider, checked: the resource-server side of sign-in.
//!
//! A [`Verifier`] is made from configuration alone and does no I/O until the first token arrives, so a provider that is down
//! does not keep the server from starting. For each token it finds the provider, the provider's published keys, checks the
//! signature and every claim that says whom the token is for and how long it lives, and answers with a [`Principal`].
//!
//! The rules follow RFC 9068 (JWT access tokens), RFC 8725 (JWT best practice) and RFC 7662 (introspection):
//! - the algorithms are a fixed list of asymmetric ones; what discovery or the token advertises does not widen it;
//! - `iss`, `aud`, `exp` and `sub` must be there; `nbf` and `iat` are checked when they are; clocks may differ by a minute;
//! - an ID token is no access token, nor is a token that is bound to a key (`cnf`) and arrives without proof;
//! - a provider that cannot be reached is [`Reject::Unavailable`], not a bad token: answering 401 in an outage would send
//!   every client into a sign-in loop.
//!
//! It deliberately does not know what anybody may do: roles are handed on as the provider spells them.

mod cache;
mod claims;
mod clock;
mod config;
mod discovery;
mod fetch;
mod keys;
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
pub use config::{Audience, Config, ConfigError, Introspection, ProviderConfig, Secret, Timing, TokenKind};
pub use discovery::address as discovery_address;
pub use keys::usable_keys;
pub use loopback::{LoopbackResolver, is_loopback};
pub use principal::{Principal, Profile, Source};
pub use provider::{Origins, ProviderStatus};
pub use reject::Reject;
pub use relay::Credentials;
pub use verifier::Verifier;
