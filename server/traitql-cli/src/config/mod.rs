//! `codegen.yml`: one file for both languages. graphql-codegen ignores the section `traitql`, and traitql ignores what is
//! graphql-codegen's; both read `schema` and `documents`.
//!
//! Inside `traitql` every key is known: one that is misspelt is refused with the nearest name, because a setting that is
//! silently ignored costs an afternoon.

pub(crate) mod editors;
mod read;
mod table;
mod yaml;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use traitql_codegen::{Config, DEFAULT_FOLDER, Derive};
use traitql_schema::model::FieldKind;
use traitql_schema::{Options, nearest};

use crate::output::{Failure, Problem};
use crate::patterns::Patterns;
pub(crate) use read::Seen;
pub(crate) use table::Names;
pub(crate) use yaml::Place;
use yaml::{Entry, Node, Value};

/// What `codegen.yml` says.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    /// Folder of `codegen.yml`; all paths are relative to it.
    pub(crate) root: PathBuf,
    /// Name of the file in its folder.
    pub(crate) file: String,
    /// The schema's files.
    pub(crate) schema: Patterns,
    /// The files of operations.
    pub(crate) documents: Patterns,
    /// What the schema and the operations may do otherwise.
    pub(crate) options: Options,
    /// What the generator wants to know.
    pub(crate) codegen: Config,
    /// The command that generates TypeScript, and its arguments.
    pub(crate) typescript: Vec<String>,
    /// The section `traitql` as it stands in the file.
    section: Node,
}

impl Settings {
    /// The folder of generated Rust, which belongs to the generator alone.
    pub(crate) fn generated_folder(&self) -> String {
        self.codegen.folder()
    }

    /// How to read a former state of the project: what was written then was permitted then, whatever is said today.
    pub(crate) fn lenient(&self) -> Options {
        let fields = self.options.fields();
        let fields = fields.map(|(coordinate, kind)| (coordinate.to_owned(), kind));
        let names = self.options.names();
        let names = names.map(|(coordinate, name)| (coordinate.to_owned(), name.to_owned()));
        Options::lenient()
            .with_fields(fields.collect())
            .with_names(names.collect())
    }

    /// Visits every name and every type of Rust in the section `traitql`: its path in sentences, its place, and what it is.
    pub(crate) fn visit(&self, visitor: read::Visitor<'_>) {
        read::visit("traitql", &self.section, table::KEYS, visitor);
    }

    /// Where a key of the section `traitql` stands: `["extra", "Tour"]`. The nearest thing around it when it is not there.
    pub(crate) fn place(&self, path: &[&str]) -> Place {
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

/// What is wrong with a configuration, each with its place if it has one.
#[derive(Debug, Default)]
pub(crate) struct Problems(Vec<(Option<Place>, String)>);

impl Problems {
    pub(crate) fn push(&mut self, at: Place, problem: String) {
        self.0.push((Some(at), problem));
    }

    /// A problem that stands nowhere: something is missing.
    pub(crate) fn push_missing(&mut self, problem: String) {
        self.0.push((None, problem));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All of them in the order of the file, as the reason why a command failed.
    pub(crate) fn failure(mut self, file: &str) -> Failure {
        self.0.sort_by_key(|(at, _)| *at);
        let problem = |(at, message): (Option<Place>, String)| Problem {
            file: Some(file.to_owned()),
            place: at.map(|Place { line, column }| (line, column)),
            message,
            help: Some(format!("every key is explained at {}", editors::PAGE)),
        };
        Failure::Problems(self.0.into_iter().map(problem).collect())
    }

    /// One line for each, in the order of the file.
    #[cfg(test)]
    pub(crate) fn lines(self, file: &str) -> Vec<String> {
        match self.failure(file) {
            Failure::Problems(problems) => problems.iter().map(Problem::line).collect(),
            _ => Vec::new(),
        }
    }
}

/// Name of the configuration as it stands in its folder.
pub(crate) fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Reads the configuration.
pub(crate) fn read(path: &Path) -> Result<Settings, Failure> {
    understand(path, &text(path)?)
}

/// The text of the configuration.
pub(crate) fn text(path: &Path) -> Result<String, Failure> {
    let shown = path.display();
    fs::read_to_string(path).map_err(|error| {
        Failure::message(match error.kind() {
            io::ErrorKind::NotFound => format!(
                "there is no file `{shown}`\n  = help: run this in the folder of a project, or name the file with `--config`; `cargo traitql new` makes a project"
            ),
            _ => format!("cannot read {shown}: {error}"),
        })
    })
}

/// What a text says that was read from `path`.
pub(crate) fn understand(path: &Path, text: &str) -> Result<Settings, Failure> {
    let root = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let file = file_name(path);
    parse_named(text, root, &file).map_err(|problems| problems.failure(&file))
}

/// Understands the text of a configuration, or says everything that is wrong with it.
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
        },
        typescript: match section
            .get("typescript")
            .and_then(|typescript| typescript.get("command"))
        {
            None if file.get("generates").is_none() => Vec::new(),
            None => ["npx", "graphql-codegen", "--config", "codegen.yml"]
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
            format!("`traitql.manifest` must be the path of a file `….json`, not `{path}`"),
        );
    }
    if problems.is_empty() {
        Ok(settings)
    } else {
        Err(problems)
    }
}

/// The conventions that are given up.
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

/// Names and texts.
fn texts(node: &Node) -> IndexMap<String, String> {
    let entries = node.entries().iter();
    let texts = entries.filter_map(|entry| Some((entry.key.clone(), entry.node.text()?.to_owned())));
    texts.collect()
}

/// Where the values of single fields come from.
fn fields(node: &Node) -> BTreeMap<String, FieldKind> {
    let kind = |entry: &Entry| match entry.node.text()? {
        "data" => Some((entry.key.clone(), FieldKind::Data)),
        "resolve" => Some((entry.key.clone(), FieldKind::Resolved)),
        _ => None,
    };
    node.entries().iter().filter_map(kind).collect()
}

/// What generated types derive.
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

/// Types, and the names and types of their extra fields.
fn extra(node: &Node) -> IndexMap<String, IndexMap<String, String>> {
    let entries = node.entries().iter();
    entries.map(|entry| (entry.key.clone(), texts(&entry.node))).collect()
}

/// Patterns of files. graphql-codegen also takes a pattern with options, `- schema/*.graphql: { loader: … }`, whose options
/// are its own matter.
fn patterns(key: &str, file: &Node, problems: &mut Problems) -> Vec<(String, Place)> {
    let bare = |entry: &Node| match (&entry.value, entry.entries()) {
        (Value::Text(text), _) => Some((text.clone(), entry.at)),
        (_, [pattern]) => Some((pattern.key.clone(), pattern.at)),
        _ => None,
    };
    let patterns: Option<Vec<(String, Place)>> = match file.get(key) {
        Some(Node {
            value: Value::List(entries),
            ..
        }) => entries.iter().map(bare).collect(),
        Some(one) => bare(one).map(|one| vec![one]),
        None => None,
    };
    match (patterns, file.get(key)) {
        (Some(patterns), _) => return patterns,
        (None, Some(node)) => problems.push(node.at, format!("`{key}` must be a pattern of files or a list of them")),
        (None, None) => problems.push_missing(format!("`{key}` is missing: it says which files to read")),
    }
    Vec::new()
}

#[cfg(test)]
mod tests;
