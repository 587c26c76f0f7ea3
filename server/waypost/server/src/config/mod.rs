//! Reports all problems at once, each in one sentence with its fix.

mod apple;
mod grants;
mod provider;
mod public;
mod reader;
mod relay;
mod storage;

use std::{env, fmt, net::SocketAddr, path::PathBuf};

use clap::Args;
use tracing_subscriber::EnvFilter;
use waypost_api::TokenStore;
use waypost_database::{PostgresUrl, StorageLimits};

use self::reader::{Reader, present};
pub use self::{
    grants::Grant,
    provider::{Provider, issuers},
    public::PublicAddress,
    relay::{AppleKey, RelaySecret},
    storage::Storage,
};
use crate::{logging::LogFormat, settings::Settings};

#[derive(Debug)]
pub struct Config {
    pub listen: SocketAddr,
    /// `None` if there is no `/metrics`.
    pub metrics: Option<SocketAddr>,
    pub data: PathBuf,
    pub postgres: Option<PostgresUrl>,
    /// An origin.
    pub public_url: url::Url,
    /// True for `waypost demo`, whose caller chooses all settings.
    pub demo: bool,
    pub trust_proxy: bool,
    pub ad_hoc: bool,
    pub sample: SampleWorkspace,
    /// Restricts the creation to administrators.
    pub restricts_workspace_creation: bool,
    pub storage_limits: StorageLimits,
    pub client: Option<PathBuf>,
    pub source_url: url::Url,
    pub log_format: LogFormat,
    pub providers: Vec<Provider>,
    pub token_store: TokenStore,
    pub roles_workspace: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SampleWorkspace {
    Off,
    Tours,
    History,
}

#[derive(Debug, PartialEq, Eq)]
pub struct Problems(pub Vec<String>);

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.len() {
            1 => f.write_str("Waypost cannot start, because a setting is invalid:")?,
            count => write!(f, "Waypost cannot start, because {count} settings are invalid:")?,
        }
        for problem in &self.0 {
            write!(f, "\n  - {problem}")?;
        }
        f.write_str("\nRun `waypost --help` for all settings, or `waypost demo` for a first look without settings.")
    }
}

impl std::error::Error for Problems {}

impl Problems {
    /// Adds `unknown_settings`: one of them can be the misspelled name of a setting that is missing.
    #[must_use]
    pub fn with_unknown_settings(mut self) -> Self {
        let problem = |name: String| format!("{name} is not a setting. Check its spelling.");
        self.0.extend(unknown_settings().into_iter().map(problem));
        self
    }
}

/// AGPL-3.0, section 13, requires the URL.
const DEFAULT_SOURCE_URL: &str = env!("CARGO_PKG_REPOSITORY");

impl Config {
    pub fn read(settings: Settings, environment: &dyn Fn(&str) -> Option<String>) -> Result<Self, Problems> {
        let mut reader = Reader::default();
        let Storage {
            listen,
            data,
            postgres,
            limits: storage_limits,
        } = Storage::parse(&mut reader, &settings);
        let port = listen.port();
        let public = PublicAddress::parse(&mut reader, &settings, port);
        reader.problems.extend(public.missing_trust().map(str::to_owned));
        let metrics = reader.parsed(
            "WAYPOST_METRICS_BIND",
            settings.metrics_bind,
            "an address and a port such as 127.0.0.1:9464",
            |text| text.parse().ok(),
        );
        let source_url = reader
            .parsed(
                "WAYPOST_SOURCE_URL",
                settings.source_url,
                "an http or https URL",
                parse_http_url,
            )
            .unwrap_or_else(|| default_url(DEFAULT_SOURCE_URL));
        let client = reader.parsed(
            "WAYPOST_CLIENT",
            settings.client,
            "a folder that contains an index.html",
            |text| {
                let folder = PathBuf::from(text);
                folder.join("index.html").is_file().then_some(folder)
            },
        );
        let ad_hoc = reader.switch("WAYPOST_ADHOC", settings.adhoc);
        let sample = reader.parsed(
            "WAYPOST_SAMPLE",
            settings.sample,
            "off, tours or history",
            |text| match text {
                "off" => Some(SampleWorkspace::Off),
                "tours" => Some(SampleWorkspace::Tours),
                "history" => Some(SampleWorkspace::History),
                _ => None,
            },
        );
        let restricts_workspace_creation = reader.parsed(
            "WAYPOST_WORKSPACE_CREATION",
            settings.workspace_creation,
            "everyone or administrators",
            |text| match text {
                "everyone" => Some(false),
                "administrators" => Some(true),
                _ => None,
            },
        );
        let log_format = reader.parsed(
            "WAYPOST_LOG_FORMAT",
            settings.log_format,
            "text or json",
            |text| match text {
                "text" => Some(LogFormat::Text),
                "json" => Some(LogFormat::Json),
                _ => None,
            },
        );
        let log_format = log_format.unwrap_or_else(LogFormat::for_stderr);
        if let Err(problem) = log_filter(settings.log.as_deref()) {
            reader.problems.push(problem);
        }
        let token_store = reader.parsed(
            "WAYPOST_TOKEN_STORE",
            settings.token_store,
            "session or memory",
            |text| match text {
                "session" => Some(TokenStore::Session),
                "memory" => Some(TokenStore::Memory),
                _ => None,
            },
        );
        let roles_workspace = present(settings.oidc.roles_workspace.clone());
        let providers = provider::read(&mut reader, settings.oidc, environment);
        if !reader.problems.is_empty() {
            return Err(Problems(reader.problems));
        }
        Ok(Self {
            listen,
            metrics,
            data,
            postgres,
            public_url: public.url,
            demo: false,
            trust_proxy: public.trust_proxy.unwrap_or(false),
            ad_hoc,
            sample: sample.unwrap_or(SampleWorkspace::Off),
            restricts_workspace_creation: restricts_workspace_creation.unwrap_or(false),
            storage_limits,
            client,
            source_url,
            log_format,
            providers,
            token_store: token_store.unwrap_or(TokenStore::Session),
            roles_workspace,
        })
    }
}

pub fn log_filter(text: Option<&str>) -> Result<EnvFilter, String> {
    let text = text.filter(|text| !text.trim().is_empty()).unwrap_or("info");
    EnvFilter::try_new(text).map_err(|error| {
        format!("WAYPOST_LOG is `{text}`, but must be a filter such as `info` or `info,traitql=debug`: {error}.")
    })
}

/// Read by commands and the project's scripts.
const OTHER_VARIABLES: [&str; 7] = [
    "WAYPOST_BINARY",
    "WAYPOST_DEV_SERVER",
    "WAYPOST_MEASURE",
    "WAYPOST_POSTGRES_BIN",
    "WAYPOST_PROVIDER_PORT",
    "WAYPOST_SCREENSHOTS",
    "WAYPOST_TOKEN",
];

/// Returns the public URL of a server that is used on its own machine.
pub fn default_public_url(port: u16) -> url::Url {
    default_url(&format!("http://localhost:{port}"))
}

/// Returns the names of the settings in the process environment that have a value.
pub fn settings_in_environment() -> Vec<String> {
    let known = known_settings();
    let mut set: Vec<_> = env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value)))
        .filter(|(name, value)| !value.is_empty() && (known.contains(name) || provider::is_numbered(name, &known)))
        .map(|(name, _)| name)
        .collect();
    set.sort();
    set
}

/// Returns the names of the process environment that begin with `WAYPOST_` but are not settings. Omits those that
/// Kubernetes sets in every container if there is a service named `waypost`.
pub fn unknown_settings() -> Vec<String> {
    unknown_among(env::vars_os().filter_map(|(name, _)| name.into_string().ok()))
}

fn unknown_among(environment: impl Iterator<Item = String>) -> Vec<String> {
    let known = known_settings();
    let mut unknown: Vec<_> = environment
        .filter(|name| name.starts_with("WAYPOST_") && !OTHER_VARIABLES.contains(&name.as_str()))
        .filter(|name| !known.contains(name) && !provider::is_numbered(name, &known))
        .collect();
    unknown.sort();
    if unknown.iter().any(|name| name == "WAYPOST_SERVICE_HOST") {
        let of_service = ["WAYPOST_SERVICE_", "WAYPOST_PORT_"];
        unknown.retain(|name| name != "WAYPOST_PORT" && !of_service.iter().any(|prefix| name.starts_with(prefix)));
    }
    unknown
}

fn known_settings() -> Vec<String> {
    let command = Settings::augment_args(clap::Command::new("waypost"));
    command
        .get_arguments()
        .filter_map(|argument| argument.get_env()?.to_str().map(str::to_owned))
        .collect()
}

fn parse_http_url(text: &str) -> Option<url::Url> {
    url::Url::parse(text)
        .ok()
        .filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
}

fn parse_origin(text: &str) -> Option<url::Url> {
    parse_http_url(text).filter(|url| {
        url.path() == "/" && url.query().is_none() && url.fragment().is_none() && url.username().is_empty()
    })
}

fn default_url(text: &str) -> url::Url {
    url::Url::parse(text).expect("default URLs are valid")
}

#[cfg(test)]
mod tests;
