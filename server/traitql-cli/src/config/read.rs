//! Whether a section has the shape that the table says.

use traitql_schema::nearest;

use super::Problems;
use super::table::{Absent, Key, Names, Shape};
use super::yaml::{Node, Place, Value};

/// Checks a section and everything in it. `path` is its name in sentences: `traitql`.
pub(super) fn section(path: &str, at: Place, node: &Node, keys: &[Key], problems: &mut Problems) {
    match &node.value {
        Value::Map(_) | Value::Null => {}
        _ => {
            let known = listed(keys.iter().map(|key| key.name));
            return problems.push(
                node.at,
                format!(
                    "`{path}` must be a section with keys of {known}, and is {}",
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
                    None => format!("known are {}", listed(keys.iter().map(|key| key.name))),
                };
                problems.push(entry.at, format!("`{path}` has no key `{name}`; {help}"));
            }
        }
    }
    for key in keys.iter().filter(|key| matches!(key.absent, Absent::Refused)) {
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

/// Checks what stands behind a key.
fn value(path: &str, node: &Node, shape: &Shape, problems: &mut Problems) {
    let fits = match (shape, &node.value) {
        (Shape::Path, Value::Text(text)) => {
            if text.is_empty() || text.starts_with('/') || text.split('/').any(|part| part == "..") {
                problems.push(
                    node.at,
                    format!("`{path}` must be a path below the folder of codegen.yml, not `{text}`"),
                );
            }
            true
        }
        (Shape::Module, Value::Text(text)) => {
            let parts = text
                .trim_end_matches('/')
                .strip_prefix("src/")
                .map(|below| below.split('/'));
            let modules = parts.is_some_and(|mut parts| parts.all(|part| syn::parse_str::<syn::Ident>(part).is_ok()));
            if !modules {
                problems.push(
                    node.at,
                    format!("`{path}` must be a folder below `src` whose parts can be names of modules, not `{text}`"),
                );
            }
            true
        }
        (Shape::RustName, Value::Text(text)) => {
            if text.starts_with("r#") || syn::parse_str::<syn::Ident>(text).is_err() {
                let problem = format!("`{path}`: `{text}` can be no name in Rust");
                problems.push(node.at, problem);
            }
            true
        }
        (Shape::RustType | Shape::OwnType, Value::Text(_)) | (Shape::Flag, Value::Flag(_)) => true,
        (Shape::Texts(_) | Shape::Conventions | Shape::Derives | Shape::List(_), Value::Text(_)) => true,
        (Shape::Texts(_) | Shape::Conventions | Shape::Derives | Shape::List(_), Value::List(list)) => {
            list.iter().all(|entry| entry.text().is_some())
        }
        (Shape::Word(words), Value::Text(text)) => {
            if !words.contains(&text.as_str()) {
                let near = nearest(text, words.iter().copied());
                let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
                let problem = format!("`{path}` must be {}, not `{text}`{near}", self::words(shape));
                problems.push(node.at, problem);
            }
            true
        }
        (Shape::Section(keys), _) => {
            section(path, node.at, node, keys, problems);
            true
        }
        (Shape::Map(..), Value::Null) => true,
        (Shape::Map(_, inner), Value::Map(entries)) => {
            for entry in entries {
                value(&format!("{path}.{}", entry.key), &entry.node, inner, problems);
            }
            true
        }
        _ => false,
    };
    if !fits {
        problems.push(
            node.at,
            format!("`{path}` must be {}, and is {}", words(shape), node.what()),
        );
    }
}

/// Called with a path in sentences, a place, and what is there.
pub(super) type Visitor<'v> = &'v mut dyn FnMut(&str, Place, Seen<'_>);

/// Visits everything in a section whose shape is right: what the names of maps are, and what stands behind them.
pub(crate) fn visit(path: &str, node: &Node, keys: &'static [Key], visitor: Visitor<'_>) {
    for (entry, key) in node
        .entries()
        .iter()
        .filter_map(|entry| Some((entry, keys.iter().find(|key| key.name == entry.key)?)))
    {
        visit_value(&format!("{path}.{}", entry.key), &entry.node, &key.shape, visitor);
    }
}

fn visit_value(path: &str, node: &Node, shape: &'static Shape, visitor: Visitor<'_>) {
    match shape {
        Shape::Map(names, inner) => {
            for entry in node.entries() {
                let path = format!("{path}.{}", entry.key);
                visitor(&path, entry.at, Seen::Name(*names, &entry.key));
                visit_value(&path, &entry.node, inner, visitor);
            }
        }
        Shape::RustType => visitor(path, node.at, Seen::RustType(node.text().unwrap_or_default())),
        Shape::Derives => {
            for entry in entries(node) {
                visitor(path, entry.at, Seen::Derive(entry.text().unwrap_or_default()));
            }
        }
        Shape::List(names) => {
            for entry in entries(node) {
                let name = entry.text().unwrap_or_default();
                visitor(&format!("{path}.{name}"), entry.at, Seen::Name(*names, name));
            }
        }
        Shape::Section(keys) => visit(path, node, keys, visitor),
        Shape::OwnType => visitor(path, node.at, Seen::OwnType(node.text().unwrap_or_default())),
        Shape::Path
        | Shape::Module
        | Shape::RustName
        | Shape::Flag
        | Shape::Texts(_)
        | Shape::Word(_)
        | Shape::Conventions => {}
    }
}

/// The entries of a list, or what stands alone in the place of one.
fn entries(node: &Node) -> &[Node] {
    match &node.value {
        Value::List(list) => list,
        _ => std::slice::from_ref(node),
    }
}

/// Something in a section that has to fit more than its shape.
pub(crate) enum Seen<'n> {
    Name(Names, &'n str),
    RustType(&'n str),
    OwnType(&'n str),
    Derive(&'n str),
}

/// What a value should be.
fn words(shape: &Shape) -> String {
    match shape {
        Shape::Path => "a path".to_owned(),
        Shape::Module => "a folder below `src`".to_owned(),
        Shape::RustType => "a type of Rust".to_owned(),
        Shape::RustName => "a name of Rust".to_owned(),
        Shape::OwnType => "the path of a type of the crate".to_owned(),
        Shape::Flag => "`true` or `false`".to_owned(),
        Shape::Texts(what) => format!("{what}, as a text or a list of texts"),
        Shape::Conventions => "a list of conventions".to_owned(),
        Shape::Derives => "the path of a derive macro, or a list of them".to_owned(),
        Shape::List(names) => format!("a list of {}", names.words()),
        Shape::Word(words) => words
            .iter()
            .map(|word| format!("`{word}`"))
            .collect::<Vec<_>>()
            .join(" or "),
        Shape::Section(keys) => format!("a section with keys of {}", listed(keys.iter().map(|key| key.name))),
        Shape::Map(names, inner) => format!("a section of {}, each with {}", names.words(), words(inner)),
    }
}

fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

/// The first sentence, without its stop.
fn first_sentence(text: &str) -> &str {
    text.split_once(". ")
        .map_or(text, |(first, _)| first)
        .trim_end_matches('.')
}

fn lower_first(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}
