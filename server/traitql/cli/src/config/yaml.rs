//! Errors need line and column.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::Spanned;

use crate::output::Position;

#[derive(Debug, Clone, Default)]
pub(crate) struct Node {
    pub(crate) at: Position,
    pub(crate) value: Value,
}

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

#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) key: String,
    pub(crate) at: Position,
    pub(crate) node: Node,
}

/// Parses a document. The error is one sentence with its position, if known.
pub(crate) fn parse(text: &str) -> Result<Node, (Option<Position>, String)> {
    serde_saphyr::from_str(text).map_err(|error| {
        let at = error.location().map(|at| position(&at));
        // The output code adds the position, so the parser's excerpt of the file is not needed.
        let message = error.without_snippet().to_string();
        let sentence = message.lines().next().unwrap_or_default();
        let sentence = sentence
            .split_once(" at line ")
            .map_or(sentence, |(sentence, _)| sentence);
        // The rest refers to an unavailable parser option.
        let duplicate = sentence.strip_prefix("duplicate mapping key: ");
        match duplicate.and_then(|rest| rest.split_once(", ")) {
            Some((key, _)) => (at, format!("the key `{key}` occurs twice")),
            None => (at, sentence.to_owned()),
        }
    })
}

fn position(at: &serde_saphyr::Location) -> Position {
    Position {
        line: usize::try_from(at.line()).unwrap_or(usize::MAX),
        column: usize::try_from(at.column()).unwrap_or(usize::MAX),
    }
}

impl Node {
    pub(crate) fn entries(&self) -> &[Entry] {
        match &self.value {
            Value::Map(entries) => entries,
            _ => &[],
        }
    }

    pub(crate) fn get(&self, key: &str) -> Option<&Node> {
        self.entries()
            .iter()
            .find(|entry| entry.key == key)
            .map(|entry| &entry.node)
    }

    pub(crate) fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn texts(&self) -> Vec<String> {
        match &self.value {
            Value::Text(one) => vec![one.clone()],
            Value::List(list) => list.iter().filter_map(Node::text).map(str::to_owned).collect(),
            _ => Vec::new(),
        }
    }

    pub(crate) fn what(&self) -> &'static str {
        match &self.value {
            Value::Null => "empty",
            Value::Flag(_) => "true or false",
            Value::Number => "a number",
            Value::Text(_) => "a string",
            Value::List(_) => "a list",
            Value::Map(_) => "a section",
        }
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spanned = Spanned::<Value>::deserialize(deserializer)?;
        Ok(Self {
            at: position(&spanned.referenced),
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
                at: position(&key.referenced),
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
    fn keys_and_values_have_positions() {
        let tree = parse("a: 1\nb:\n  c: [x, {d: y}]\n").expect("YAML");
        let b = &tree.entries()[1];
        assert_eq!((b.at.line, b.at.column), (2, 1));
        let c = &b.node.entries()[0];
        assert_eq!((c.at.line, c.at.column), (3, 3));
        assert_eq!((c.node.at.line, c.node.at.column), (3, 6));
        assert_eq!(tree.get("a").map(Node::what), Some("a number"));
    }

    #[test]
    fn syntax_errors_and_duplicate_keys_have_positions() {
        let (at, message) = parse("a: 1\nb: 2\na: 3\n").expect_err("a key occurs twice");
        assert_eq!(at.map(|at| (at.line, at.column)), Some((3, 1)), "{message}");
        assert_eq!(message, "the key `a` occurs twice");
        let (at, message) = parse("a: [1\nb: 2\n").expect_err("the list is not closed");
        assert!(at.is_some_and(|at| at.line > 0) && !message.contains('\n'), "{message}");
    }
}
