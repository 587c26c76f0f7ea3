//! Output of commands. Results go to standard output and errors to standard error. Colors are used only on terminals,
//! unless `NO_COLOR` is set. With the formats for tools (see [`format`](crate::format)), everything goes to standard
//! output.

use std::fmt;
use std::io::{self, IsTerminal, Write};

use serde_json::{Map, Value};
use traitql_schema::{Report, Style};

/// The output of a successful command.
#[derive(Debug, Default)]
pub(crate) struct CommandOutput {
    /// Lines of text.
    pub(crate) lines: Vec<String>,
    /// Additional keys of the JSON object.
    pub(crate) data: Map<String, Value>,
    /// Annotations for pull requests.
    pub(crate) annotations: Vec<Annotation>,
    /// Markdown that replaces the lines in the format for GitHub.
    pub(crate) page: Option<String>,
    /// True if the command must fail because of its findings.
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

/// An annotation of a line in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Annotation {
    pub(crate) level: Level,
    pub(crate) file: String,
    pub(crate) line: usize,
    pub(crate) title: String,
    pub(crate) text: String,
}

/// The level of an annotation, with GitHub's names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    Error,
    Warning,
    Notice,
}

/// A failed command.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Diagnostics of the schema or the operations.
    Report(Report),
    /// Other errors in files.
    Problems(Vec<Problem>),
    /// Any other error.
    Message(String),
    /// An error after files were written. The message describes how to recover.
    PartiallyWritten(String),
}

/// An error in a file, without a diagnostic code.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) file: Option<String>,
    /// One-based line and column.
    pub(crate) position: Option<(usize, usize)>,
    pub(crate) message: String,
    /// A suggested fix.
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

/// Prints a line of the result.
pub(crate) fn line(text: &str) {
    // A closed pipe (`traitql generate | head`) must not make the command fail.
    let _ = writeln!(io::stdout(), "{text}");
}

/// Prints a line to standard error.
pub(crate) fn problem(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// Prints the error of a failed command.
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

/// Returns a hint about `explain`, with the first diagnostic as the example.
fn explain_hint(report: &Report) -> String {
    report.diagnostics().first().map_or_else(String::new, |first| {
        format!(
            "for more information about the first error, run `cargo traitql explain {}`\n",
            first.code.id
        )
    })
}

/// Renders errors with their help. If consecutive errors have the same help, it is printed only once.
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

/// Renders the message and its position like a diagnostic, for the problem matchers of editors.
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

/// True if standard output supports colors.
pub(crate) fn has_colors() -> bool {
    io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none()
}

/// Adds the escape sequences of a color, if standard output supports it.
pub(crate) fn paint(color: &str, text: &str) -> String {
    if has_colors() {
        format!("\u{1b}[{color}m{text}\u{1b}[0m")
    } else {
        text.to_owned()
    }
}
