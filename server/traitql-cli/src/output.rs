//! What people and tools see. Results go to standard output, problems to standard error; colour is used on terminals only,
//! and never where `NO_COLOR` is set. In the formats for tools (see [`format`](crate::format)) everything goes to standard output.

use std::io::{self, IsTerminal, Write};

use serde_json::{Map, Value};
use traitql_schema::{Report, Style};

/// What a command has to say when it did its work.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    /// For people, a line each.
    pub(crate) lines: Vec<String>,
    /// For tools: further keys of the JSON object.
    pub(crate) data: Map<String, Value>,
    /// For pull requests: what is to be shown at a line of a file.
    pub(crate) annotations: Vec<Annotation>,
    /// For pull requests: a page in Markdown, instead of the lines.
    pub(crate) page: Option<String>,
    /// The answer is one that the caller wants to fail for.
    pub(crate) denied: bool,
}

impl Answer {
    pub(crate) fn of(lines: Vec<String>) -> Self {
        Self {
            lines,
            ..Self::default()
        }
    }
}

/// A remark at a line of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Annotation {
    pub(crate) level: Level,
    pub(crate) file: String,
    pub(crate) line: usize,
    pub(crate) title: String,
    pub(crate) text: String,
}

/// How grave a remark is, in GitHub's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    Error,
    Warning,
    Notice,
}

/// Why a command failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The schema or the operations are wrong.
    Report(Report),
    /// Something else is wrong in files that can be named.
    Problems(Vec<Problem>),
    /// Anything else, as one or more sentences.
    Message(String),
    /// The same where something was written already; the sentences say what to do about it.
    Begun(String),
}

/// Something that is wrong in a file, without a code of its own.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) file: Option<String>,
    /// Line and column, from 1.
    pub(crate) place: Option<(usize, usize)>,
    pub(crate) message: String,
    /// What to do about it.
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

/// `1 field`, `3 fields`
pub(crate) fn count(number: usize, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        _ => format!("{number} {what}s"),
    }
}

/// Prints a line of the result.
pub(crate) fn line(text: &str) {
    // A closed pipe (`traitql generate | head`) is no failure of generation.
    let _ = writeln!(io::stdout(), "{text}");
}

/// Prints a line about a problem.
pub(crate) fn problem(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// Prints why a command failed.
pub(crate) fn failure(failure: &Failure) {
    let style = match io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none() {
        true => Style::Colour,
        false => Style::Plain,
    };
    let text = match failure {
        Failure::Report(report) => report.render(style) + &more(report),
        Failure::Problems(problems) => shown(problems),
        Failure::Message(message) | Failure::Begun(message) => format!("error: {message}\n"),
    };
    let _ = io::stderr().write_all(text.as_bytes());
}

/// How to read more without a network, by the example of the first problem.
fn more(report: &Report) -> String {
    report.diagnostics().first().map_or_else(String::new, |first| {
        format!("`cargo traitql explain {}` says more about the first\n", first.code.id)
    })
}

/// The problems, each with its help; what helps with several in a row is said behind the last of them.
fn shown(problems: &[Problem]) -> String {
    let mut out = String::new();
    for (at, problem) in problems.iter().enumerate() {
        out += &format!("error: {}\n", problem.line());
        let next = problems.get(at + 1).and_then(|next| next.help.as_ref());
        if let Some(help) = problem.help.as_ref().filter(|help| next != Some(help)) {
            out += &format!("  = help: {help}\n");
        }
    }
    out
}

impl Problem {
    /// Place and message; a sentence that begins with its file needs no place before it.
    pub(crate) fn line(&self) -> String {
        let message = &self.message;
        match (&self.file, self.place) {
            (Some(file), _) if message.starts_with(file.as_str()) => message.clone(),
            (Some(file), Some((line, column))) => format!("{file}:{line}:{column}: {message}"),
            (Some(file), None) => format!("{file}: {message}"),
            (None, _) => message.clone(),
        }
    }
}

/// Whether lines of the result may be coloured.
pub(crate) fn is_coloured() -> bool {
    io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none()
}

/// A text with the escape sequences of a colour where the result is shown on a terminal.
pub(crate) fn paint(colour: &str, text: &str) -> String {
    match is_coloured() {
        true => format!("\u{1b}[{colour}m{text}\u{1b}[0m"),
        false => text.to_owned(),
    }
}
