//! `waypost doctor oidc`: checks each identity provider from the server, and reports problems and fixes.
//!
//! It sends only requests that any client may send: for the discovery document, for the keys, to the authorization
//! endpoint like a browser without a session (`prompt=none`), and to the token and introspection endpoints with a
//! nonexistent code and token. It signs in no account and changes nothing. It cannot observe browsers, so it infers
//! their behavior from the responses.

mod authorization;
mod clock;
mod cors;
mod discovery;
mod http;
mod monitor;
mod report;
mod site;
mod tokens;

use url::Url;

use self::{
    http::HttpClient,
    report::{Findings, Report},
};
use crate::{
    config::{Config, Problems, Provider},
    settings::Settings,
};

/// The result of the checks.
#[derive(Debug)]
pub struct Outcome {
    /// The report, as text or JSON.
    pub text: String,
    /// False if a check found a problem.
    pub is_ok: bool,
}

/// Checks all providers in the settings and reports as text, or as JSON if `json` is true.
///
/// # Errors
/// Returns the problems of the settings.
pub async fn oidc(
    settings: Settings,
    environment: &dyn Fn(&str) -> Option<String>,
    json: bool,
) -> Result<Outcome, Problems> {
    let config = Config::read(settings, environment)?;
    let mut reports = Vec::new();
    for provider in &config.providers {
        reports.push(check(provider, &config.public_url).await);
    }
    let text = if json {
        report::json(&reports)
    } else {
        report::text(&reports, &config.public_url)
    };
    let is_ok = reports.iter().all(Report::is_ok);
    Ok(Outcome { text, is_ok })
}

/// The subject of all checks: a provider and this installation.
struct Case<'c> {
    provider: &'c Provider,
    public_url: &'c Url,
    /// Origin of this installation, as browsers serialize it.
    origin: String,
    http: HttpClient,
}

impl Case<'_> {
    fn setting(&self, name: &str) -> String {
        let id = self.provider.id.to_uppercase().replace('-', "_");
        format!("WAYPOST_{id}_{name}")
    }
}

async fn check(provider: &Provider, public_url: &Url) -> Report {
    let mut findings = Findings::default();
    let http = match HttpClient::new() {
        Ok(http) => http,
        Err(problem) => {
            findings.problem("network", problem, None);
            return Report::new(provider, findings);
        }
    };
    let case = Case {
        provider,
        public_url,
        origin: public_url.origin().ascii_serialization(),
        http,
    };
    site::secure_context(&case, &mut findings);
    site::preset(&case, &mut findings);
    site::audience(&case, &mut findings);
    if let Some(document) = discovery::read(&case, &mut findings).await {
        discovery::keys(&case, &document, &mut findings).await;
        discovery::flows(&case, &document, &mut findings);
        discovery::endpoints(&case, &document, &mut findings);
        authorization::redirects(&case, &document, &mut findings).await;
        authorization::sign_in_page(&case, &document, &mut findings).await;
        site::same_site(&case, &document, &mut findings);
        monitor::session_frame(&case, &document, &mut findings).await;
        tokens::endpoint(&case, &document, &mut findings).await;
        tokens::introspection(&case, &document, &mut findings).await;
    }
    Report::new(provider, findings)
}
