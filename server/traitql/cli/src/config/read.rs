use traitql_schema::nearest;

use super::Problems;
use super::table::{Key, KeyKind, ValueType, WhenOmitted};
use super::yaml::{Node, Value};
use crate::output::Position;

/// `path` is the section's name in messages.
pub(super) fn section(path: &str, at: Position, node: &Node, keys: &[Key], problems: &mut Problems) {
    match &node.value {
        Value::Map(_) | Value::Null => {}
        _ => {
            let known = listed(keys.iter().map(|key| key.name));
            return problems.push(
                node.at,
                format!(
                    "`{path}` must be a section with the keys {known}, but it is {}",
                    node.what()
                ),
            );
        }
    }
    for entry in node.entries() {
        let name = &entry.key;
        match keys.iter().find(|key| key.name == name) {
            Some(key) => value(&format!("{path}.{name}"), &entry.node, &key.shape, problems),
            None => {
                let help = match nearest(name, keys.iter().map(|key| key.name)) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("the known keys are {}", listed(keys.iter().map(|key| key.name))),
                };
                problems.push(entry.at, format!("`{path}` has no key `{name}`; {help}"));
            }
        }
    }
    for key in keys
        .iter()
        .filter(|key| matches!(key.when_omitted, WhenOmitted::Required))
    {
        if node.get(key.name).is_none() {
            problems.push(
                at,
                format!(
                    "`{path}.{}` is missing: {}",
                    key.name,
                    lower_first(first_sentence(key.doc))
                ),
            );
        }
    }
}

fn value(path: &str, node: &Node, shape: &ValueType, problems: &mut Problems) {
    let is_valid = match (shape, &node.value) {
        (ValueType::Path, Value::Text(text)) => {
            if text.is_empty() || text.starts_with('/') || text.split('/').any(|part| part == "..") {
                problems.push(
                    node.at,
                    format!("`{path}` must be a path within the folder of codegen.yml, not `{text}`"),
                );
            }
            true
        }
        (ValueType::Module, Value::Text(text)) => {
            let parts = text
                .trim_end_matches('/')
                .strip_prefix("src/")
                .map(|below| below.split('/'));
            let modules = parts.is_some_and(|mut parts| parts.all(|part| syn::parse_str::<syn::Ident>(part).is_ok()));
            if !modules {
                problems.push(
                    node.at,
                    format!("`{path}` must be a folder within `src` whose parts are valid module names, not `{text}`"),
                );
            }
            true
        }
        (ValueType::RustName, Value::Text(text)) => {
            if text.starts_with("r#") || syn::parse_str::<syn::Ident>(text).is_err() {
                let problem = format!("`{path}`: `{text}` is not a valid Rust identifier");
                problems.push(node.at, problem);
            }
            true
        }
        (ValueType::RustType | ValueType::OwnType, Value::Text(_)) | (ValueType::Flag, Value::Flag(_)) => true,
        (ValueType::Texts(_) | ValueType::Conventions | ValueType::Derives | ValueType::List(_), Value::Text(_)) => {
            true
        }
        (ValueType::Texts(_) | ValueType::Conventions | ValueType::Derives | ValueType::List(_), Value::List(list)) => {
            list.iter().all(|entry| entry.text().is_some())
        }
        (ValueType::Word(words), Value::Text(text)) => {
            if !words.contains(&text.as_str()) {
                let near = nearest(text, words.iter().copied());
                let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
                let problem = format!("`{path}` must be {}, not `{text}`{near}", self::words(shape));
                problems.push(node.at, problem);
            }
            true
        }
        (ValueType::Section(keys), _) => {
            section(path, node.at, node, keys, problems);
            true
        }
        (ValueType::Map(..), Value::Null) => true,
        (ValueType::Map(_, inner), Value::Map(entries)) => {
            for entry in entries {
                value(&format!("{path}.{}", entry.key), &entry.node, inner, problems);
            }
            true
        }
        _ => false,
    };
    if !is_valid {
        problems.push(
            node.at,
            format!("`{path}` must be {}, but it is {}", words(shape), node.what()),
        );
    }
}

/// Receives a path for messages, a position and a name or type.
pub(super) type Visitor<'v> = &'v mut dyn FnMut(&str, Position, Reference<'_>);

pub(crate) fn visit(path: &str, node: &Node, keys: &'static [Key], visitor: Visitor<'_>) {
    for (entry, key) in node
        .entries()
        .iter()
        .filter_map(|entry| Some((entry, keys.iter().find(|key| key.name == entry.key)?)))
    {
        visit_value(&format!("{path}.{}", entry.key), &entry.node, &key.shape, visitor);
    }
}

fn visit_value(path: &str, node: &Node, shape: &'static ValueType, visitor: Visitor<'_>) {
    match shape {
        ValueType::Map(names, inner) => {
            for entry in node.entries() {
                let path = format!("{path}.{}", entry.key);
                visitor(&path, entry.at, Reference::Name(*names, &entry.key));
                visit_value(&path, &entry.node, inner, visitor);
            }
        }
        ValueType::RustType => visitor(path, node.at, Reference::RustType(node.text().unwrap_or_default())),
        ValueType::Derives => {
            for entry in entries(node) {
                visitor(path, entry.at, Reference::Derive(entry.text().unwrap_or_default()));
            }
        }
        ValueType::List(names) => {
            for entry in entries(node) {
                let name = entry.text().unwrap_or_default();
                visitor(&format!("{path}.{name}"), entry.at, Reference::Name(*names, name));
            }
        }
        ValueType::Section(keys) => visit(path, node, keys, visitor),
        ValueType::OwnType => visitor(path, node.at, Reference::OwnType(node.text().unwrap_or_default())),
        ValueType::Path
        | ValueType::Module
        | ValueType::RustName
        | ValueType::Flag
        | ValueType::Texts(_)
        | ValueType::Word(_)
        | ValueType::Conventions => {}
    }
}

fn entries(node: &Node) -> &[Node] {
    match &node.value {
        Value::List(list) => list,
        _ => std::slice::from_ref(node),
    }
}

pub(crate) enum Reference<'n> {
    Name(KeyKind, &'n str),
    RustType(&'n str),
    OwnType(&'n str),
    Derive(&'n str),
}

fn words(shape: &ValueType) -> String {
    match shape {
        ValueType::Path => "a path".to_owned(),
        ValueType::Module => "a folder within `src`".to_owned(),
        ValueType::RustType => "a Rust type".to_owned(),
        ValueType::RustName => "a Rust identifier".to_owned(),
        ValueType::OwnType => "the path of a type of the crate".to_owned(),
        ValueType::Flag => "`true` or `false`".to_owned(),
        ValueType::Texts(what) => format!("{what}, as a string or a list of strings"),
        ValueType::Conventions => "a list of conventions".to_owned(),
        ValueType::Derives => "the path of a derive macro, or a list of them".to_owned(),
        ValueType::List(names) => format!("a list of {}", names.words()),
        ValueType::Word(words) => words
            .iter()
            .map(|word| format!("`{word}`"))
            .collect::<Vec<_>>()
            .join(" or "),
        ValueType::Section(keys) => format!("a section with the keys {}", listed(keys.iter().map(|key| key.name))),
        ValueType::Map(names, inner) => format!("a section of {}, each with {}", names.words(), words(inner)),
    }
}

fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

fn first_sentence(text: &str) -> &str {
    text.split_once(". ")
        .map_or(text, |(first, _)| first)
        .trim_end_matches('.')
}

fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    chars
        .next()
        .map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}
