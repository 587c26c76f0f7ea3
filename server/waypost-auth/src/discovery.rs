//! The provider's configuration document (OpenID Connect Discovery 1.0).
//!
//! Only addresses are taken from it. Its lists of algorithms are ignored on purpose: real providers advertise `none` and
//! HS256 there.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::{config::endpoint_url, reject::Reject};

/// The addresses we need.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Metadata {
    pub(crate) jwks_uri: Option<String>,
    pub(crate) userinfo: Option<String>,
    pub(crate) introspection: Option<String>,
    pub(crate) token: Option<String>,
    /// Origins of the endpoints that the page calls, each once.
    pub(crate) called: BTreeSet<String>,
    /// Origins of the endpoints that are opened in a frame, each once.
    pub(crate) framed: BTreeSet<String>,
    /// The whole document, for the token relay.
    pub(crate) document: Value,
}

/// What the page calls. Userinfo is not among it: the server asks there.
const CALLED: [&str; 2] = ["token_endpoint", "revocation_endpoint"];

/// What is opened in a frame, to renew a session, to end it or to watch it.
const FRAMED: [&str; 3] = ["authorization_endpoint", "end_session_endpoint", "check_session_iframe"];

/// Where the document of an issuer is (section 4).
pub fn address(issuer: &str) -> String {
    format!("{}/.well-known/openid-configuration", issuer.trim_end_matches('/'))
}

impl Metadata {
    /// Reads the document; refuses one of another issuer (section 4.3) and addresses that are not safe to call.
    pub(crate) fn read(issuer: &str, document: &Value) -> Result<Self, Reject> {
        if document["issuer"] != issuer {
            return Err(Reject::Unavailable(format!(
                "discovery names the issuer {}, configured is \"{issuer}\"; they must be equal to the letter",
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

/// Origins of some addresses of the document. Some providers spread them over several hosts.
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
    fn the_issuer_must_be_equal_to_the_letter() {
        let document = json!({"issuer": "https://a.example", "jwks_uri": "https://a.example/jwks"});
        assert!(Metadata::read("https://a.example", &document).is_ok());
        for other in ["https://a.example/", "https://A.example", "https://b.example"] {
            assert!(Metadata::read(other, &document).is_err(), "{other}");
        }
    }

    #[test]
    fn plain_http_endpoints_are_refused() {
        let document = json!({"issuer": "https://a.example", "jwks_uri": "http://169.254.169.254/latest"});
        assert!(Metadata::read("https://a.example", &document).is_err());
    }

    #[test]
    fn the_origins_of_sign_in_are_gathered() {
        let document = json!({
            "issuer": "https://a.example/x", "authorization_endpoint": "https://login.a.example/authorize?x=1",
            "token_endpoint": "https://token.a.example:8443/token", "userinfo_endpoint": "https://token.a.example:8443/me",
            "end_session_endpoint": "http://unsafe.example/", "check_session_iframe": "https://watch.a.example/frame",
        });
        let metadata = Metadata::read("https://a.example/x", &document).expect("a good document");
        assert_eq!(Vec::from_iter(metadata.called), ["https://token.a.example:8443"]);
        assert_eq!(
            Vec::from_iter(metadata.framed),
            ["https://login.a.example", "https://watch.a.example"]
        );
    }

    #[test]
    fn a_closing_slash_of_the_issuer_is_not_doubled() {
        assert_eq!(
            address("https://a.example/t/"),
            "https://a.example/t/.well-known/openid-configuration"
        );
    }
}
