//! `codegen.yml`: one file for both languages. graphql-codegen ignores the section `traitql`, and traitql ignores what is
//! graphql-codegen's; both read `schema` and `documents`.
//!
//! Inside `traitql` every key is known: one that is misspelt is refused with the nearest name, because a setting that is
//! silently ignored costs an afternoon.

use std::fs;
use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use serde_json::{Map, Value};
use traitql_codegen::Config;
use traitql_schema::{Options, nearest};

use crate::output::Failure;

/// What `codegen.yml` says.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    /// Folder of `codegen.yml`; all paths are relative to it.
    pub(crate) root: PathBuf,
    /// Patterns of schema files.
    pub(crate) schema: Vec<String>,
    /// Patterns of operation files.
    pub(crate) documents: Vec<String>,
    /// What the generator wants to know.
    pub(crate) codegen: Config,
    /// The conventions that this project gives up.
    pub(crate) options: Options,
    /// The command that generates TypeScript, and its arguments.
    pub(crate) typescript: Vec<String>,
}

impl Settings {
    /// The folder of generated Rust, which belongs to the generator alone.
    pub(crate) fn generated_folder(&self) -> String {
        match self.codegen.crate_dir.as_str() {
            "." => "src/generated".to_owned(),
            folder => format!("{folder}/src/generated"),
        }
    }
}

/// Keys of the section `traitql`.
const KEYS: [&str; 6] = ["crate", "manifest", "allow", "scalars", "extra", "typescript"];

/// Reads the configuration.
pub(crate) fn read(path: &Path) -> Result<Settings, Failure> {
    let shown = path.display();
    let text = fs::read_to_string(path).map_err(|error| Failure::message(format!("cannot read {shown}: {error}")))?;
    let root = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    parse(&text, root).map_err(|problems| {
        let problems = problems.iter().map(|problem| format!("{shown}: {problem}"));
        Failure::message(problems.collect::<Vec<_>>().join("\nerror: "))
    })
}

/// Understands the text of a configuration, or says everything that is wrong with it.
pub(crate) fn parse(text: &str, root: &Path) -> Result<Settings, Vec<String>> {
    let file: Map<String, Value> = serde_saphyr::from_str(text).map_err(|error| vec![error.to_string()])?;
    let mut problems = Vec::new();
    let empty = Map::new();
    let section = match file.get("traitql") {
        Some(Value::Object(section)) => section,
        Some(_) => {
            problems.push(
                "`traitql` must be a section with the keys `crate`, `manifest`, `scalars` and `extra`".to_owned(),
            );
            &empty
        }
        None => {
            let close = nearest("traitql", file.keys().map(String::as_str));
            let close = close.map_or_else(String::new, |close| format!(": did you mean `{close}`?"));
            problems.push(format!("the section `traitql` is missing{close}"));
            &empty
        }
    };
    for key in section.keys().filter(|key| !KEYS.contains(&key.as_str())) {
        let help = nearest(key, KEYS).map_or_else(
            || format!("known are {}", KEYS.map(|key| format!("`{key}`")).join(", ")),
            |near| format!("did you mean `{near}`?"),
        );
        problems.push(format!(
            "line {}: `traitql` has no key `{key}`; {help}",
            line_of(text, key)
        ));
    }
    let mut required = |key: &str| match section.get(key) {
        Some(Value::String(value)) => value.trim_end_matches('/').to_owned(),
        _ => {
            if !section.is_empty() {
                problems.push(format!("`traitql.{key}` must be a path"));
            }
            String::new()
        }
    };
    let crate_dir = required("crate");
    let manifest = required("manifest");
    let scalars = texts("traitql.scalars", section.get("scalars"), &mut problems);
    let mut extra = IndexMap::new();
    match section.get("extra") {
        Some(Value::Object(types)) => {
            for (name, fields) in types {
                extra.insert(
                    name.clone(),
                    texts(&format!("traitql.extra.{name}"), Some(fields), &mut problems),
                );
            }
        }
        Some(Value::Null) | None => {}
        Some(_) => problems.push("`traitql.extra` must give types and their extra fields".to_owned()),
    }
    let typescript = match section.get("typescript") {
        None => ["npx", "graphql-codegen", "--config", "codegen.yml"]
            .map(str::to_owned)
            .to_vec(),
        value => list("traitql.typescript", value, &mut problems),
    };
    let allow = match section.get("allow") {
        None => Vec::new(),
        value => list("traitql.allow", value, &mut problems),
    };
    let options = Options::allowing(allow.iter().map(String::as_str)).unwrap_or_else(|unknown| {
        problems.extend(unknown.iter().map(|problem| format!("`traitql.allow`: {problem}")));
        Options::default()
    });
    let settings = Settings {
        root: root.to_owned(),
        schema: patterns("schema", file.get("schema"), &mut problems),
        documents: patterns("documents", file.get("documents"), &mut problems),
        codegen: Config {
            crate_dir,
            manifest,
            scalars,
            extra,
        },
        options,
        typescript,
    };
    if problems.is_empty() {
        Ok(settings)
    } else {
        Err(problems)
    }
}

/// Patterns of files. graphql-codegen also takes a pattern with options, `- schema/*.graphql: { loader: … }`, whose options
/// are its own matter.
fn patterns(key: &str, value: Option<&Value>, problems: &mut Vec<String>) -> Vec<String> {
    let bare = |entry: &Value| match entry {
        Value::Object(options) if options.len() == 1 => {
            options.keys().next().cloned().map_or(Value::Null, Value::String)
        }
        other => other.clone(),
    };
    let value = match value {
        Some(Value::Array(entries)) => Some(Value::Array(entries.iter().map(bare).collect())),
        Some(other) => Some(bare(other)),
        None => None,
    };
    list(key, value.as_ref(), problems)
}

/// A text or a list of texts.
fn list(key: &str, value: Option<&Value>, problems: &mut Vec<String>) -> Vec<String> {
    match value {
        Some(Value::String(one)) => vec![one.clone()],
        Some(Value::Array(items)) if items.iter().all(Value::is_string) => {
            items.iter().filter_map(Value::as_str).map(str::to_owned).collect()
        }
        _ => {
            problems.push(format!("`{key}` must be a text or a list of texts"));
            Vec::new()
        }
    }
}

/// Names and texts.
fn texts(key: &str, value: Option<&Value>, problems: &mut Vec<String>) -> IndexMap<String, String> {
    let mut map = IndexMap::new();
    match value {
        Some(Value::Object(entries)) => {
            for (name, value) in entries {
                match value {
                    Value::String(text) => {
                        map.insert(name.clone(), text.clone());
                    }
                    _ => problems.push(format!("`{key}.{name}` must be a Rust type")),
                }
            }
        }
        Some(Value::Null) | None => {}
        Some(_) => problems.push(format!("`{key}` must give names and Rust types")),
    }
    map
}

/// The line, from 1, on which a key of the section `traitql` stands.
fn line_of(text: &str, key: &str) -> usize {
    let begins = |line: &str, key: &str| line.trim_start().trim_start_matches(['"', '\'']).starts_with(key);
    let section = text.lines().position(|line| begins(line, "traitql")).unwrap_or(0);
    let below = text.lines().skip(section + 1).position(|line| begins(line, key));
    section + below.map_or(1, |index| index + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "schema: schema/*.graphql\ndocuments: [a/*.graphql, b/*.graphql: { loader: ./x.mjs }]\nconfig: { scalars: {} }\n\
        traitql:\n  crate: api/\n  manifest: manifest.json\n  scalars:\n    Url: traitql::Url\n";

    fn problems(text: &str) -> Vec<String> {
        parse(text, Path::new(".")).expect_err("the text is wrong on purpose")
    }

    #[test]
    fn keys_of_others_are_left_alone() {
        let settings = parse(GOOD, Path::new(".")).expect("the text is right");
        assert_eq!(settings.documents, ["a/*.graphql", "b/*.graphql"]);
        assert_eq!(settings.codegen.crate_dir, "api");
        assert_eq!(settings.generated_folder(), "api/src/generated");
        assert_eq!(settings.typescript[0], "npx");
    }

    #[test]
    fn a_misspelt_key_is_refused_with_the_nearest_one() {
        let text = GOOD.replace("  scalars:\n", "  scalers:\n");
        assert_eq!(
            problems(&text),
            ["line 7: `traitql` has no key `scalers`; did you mean `scalars`?"]
        );
    }

    #[test]
    fn only_conventions_can_be_given_up() {
        let settings = parse(&format!("{GOOD}  allow: [input_suffix]\n"), Path::new(".")).expect("the text is right");
        let allowed: Vec<&str> = settings.options.allowed().map(|code| code.slug).collect();
        assert_eq!(allowed, ["input_suffix"]);
        assert_eq!(
            problems(&format!("{GOOD}  allow: inputsuffix\n")),
            ["`traitql.allow`: `inputsuffix` is no convention that can be given up; did you mean `input_suffix`?"]
        );
    }

    #[test]
    fn everything_that_is_wrong_is_said_at_once() {
        let text = "schema: 3\ndocuments: x\ntraitql:\n  crate: 1\n  extra: []\n";
        assert_eq!(
            problems(text),
            [
                "`traitql.crate` must be a path",
                "`traitql.manifest` must be a path",
                "`traitql.extra` must give types and their extra fields",
                "`schema` must be a text or a list of texts",
            ]
        );
        assert_eq!(
            problems("schema: x\ndocuments: z\ntraitQL: {}\n"),
            ["the section `traitql` is missing: did you mean `traitQL`?"]
        );
    }
}
