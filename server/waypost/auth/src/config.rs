//! [`Config::check`] reports all problems at once.

use std::{fmt, sync::Arc, time::Duration};

use url::Url;

use crate::loopback::is_loopback;

#[derive(Debug, Clone, Default)]
pub struct Config {
    pub providers: Vec<ProviderConfig>,
    /// The defaults suit production.
    pub timing: Timing,
}

#[derive(Debug, Clone)]
pub struct ProviderConfig {
    /// Unique; clients prefix it with `~` to tokens that do not name their issuer.
    pub id: String,
    /// Exactly as discovery and tokens spell it, including a trailing slash.
    pub issuer: String,
    /// Other spellings in tokens. Principals still carry `issuer`.
    pub aliases: Vec<String>,
    /// Obtains the tokens; selects between providers with the same issuer.
    pub client_id: Option<String>,
    pub audience: Audience,
    pub token: TokenKind,
    /// JSON pointers (RFC 6901) or claim names of roles, whose values are merged.
    pub roles: Vec<String>,
    /// Every token must have it.
    pub required_scope: Option<String>,
    /// Requests profile and roles that the token lacks from the userinfo endpoint.
    pub userinfo: bool,
    /// Set if the provider reports sign-outs. Its keys are then always fetched, and access tokens are accepted for at
    /// most a day.
    pub backchannel_logout: bool,
    /// Checks the age of the last authentication where it is limited.
    pub step_up: bool,
    /// Classes of authentication (`acr`) in order of preference, one of which is required where a strong
    /// authentication is. If empty, any is accepted.
    pub acr_values: Arc<[String]>,
    /// Rejects access tokens that are not bound to a key of the client (DPoP).
    pub dpop: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Audience {
    /// `aud` must have one of these (RFC 9068, section 4).
    Aud(Vec<String>),
    /// `client_id` (or `azp`) must be one of these. For Amazon Cognito, whose access tokens lack `aud`.
    ClientId(Vec<String>),
}

impl Audience {
    pub fn is_empty(&self) -> bool {
        self.names().is_empty()
    }

    pub(crate) fn names(&self) -> &[String] {
        match self {
            Self::Aud(names) | Self::ClientId(names) => names,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TokenKind {
    /// JWTs, verified locally.
    Jwt,
    /// Clients send the ID token, whose audience is the client id, because an API cannot verify the access tokens.
    IdToken,
    /// The provider's introspection endpoint (RFC 7662) checks tokens.
    Introspection(Introspection),
    /// The userinfo endpoint checks tokens. It cannot prove the audience: tokens of other applications are accepted.
    Userinfo,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Introspection {
    pub client_id: String,
    pub client_secret: Secret,
    /// URL of the endpoint, if the discovery document lacks it.
    pub endpoint: Option<String>,
}

/// `Debug` does not print it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Use it only in requests to the provider.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl From<String> for Secret {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

#[derive(Debug, Clone)]
pub struct Timing {
    /// Seconds.
    pub leeway: u64,
    /// Age up to which keys are used without a refresh.
    pub keys_fresh: Duration,
    /// Age up to which keys are used while the provider is unavailable.
    pub keys_stale: Duration,
    /// Interval after a failed fetch.
    pub cool_down: Duration,
    /// Interval between fetches for tokens with unknown keys, which wait for it.
    pub unknown_key_cool_down: Duration,
    /// Interval until the first fetch succeeds. The provider may still be starting.
    pub first_cool_down: Duration,
    pub timeout: Duration,
    /// Time for which a token is cached, at most until its `exp`.
    pub remember: Duration,
    pub remembered: usize,
}

impl Default for Timing {
    fn default() -> Self {
        Self {
            leeway: 60,
            keys_fresh: Duration::from_secs(10 * 60),
            keys_stale: Duration::from_secs(24 * 60 * 60),
            cool_down: Duration::from_secs(10),
            unknown_key_cool_down: Duration::from_secs(2),
            first_cool_down: Duration::from_secs(1),
            timeout: Duration::from_secs(5),
            remember: Duration::from_secs(60),
            remembered: 20_000,
        }
    }
}

impl ProviderConfig {
    /// Plain, Keycloak, groups, Amazon Cognito.
    pub const ROLES: [&str; 4] = ["/roles", "/realm_access/roles", "/groups", "/cognito:groups"];

    pub fn new(issuer: impl Into<String>, audience: impl Into<String>) -> Self {
        Self {
            id: "oidc".to_owned(),
            issuer: issuer.into(),
            aliases: Vec::new(),
            client_id: None,
            audience: Audience::Aud(vec![audience.into()]),
            token: TokenKind::Jwt,
            roles: Self::ROLES.map(String::from).to_vec(),
            required_scope: None,
            userinfo: false,
            backchannel_logout: false,
            step_up: false,
            acr_values: Arc::default(),
            dpop: false,
        }
    }

    pub(crate) fn is_issuer(&self, issuer: &str) -> bool {
        self.issuer == issuer || self.aliases.iter().any(|alias| alias == issuer)
    }

    pub(crate) fn verifies_remotely(&self) -> bool {
        matches!(self.token, TokenKind::Introspection(_) | TokenKind::Userinfo)
    }

    fn is_same_client(&self, other: &Self) -> bool {
        self.issuer == other.issuer && self.client_id == other.client_id
    }

    fn check(&self, problems: &mut Vec<String>) {
        let issuer = &self.issuer;
        if let Err(problem) = check_issuer(issuer) {
            problems.push(problem);
        }
        if self.audience.names().is_empty() || self.audience.names().iter().any(String::is_empty) {
            problems.push(format!(
                "The provider {issuer} has an empty audience. Set it to the API or client that tokens are issued for."
            ));
        }
        for role in self
            .roles
            .iter()
            .filter(|role| role.starts_with('/') && !is_valid_pointer(role))
        {
            problems.push(format!(
                "`{role}` is not a JSON pointer (RFC 6901): write `~` as `~0` and `/` as `~1`."
            ));
        }
        if let TokenKind::Introspection(Introspection {
            endpoint: Some(endpoint),
            ..
        }) = &self.token
            && let Err(problem) = endpoint_url(endpoint, "introspection endpoint")
        {
            problems.push(problem);
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigError {
    pub problems: Vec<String>,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.problems.join("\n"))
    }
}

impl std::error::Error for ConfigError {}

impl Config {
    pub fn check(&self) -> Result<(), ConfigError> {
        let mut problems = Vec::new();
        if self.providers.is_empty() {
            problems.push("No identity provider is configured.".to_owned());
        }
        for (index, provider) in self.providers.iter().enumerate() {
            provider.check(&mut problems);
            let before = &self.providers[..index];
            if before.iter().any(|other| other.id == provider.id) {
                problems.push(format!("Two providers have the id {}.", provider.id));
            }
            if before.iter().any(|other| other.is_same_client(provider)) {
                problems.push(format!(
                    "Two providers have the issuer {} and the same client id, or no client id. Give each its own client id.",
                    provider.issuer
                ));
            }
        }
        if problems.is_empty() {
            Ok(())
        } else {
            Err(ConfigError { problems })
        }
    }
}

/// Checks that it is a URL without query and fragment, with https or on a loopback address.
pub fn check_issuer(issuer: &str) -> Result<(), String> {
    let url = endpoint_url(issuer, "issuer")?;
    // OpenID Connect Discovery 1.0, section 3.
    if url.query().is_some() || url.fragment().is_some() {
        return Err(format!("The issuer {issuer} must not have a query or a fragment."));
    }
    Ok(())
}

/// Parses a URL that may receive tokens or secrets or provide keys: https, or http to a loopback address.
pub(crate) fn endpoint_url(text: &str, what: &str) -> Result<Url, String> {
    let url = Url::parse(text).map_err(|error| format!("The {what} `{text}` is not a URL: {error}."))?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(format!("The {what} must not contain a user name or password."));
    }
    match url.scheme() {
        "https" => Ok(url),
        "http" if is_loopback(&url) => Ok(url),
        "http" => Err(format!(
            "The {what} {text} must use https; http is accepted only for localhost and loopback addresses."
        )),
        scheme => Err(format!("The {what} {text} must use https, not {scheme}.")),
    }
}

fn is_valid_pointer(text: &str) -> bool {
    text.split('~')
        .skip(1)
        .all(|rest| rest.starts_with('0') || rest.starts_with('1'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issuers_must_use_https_except_on_loopback() {
        for good in [
            "https://accounts.example.com",
            "https://example.com/realms/r/",
            "http://localhost:9101",
            "http://127.0.0.1:1",
            "http://[::1]:1",
            "http://idp.localhost",
        ] {
            assert_eq!(check_issuer(good), Ok(()), "{good}");
        }
        for bad in [
            "http://example.com",
            "http://10.0.0.1",
            "http://localhost.example.com",
            "ftp://localhost",
            "accounts.example.com",
            "https://u:p@example.com",
            "https://example.com/?a",
            "https://example.com/#a",
            "",
        ] {
            assert!(check_issuer(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn all_problems_are_reported_at_once() {
        let mut first = ProviderConfig::new("http://example.com", "");
        first.roles = vec!["/a~2".into()];
        let config = Config {
            providers: vec![first.clone(), first],
            ..Config::default()
        };
        let problems = config.check().expect_err("the configuration is wrong").problems;
        assert_eq!(problems.len(), 8, "{problems:#?}");
        assert_eq!(
            Config::default()
                .check()
                .expect_err("nothing is configured")
                .problems
                .len(),
            1
        );
    }

    #[test]
    fn a_secret_is_not_printed() {
        assert_eq!(format!("{:?}", Secret::from("hunter2".to_owned())), "Secret(…)");
    }
}
