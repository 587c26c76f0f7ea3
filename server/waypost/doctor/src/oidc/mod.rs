//! Checks each identity provider.
//!
//! Sends only requests that any client may send: for the discovery document and the keys, to the authorization
//! endpoint without a session (`prompt=none`), and to other endpoints with a nonexistent code and token. It infers the
//! behavior of browsers, and reports the facts that it could not check.

mod authorization;
mod cors;
mod discovery;
mod dpop;
mod monitor;
mod settings_file;
mod sign_in;
mod site;
mod tokens;

use std::slice;

use url::Url;
use waypost_server::{
    Problems, Settings,
    config::{Config, Provider},
};

pub use self::settings_file::SettingsFile;
use crate::{
    Outcome,
    http::HttpClient,
    report::{self, Findings, Report},
};

pub struct SignInOptions<'s> {
    pub environment: &'s dyn Fn(&str) -> Option<String>,
    pub progress: &'s dyn Fn(&str),
    pub json: bool,
    /// The id of the provider, which is the only one that is checked.
    pub provider: String,
    /// The file for the settings that work.
    pub write: Option<SettingsFile>,
}

/// Signs in at a provider with a browser, and finds the settings that work.
///
/// # Errors
/// Returns the problems of the settings.
pub async fn sign_in_at(mut settings: Settings, options: SignInOptions<'_>) -> Result<Outcome, Problems> {
    let SignInOptions {
        environment,
        json,
        provider: id,
        write,
        ..
    } = &options;
    let oidc = &mut settings.oidc;
    let assumes_audience = id == "oidc"
        && [&oidc.preset, &oidc.audience, &oidc.resource, &oidc.token]
            .iter()
            .all(|setting| setting.is_none());
    if assumes_audience {
        // The client id is the most common audience.
        oidc.audience.clone_from(&oidc.client_id);
    }
    let config = read(&settings, *environment)?;
    let Some(provider) = config.providers.iter().find(|provider| provider.id == *id) else {
        let ids: Vec<_> = config.providers.iter().map(|provider| provider.id.as_str()).collect();
        return Err(Problems(vec![format!(
            "--sign-in is `{id}`, but must be one of the providers {}.",
            ids.join(", ")
        )]));
    };
    if let Some(file) = write {
        file.check().map_err(|problem| Problems(vec![problem]))?;
    }
    let report = check(provider, &config, Some((&options, assumes_audience))).await;
    let Outcome { mut text, mut is_ok } = report::outcome(slice::from_ref(&report), *json);
    if let (Some(file), Some(settings)) = (write, report.settings()) {
        let result = file.write(settings);
        is_ok &= result.is_ok();
        let message = result.unwrap_or_else(|problem| problem);
        if *json {
            (options.progress)(&message);
        } else {
            text.push_str("\n\n");
            text.push_str(&message);
        }
    }
    Ok(Outcome { text, is_ok })
}

/// Checks the providers in the settings without a sign-in.
pub(crate) async fn reports(
    settings: &Settings,
    environment: &dyn Fn(&str) -> Option<String>,
) -> Result<Vec<Report>, Problems> {
    let config = read(settings, environment)?;
    let mut reports = Vec::new();
    for provider in &config.providers {
        reports.push(check(provider, &config, None).await);
    }
    Ok(reports)
}

/// Ignores the settings that sign-in does not need.
fn read(settings: &Settings, environment: &dyn Fn(&str) -> Option<String>) -> Result<Config, Problems> {
    let needed = Settings {
        port: settings.port.clone(),
        bind: settings.bind.clone(),
        public_url: settings.public_url.clone(),
        trust_proxy: settings.trust_proxy.clone().or_else(|| Some("0".to_owned())),
        oidc: settings.oidc.clone(),
        ..Settings::default()
    };
    Config::read(needed, environment)
}

struct Case<'c> {
    provider: &'c Provider,
    public_url: &'c Url,
    /// The origin as browsers serialize it.
    origin: String,
    assumes_audience: bool,
    http: HttpClient,
}

impl Case<'_> {
    fn setting(&self, name: &str) -> String {
        let id = self.provider.id.to_uppercase().replace('-', "_");
        format!("WAYPOST_{id}_{name}")
    }
}

/// Also signs in with `sign_in`; the second value is true if the audience is an assumption.
async fn check(provider: &Provider, config: &Config, sign_in: Option<(&SignInOptions<'_>, bool)>) -> Report {
    let public_url = &config.public_url;
    let mut findings = Findings::default();
    let mut settings = None;
    let http = match HttpClient::new() {
        Ok(http) => http,
        Err(problem) => {
            findings.problem("network", problem, None);
            return Report::of_provider(provider, public_url, findings, None);
        }
    };
    let case = Case {
        provider,
        public_url,
        origin: public_url.origin().ascii_serialization(),
        assumes_audience: sign_in.is_some_and(|(_, assumes_audience)| assumes_audience),
        http,
    };
    site::secure_context(&case, &mut findings);
    site::preset(&case, &mut findings);
    site::audience(&case, &mut findings);
    if let Some(document) = discovery::read(&case, &mut findings).await {
        discovery::keys(&case, &document, &mut findings).await;
        discovery::flows(&case, &document, &mut findings);
        discovery::endpoints(&case, &document, &mut findings);
        dpop::support(&case, &document, &mut findings);
        authorization::redirects(&case, &document, &mut findings).await;
        authorization::sign_in_page(&case, &document, &mut findings).await;
        site::same_site(&case, &document, &mut findings);
        monitor::session_frame(&case, &document, &mut findings).await;
        if tokens::endpoint(&case, &document, &mut findings).await {
            tokens::revocation(&case, &document, &mut findings).await;
        }
        tokens::introspection(&case, &document, &mut findings).await;
        if let Some((options, _)) = sign_in {
            let issues = findings.issues();
            if !issues.is_empty() && !options.json {
                (options.progress)(&format!("Found before the sign-in:\n\n{issues}"));
            }
            if findings.prevents_sign_in() {
                findings.problem(
                    "sign-in",
                    "Not started, because no browser can sign in with the problems above.",
                    None,
                );
                return Report::of_provider(provider, public_url, findings, None);
            }
            settings = sign_in::run(&case, &document, config.listen, options, &mut findings).await;
        } else {
            tokens::form(&case, &document, &mut findings);
            tokens::names(&case, &document, &mut findings);
        }
    }
    Report::of_provider(provider, public_url, findings, settings)
}
