//! What was found, for people and for programs.

use std::fmt::Write as _;

use serde_json::{Value, json};
use url::Url;

use crate::config::Provider;

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    /// As it should be.
    Ok,
    /// Works, and is good to know.
    Note,
    /// Works for most people, or not as well as it could.
    Warning,
    /// Keeps people from signing in.
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
    says: String,
    cure: Option<String>,
}

/// What the checks have found so far.
#[derive(Default)]
pub(super) struct Findings(Vec<Finding>);

impl Findings {
    pub(super) fn ok(&mut self, check: &'static str, says: impl Into<String>) {
        self.add(Level::Ok, check, says.into(), None);
    }

    pub(super) fn note(&mut self, check: &'static str, says: impl Into<String>, cure: Option<String>) {
        self.add(Level::Note, check, says.into(), cure);
    }

    pub(super) fn warning(&mut self, check: &'static str, says: impl Into<String>, cure: Option<String>) {
        self.add(Level::Warning, check, says.into(), cure);
    }

    pub(super) fn problem(&mut self, check: &'static str, says: impl Into<String>, cure: Option<String>) {
        self.add(Level::Problem, check, says.into(), cure);
    }

    fn add(&mut self, level: Level, check: &'static str, says: String, cure: Option<String>) {
        self.0.push(Finding {
            level,
            check,
            says,
            cure,
        });
    }
}

/// All that was found about one provider.
pub(super) struct Report {
    id: String,
    name: String,
    issuer: String,
    preset: &'static str,
    findings: Vec<Finding>,
}

impl Report {
    pub(super) fn new(provider: &Provider, findings: Findings) -> Self {
        Self {
            id: provider.id.clone(),
            name: provider.name.clone(),
            issuer: provider.tokens.issuer.clone(),
            preset: provider.preset.slug,
            findings: findings.0,
        }
    }

    /// Whether people can sign in, as far as can be seen from here.
    pub(super) fn is_sound(&self) -> bool {
        self.count(Level::Problem) == 0
    }

    fn count(&self, level: Level) -> usize {
        self.findings.iter().filter(|finding| finding.level == level).count()
    }
}

/// For programs.
pub(super) fn json(reports: &[Report]) -> String {
    let finding = |finding: &Finding| -> Value {
        json!({
            "level": finding.level.name(), "check": finding.check, "says": finding.says, "cure": finding.cure,
        })
    };
    let report = |report: &Report| -> Value {
        json!({
            "id": report.id, "name": report.name, "issuer": report.issuer, "preset": report.preset,
            "sound": report.is_sound(), "findings": report.findings.iter().map(finding).collect::<Vec<_>>(),
        })
    };
    let reports: Vec<_> = reports.iter().map(report).collect();
    json!({ "providers": reports }).to_string()
}

/// For people.
pub(super) fn text(reports: &[Report], public_url: &Url) -> String {
    let mut text = String::new();
    for report in reports {
        let _ = writeln!(
            text,
            "{} ({}, preset {}): {}\n",
            report.name, report.id, report.preset, report.issuer
        );
        for finding in &report.findings {
            let _ = writeln!(
                text,
                "  {:8} {:14} {}",
                finding.level.name(),
                finding.check,
                finding.says
            );
            if let Some(cure) = &finding.cure {
                let _ = writeln!(text, "  {:8} {:14} -> {cure}", "", "");
            }
        }
        let (problems, warnings) = (report.count(Level::Problem), report.count(Level::Warning));
        let _ = match problems {
            0 => writeln!(
                text,
                "\n  People should be able to sign in at {public_url}. Warnings: {warnings}.\n"
            ),
            _ => writeln!(text, "\n  Problems: {problems}. Warnings: {warnings}.\n"),
        };
    }
    text.truncate(text.trim_end().len());
    text
}

#[allow(clippy::print_stdout, reason = "this is what the command is for")]
pub(super) fn print(text: &str) {
    println!("{text}");
}
