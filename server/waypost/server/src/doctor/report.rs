//! Findings of the checks, and their output as text and JSON.

use std::fmt::Write as _;

use serde_json::{Value, json};
use url::Url;

use crate::config::Provider;

/// Severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    Ok,
    /// Information without consequences.
    Note,
    /// Sign-in works, but not in all browsers, or with limitations.
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
pub(super) struct Findings(Vec<Finding>);

impl Findings {
    pub(super) fn ok(&mut self, check: &'static str, message: impl Into<String>) {
        self.add(Level::Ok, check, message.into(), None);
    }

    pub(super) fn note(&mut self, check: &'static str, message: impl Into<String>, fix: Option<String>) {
        self.add(Level::Note, check, message.into(), fix);
    }

    pub(super) fn warning(&mut self, check: &'static str, message: impl Into<String>, fix: Option<String>) {
        self.add(Level::Warning, check, message.into(), fix);
    }

    pub(super) fn problem(&mut self, check: &'static str, message: impl Into<String>, fix: Option<String>) {
        self.add(Level::Problem, check, message.into(), fix);
    }

    fn add(&mut self, level: Level, check: &'static str, message: String, fix: Option<String>) {
        self.0.push(Finding {
            level,
            check,
            message,
            fix,
        });
    }
}

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

    /// True if no problem was found, so that sign-in should work.
    pub(super) fn is_ok(&self) -> bool {
        self.count(Level::Problem) == 0
    }

    fn count(&self, level: Level) -> usize {
        self.findings.iter().filter(|finding| finding.level == level).count()
    }
}

pub(super) fn json(reports: &[Report]) -> String {
    let finding = |finding: &Finding| -> Value {
        json!({
            "level": finding.level.name(), "check": finding.check, "message": finding.message, "fix": finding.fix,
        })
    };
    let report = |report: &Report| -> Value {
        json!({
            "id": report.id, "name": report.name, "issuer": report.issuer, "preset": report.preset,
            "ok": report.is_ok(), "findings": report.findings.iter().map(finding).collect::<Vec<_>>(),
        })
    };
    let reports: Vec<_> = reports.iter().map(report).collect();
    json!({ "providers": reports }).to_string()
}

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
                finding.message
            );
            if let Some(fix) = &finding.fix {
                let _ = writeln!(text, "  {:8} {:14} -> {fix}", "", "");
            }
        }
        let (problems, warnings) = (report.count(Level::Problem), report.count(Level::Warning));
        let _ = match problems {
            0 => writeln!(
                text,
                "\n  No problems found; sign-in at {public_url} should work. Warnings: {warnings}.\n"
            ),
            _ => writeln!(text, "\n  Problems: {problems}. Warnings: {warnings}.\n"),
        };
    }
    text.truncate(text.trim_end().len());
    text
}
