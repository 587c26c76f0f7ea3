//! Reads and writes tour files: YAML, named after the tour's slug.

use std::{
    collections::HashSet,
    fs, io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize, de::IgnoredAny};
use serde_json::{Value, json};
use serde_saphyr::{MessageFormatter as _, UserMessageFormatter};
use sha2::{Digest, Sha256};
use traitql::{Check, Id, Input, Problem, Violation};
use waypost_api::{TourCreateInput, TourSaveInput};

use super::{
    json_schema,
    normalize::{InputTypes, Source},
    places::{self, Places},
};

const EXTENSION: &str = "yml";

/// Selects the schema in editors with the YAML language server.
const HEADER: &str = "# yaml-language-server: $schema=";

/// The content of a tour in normal form, so that equal content compares equal.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Content {
    pub(super) title: String,
    /// Name of the theme, or `None` for the workspace's default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) theme: Option<String>,
    /// The language of the steps, and those of their translations.
    #[serde(skip_serializing_if = "is_default_locales")]
    pub(super) locales: Vec<String>,
    #[serde(skip_serializing_if = "is_empty_object")]
    pub(super) start: Value,
    pub(super) steps: Vec<Value>,
}

#[derive(Debug, PartialEq)]
pub(super) struct TourFile {
    pub(super) content: Content,
    pub(super) pulled: Option<Pulled>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pulled {
    pub(super) version: i32,
    pub(super) checksum: String,
}

/// Has the fields of [`Content`] without `flatten`, with which errors would have no location.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    title: String,
    theme: Option<String>,
    #[serde(default = "default_locales")]
    locales: Vec<String>,
    #[serde(default = "empty_object")]
    start: Value,
    #[serde(default)]
    steps: Vec<Value>,
    pulled: Option<String>,
}

fn default_locales() -> Vec<String> {
    vec![TourCreateInput::new(Id::from(""), String::new(), String::new()).locale]
}

fn is_default_locales(locales: &[String]) -> bool {
    locales == default_locales()
}

fn empty_object() -> Value {
    json!({})
}

fn is_empty_object(value: &Value) -> bool {
    value.as_object().is_none_or(serde_json::Map::is_empty)
}

impl Content {
    pub(super) fn checksum(&self) -> String {
        let hash = Sha256::digest(json!(self).to_string());
        hex::encode(&hash[..6])
    }

    /// Returns the content as YAML, without the `pulled` line.
    pub(super) fn yaml(&self) -> String {
        serde_saphyr::to_string(self)
            .unwrap_or_else(|error| format!("# This content cannot be written as YAML: {error}\n"))
    }
}

pub(super) fn path(folder: &Path, slug: &str) -> PathBuf {
    folder.join(format!("{slug}.{EXTENSION}"))
}

/// Returns the slugs of the files in a folder, sorted.
pub(super) fn slugs(folder: &Path) -> Result<Vec<String>, String> {
    let display = folder.display();
    let unreadable = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => {
            format!("The folder {display} does not exist. Name another with --dir, or run `waypost pull` first.")
        }
        _ => format!("The folder {display} could not be read: {error}."),
    };
    let mut slugs = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.extension().is_some_and(|extension| extension == EXTENSION)
            && let Some(stem) = path.file_stem().and_then(|stem| stem.to_str())
        {
            slugs.push(stem.to_owned());
        }
    }
    slugs.sort();
    Ok(slugs)
}

/// Returns `None` if the file does not exist. Each line of the error starts with `path:line:column`.
pub(super) fn read(folder: &Path, slug: &str, inputs: &InputTypes) -> Result<Option<TourFile>, String> {
    let path = path(folder, slug);
    let display = path.display();
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(format!("{display} could not be read: {error}.")),
    };
    parse(slug, &text, inputs).map(Some).map_err(|problems| {
        let lines: Vec<String> = problems.iter().map(|problem| format!("{display}:{problem}")).collect();
        lines.join("\n")
    })
}

pub(super) fn parse(slug: &str, text: &str, inputs: &InputTypes) -> Result<TourFile, Vec<String>> {
    // A syntax error such as an unclosed bracket would be reported as a value of the wrong type.
    let document = serde_saphyr::from_str::<IgnoredAny>(text).and_then(|_| serde_saphyr::from_str::<Document>(text));
    let document = document.map_err(|error| vec![syntax_problem(&error)])?;
    let content = Content {
        title: document.title,
        theme: document.theme,
        locales: document.locales,
        start: document.start,
        steps: document.steps,
    };
    check(slug, &content).map_err(|violations| {
        let places = Places::of(text);
        let problem = |Violation { path, problem }: &Violation| {
            let place = match problem {
                Problem::UnknownField(field) => format!("{path}.{field}"),
                _ => path.clone(),
            };
            format!("{}: {path} {problem}.", places.find(&place))
        };
        violations.iter().map(problem).collect::<Vec<_>>()
    })?;
    let duplicates = duplicate_keys(&content.steps);
    if !duplicates.is_empty() {
        let places = Places::of(text);
        let problem = |path: &String| format!("{}: {path} is also the key of an earlier step.", places.find(path));
        return Err(duplicates.iter().map(problem).collect());
    }
    let pulled = match document.pulled {
        None => None,
        Some(pulled) => Some(Pulled::parse(&pulled).ok_or_else(|| {
            vec![format!(
                "{}: `pulled: {pulled}` was not written by `waypost pull`; delete the line and pull again.",
                Places::of(text).find("pulled")
            )]
        })?),
    };
    Ok(TourFile {
        content: normalize(content, inputs, Source::File),
        pulled,
    })
}

/// Returns the paths of the keys that an earlier step has, such as `steps.2.key`.
fn duplicate_keys(steps: &[Value]) -> Vec<String> {
    let mut keys = HashSet::new();
    let duplicate = |(index, step): (usize, &Value)| {
        let is_new = step["key"].as_str().is_none_or(|key| keys.insert(key.to_owned()));
        (!is_new).then(|| format!("steps.{index}.key"))
    };
    steps.iter().enumerate().filter_map(duplicate).collect()
}

/// Returns `path:line:column` of a value of the file, such as `theme`.
pub(super) fn position(folder: &Path, slug: &str, value: &str) -> String {
    let path = path(folder, slug);
    let text = fs::read_to_string(&path).unwrap_or_default();
    format!("{}:{}", path.display(), Places::of(&text).find(value))
}

/// Formats an error without the location, because it precedes the message.
fn syntax_problem(error: &serde_saphyr::Error) -> String {
    let location = error.location().map_or_else(|| "1:1".to_owned(), places::position);
    let message = UserMessageFormatter
        .format_message(error.without_snippet())
        .into_owned();
    let message = message
        .rsplit_once(" at line ")
        .map_or(message.as_str(), |(message, _)| message);
    format!("{location}: {message}.")
}

/// Checks an input with the same generated code as the server.
pub(in crate::commands) fn violations<T: Input + Check>(input: &Value) -> Vec<Violation> {
    match traitql::read::<T>(input) {
        Ok(input) => traitql::check(&input).err().unwrap_or_default(),
        Err(violations) => violations,
    }
}

fn check(slug: &str, content: &Content) -> Result<(), Vec<Violation>> {
    let head = json!({ "workspaceId": "-", "title": content.title, "slug": slug });
    let body = json!({ "id": "-", "expectedVersion": 0, "steps": content.steps, "start": content.start, "locales": content.locales });
    let mut found = violations::<TourCreateInput>(&head);
    found.extend(violations::<TourSaveInput>(&body));
    if found.is_empty() { Ok(()) } else { Err(found) }
}

pub(super) fn normalize(content: Content, inputs: &InputTypes, source: Source) -> Content {
    let step = |step| inputs.normalize("StepInput", step, source);
    Content {
        start: inputs.normalize("StartRuleInput", content.start, source),
        steps: content.steps.into_iter().map(step).collect(),
        ..content
    }
}

pub(super) fn write(path: &Path, content: &Content, version: i32) -> Result<(), String> {
    let pulled = Pulled {
        version,
        checksum: content.checksum(),
    };
    write_pulled(path, content, Some(&pulled))
}

pub(super) fn write_pulled(path: &Path, content: &Content, pulled: Option<&Pulled>) -> Result<(), String> {
    let pulled = pulled.map(|pulled| format!("pulled: {pulled}\n")).unwrap_or_default();
    let text = format!("{HEADER}{}\n{}{pulled}", json_schema::FILE_NAME, content.yaml());
    write_text(path, &text)
}

pub(super) fn write_schema(folder: &Path, inputs: &InputTypes) -> Result<(), String> {
    let (path, text) = (folder.join(json_schema::FILE_NAME), json_schema::text(inputs));
    match fs::read_to_string(&path) {
        Ok(existing) if existing == text => Ok(()),
        _ => write_text(&path, &text),
    }
}

/// Writes through a temporary file, because readers must not see a partial one.
fn write_text(path: &Path, text: &str) -> Result<(), String> {
    let temporary = path.with_extension("new");
    let written = fs::write(&temporary, text).and_then(|()| fs::rename(&temporary, path));
    written.map_err(|error| format!("{} could not be written: {error}.", path.display()))
}

impl Pulled {
    fn parse(text: &str) -> Option<Self> {
        let (version, checksum) = text.split_once('-')?;
        Some(Self {
            version: version.parse().ok()?,
            checksum: checksum.to_owned(),
        })
    }
}

impl std::fmt::Display for Pulled {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}-{}", self.version, self.checksum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<TourFile, Vec<String>> {
        parse("aboard", text, &InputTypes::new())
    }

    fn content(body: &str) -> Content {
        let step = json!({ "key": "hello", "title": "Hello", "body": body });
        Content {
            title: "Welcome aboard".to_owned(),
            theme: Some("Dark".to_owned()),
            locales: default_locales(),
            start: json!({ "page": "/orders/*" }),
            steps: vec![step],
        }
    }

    #[test]
    fn content_round_trips_with_any_text() {
        let texts = [
            "no",
            "null",
            "~",
            "1.50",
            "0x1F",
            "- not a list",
            "# no comment",
            "key: value",
            "'",
            "\"quoted\"",
            " around ",
            "*bold*",
            "&and",
            "@at",
            "`code`",
            "%",
            "two\nlines",
            "\n",
            "a paragraph\n\n- one\n- two\n",
            "  indented\nor not",
            "ends with a space \nand goes on",
            "tab\there",
            "back\\slash",
            "überall — 日本語 🚀",
            "{{}}[],",
            "\u{a0}\u{200f}",
            "long ".repeat(60).as_str(),
            "---",
            "...",
            "=",
            "2026-11-22",
        ]
        .map(str::to_owned);
        for text in texts {
            let content = content(&text);
            let read = parsed(&format!("{}pulled: 3-abc\n", content.yaml()));
            let expected = TourFile {
                content,
                pulled: Pulled::parse("3-abc"),
            };
            assert_eq!(read.as_ref(), Ok(&expected), "{text:?} as\n{}", expected.content.yaml());
        }
    }

    #[test]
    fn a_file_is_easy_to_read() {
        let body = "Here is **everything** that you need.\n\n- orders\n- customers";
        insta::assert_snapshot!(content(body).yaml());
    }

    #[test]
    fn problems_of_a_file_are_reported_with_their_path() {
        let problems = |text: &str| parsed(text).err().unwrap_or_default().join("\n");
        let cases = [
            "title: [",
            "title: Hello\nsteps:\n  - key: a\n    branches: [{ label: Yes }\n  - key: b",
            "title: [Hello]",
            "steps: []",
            "title: Hello\nstep: []",
            "title: ''\nsteps:\n  - key: a\n    titel: x",
            "title: Hello\nsteps:\n  - key: A B\n    title: x\n    kind: SPOTLIGT\n    waitMs: 99999",
            "title: Hello\nstart:\n  delayMs: soon",
            "title: Hello\ntitle: Hello",
            "title: Hello\nsteps:\n  - key: a\n    title: One\n  - key: a\n    title: Two",
            "title: Hello\npulled: yesterday",
        ];
        let reports: Vec<String> = cases
            .iter()
            .map(|case| format!("{case}\n=>\n{}\n", problems(case)))
            .collect();
        insta::assert_snapshot!(reports.join("\n"));
    }
}
