//! Reads a provider's discovery document (OpenID Connect Discovery 1.0).
//!
//! The lists of algorithms are ignored, because some providers advertise `none` and HS256.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::{config::endpoint_url, reject::Reject};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Metadata {
    pub(crate) jwks_uri: Option<String>,
    pub(crate) userinfo: Option<String>,
    pub(crate) introspection: Option<String>,
    pub(crate) token: Option<String>,
    /// The page calls these origins.
    pub(crate) called: BTreeSet<String>,
    /// The page opens these origins in a frame.
    pub(crate) framed: BTreeSet<String>,
    /// The complete document, which the token relay changes.
    pub(crate) document: Value,
}

/// The endpoints that pages call for sign-in, sign-out, and names that the server does not know.
const CALLED: [&str; 3] = ["token_endpoint", "revocation_endpoint", "userinfo_endpoint"];

/// The endpoints that pages open in a frame to renew, end or monitor a session.
const FRAMED: [&str; 3] = ["authorization_endpoint", "end_session_endpoint", "check_session_iframe"];

/// Returns the URL of an issuer's discovery document (section 4).
pub fn address(issuer: &str) -> String {
    format!("{}/.well-known/openid-configuration", issuer.trim_end_matches('/'))
}

impl Metadata {
    pub(crate) fn read(issuer: &str, document: &Value) -> Result<Self, Reject> {
        if document["issuer"] != issuer {
            return Err(Reject::Unavailable(format!(
                "the discovery document names the issuer {}, but \"{issuer}\" is configured; they must be identical",
                document["issuer"]
            )));
        }
        let address = |name: &str| match document[name].as_str() {
            Some(text) => endpoint_url(text, name)
                .map_err(Reject::Unavailable)
                .map(|_checked| Some(text.to_owned())),
            None => Ok(None),
        };
        Ok(Self {
            jwks_uri: address("jwks_uri")?,
            userinfo: address("userinfo_endpoint")?,
            introspection: address("introspection_endpoint")?,
            token: address("token_endpoint")?,
            called: origins(document, &CALLED),
            framed: origins(document, &FRAMED),
            document: document.clone(),
        })
    }
}

fn origins(document: &Value, names: &[&str]) -> BTreeSet<String> {
    names
        .iter()
        .filter_map(|name| document[*name].as_str())
        .filter_map(|text| endpoint_url(text, "endpoint").ok())
        .map(|url| url.origin().ascii_serialization())
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_issuer_must_match_exactly() {
        let document = json!({"issuer": "https://a.example", "jwks_uri": "https://a.example/jwks"});
        assert!(Metadata::read("https://a.example", &document).is_ok());
        for other in ["https://a.example/", "https://A.example", "https://b.example"] {
            assert!(Metadata::read(other, &document).is_err(), "{other}");
        }
    }

    #[test]
    fn plain_http_endpoints_are_rejected() {
        let document = json!({"issuer": "https://a.example", "jwks_uri": "http://169.254.169.254/latest"});
        assert!(Metadata::read("https://a.example", &document).is_err());
    }

    #[test]
    fn origins_used_by_sign_in_are_collected() {
        let document = json!({
            "issuer": "https://a.example/x", "authorization_endpoint": "https://login.a.example/authorize?x=1",
            "token_endpoint": "https://token.a.example:8443/token", "userinfo_endpoint": "https://names.a.example/me",
            "end_session_endpoint": "http://unsafe.example/", "check_session_iframe": "https://watch.a.example/frame",
        });
        let metadata = Metadata::read("https://a.example/x", &document).expect("a valid document");
        assert_eq!(
            Vec::from_iter(metadata.called),
            ["https://names.a.example", "https://token.a.example:8443"]
        );
        assert_eq!(
            Vec::from_iter(metadata.framed),
            ["https://login.a.example", "https://watch.a.example"]
        );
    }

    #[test]
    fn a_trailing_slash_of_the_issuer_is_not_doubled() {
        assert_eq!(
            address("https://a.example/t/"),
            "https://a.example/t/.well-known/openid-configuration"
        );
    }
}
