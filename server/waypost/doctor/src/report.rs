use std::fmt::Write as _;

use serde_json::{Value, json};
use url::Url;
use waypost_server::config::Provider;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    Ok,
    /// A note has no consequences.
    Note,
    /// A warning concerns some browsers, or limitations.
    Warning,
    Problem,
}

impl Level {
    const fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Problem => "problem",
        }
    }
}

struct Finding {
    level: Level,
    check: &'static str,
    message: String,
    fix: Option<String>,
}

#[derive(Default)]
pub(crate) struct Findings {
    list: Vec<Finding>,
    prevents_sign_in: bool,
    unverified: Vec<&'static str>,
}

impl Findings {
    pub(crate) fn ok(&mut self, check: &'static str, message: impl Into<String>) {
        self.add(Level::Ok, check, message.into(), None);
    }

    pub(crate) fn note(&mut self, check: &'static str, message: impl Into<String>, fix: Option<String>) {
        self.add(Level::Note, check, message.into(), fix);
    }

    pub(crate) fn warning(&mut self, check: &'static str, message: impl Into<String>, fix: Option<String>) {
        self.add(Level::Warning, check, message.into(), fix);
    }

    pub(crate) fn problem(&mut self, check: &'static str, message: impl Into<String>, fix: Option<String>) {
        self.add(Level::Problem, check, message.into(), fix);
    }

    /// A problem with which no browser can sign in.
    pub(crate) fn obstacle(&mut self, check: &'static str, message: impl Into<String>, fix: Option<String>) {
        self.prevents_sign_in = true;
        self.problem(check, message, fix);
    }

    pub(crate) const fn prevents_sign_in(&self) -> bool {
        self.prevents_sign_in
    }

    /// Returns the problems and warnings. The text is empty without any.
    pub(crate) fn issues(&self) -> String {
        let mut text = String::new();
        for finding in &self.list {
            if matches!(finding.level, Level::Problem | Level::Warning) {
                write_finding(&mut text, finding);
            }
        }
        text
    }

    /// `fact` is a noun phrase.
    pub(crate) fn unverified(&mut self, fact: &'static str) {
        self.unverified.push(fact);
    }

    /// A sign-in has shown the facts.
    pub(crate) fn verified(&mut self) {
        self.unverified.clear();
    }

    pub(crate) fn add(&mut self, level: Level, check: &'static str, message: String, fix: Option<String>) {
        self.list.push(Finding {
            level,
            check,
            message,
            fix,
        });
    }
}

pub(crate) struct Report {
    id: String,
    name: String,
    issuer: String,
    preset: &'static str,
    findings: Findings,
    settings: Option<Vec<String>>,
}

impl Report {
    pub(crate) fn new(provider: &Provider, findings: Findings, settings: Option<Vec<String>>) -> Self {
        Self {
            id: provider.id.clone(),
            name: provider.name.clone(),
            issuer: provider.tokens.issuer.clone(),
            preset: provider.preset.slug,
            findings,
            settings,
        }
    }

    pub(crate) fn settings(&self) -> Option<&[String]> {
        self.settings.as_deref()
    }

    pub(crate) fn is_ok(&self) -> bool {
        self.settings.is_some() || self.count(Level::Problem) == 0
    }

    fn count(&self, level: Level) -> usize {
        self.findings
            .list
            .iter()
            .filter(|finding| finding.level == level)
            .count()
    }
}

pub(crate) fn json(reports: &[Report]) -> String {
    let finding = |finding: &Finding| -> Value {
        json!({
            "level": finding.level.name(), "check": finding.check, "message": finding.message, "fix": finding.fix,
        })
    };
    let report = |report: &Report| -> Value {
        json!({
            "id": report.id, "name": report.name, "issuer": report.issuer, "preset": report.preset,
            "ok": report.is_ok(), "findings": report.findings.list.iter().map(finding).collect::<Vec<_>>(),
            "unverified": report.findings.unverified, "settings": report.settings,
        })
    };
    let reports: Vec<_> = reports.iter().map(report).collect();
    json!({ "providers": reports }).to_string()
}

pub(crate) fn text(reports: &[Report], public_url: &Url) -> String {
    let mut text = String::new();
    for report in reports {
        let _ = writeln!(
            text,
            "{} ({}, preset {}): {}\n",
            report.name, report.id, report.preset, report.issuer
        );
        for finding in &report.findings.list {
            write_finding(&mut text, finding);
        }
        let _ = writeln!(text, "\n  {}\n", verdict(report, public_url));
        if let Some(settings) = &report.settings {
            // Without indentation, to be copied.
            let _ = writeln!(text, "{}\n", settings.join("\n"));
        }
    }
    text.truncate(text.trim_end().len());
    text
}

fn write_finding(text: &mut String, finding: &Finding) {
    let _ = writeln!(
        text,
        "  {:8} {:14} {}",
        finding.level.name(),
        finding.check,
        finding.message
    );
    if let Some(fix) = &finding.fix {
        let _ = writeln!(text, "  {:8} {:14} -> {fix}", "", "");
    }
}

fn verdict(report: &Report, public_url: &Url) -> String {
    let (problems, warnings) = (report.count(Level::Problem), report.count(Level::Warning));
    let unverified = &report.findings.unverified;
    if report.settings.is_some() {
        format!("A sign-in worked. Warnings: {warnings}. These settings include the changes that it requires:")
    } else if problems > 0 {
        format!("Problems: {problems}. Warnings: {warnings}.")
    } else if unverified.is_empty() {
        format!("No problems found; sign-in at {public_url} should work. Warnings: {warnings}.")
    } else {
        format!(
            "No problems found, but the doctor could not check {}. Warnings: {warnings}.\n  Run `waypost doctor oidc --sign-in`: \
             it signs in with a browser and prints the settings that work.",
            unverified.join(" and ")
        )
    }
}
