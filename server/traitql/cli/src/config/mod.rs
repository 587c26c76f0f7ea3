//! `codegen.yml`, which traitql and graphql-codegen share, each ignoring the other's keys.
//!
//! Unknown keys in the section `traitql` are errors, because an ignored setting is hard to find.

pub(crate) mod docs;
mod read;
mod table;
mod yaml;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use traitql_codegen::{Config, Cynic, DEFAULT_FOLDER, Derive};
use traitql_schema::model::FieldKind;
use traitql_schema::{Options, nearest};

use crate::output::{Failure, Position, Problem};
use crate::patterns::Patterns;
pub(crate) use read::Reference;
pub(crate) use table::KeyKind;
use yaml::{Entry, Node, Value};

#[derive(Debug, Clone)]
pub(crate) struct Settings {
    /// The folder to which all paths are relative.
    pub(crate) root: PathBuf,
    pub(crate) file: String,
    pub(crate) schema: Patterns,
    pub(crate) documents: Patterns,
    pub(crate) options: Options,
    pub(crate) codegen: Config,
    /// The command with its arguments.
    pub(crate) typescript: Vec<String>,
    section: Node,
}

impl Settings {
    pub(crate) fn generated_folder(&self) -> String {
        self.codegen.folder()
    }

    /// The current conventions do not apply to an earlier state of the project.
    pub(crate) fn lenient(&self) -> Options {
        let fields = self.options.fields();
        let fields = fields.map(|(coordinate, kind)| (coordinate.to_owned(), kind));
        let names = self.options.names();
        let names = names.map(|(coordinate, name)| (coordinate.to_owned(), name.to_owned()));
        Options::lenient()
            .with_fields(fields.collect())
            .with_names(names.collect())
    }

    pub(crate) fn visit(&self, visitor: read::Visitor<'_>) {
        read::visit("traitql", &self.section, table::KEYS, visitor);
    }

    /// Returns the position of the nearest existing ancestor if the key does not exist.
    pub(crate) fn position(&self, path: &[&str]) -> Position {
        let mut node = &self.section;
        let mut at = node.at;
        for key in path {
            let Some(entry) = node.entries().iter().find(|entry| entry.key == *key) else {
                break;
            };
            (at, node) = (entry.at, &entry.node);
        }
        at
    }
}

#[derive(Debug, Default)]
pub(crate) struct Problems(Vec<(Option<Position>, String)>);

impl Problems {
    pub(crate) fn push(&mut self, at: Position, problem: String) {
        self.0.push((Some(at), problem));
    }

    pub(crate) fn push_missing(&mut self, problem: String) {
        self.0.push((None, problem));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn failure(mut self, file: &str) -> Failure {
        self.0.sort_by_key(|(at, _)| *at);
        let problem = |(at, message): (Option<Position>, String)| Problem {
            file: Some(file.to_owned()),
            position: at.map(|Position { line, column }| (line, column)),
            message,
            help: Some(format!("all keys are documented at {}", docs::PAGE_URL)),
        };
        Failure::Problems(self.0.into_iter().map(problem).collect())
    }

    #[cfg(test)]
    pub(crate) fn lines(self, file: &str) -> Vec<String> {
        let Failure::Problems(problems) = self.failure(file) else {
            return Vec::new();
        };
        let line = |problem: Problem| match problem.position {
            Some((line, column)) => format!("{file}:{line}:{column}: {}", problem.message),
            None => format!("{file}: {}", problem.message),
        };
        problems.into_iter().map(line).collect()
    }
}

pub(crate) fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

pub(crate) fn read(path: &Path) -> Result<Settings, Failure> {
    parse_file(path, &text(path)?)
}

pub(crate) fn text(path: &Path) -> Result<String, Failure> {
    let shown = path.display();
    fs::read_to_string(path).map_err(|error| {
        Failure::message(match error.kind() {
            io::ErrorKind::NotFound => format!(
                "the file `{shown}` does not exist\n  = help: run this in the folder of a project, or pass the file with `--config`; `cargo traitql new` creates a project"
            ),
            _ => format!("cannot read {shown}: {error}"),
        })
    })
}

pub(crate) fn parse_file(path: &Path, text: &str) -> Result<Settings, Failure> {
    let root = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let file = file_name(path);
    parse_named(text, root, &file).map_err(|problems| problems.failure(&file))
}

pub(crate) fn parse(text: &str, root: &Path) -> Result<Settings, Problems> {
    parse_named(text, root, "codegen.yml")
}

fn parse_named(text: &str, root: &Path, name: &str) -> Result<Settings, Problems> {
    let mut problems = Problems::default();
    let file = yaml::parse(text).map_err(|(at, problem)| Problems(vec![(at, problem)]))?;
    let section = match file.entries().iter().find(|entry| entry.key == "traitql") {
        Some(entry) => {
            read::section("traitql", entry.at, &entry.node, table::KEYS, &mut problems);
            entry.node.clone()
        }
        None => {
            let close = nearest("traitql", file.entries().iter().map(|entry| entry.key.as_str()));
            let close = close.map_or_else(String::new, |close| format!(": did you mean `{close}`?"));
            problems.push_missing(format!("the section `traitql` is missing{close}"));
            Node::default()
        }
    };
    let path = |key: &str| {
        let text = section.get(key).and_then(Node::text).unwrap_or_default();
        text.trim_end_matches('/').to_owned()
    };
    let settings = Settings {
        root: root.to_owned(),
        file: name.to_owned(),
        schema: Patterns::of_file("schema", name, patterns("schema", &file, &mut problems)),
        documents: Patterns::of_file("documents", name, patterns("documents", &file, &mut problems)),
        options: section
            .get("allow")
            .map(|allow| options(allow, &mut problems))
            .unwrap_or_default()
            .with_fields(section.get("fields").map(fields).unwrap_or_default())
            .with_names(
                section
                    .get("rename")
                    .map(texts)
                    .unwrap_or_default()
                    .into_iter()
                    .collect(),
            ),
        codegen: Config {
            crate_dir: path("crate"),
            generated: match path("generated") {
                none if none.is_empty() => DEFAULT_FOLDER.to_owned(),
                folder => folder,
            },
            manifest: path("manifest"),
            scalars: section.get("scalars").map(texts).unwrap_or_default(),
            enums: section.get("enums").map(texts).unwrap_or_default(),
            objects: section.get("objects").map(texts).unwrap_or_default(),
            shared: section.get("shared").map(Node::texts).unwrap_or_default(),
            extra: section.get("extra").map(extra).unwrap_or_default(),
            relations: section.get("relations").map(texts).unwrap_or_default(),
            derive: section.get("derive").map(derive).unwrap_or_default(),
            typescript: section
                .get("typescript")
                .and_then(|typescript| typescript.get("folder"))
                .and_then(Node::text)
                .map(|folder| folder.trim_end_matches('/').to_owned()),
            samples: matches!(
                section.get("samples"),
                Some(Node {
                    value: Value::Flag(true),
                    ..
                })
            ),
            cynic: section.get("cynic").map(cynic),
        },
        typescript: match section
            .get("typescript")
            .and_then(|typescript| typescript.get("command"))
        {
            None if file.get("generates").is_none() => Vec::new(),
            None => ["graphql-codegen", "--config", "codegen.yml"]
                .map(str::to_owned)
                .to_vec(),
            Some(command) => command.texts(),
        },
        section,
    };
    if let Some(Node {
        value: Value::Text(path),
        at,
        ..
    }) = settings.section.get("manifest")
        && !path.ends_with(".json")
    {
        problems.push(
            *at,
            format!("`traitql.manifest` must be the path of a `.json` file, not `{path}`"),
        );
    }
    if problems.is_empty() {
        Ok(settings)
    } else {
        Err(problems)
    }
}

fn options(allow: &Node, problems: &mut Problems) -> Options {
    let one = std::slice::from_ref(allow);
    let list = if let Value::List(list) = &allow.value {
        list
    } else {
        one
    };
    let mut known = Vec::new();
    for node in list {
        let Some(name) = node.text() else { continue };
        match Options::allowing([name]) {
            Ok(_) => known.push(name),
            Err(unknown) => unknown
                .iter()
                .for_each(|problem| problems.push(node.at, format!("`traitql.allow`: {problem}"))),
        }
    }
    Options::allowing(known).unwrap_or_default()
}

fn texts(node: &Node) -> IndexMap<String, String> {
    let entries = node.entries().iter();
    let texts = entries.filter_map(|entry| Some((entry.key.clone(), entry.node.text()?.to_owned())));
    texts.collect()
}

fn fields(node: &Node) -> BTreeMap<String, FieldKind> {
    let kind = |entry: &Entry| match entry.node.text()? {
        "data" => Some((entry.key.clone(), FieldKind::Data)),
        "resolve" => Some((entry.key.clone(), FieldKind::Resolved)),
        _ => None,
    };
    node.entries().iter().filter_map(kind).collect()
}

fn derive(node: &Node) -> Derive {
    let list = |key: &str| node.get(key).map(Node::texts).unwrap_or_default();
    let types = node.get("types").map(Node::entries).unwrap_or_default().iter();
    Derive {
        objects: list("objects"),
        inputs: list("inputs"),
        enums: list("enums"),
        types: types.map(|entry| (entry.key.clone(), entry.node.texts())).collect(),
    }
}

fn cynic(node: &Node) -> Cynic {
    let text = |key: &str| node.get(key).and_then(Node::text).unwrap_or_default();
    let list = |key: &str| node.get(key).map(Node::texts).unwrap_or_default();
    Cynic {
        folder: text("folder").trim_end_matches('/').to_owned(),
        schema: text("schema").to_owned(),
        operations: list("operations"),
        json: list("json"),
        scalars: node.get("scalars").map(texts).unwrap_or_default(),
    }
}

fn extra(node: &Node) -> IndexMap<String, IndexMap<String, String>> {
    let entries = node.entries().iter();
    entries.map(|entry| (entry.key.clone(), texts(&entry.node))).collect()
}

/// graphql-codegen also supports a pattern with options, `- schema/*.graphql: { loader: … }`; the options are ignored.
fn patterns(key: &str, file: &Node, problems: &mut Problems) -> Vec<(String, Position)> {
    let bare = |entry: &Node| match (&entry.value, entry.entries()) {
        (Value::Text(text), _) => Some((text.clone(), entry.at)),
        (_, [pattern]) => Some((pattern.key.clone(), pattern.at)),
        _ => None,
    };
    let patterns: Option<Vec<(String, Position)>> = match file.get(key) {
        Some(Node {
            value: Value::List(entries),
            ..
        }) => entries.iter().map(bare).collect(),
        Some(one) => bare(one).map(|one| vec![one]),
        None => None,
    };
    match (patterns, file.get(key)) {
        (Some(patterns), _) => return patterns,
        (None, Some(node)) => problems.push(
            node.at,
            format!("`{key}` must be a file pattern or a list of file patterns"),
        ),
        (None, None) => problems.push_missing(format!("`{key}` is missing: it must list the files to read")),
    }
    Vec::new()
}

#[cfg(test)]
mod tests;
