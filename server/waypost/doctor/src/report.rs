//! Formats the findings as text and as JSON.

use std::fmt::Write as _;

use serde_json::{Value, json};
use url::Url;
use waypost_server::config::Provider;

use crate::{Outcome, Part};

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

    fn count(&self, level: Level) -> usize {
        self.list.iter().filter(|finding| finding.level == level).count()
    }

    /// Returns each finding as one line for tests.
    #[cfg(test)]
    pub(crate) fn lines(&self) -> Vec<String> {
        let line = |finding: &Finding| {
            let (level, fix) = (finding.level.name(), finding.fix.as_deref().unwrap_or_default());
            format!("{level} {}: {} -> {fix}", finding.check, finding.message)
        };
        self.list.iter().map(line).collect()
    }
}

/// The findings of one part, or of one identity provider.
pub(crate) struct Report {
    part: Part,
    title: String,
    findings: Findings,
    /// The reason why nothing was checked.
    skipped: Option<String>,
    provider: Option<CheckedProvider>,
}

struct CheckedProvider {
    id: String,
    name: String,
    issuer: String,
    preset: &'static str,
    public_url: Url,
    settings: Option<Vec<String>>,
}

impl Report {
    pub(crate) fn new(part: Part, title: impl Into<String>, findings: Findings) -> Self {
        Self {
            part,
            title: title.into(),
            findings,
            skipped: None,
            provider: None,
        }
    }

    /// `reason` is a clause without a full stop.
    pub(crate) fn skipped(part: Part, reason: impl Into<String>) -> Self {
        Self {
            skipped: Some(reason.into()),
            ..Self::new(part, "skipped", Findings::default())
        }
    }

    /// `settings` are those of a sign-in that worked.
    pub(crate) fn of_provider(
        provider: &Provider,
        public_url: &Url,
        findings: Findings,
        settings: Option<Vec<String>>,
    ) -> Self {
        let (id, name, preset) = (&provider.id, &provider.name, provider.preset.slug);
        let issuer = &provider.tokens.issuer;
        Self {
            provider: Some(CheckedProvider {
                id: id.clone(),
                name: name.clone(),
                issuer: issuer.clone(),
                preset,
                public_url: public_url.clone(),
                settings,
            }),
            ..Self::new(
                Part::Oidc,
                format!("{name} ({id}, preset {preset}): {issuer}"),
                findings,
            )
        }
    }

    pub(crate) fn settings(&self) -> Option<&[String]> {
        self.provider.as_ref()?.settings.as_deref()
    }

    fn is_ok(&self) -> bool {
        self.settings().is_some() || self.findings.count(Level::Problem) == 0
    }
}

pub(crate) fn outcome(reports: &[Report], json: bool) -> Outcome {
    Outcome {
        text: if json { to_json(reports) } else { to_text(reports) },
        is_ok: reports.iter().all(Report::is_ok),
    }
}

fn to_json(reports: &[Report]) -> String {
    let finding = |finding: &Finding| -> Value {
        json!({
            "level": finding.level.name(), "check": finding.check, "message": finding.message, "fix": finding.fix,
        })
    };
    let provider = |provider: &CheckedProvider| -> Value {
        json!({
            "id": provider.id, "name": provider.name, "issuer": provider.issuer, "preset": provider.preset,
        })
    };
    let report = |report: &Report| -> Value {
        json!({
            "part": report.part.name(), "title": report.title, "ok": report.is_ok(), "skipped": report.skipped,
            "findings": report.findings.list.iter().map(finding).collect::<Vec<_>>(),
            "unverified": report.findings.unverified, "provider": report.provider.as_ref().map(provider),
            "settings": report.settings(),
        })
    };
    let reports: Vec<_> = reports.iter().map(report).collect();
    json!({ "reports": reports }).to_string()
}

fn to_text(reports: &[Report]) -> String {
    let mut text = String::new();
    for report in reports {
        if let Some(reason) = &report.skipped {
            let _ = writeln!(text, "{}: skipped, because {reason}.\n", report.part.name());
            continue;
        }
        if report.provider.is_none() {
            let _ = write!(text, "{}: ", report.part.name());
        }
        let _ = writeln!(text, "{}\n", report.title);
        for finding in &report.findings.list {
            write_finding(&mut text, finding);
        }
        let _ = writeln!(text, "\n  {}\n", verdict(report));
        if let Some(settings) = report.settings() {
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

fn verdict(report: &Report) -> String {
    let findings = &report.findings;
    let (problems, warnings) = (findings.count(Level::Problem), findings.count(Level::Warning));
    let unverified = &findings.unverified;
    if report.settings().is_some() {
        return format!("A sign-in worked. Warnings: {warnings}. These settings include the changes that it requires:");
    }
    if problems > 0 {
        return format!("Problems: {problems}. Warnings: {warnings}.");
    }
    match &report.provider {
        None => format!("No problems found. Warnings: {warnings}."),
        Some(provider) if unverified.is_empty() => format!(
            "No problems found; sign-in at {} should work. Warnings: {warnings}.",
            provider.public_url
        ),
        Some(_) => format!(
            "No problems found, but the doctor could not check {}. Warnings: {warnings}.\n  Run `waypost doctor oidc --sign-in`: \
             it signs in with a browser and prints the settings that work.",
            unverified.join(" and ")
        ),
    }
}
