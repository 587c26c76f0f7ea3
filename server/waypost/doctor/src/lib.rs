//! `waypost doctor`: checks what the server depends on, and reports problems with their fixes. Does not change anything.
//!
//! Each part reads only its own settings, so that it can run without the others. [`check`] runs one part or all, and
//! [`sign_in_at`] signs in.

mod browser;
mod clock;
mod database;
mod http;
mod oidc;
mod proxy;
mod report;
mod storage;
mod tls;

use waypost_database::Migrations;
use waypost_server::{
    Problems, Settings,
    config::{PublicAddress, Storage, issuers},
};

use crate::report::{Findings, Report};

pub use crate::{
    browser::open_browser,
    oidc::{SettingsFile, SignInOptions, sign_in_at},
};

#[derive(Debug)]
pub struct Outcome {
    pub text: String,
    /// False if a problem was found. Warnings do not count.
    pub is_ok: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Database,
    Storage,
    Proxy,
    Tls,
    Clock,
    Oidc,
}

impl Part {
    /// The parts in the order of the report: those that everything needs are first.
    const ALL: [Self; 6] = [
        Self::Database,
        Self::Storage,
        Self::Tls,
        Self::Proxy,
        Self::Clock,
        Self::Oidc,
    ];

    const fn name(self) -> &'static str {
        match self {
            Self::Database => "database",
            Self::Storage => "storage",
            Self::Proxy => "proxy",
            Self::Tls => "tls",
            Self::Clock => "clock",
            Self::Oidc => "oidc",
        }
    }
}

pub struct Context<'c> {
    pub settings: &'c Settings,
    pub environment: &'c dyn Fn(&str) -> Option<String>,
    pub migrations: Migrations,
}

/// Checks one part, or all parts whose settings are present. Parts without settings are reported as skipped.
///
/// # Errors
/// Returns the problems of the settings of the part. In a report of all parts, they are findings.
pub async fn check(part: Option<Part>, context: &Context<'_>, json: bool) -> Result<Outcome, Problems> {
    let reports = match part {
        Some(part) => run(part, context).await?,
        None => run_all(context).await,
    };
    Ok(report::outcome(&reports, json))
}

async fn run_all(context: &Context<'_>) -> Vec<Report> {
    let mut reports = Vec::new();
    for part in Part::ALL {
        if let Some(reason) = missing_settings(part, context) {
            reports.push(Report::skipped(part, reason));
            continue;
        }
        match run(part, context).await {
            Ok(found) => reports.extend(found),
            Err(problems) => reports.push(invalid(part, problems)),
        }
    }
    reports
}

async fn run(part: Part, context: &Context<'_>) -> Result<Vec<Report>, Problems> {
    let settings = context.settings;
    let report = match part {
        Part::Database => database::check(&Storage::read(settings)?, context.migrations).await,
        Part::Storage => storage::check(&Storage::read(settings)?).await,
        Part::Proxy => proxy::check(&PublicAddress::read(settings)?).await,
        Part::Tls => tls::check(&PublicAddress::read(settings)?).await,
        Part::Clock => clock::check(&Storage::read(settings)?, &issuers(&settings.oidc, context.environment)).await,
        Part::Oidc => return oidc::reports(settings, context.environment).await,
    };
    Ok(vec![report])
}

/// Returns the reason why a part cannot run, if its settings are missing.
fn missing_settings(part: Part, context: &Context<'_>) -> Option<String> {
    let settings = context.settings;
    let storage = Storage::read(settings).ok();
    let has_provider = || !issuers(&settings.oidc, context.environment).is_empty();
    let has_postgres = || storage.as_ref().is_some_and(|storage| storage.postgres.is_some());
    match part {
        Part::Database | Part::Storage => {
            let folder = storage.as_ref().map(|storage| &storage.data);
            let missing = folder.filter(|folder| settings.data.is_none() && !has_postgres() && !folder.exists())?;
            Some(format!(
                "neither WAYPOST_DATA nor WAYPOST_DATABASE_URL is set, and the folder {} does not exist",
                missing.display()
            ))
        }
        Part::Proxy | Part::Tls => {
            (!PublicAddress::is_set(settings)).then(|| "WAYPOST_PUBLIC_URL is not set".to_owned())
        }
        Part::Clock => (!has_provider() && !has_postgres()).then(|| {
            "neither WAYPOST_OIDC_ISSUER nor WAYPOST_DATABASE_URL is set, so there is no clock to compare with"
                .to_owned()
        }),
        Part::Oidc => (!has_provider()).then(|| "WAYPOST_OIDC_ISSUER is not set".to_owned()),
    }
}

fn invalid(part: Part, Problems(problems): Problems) -> Report {
    let mut findings = Findings::default();
    for problem in problems {
        findings.problem("settings", problem, None);
    }
    Report::new(part, "the settings are invalid", findings)
}
