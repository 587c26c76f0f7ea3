//! The formats of `--format`: text for people, one JSON object for tools, workflow commands for pull requests on GitHub.
//!
//! The shape of the JSON is a promise: `output.schema.json` beside `src/` describes it, and a test holds every answer against
//! it. `version` goes up when a key changes its meaning or goes; new keys may come at any time. The escapes of workflow
//! commands are those of GitHub's own toolkit: `%`, line breaks, and in properties also `:` and `,`.

use std::path::Path;

use clap::ValueEnum;
use serde_json::{Map, Value, json};
use traitql_schema::Diagnostic;

use crate::output::{self, Answer, Failure, Level, Problem};

/// How a command answers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    #[default]
    Human,
    /// One JSON object on standard output, whatever happens; its shape is stable.
    Json,
    /// Annotations for GitHub's pull requests; tables as Markdown, for a summary.
    Github,
}

/// Version of the JSON object.
const VERSION: u32 = 1;

/// Prints what a command has to say, and whether it ends well. Files are named from the folder of the configuration; `root`
/// is that folder, which GitHub has to know.
pub(crate) fn print(command: &str, format: Format, root: &Path, outcome: &Result<Answer, Failure>) -> bool {
    match (format, outcome) {
        (Format::Human, Ok(answer)) => answer.lines.iter().for_each(|line| output::line(line)),
        (Format::Human, Err(failure)) => output::failure(failure),
        (Format::Json, outcome) => {
            let text = serde_json::to_string_pretty(&object(command, outcome));
            output::line(&text.expect("a value of JSON can be written"));
        }
        (Format::Github, Ok(answer)) => {
            match &answer.page {
                Some(page) => output::line(page.trim_end()),
                None => answer.lines.iter().for_each(|line| output::line(&harmless(line))),
            }
            for remark in &answer.annotations {
                let place = [("file", file(root, &remark.file)), ("line", remark.line.to_string())];
                output::line(&command_line(remark.level, &place, &remark.title, &remark.text));
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

fn object(command: &str, outcome: &Result<Answer, Failure>) -> Value {
    let mut object = Map::new();
    object.insert("version".to_owned(), VERSION.into());
    object.insert("command".to_owned(), command.into());
    let (ok, diagnostics) = match outcome {
        Ok(answer) => (!answer.denied, Vec::new()),
        Err(Failure::Report(report)) => (false, report.diagnostics().iter().map(diagnostic).collect()),
        Err(Failure::Problems(problems)) => (false, problems.iter().map(problem).collect()),
        Err(Failure::Message(message) | Failure::Begun(message)) => (false, vec![sentence(message)]),
    };
    object.insert("ok".to_owned(), ok.into());
    object.insert("diagnostics".to_owned(), Value::Array(diagnostics));
    if let Ok(answer) = outcome {
        object.extend(answer.data.clone());
    }
    Value::Object(object)
}

/// A problem of the schema or the operations.
pub(crate) fn diagnostic(found: &Diagnostic) -> Value {
    let notes = found.notes.iter().map(|note| {
        let place = note.place();
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
    let (line, column) = found.place.unzip();
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

fn sentence(message: &str) -> Value {
    problem(&Problem {
        message: message.to_owned(),
        ..Problem::default()
    })
}

fn annotations(root: &Path, failure: &Failure) -> Vec<String> {
    let of_diagnostic = |found: &Diagnostic| {
        let mut place = Vec::new();
        if let (Some(path), Some((line, column))) = (found.file(), found.line_column()) {
            place.push(("file", file(root, path)));
            place.push(("line", line.to_string()));
            place.push(("col", column.to_string()));
            place.extend(found.end().map(|(_, column)| ("endColumn", (column - 1).to_string())));
        }
        let notes = found.notes.iter().map(|note| format!("\nnote: {}", note.text));
        let help = found.help.iter().map(|help| format!("\nhelp: {help}"));
        let more: String = notes.chain(help).collect();
        let text = format!("{}{more}\nsee: {}", found.message, found.code.link());
        command_line(Level::Error, &place, &found.code.to_string(), &text)
    };
    let of_problem = |found: &Problem| {
        let mut place: Vec<(&str, String)> = found.file.iter().map(|path| ("file", file(root, path))).collect();
        if let Some((line, column)) = found.place {
            place.push(("line", line.to_string()));
            place.push(("col", column.to_string()));
        }
        let help = found.help.iter().map(|help| format!("\nhelp: {help}"));
        let text = format!("{}{}", found.message, help.collect::<String>());
        command_line(Level::Error, &place, "traitql", &text)
    };
    match failure {
        Failure::Report(report) => report.diagnostics().iter().map(of_diagnostic).collect(),
        Failure::Problems(problems) => problems.iter().map(of_problem).collect(),
        Failure::Message(message) | Failure::Begun(message) => {
            vec![command_line(Level::Error, &[], "traitql", message)]
        }
    }
}

/// A path as GitHub wants it: from the folder in which the command was started, which is the repository's in a workflow.
fn file(root: &Path, path: &str) -> String {
    let whole = root.join(path).to_string_lossy().replace('\\', "/");
    whole.trim_start_matches("./").to_owned()
}

/// `::error file=schema/tour.graphql,line=3,title=T012 access_missing::the field …`
fn command_line(level: Level, place: &[(&str, String)], title: &str, text: &str) -> String {
    let level = match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Notice => "notice",
    };
    let title = ("title", title.to_owned());
    let properties: Vec<String> = place
        .iter()
        .chain([&title])
        .map(|(key, value)| format!("{key}={}", escaped(value).replace(':', "%3A").replace(',', "%2C")))
        .collect();
    format!("::{level} {}::{}", properties.join(","), escaped(text))
}

/// A text that GitHub takes for nothing else. The sentence of an error may hold line breaks, and what stands behind one in the
/// schema of a pull request must not begin a command: `::` at the beginning of a line, or the older `##[` anywhere.
fn harmless(text: &str) -> String {
    let of_line = |line: &str| {
        let begin = line.len() - line.trim_start().len();
        let (gap, rest) = line.split_at(begin);
        match rest.strip_prefix("::") {
            Some(rest) => format!("{gap}: :{rest}"),
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
    fn texts_cannot_end_a_workflow_command() {
        let place = [("file", "a,b:c.graphql".to_owned()), ("line", "3".to_owned())];
        assert_eq!(
            command_line(Level::Warning, &place, "50% of: a, b", "one::error::two\r\nthree, 100%"),
            "::warning file=a%2Cb%3Ac.graphql,line=3,title=50%25 of%3A a%2C b::one::error::two%0D%0Athree, 100%25"
        );
    }

    #[test]
    fn lines_cannot_begin_a_workflow_command() {
        assert_eq!(
            harmless("~ ErrorCode.GONE  says “one\r\n::stop-commands::x\n##[debug]y”"),
            "~ ErrorCode.GONE  says “one\n\n: :stop-commands::x\n## [debug]y”"
        );
    }

    #[test]
    fn files_are_named_from_where_the_command_was_started() {
        assert_eq!(file(Path::new("."), "schema/tour.graphql"), "schema/tour.graphql");
        assert_eq!(file(Path::new("api"), "schema/tour.graphql"), "api/schema/tour.graphql");
    }
}
