//! Configuration of the identity providers. [`Config::check`] reports all problems at once.

use std::{fmt, sync::Arc, time::Duration};

use url::Url;

use crate::loopback::is_loopback;

/// Configuration of a verifier.
#[derive(Debug, Clone, Default)]
pub struct Config {
    /// Providers whose tokens are accepted. At least one; their ids must be unique.
    pub providers: Vec<ProviderConfig>,
    /// Lifetimes, timeouts and limits; the defaults suit production.
    pub timing: Timing,
}

/// One OpenID Connect provider.
#[derive(Debug, Clone)]
pub struct ProviderConfig {
    /// Unique id; clients prefix it with `~` to tokens that do not name their issuer.
    pub id: String,
    /// Issuer, exactly as discovery and tokens spell it, including any trailing slash.
    pub issuer: String,
    /// Other spellings of the issuer in tokens. Principals still carry `issuer`.
    pub aliases: Vec<String>,
    /// Client that obtains the tokens; selects between several providers with the same issuer.
    pub client_id: Option<String>,
    /// Required audience.
    pub audience: Audience,
    /// Verification method.
    pub token: TokenKind,
    /// JSON pointers (RFC 6901) or plain claim names of roles; the values of all of them are merged.
    pub roles: Vec<String>,
    /// Scope that every token must have.
    pub required_scope: Option<String>,
    /// True to request name, e-mail, picture and roles from the userinfo endpoint if the token lacks them and the
    /// discovery document contains the endpoint.
    pub userinfo: bool,
    /// True if the provider reports sign-outs. Its keys are then fetched even if they do not verify access tokens, and
    /// access tokens are accepted for at most a day.
    pub backchannel_logout: bool,
    /// True if the age of the last authentication is checked where it is limited. Otherwise any is recent enough.
    pub step_up: bool,
    /// Classes of authentication (`acr`) in order of preference, one of which is required where a strong authentication
    /// is. Empty if any class is accepted.
    pub acr_values: Arc<[String]>,
    /// True to reject access tokens that are not bound to a key of the client (DPoP).
    pub dpop: bool,
}

/// The audience that a token must have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Audience {
    /// One of these must be in `aud` (RFC 9068, section 4).
    Aud(Vec<String>),
    /// One of these must be `client_id` (or `azp`). For Amazon Cognito, whose access tokens have no `aud`.
    ClientId(Vec<String>),
}

impl Audience {
    /// True if no name is configured, so that no token could match.
    pub fn is_empty(&self) -> bool {
        self.names().is_empty()
    }

    pub(crate) fn names(&self) -> &[String] {
        match self {
            Self::Aud(names) | Self::ClientId(names) => names,
        }
    }
}

/// The verification method for a provider's tokens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TokenKind {
    /// Access tokens are JWTs, verified locally with the published keys.
    Jwt,
    /// Clients send the ID token, whose audience is the client id, because an API cannot verify the provider's access
    /// tokens.
    IdToken,
    /// Every token is sent to the provider's introspection endpoint (RFC 7662).
    Introspection(Introspection),
    /// Every token is sent to the userinfo endpoint. This cannot prove the audience: a token that any other application
    /// obtained from the same provider is accepted too.
    Userinfo,
}

/// Access to an introspection endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Introspection {
    /// Client id of this server at the provider.
    pub client_id: String,
    /// Client secret of this server at the provider.
    pub client_secret: Secret,
    /// Endpoint, for providers whose discovery document does not contain it.
    pub endpoint: Option<String>,
}

/// A string that `Debug` does not print.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Returns the secret itself. Use it only in requests to the provider.
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

/// Lifetimes, timeouts and limits of a verifier.
#[derive(Debug, Clone)]
pub struct Timing {
    /// Allowed clock skew, in seconds.
    pub leeway: u64,
    /// Age up to which fetched keys are used without a refresh.
    pub keys_fresh: Duration,
    /// Age up to which keys are used while the provider is unavailable.
    pub keys_stale: Duration,
    /// Minimum interval between a failed fetch and the next one.
    pub cool_down: Duration,
    /// Minimum interval between two fetches for tokens with unknown keys. Such a token waits until it has elapsed.
    pub unknown_key_cool_down: Duration,
    /// Minimum interval until the first fetch succeeds. Short, because the provider may still be starting.
    pub first_cool_down: Duration,
    /// Timeout of one request to the provider.
    pub timeout: Duration,
    /// Time for which a verified token is cached, though never past its `exp`.
    pub remember: Duration,
    /// Maximum number of cached tokens.
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
            remembered: 10_000,
        }
    }
}

impl ProviderConfig {
    /// Default role claims: plain, Keycloak, groups, Amazon Cognito.
    pub const ROLES: [&str; 4] = ["/roles", "/realm_access/roles", "/groups", "/cognito:groups"];

    /// Creates a provider of JWT access tokens for `audience` with the default role claims.
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

/// All problems of a [`Config`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigError {
    /// Problems, one sentence each.
    pub problems: Vec<String>,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.problems.join("\n"))
    }
}

impl std::error::Error for ConfigError {}

impl Config {
    /// Validates the configuration without I/O. The error contains all problems.
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

fn check_issuer(issuer: &str) -> Result<(), String> {
    let url = endpoint_url(issuer, "issuer")?;
    // OpenID Connect Discovery 1.0, section 3: no query and no fragment.
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
