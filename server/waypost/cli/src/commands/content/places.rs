//! Finds the line and column of each value in a YAML document.

use std::{collections::HashMap, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, SeqAccess, Visitor},
};
use serde_saphyr::{Location, Spanned};

/// The locations of a document's values, by paths such as `steps.2.title`.
pub(super) struct Places(HashMap<String, Location>);

impl Places {
    pub(super) fn of(text: &str) -> Self {
        let mut places = HashMap::new();
        if let Ok(document) = serde_saphyr::from_str::<Spanned<Node>>(text) {
            record(&mut places, String::new(), &document);
        }
        Self(places)
    }

    /// Returns `line:column` of the value, or of the innermost existing parent if the value is missing.
    pub(super) fn find(&self, path: &str) -> String {
        let mut path = path;
        loop {
            if let Some(location) = self.0.get(path) {
                return position(*location);
            }
            path = match path.rsplit_once('.') {
                Some((parent, _)) => parent,
                None if path.is_empty() => return "1:1".to_owned(),
                None => "",
            };
        }
    }
}

pub(super) fn position(location: Location) -> String {
    format!("{}:{}", location.line(), location.column())
}

fn record(places: &mut HashMap<String, Location>, path: String, node: &Spanned<Node>) {
    for (name, child) in &node.value.0 {
        let child_path = if path.is_empty() {
            name.clone()
        } else {
            format!("{path}.{name}")
        };
        record(places, child_path, child);
    }
    places.insert(path, node.referenced);
}

struct Node(Vec<(String, Spanned<Node>)>);

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NodeVisitor)
    }
}

struct NodeVisitor;

impl<'de> Visitor<'de> for NodeVisitor {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Node, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = list.next_element()? {
            entries.push((entries.len().to_string(), entry));
        }
        Ok(Node(entries))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Node, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = object.next_entry()? {
            entries.push(entry);
        }
        Ok(Node(entries))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Node, E> {
        Ok(Node(Vec::new()))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Node, E> {
        Ok(Node(Vec::new()))
    }

    fn visit_u64<E>(self, _: u64) -> Result<Node, E> {
        Ok(Node(Vec::new()))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Node, E> {
        Ok(Node(Vec::new()))
    }

    fn visit_str<E>(self, _: &str) -> Result<Node, E> {
        Ok(Node(Vec::new()))
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node(Vec::new()))
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Node, D::Error> {
        Node::deserialize(deserializer)
    }

    fn visit_none<E>(self) -> Result<Node, E> {
        Ok(Node(Vec::new()))
    }
}
