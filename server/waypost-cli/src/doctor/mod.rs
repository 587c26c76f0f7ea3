//! `waypost doctor oidc`: looks at each configured identity provider from the server's side, and says what is wrong and what to
//! change where.
//!
//! It only asks what any visitor may ask: the discovery document, the keys, the authorization endpoint as a browser without a
//! session would (`prompt=none`), and the token and introspection endpoints with a code and a token that do not exist.
//! Nobody is signed in, nothing is changed. What a browser does with the answers it cannot see; it tells what they mean.

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
    http::Probe,
    report::{Findings, Report},
};
use crate::{
    arguments::DoctorOidcArgs,
    commands::Exit,
    config::{Config, Problems, Provider},
};

/// Runs the command.
pub async fn oidc(arguments: DoctorOidcArgs, environment: &dyn Fn(&str) -> Option<String>) -> Exit {
    let config = match Config::read(arguments.settings, environment) {
        Ok(config) => config,
        Err(Problems(problems)) => {
            if arguments.json {
                report::print(&serde_json::json!({"problems": problems}).to_string());
            } else {
                eprintln!("{}", Problems(problems));
            }
            return Exit::Usage;
        }
    };
    let mut reports = Vec::new();
    for provider in &config.providers {
        reports.push(examine(provider, &config.public_url).await);
    }
    let sound = reports.iter().all(Report::is_sound);
    let text = if arguments.json {
        report::json(&reports)
    } else {
        report::text(&reports, &config.public_url)
    };
    report::print(&text);
    if sound { Exit::Success } else { Exit::Failure }
}

/// What every check is about.
struct Case<'c> {
    provider: &'c Provider,
    public_url: &'c Url,
    /// Our own origin, as browsers write it.
    origin: String,
    probe: Probe,
}

impl Case<'_> {
    /// The name of a setting of this provider.
    fn setting(&self, name: &str) -> String {
        let id = self.provider.id.to_uppercase().replace('-', "_");
        format!("WAYPOST_{id}_{name}")
    }
}

async fn examine(provider: &Provider, public_url: &Url) -> Report {
    let mut findings = Findings::default();
    let probe = match Probe::new() {
        Ok(probe) => probe,
        Err(problem) => {
            findings.problem("network", problem, None);
            return Report::new(provider, findings);
        }
    };
    let case = Case {
        provider,
        public_url,
        origin: public_url.origin().ascii_serialization(),
        probe,
    };
    site::secure(&case, &mut findings);
    site::preset(&case, &mut findings);
    site::audience(&case, &mut findings);
    if let Some(document) = discovery::read(&case, &mut findings).await {
        discovery::keys(&case, &document, &mut findings).await;
        discovery::flows(&case, &document, &mut findings);
        discovery::endpoints(&case, &document, &mut findings);
        authorization::redirects(&case, &document, &mut findings).await;
        authorization::window(&case, &document, &mut findings).await;
        site::same_site(&case, &document, &mut findings);
        monitor::frame(&case, &document, &mut findings).await;
        tokens::endpoint(&case, &document, &mut findings).await;
        tokens::introspection(&case, &document, &mut findings).await;
    }
    Report::new(provider, findings)
}
