//! Results are on standard output, errors on standard error. Colors only on terminals, unless `NO_COLOR` is set.
//! Formats for tools use standard output only.

use std::fmt;
use std::io::{self, IsTerminal, Write};

use serde_json::{Map, Value};
use traitql_schema::{Report, Style};

#[derive(Debug, Default)]
pub(crate) struct CommandOutput {
    pub(crate) lines: Vec<String>,
    pub(crate) data: Map<String, Value>,
    pub(crate) annotations: Vec<Annotation>,
    pub(crate) page: Option<String>,
    /// Set if the command fails because of its findings.
    pub(crate) denied: bool,
}

impl CommandOutput {
    pub(crate) fn of(lines: Vec<String>) -> Self {
        Self {
            lines,
            ..Self::default()
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Annotation {
    pub(crate) level: Level,
    pub(crate) file: String,
    pub(crate) line: usize,
    pub(crate) title: String,
    pub(crate) text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    Error,
    Warning,
    Notice,
}

#[derive(Debug)]
pub(crate) enum Failure {
    Report(Report),
    Problems(Vec<Problem>),
    Message(String),
    /// Failed after files were written; describes how to recover.
    PartiallyWritten(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct Position {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) file: Option<String>,
    pub(crate) position: Option<(usize, usize)>,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
}

impl Failure {
    pub(crate) fn message(text: impl Into<String>) -> Self {
        Self::Message(text.into())
    }
}

impl From<Report> for Failure {
    fn from(report: Report) -> Self {
        Self::Report(report)
    }
}

/// Formats a number with its noun: `1 field`, `3 fields`.
pub(crate) fn count(number: usize, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        _ => format!("{number} {what}s"),
    }
}

pub(crate) fn line(text: &str) {
    // A closed pipe (`traitql generate | head`) is no failure.
    let _ = writeln!(io::stdout(), "{text}");
}

pub(crate) fn problem(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

pub(crate) fn failure(failure: &Failure) {
    let style = if io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none() {
        Style::Color
    } else {
        Style::Plain
    };
    let text = match failure {
        Failure::Report(report) => report.render(style) + &explain_hint(report),
        Failure::Problems(problems) => render(problems),
        Failure::Message(message) | Failure::PartiallyWritten(message) => format!("error: {message}\n"),
    };
    let _ = io::stderr().write_all(text.as_bytes());
}

fn explain_hint(report: &Report) -> String {
    report.diagnostics().first().map_or_else(String::new, |first| {
        format!(
            "for more information about the first error, run `cargo traitql explain {}`\n",
            first.code.id
        )
    })
}

/// Prints the same help of consecutive errors only once.
fn render(problems: &[Problem]) -> String {
    let mut out = String::new();
    for (index, problem) in problems.iter().enumerate() {
        out += &problem.to_string();
        let next = problems.get(index + 1).and_then(|next| next.help.as_ref());
        if let Some(help) = problem.help.as_ref().filter(|help| next != Some(help)) {
            out += &format!("  = help: {help}\n");
        }
    }
    out
}

/// The format suits problem matchers of editors.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, rest) = self.message.split_once('\n').unwrap_or((&self.message, ""));
        writeln!(f, "error: {first}")?;
        match (&self.file, self.position) {
            (Some(file), Some((line, column))) => writeln!(f, " --> {file}:{line}:{column}")?,
            (Some(file), None) => writeln!(f, " --> {file}")?,
            (None, _) => {}
        }
        rest.lines().try_for_each(|line| writeln!(f, "{line}"))
    }
}

pub(crate) fn has_colors() -> bool {
    io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none()
}

pub(crate) fn paint(color: &str, text: &str) -> String {
    if has_colors() {
        format!("\u{1b}[{color}m{text}\u{1b}[0m")
    } else {
        text.to_owned()
    }
}
