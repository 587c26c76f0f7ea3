//! YAML as a tree that knows where everything stands, so that a problem can be shown at its place and not only named.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::Spanned;

/// Line and column, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct Place {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

/// A value and where it begins.
#[derive(Debug, Clone, Default)]
pub(crate) struct Node {
    pub(crate) at: Place,
    pub(crate) value: Value,
}

/// What a value is.
#[derive(Debug, Clone, Default)]
pub(crate) enum Value {
    #[default]
    Null,
    Flag(bool),
    Number,
    Text(String),
    List(Vec<Node>),
    Map(Vec<Entry>),
}

/// A key, where it stands, and its value.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) key: String,
    pub(crate) at: Place,
    pub(crate) node: Node,
}

/// Reads a document. The error is one sentence, with its place if it has one.
pub(crate) fn parse(text: &str) -> Result<Node, (Option<Place>, String)> {
    serde_saphyr::from_str(text).map_err(|error| {
        let at = error.location().map(|at| place(&at));
        // What the parser says besides, an excerpt of the file, is shown by whoever shows the problem.
        let said = error.without_snippet().to_string();
        let sentence = said.lines().next().unwrap_or_default();
        let sentence = sentence
            .split_once(" at line ")
            .map_or(sentence, |(sentence, _)| sentence);
        // It goes on with an option of the parser, which nobody can set here.
        let twice = sentence.strip_prefix("duplicate mapping key: ");
        match twice.and_then(|rest| rest.split_once(", ")) {
            Some((key, _)) => (at, format!("the key `{key}` is there twice")),
            None => (at, sentence.to_owned()),
        }
    })
}

fn place(at: &serde_saphyr::Location) -> Place {
    Place {
        line: usize::try_from(at.line()).unwrap_or(usize::MAX),
        column: usize::try_from(at.column()).unwrap_or(usize::MAX),
    }
}

impl Node {
    /// The entries of a map; none of anything else.
    pub(crate) fn entries(&self) -> &[Entry] {
        match &self.value {
            Value::Map(entries) => entries,
            _ => &[],
        }
    }

    /// The value of a key.
    pub(crate) fn get(&self, key: &str) -> Option<&Node> {
        self.entries()
            .iter()
            .find(|entry| entry.key == key)
            .map(|entry| &entry.node)
    }

    /// The text, if it is one.
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The texts of a list, or the one text.
    pub(crate) fn texts(&self) -> Vec<String> {
        match &self.value {
            Value::Text(one) => vec![one.clone()],
            Value::List(list) => list.iter().filter_map(Node::text).map(str::to_owned).collect(),
            _ => Vec::new(),
        }
    }

    /// What it is, for sentences about what it should be.
    pub(crate) fn what(&self) -> &'static str {
        match &self.value {
            Value::Null => "nothing",
            Value::Flag(_) => "true or false",
            Value::Number => "a number",
            Value::Text(_) => "a text",
            Value::List(_) => "a list",
            Value::Map(_) => "a section",
        }
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spanned = Spanned::<Value>::deserialize(deserializer)?;
        Ok(Self {
            at: place(&spanned.referenced),
            value: spanned.value,
        })
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyValue)
    }
}

struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Value, E> {
        Ok(Value::Flag(flag))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Value, E> {
        Ok(Value::Number)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Value, E> {
        Ok(Value::Number)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Value, E> {
        Ok(Value::Number)
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut nodes = Vec::new();
        while let Some(node) = list.next_element()? {
            nodes.push(node);
        }
        Ok(Value::List(nodes))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut entries = Vec::new();
        while let Some((key, node)) = map.next_entry::<Spanned<String>, Node>()? {
            entries.push(Entry {
                at: place(&key.referenced),
                key: key.value,
                node,
            });
        }
        Ok(Value::Map(entries))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_values_know_their_places() {
        let tree = parse("a: 1\nb:\n  c: [x, {d: y}]\n").expect("YAML");
        let b = &tree.entries()[1];
        assert_eq!((b.at.line, b.at.column), (2, 1));
        let c = &b.node.entries()[0];
        assert_eq!((c.at.line, c.at.column), (3, 3));
        assert_eq!((c.node.at.line, c.node.at.column), (3, 6));
        assert_eq!(tree.get("a").map(Node::what), Some("a number"));
    }

    #[test]
    fn a_key_that_stands_twice_and_a_broken_file_have_a_place() {
        let (at, said) = parse("a: 1\nb: 2\na: 3\n").expect_err("a key stands twice");
        assert_eq!(at.map(|at| (at.line, at.column)), Some((3, 1)), "{said}");
        assert_eq!(said, "the key `a` is there twice");
        let (at, said) = parse("a: [1\nb: 2\n").expect_err("the list has no end");
        assert!(at.is_some_and(|at| at.line > 0) && !said.contains('\n'), "{said}");
    }
}
