//! What people see. Results go to standard output, problems to standard error; colour is used on terminals only, and never
//! where `NO_COLOR` is set.

use std::io::{self, IsTerminal, Write};

use traitql_schema::{Report, Style};

/// Why a command failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The schema or the operations are wrong.
    Report(Report),
    /// Anything else, as one or more sentences.
    Message(String),
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
        Failure::Report(report) => report.render(style),
        Failure::Message(message) => format!("error: {message}\n"),
    };
    let _ = io::stderr().write_all(text.as_bytes());
}
