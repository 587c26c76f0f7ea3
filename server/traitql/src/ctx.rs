//! What a resolver may know about the request it answers, besides its arguments.

use std::{net::IpAddr, sync::Arc};

use jiff::Timestamp;

use crate::Selection;

/// A person whose access token was checked. Says who it is, not what they may do here.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Principal {
    /// Issuer of the token (`iss`, RFC 9068).
    pub issuer: String,
    /// The person at that issuer (`sub`): only together with the issuer does it name somebody.
    pub subject: String,
    /// Name to show, if the token or the provider says one.
    pub name: Option<String>,
    /// E-mail address, if known.
    pub email: Option<String>,
    /// Whether the provider vouches for the address.
    pub email_verified: bool,
    /// Address of a picture, if known.
    pub picture: Option<String>,
    /// Roles and groups that the token claims, as the provider spells them.
    pub roles: Vec<String>,
    /// Whether there are no other roles than these. False when the provider could not be asked for all of them.
    pub roles_known: bool,
    /// When the token was made, if it says so: of two tokens of a person, the newer one knows better.
    pub issued_at: Option<Timestamp>,
    /// When the token ends.
    pub expires_at: Timestamp,
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
}

/// What a `Ctx` is made of.
#[derive(Default)]
pub struct CtxParts {
    /// Identifies the request in logs and answers.
    pub request_id: String,
    /// Who asks; `None` for a request without a token.
    pub principal: Option<Principal>,
    /// `Origin` header (RFC 6454), if the request had one.
    pub origin: Option<String>,
    /// Address of the peer.
    pub address: Option<IpAddr>,
}

impl From<CtxParts> for Ctx {
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

    /// What is selected below the field that is being resolved; `None` outside of a resolver, a test for instance.
    pub fn selection(&self) -> Option<&Selection> {
        self.selection.as_deref()
    }

    /// Whether a field below the one that is being resolved will be in the answer: what is not selected need not be computed or
    /// read. `path` may lead further down, `nodes.title`. True where nothing is known of the selection.
    pub fn selects(&self, path: &str) -> bool {
        self.selection().is_none_or(|selection| selection.has(path))
    }

    /// Identifies the request in logs and answers.
    pub fn request_id(&self) -> &str {
        &self.inner.request_id
    }

    /// Who asks; `None` for a request without a token.
    pub fn principal(&self) -> Option<&Principal> {
        self.inner.principal.as_ref()
    }

    /// `Origin` header (RFC 6454), if the request had one.
    pub fn origin(&self) -> Option<&str> {
        self.inner.origin.as_deref()
    }

    /// Address of the peer.
    pub fn address(&self) -> Option<IpAddr> {
        self.inner.address
    }
}
