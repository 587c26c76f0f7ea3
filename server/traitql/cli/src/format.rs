//! The JSON format is stable: `output.schema.json` describes it, and tests validate all output. `version` increases
//! when a key is removed or changes.
//!
//! Workflow commands are escaped as in GitHub's toolkit: `%`, line breaks, and in properties also `:` and `,`.

use std::path::Path;

use clap::ValueEnum;
use serde_json::{Map, Value, json};
use traitql_schema::Diagnostic;

use crate::output::{self, CommandOutput, Failure, Level, Problem};

/// Output format of a command.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Text.
    #[default]
    Human,
    /// One JSON object on standard output, also for errors. The format is stable.
    Json,
    /// Annotations for pull requests on GitHub. Tables are printed as Markdown, for job summaries.
    Github,
}

const VERSION: u32 = 2;

/// Returns true if the command succeeded. GitHub needs paths relative to the working directory instead of `root`.
pub(crate) fn print(command: &str, format: Format, root: &Path, outcome: &Result<CommandOutput, Failure>) -> bool {
    match (format, outcome) {
        (Format::Human, Ok(answer)) => answer.lines.iter().for_each(|line| output::line(line)),
        (Format::Human, Err(failure)) => output::failure(failure),
        (Format::Json, outcome) => {
            let text = serde_json::to_string_pretty(&object(command, outcome));
            output::line(&text.expect("a `serde_json::Value` always serializes"));
        }
        (Format::Github, Ok(answer)) => {
            match &answer.page {
                Some(page) => output::line(page.trim_end()),
                None => answer
                    .lines
                    .iter()
                    .for_each(|line| output::line(&without_commands(line))),
            }
            for annotation in &answer.annotations {
                let position = [
                    ("file", file(root, &annotation.file)),
                    ("line", annotation.line.to_string()),
                ];
                output::line(&command_line(
                    annotation.level,
                    &position,
                    &annotation.title,
                    &annotation.text,
                ));
            }
        }
        (Format::Github, Err(failure)) => {
            for line in annotations(root, failure) {
                output::line(&line);
            }
        }
    }
    matches!(outcome, Ok(answer) if !answer.denied)
}

fn object(command: &str, outcome: &Result<CommandOutput, Failure>) -> Value {
    let mut object = Map::new();
    object.insert("version".to_owned(), VERSION.into());
    object.insert("command".to_owned(), command.into());
    let (ok, diagnostics) = match outcome {
        Ok(answer) => (!answer.denied, Vec::new()),
        Err(Failure::Report(report)) => (false, report.diagnostics().iter().map(diagnostic).collect()),
        Err(Failure::Problems(problems)) => (false, problems.iter().map(problem).collect()),
        Err(Failure::Message(message) | Failure::PartiallyWritten(message)) => (false, vec![message_object(message)]),
    };
    object.insert("ok".to_owned(), ok.into());
    object.insert("diagnostics".to_owned(), Value::Array(diagnostics));
    if let Ok(answer) = outcome {
        object.extend(answer.data.clone());
    }
    Value::Object(object)
}

pub(crate) fn diagnostic(found: &Diagnostic) -> Value {
    let notes = found.notes.iter().map(|note| {
        let place = note.location();
        json!({
            "message": note.text,
            "file": place.map(|(file, ..)| file),
            "line": place.map(|(_, line, _)| line),
            "column": place.map(|(_, _, column)| column),
        })
    });
    let (line, column) = found.line_column().unzip();
    json!({
        "code": found.code.id,
        "slug": found.code.slug,
        "severity": "error",
        "message": found.message,
        "file": found.file(),
        "line": line,
        "column": column,
        "end": found.end().map(|(line, column)| json!({ "line": line, "column": column })),
        "notes": notes.collect::<Vec<_>>(),
        "help": found.help,
        "link": found.code.link(),
    })
}

fn problem(found: &Problem) -> Value {
    let (line, column) = found.position.unzip();
    json!({
        "code": null,
        "slug": null,
        "severity": "error",
        "message": found.message,
        "file": found.file,
        "line": line,
        "column": column,
        "end": null,
        "notes": [],
        "help": found.help.iter().collect::<Vec<_>>(),
        "link": null,
    })
}

fn message_object(message: &str) -> Value {
    problem(&Problem {
        message: message.to_owned(),
        ..Problem::default()
    })
}

fn annotations(root: &Path, failure: &Failure) -> Vec<String> {
    let of_diagnostic = |found: &Diagnostic| {
        let mut position = Vec::new();
        if let (Some(path), Some((line, column))) = (found.file(), found.line_column()) {
            position.push(("file", file(root, path)));
            position.push(("line", line.to_string()));
            position.push(("col", column.to_string()));
            position.extend(found.end().map(|(_, column)| ("endColumn", (column - 1).to_string())));
        }
        let notes = found.notes.iter().map(|note| format!("\nnote: {}", note.text));
        let help = found.help.iter().map(|help| format!("\nhelp: {help}"));
        let more: String = notes.chain(help).collect();
        let text = format!("{}{more}\nsee: {}", found.message, found.code.link());
        command_line(Level::Error, &position, &found.code.to_string(), &text)
    };
    let of_problem = |found: &Problem| {
        let mut position: Vec<(&str, String)> = found.file.iter().map(|path| ("file", file(root, path))).collect();
        if let Some((line, column)) = found.position {
            position.push(("line", line.to_string()));
            position.push(("col", column.to_string()));
        }
        let help = found.help.iter().map(|help| format!("\nhelp: {help}"));
        let text = format!("{}{}", found.message, help.collect::<String>());
        command_line(Level::Error, &position, "traitql", &text)
    };
    match failure {
        Failure::Report(report) => report.diagnostics().iter().map(of_diagnostic).collect(),
        Failure::Problems(problems) => problems.iter().map(of_problem).collect(),
        Failure::Message(message) | Failure::PartiallyWritten(message) => {
            vec![command_line(Level::Error, &[], "traitql", message)]
        }
    }
}

/// The working directory is the repository root in a workflow.
fn file(root: &Path, path: &str) -> String {
    let whole = root.join(path).to_string_lossy().replace('\\', "/");
    whole.trim_start_matches("./").to_owned()
}

/// Formats a workflow command: `::error file=schema/tour.graphql,line=3,title=T012 access_missing::the field …`.
fn command_line(level: Level, position: &[(&str, String)], title: &str, text: &str) -> String {
    let level = match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Notice => "notice",
    };
    let title = ("title", title.to_owned());
    let properties: Vec<String> = position
        .iter()
        .chain([&title])
        .map(|(key, value)| format!("{key}={}", escaped(value).replace(':', "%3A").replace(',', "%2C")))
        .collect();
    format!("::{level} {}::{}", properties.join(","), escaped(text))
}

/// Neutralizes workflow commands, which a pull request could inject with line breaks in messages: `::` at the start of
/// a line, and the older `##[` anywhere.
fn without_commands(text: &str) -> String {
    let of_line = |line: &str| {
        let indent = line.len() - line.trim_start().len();
        let (indent, rest) = line.split_at(indent);
        match rest.strip_prefix("::") {
            Some(rest) => format!("{indent}: :{rest}"),
            None => line.to_owned(),
        }
    };
    let lines: Vec<String> = text.replace('\r', "\n").split('\n').map(of_line).collect();
    lines.join("\n").replace("##[", "## [")
}

fn escaped(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped_in_workflow_commands() {
        let position = [("file", "a,b:c.graphql".to_owned()), ("line", "3".to_owned())];
        assert_eq!(
            command_line(
                Level::Warning,
                &position,
                "50% of: a, b",
                "one::error::two\r\nthree, 100%"
            ),
            "::warning file=a%2Cb%3Ac.graphql,line=3,title=50%25 of%3A a%2C b::one::error::two%0D%0Athree, 100%25"
        );
    }

    #[test]
    fn lines_cannot_start_a_workflow_command() {
        assert_eq!(
            without_commands("~ ErrorCode.GONE  says “one\r\n::stop-commands::x\n##[debug]y”"),
            "~ ErrorCode.GONE  says “one\n\n: :stop-commands::x\n## [debug]y”"
        );
    }

    #[test]
    fn paths_are_relative_to_the_working_directory() {
        assert_eq!(file(Path::new("."), "schema/tour.graphql"), "schema/tour.graphql");
        assert_eq!(file(Path::new("api"), "schema/tour.graphql"), "api/schema/tour.graphql");
    }
}
