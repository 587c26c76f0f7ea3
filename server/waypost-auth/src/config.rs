//! What an operator says about the identity providers. Checked once, with all problems at once.

use std::{fmt, time::Duration};

use url::Url;

use crate::loopback::is_loopback;

/// All providers, and the times of the verifier.
#[derive(Debug, Clone, Default)]
pub struct Config {
    /// The providers whose tokens are accepted. At least one; their names must differ.
    pub providers: Vec<ProviderConfig>,
    /// Ages, pauses and limits; the defaults suit production.
    pub timing: Timing,
}

/// One OpenID Connect provider.
#[derive(Debug, Clone)]
pub struct ProviderConfig {
    /// Names it among the others; what comes before `~` in a token that does not say its issuer.
    pub id: String,
    /// The issuer, exactly as discovery and tokens spell it, a closing slash included.
    pub issuer: String,
    /// Other spellings of the issuer in tokens. The person is known by the one above all the same.
    pub aliases: Vec<String>,
    /// The client that asks for tokens; decides between several providers of one issuer.
    pub client_id: Option<String>,
    /// For whom a token must have been made.
    pub audience: Audience,
    /// How its tokens are checked.
    pub token: TokenKind,
    /// JSON pointers (RFC 6901) or plain claim names at which roles may stand; the values of all are gathered.
    pub roles: Vec<String>,
    /// A scope that every token must have.
    pub required_scope: Option<String>,
    /// Ask the userinfo endpoint for name, e-mail, picture and roles that the token does not have.
    pub userinfo: bool,
}

/// For whom a token must have been made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Audience {
    /// One of these must be in `aud` (RFC 9068, section 4).
    Aud(Vec<String>),
    /// One of these must be `client_id` (or `azp`): for Amazon Cognito, whose access tokens have no `aud`.
    ClientId(Vec<String>),
}

impl Audience {
    /// True when it names nobody, so that no token could be for it.
    pub fn is_empty(&self) -> bool {
        self.names().is_empty()
    }

    pub(crate) fn names(&self) -> &[String] {
        match self {
            Self::Aud(names) | Self::ClientId(names) => names,
        }
    }
}

/// How tokens of a provider are checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TokenKind {
    /// Access tokens are JWTs, checked here with the published keys.
    Jwt,
    /// The provider has no access tokens that an API could check, so clients send the ID token; its audience is the client id.
    IdToken,
    /// Every token is shown to the provider's introspection endpoint (RFC 7662).
    Introspection(Introspection),
    /// Every token is tried at the userinfo endpoint. This cannot prove for whom the token was made: a token that any other
    /// application obtained from the same provider passes too.
    Userinfo,
}

/// How to ask an introspection endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Introspection {
    /// Client id of this server at the provider.
    pub client_id: String,
    /// Its secret.
    pub client_secret: Secret,
    /// The endpoint, for providers that do not name it in discovery.
    pub endpoint: Option<String>,
}

/// A text that must not be printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// The text itself. Only for what is sent to the provider.
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

/// Ages, pauses and limits of the verifier.
#[derive(Debug, Clone)]
pub struct Timing {
    /// How far clocks may differ, in seconds.
    pub leeway: u64,
    /// Fetched keys are used without asking again for this long.
    pub keys_fresh: Duration,
    /// While the provider is down, keys up to this age are used on.
    pub keys_stale: Duration,
    /// At most one fetch in this time, however many unknown key ids arrive.
    pub cool_down: Duration,
    /// The same while nothing could be fetched at all, after which a provider that came up late is found.
    pub first_cool_down: Duration,
    /// One call to the provider takes at most this long.
    pub timeout: Duration,
    /// A checked token is remembered for at most this long, and never past its `exp`.
    pub remember: Duration,
    /// So many checked tokens are remembered.
    pub remembered: usize,
}

impl Default for Timing {
    fn default() -> Self {
        Self {
            leeway: 60,
            keys_fresh: Duration::from_secs(10 * 60),
            keys_stale: Duration::from_secs(24 * 60 * 60),
            cool_down: Duration::from_secs(10),
            first_cool_down: Duration::from_secs(1),
            timeout: Duration::from_secs(5),
            remember: Duration::from_secs(60),
            remembered: 10_000,
        }
    }
}

impl ProviderConfig {
    /// Where roles are looked for unless somebody says otherwise: plain, Keycloak, groups, Amazon Cognito.
    pub const ROLES: [&str; 4] = ["/roles", "/realm_access/roles", "/groups", "/cognito:groups"];

    /// A provider of JWT access tokens for `audience`, with the usual places for roles.
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
        }
    }

    /// Whether `iss` of a token names this provider.
    pub(crate) fn is_issuer(&self, issuer: &str) -> bool {
        self.issuer == issuer || self.aliases.iter().any(|alias| alias == issuer)
    }

    /// Whether only the provider can tell what its tokens are worth.
    pub(crate) fn must_be_asked(&self) -> bool {
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
                "The provider {issuer} has an empty audience; name the API or client that tokens are made for."
            ));
        }
        for role in self
            .roles
            .iter()
            .filter(|role| role.starts_with('/') && !valid_pointer(role))
        {
            problems.push(format!(
                "`{role}` is no JSON pointer: `~` is only allowed in `~0` and `~1` (RFC 6901)."
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

/// Everything that is wrong with a [`Config`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigError {
    /// One sentence each.
    pub problems: Vec<String>,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.problems.join("\n"))
    }
}

impl std::error::Error for ConfigError {}

impl Config {
    /// Finds everything that is wrong, without any I/O.
    pub fn check(&self) -> Result<(), ConfigError> {
        let mut problems = Vec::new();
        if self.providers.is_empty() {
            problems.push("No identity provider is configured.".to_owned());
        }
        for (index, provider) in self.providers.iter().enumerate() {
            provider.check(&mut problems);
            let before = &self.providers[..index];
            if before.iter().any(|other| other.id == provider.id) {
                problems.push(format!("Two providers have the name {}.", provider.id));
            }
            if before.iter().any(|other| other.is_same_client(provider)) {
                problems.push(format!(
                    "Two providers have the issuer {}, and the same client or none.",
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
        return Err(format!("The issuer {issuer} must have no query and no fragment."));
    }
    Ok(())
}

/// An address that tokens, keys or secrets may travel to: https, or plain http inside this machine.
pub(crate) fn endpoint_url(text: &str, what: &str) -> Result<Url, String> {
    let url = Url::parse(text).map_err(|error| format!("The {what} `{text}` is no URL: {error}."))?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(format!("The {what} must not contain a user name or password."));
    }
    match url.scheme() {
        "https" => Ok(url),
        "http" if is_loopback(&url) => Ok(url),
        "http" => Err(format!(
            "The {what} {text} must use https; http is accepted for this machine only (localhost)."
        )),
        scheme => Err(format!("The {what} {text} must use https, not {scheme}.")),
    }
}

fn valid_pointer(text: &str) -> bool {
    text.split('~')
        .skip(1)
        .all(|rest| rest.starts_with('0') || rest.starts_with('1'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issuers_use_https_except_on_this_machine() {
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
    fn all_problems_are_told_at_once() {
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
