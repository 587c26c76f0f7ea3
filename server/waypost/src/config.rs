//! What the settings mean. Everything that is wrong is told at once, each problem in one sentence with its cure.

use std::{
    fmt,
    net::{IpAddr, SocketAddr},
    path::PathBuf,
};

use clap::CommandFactory;
use tracing_subscriber::EnvFilter;
use waypost_auth::{Audience, Introspection, ProviderConfig, TokenKind};

use crate::cli::{Cli, OidcSettings, Settings};

/// The settings of a server, checked.
#[derive(Debug)]
pub struct Config {
    /// Where to listen.
    pub listen: SocketAddr,
    /// Folder of the database.
    pub data: PathBuf,
    /// Where people reach the installation; an origin without a path.
    pub public_url: url::Url,
    /// Whether callers' addresses come from a proxy.
    pub trust_proxy: bool,
    /// Whether documents outside the manifest are answered.
    pub ad_hoc: bool,
    /// Whether an empty database gets a sample workspace.
    pub sample: bool,
    /// A built client to use instead of the embedded one.
    pub client: Option<PathBuf>,
    /// Where the source code is published.
    pub source_url: url::Url,
    /// The identity provider.
    pub provider: Provider,
    /// Workspace in which the provider's roles are granted.
    pub roles_workspace: Option<String>,
}

/// The identity provider, for the sign-in page and for the check of tokens.
#[derive(Debug)]
pub struct Provider {
    /// Name to show.
    pub name: String,
    /// Client id of the web client.
    pub client_id: String,
    /// Scopes to ask for.
    pub scope: String,
    /// Resource indicator to ask for.
    pub resource: Option<String>,
    /// Issuer, audience and the rest of what the check of tokens needs.
    pub tokens: ProviderConfig,
}

/// Everything that is wrong with the settings, one sentence each.
#[derive(Debug, PartialEq, Eq)]
pub struct Problems(pub Vec<String>);

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.len() {
            1 => f.write_str("Waypost cannot start, because a setting is wrong:")?,
            count => write!(f, "Waypost cannot start, because {count} settings are wrong:")?,
        }
        for problem in &self.0 {
            write!(f, "\n  - {problem}")?;
        }
        f.write_str("\n`waypost --help` lists all settings; `npm start` runs everything with a development provider.")
    }
}

impl std::error::Error for Problems {}

/// The sources of the project, shown to users as AGPL-3.0, section 13 asks.
const SOURCE: &str = env!("CARGO_PKG_REPOSITORY");

impl Config {
    /// Reads the settings.
    pub fn read(settings: Settings) -> Result<Self, Problems> {
        let mut reader = Reader::default();
        let port = reader.parsed("PORT", settings.port, "a number from 0 to 65535", |text| {
            text.parse().ok()
        });
        let port: u16 = port.unwrap_or(4000);
        let address = reader.parsed(
            "WAYPOST_BIND",
            settings.bind,
            "an IP address such as 0.0.0.0",
            parse_address,
        );
        let public_url = reader
            .parsed(
                "WAYPOST_PUBLIC_URL",
                settings.public_url,
                "an address such as https://tours.example.com, without a path",
                parse_origin,
            )
            .unwrap_or_else(|| default_url(&format!("http://localhost:{port}")));
        let source_url = reader
            .parsed(
                "WAYPOST_SOURCE_URL",
                settings.source_url,
                "an http or https address",
                parse_web_address,
            )
            .unwrap_or_else(|| default_url(SOURCE));
        let client = reader.parsed(
            "WAYPOST_CLIENT",
            settings.client,
            "a folder with an index.html",
            |text| {
                let folder = PathBuf::from(text);
                folder.join("index.html").is_file().then_some(folder)
            },
        );
        let trust_proxy = reader.switch("WAYPOST_TRUST_PROXY", settings.trust_proxy);
        let ad_hoc = reader.switch("WAYPOST_ADHOC", settings.adhoc);
        let sample = reader.switch("WAYPOST_SAMPLE", settings.sample);
        if let Err(problem) = log_filter(settings.log.as_deref()) {
            reader.problems.push(problem);
        }
        let roles_workspace = present(settings.oidc.roles_workspace.clone());
        let provider = reader.provider(settings.oidc);
        match provider {
            Some(provider) if reader.problems.is_empty() => Ok(Self {
                listen: SocketAddr::new(address.unwrap_or(IpAddr::from([127, 0, 0, 1])), port),
                data: present(settings.data).map_or_else(|| PathBuf::from("data"), PathBuf::from),
                public_url,
                trust_proxy,
                ad_hoc,
                sample,
                client,
                source_url,
                provider,
                roles_workspace,
            }),
            _ => Err(Problems(reader.problems)),
        }
    }
}

/// The filter of the log. `Err` is a problem to tell.
pub fn log_filter(text: Option<&str>) -> Result<EnvFilter, String> {
    let text = text.filter(|text| !text.trim().is_empty()).unwrap_or("info");
    EnvFilter::try_new(text).map_err(|error| {
        format!("WAYPOST_LOG is `{text}`, which is no filter such as `info` or `info,traitql=debug`: {error}.")
    })
}

/// Variables of the same family that the project's scripts read.
const OF_SCRIPTS: [&str; 4] = [
    "WAYPOST_BINARY",
    "WAYPOST_DEV_SERVER",
    "WAYPOST_MEASURE",
    "WAYPOST_PROVIDER_PORT",
];

/// Names among `environment` that look like settings and are none: misspelt ones would otherwise be passed over in silence.
pub fn unknown_settings(environment: impl Iterator<Item = String>) -> Vec<String> {
    let command = Cli::command();
    let commands = std::iter::once(&command).chain(command.get_subcommands());
    let known: Vec<_> = commands
        .flat_map(clap::Command::get_arguments)
        .filter_map(|argument| argument.get_env()?.to_str().map(str::to_owned))
        .collect();
    let mut unknown: Vec<_> = environment
        .filter(|name| name.starts_with("WAYPOST_") && !OF_SCRIPTS.contains(&name.as_str()) && !known.contains(name))
        .collect();
    unknown.sort();
    unknown
}

/// Collects problems while reading.
#[derive(Default)]
struct Reader {
    problems: Vec<String>,
}

impl Reader {
    fn parsed<T>(
        &mut self,
        name: &str,
        text: Option<String>,
        expected: &str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        let text = present(text)?;
        let value = parse(&text);
        if value.is_none() {
            self.problems
                .push(format!("{name} is `{text}`, but must be {expected}."));
        }
        value
    }

    fn switch(&mut self, name: &str, text: Option<String>) -> bool {
        self.parsed(name, text, "1 or 0", |text| match text {
            "1" | "true" | "yes" | "on" => Some(true),
            "0" | "false" | "no" | "off" => Some(false),
            _ => None,
        })
        .unwrap_or(false)
    }

    fn required(&mut self, name: &str, text: Option<String>, what: &str) -> String {
        present(text).unwrap_or_else(|| {
            self.problems.push(format!("{name} is not set: it must be {what}."));
            String::new()
        })
    }

    fn provider(&mut self, settings: OidcSettings) -> Option<Provider> {
        let before = self.problems.len();
        let issuer = self.required(
            "WAYPOST_OIDC_ISSUER",
            settings.issuer,
            "the issuer of your identity provider, such as https://login.example.com",
        );
        let client_id = self.required(
            "WAYPOST_OIDC_CLIENT_ID",
            settings.client_id,
            "the client id that the provider gave to Waypost's web client",
        );
        let resource = present(settings.resource);
        let token = self.token_kind(
            settings.token,
            settings.introspection_client_id,
            settings.introspection_secret,
            settings.introspection_url,
        );
        let audience = self.audience(
            settings.audience,
            settings.audience_claim,
            resource.as_deref(),
            &token,
            &client_id,
        );
        let userinfo = self.switch("WAYPOST_OIDC_USERINFO", settings.userinfo);
        let roles = present(settings.roles)
            .map_or_else(|| ProviderConfig::ROLES.map(String::from).to_vec(), |text| list(&text));
        let tokens = ProviderConfig {
            issuer,
            audience,
            token,
            roles,
            required_scope: present(settings.required_scope),
            userinfo,
        };
        // What is missing was told above; an empty text would only be complained about twice.
        if !tokens.issuer.is_empty() && !tokens.audience.is_empty() {
            let check = waypost_auth::Config {
                providers: vec![tokens.clone()],
                ..Default::default()
            }
            .check();
            self.problems
                .extend(check.err().into_iter().flat_map(|error| error.problems));
        }
        let host = url::Url::parse(&tokens.issuer)
            .ok()
            .and_then(|url| url.host_str().map(str::to_owned));
        (self.problems.len() == before).then(|| Provider {
            name: present(settings.name).or(host).unwrap_or_else(|| tokens.issuer.clone()),
            client_id,
            scope: present(settings.scope).unwrap_or_else(|| "openid profile email".to_owned()),
            resource,
            tokens,
        })
    }

    fn token_kind(
        &mut self,
        kind: Option<String>,
        client_id: Option<String>,
        secret: Option<String>,
        endpoint: Option<String>,
    ) -> TokenKind {
        match present(kind).as_deref() {
            None | Some("jwt") => TokenKind::Jwt,
            Some("id_token") => TokenKind::IdToken,
            Some("userinfo") => TokenKind::Userinfo,
            Some("introspection") => TokenKind::Introspection(Introspection {
                client_id: self.required(
                    "WAYPOST_OIDC_INTROSPECTION_CLIENT_ID",
                    client_id,
                    "the client id of this server, for WAYPOST_OIDC_TOKEN=introspection",
                ),
                client_secret: self
                    .required("WAYPOST_OIDC_INTROSPECTION_SECRET", secret, "that client's secret")
                    .into(),
                endpoint: present(endpoint),
            }),
            Some(other) => {
                self.problems.push(format!(
                    "WAYPOST_OIDC_TOKEN is `{other}`, but must be jwt, id_token, introspection or userinfo."
                ));
                TokenKind::Jwt
            }
        }
    }

    fn audience(
        &mut self,
        names: Option<String>,
        claim: Option<String>,
        resource: Option<&str>,
        token: &TokenKind,
        client_id: &str,
    ) -> Audience {
        let by_client = self
            .parsed(
                "WAYPOST_OIDC_AUDIENCE_CLAIM",
                claim,
                "aud or client_id",
                |text| match text {
                    "aud" => Some(false),
                    "client_id" => Some(true),
                    _ => None,
                },
            )
            .unwrap_or(false);
        let names = match (present(names), resource) {
            (Some(names), _) => list(&names),
            (None, _) if by_client || *token != TokenKind::Jwt => vec![client_id.to_owned()],
            (None, Some(resource)) => vec![resource.to_owned()],
            (None, None) => {
                self.problems.push(
                    "WAYPOST_OIDC_AUDIENCE is not set: it must be the audience that the provider puts into access tokens for Waypost (or set WAYPOST_OIDC_RESOURCE)."
                        .to_owned(),
                );
                Vec::new()
            }
        };
        if by_client {
            Audience::ClientId(names)
        } else {
            Audience::Aud(names)
        }
    }
}

/// A variable that is set to nothing counts as not set: that is how compose files and shells pass "no value".
fn present(text: Option<String>) -> Option<String> {
    text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}

fn list(text: &str) -> Vec<String> {
    text.split(',')
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .map(str::to_owned)
        .collect()
}

fn parse_address(text: &str) -> Option<IpAddr> {
    match text {
        "localhost" => Some(IpAddr::from([127, 0, 0, 1])),
        text => text.trim_start_matches('[').trim_end_matches(']').parse().ok(),
    }
}

fn parse_web_address(text: &str) -> Option<url::Url> {
    url::Url::parse(text)
        .ok()
        .filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
}

fn parse_origin(text: &str) -> Option<url::Url> {
    parse_web_address(text).filter(|url| {
        url.path() == "/" && url.query().is_none() && url.fragment().is_none() && url.username().is_empty()
    })
}

fn default_url(text: &str) -> url::Url {
    url::Url::parse(text).expect("defaults are addresses")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn text(value: &str) -> Option<String> {
        Some(value.to_owned())
    }

    fn good() -> Settings {
        let oidc = OidcSettings {
            issuer: text("http://localhost:9000"),
            client_id: text("spa"),
            resource: text("urn:waypost:api"),
            ..OidcSettings::default()
        };
        Settings {
            oidc,
            ..Settings::default()
        }
    }

    #[test]
    fn three_settings_are_enough() {
        let config = Config::read(good()).unwrap();
        assert_eq!(config.listen.to_string(), "127.0.0.1:4000");
        assert_eq!(config.public_url.as_str(), "http://localhost:4000/");
        assert_eq!(config.provider.name, "localhost");
        assert_eq!(
            config.provider.tokens.audience,
            Audience::Aud(vec!["urn:waypost:api".into()])
        );
        assert!(!config.ad_hoc && !config.sample && !config.trust_proxy);
    }

    #[test]
    fn the_public_address_follows_the_port() {
        let config = Config::read(Settings {
            port: text("8080"),
            bind: text("::"),
            ..good()
        })
        .unwrap();
        assert_eq!(config.public_url.as_str(), "http://localhost:8080/");
        assert_eq!(config.listen.to_string(), "[::]:8080");
    }

    #[test]
    fn nothing_but_blanks_counts_as_not_set() {
        let config = Config::read(Settings {
            port: text(" "),
            sample: text(""),
            ..good()
        })
        .unwrap();
        assert_eq!(config.listen.port(), 4000);
    }

    #[test]
    fn the_audience_has_a_default_where_there_is_one_right_answer() {
        let mut settings = good();
        settings.oidc.resource = None;
        assert_eq!(Config::read(settings.clone()).unwrap_err().0.len(), 1);
        settings.oidc.token = text("id_token");
        assert_eq!(
            Config::read(settings.clone()).unwrap().provider.tokens.audience,
            Audience::Aud(vec!["spa".into()])
        );
        settings.oidc.token = None;
        settings.oidc.audience_claim = text("client_id");
        assert_eq!(
            Config::read(settings).unwrap().provider.tokens.audience,
            Audience::ClientId(vec!["spa".into()])
        );
    }

    #[test]
    fn misspelt_settings_are_noticed() {
        let names = ["PATH", "WAYPOST_OIDC_ISUER", "WAYPOST_TOKEN", "WAYPOST_DATA"].map(String::from);
        assert_eq!(unknown_settings(names.into_iter()), ["WAYPOST_OIDC_ISUER"]);
    }
}
