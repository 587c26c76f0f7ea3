//! Connections: pages of a list, by the shape that Relay made common.
//!
//! A type whose name ends in `Connection` is one, and must look like one: `nodes: [T!]!` or `edges: [E!]!` with
//! `E { cursor: String!, node: T! }`, beside `pageInfo: PageInfo!`, and `totalCount: Int` if the total is known. Its
//! resolver returns a page of nodes; the parts of the page are filled in by the runtime, so they are data.

use std::collections::{HashMap, HashSet};

use apollo_compiler::ast::FieldDefinition;
use apollo_compiler::schema::{ExtendedType, ObjectType};
use apollo_compiler::{Name, Schema};

use crate::code;
use crate::diagnostic::Collector;
use crate::model::ObjectKind;

const SHAPE: &str = "a connection has `nodes: [T!]!`, or `edges: [E!]!` with `type E { cursor: String! node: T! }`,\n\
    beside `pageInfo: PageInfo!` and, if the total is known, `totalCount: Int`; or give the type another name";

/// Parts of a page that the runtime fills in.
const PARTS: [&str; 6] = ["nodes", "edges", "pageInfo", "totalCount", "cursor", "node"];
/// Fields of `PageInfo` and their types.
const PAGE_INFO: [(&str, &[&str]); 4] = [
    ("hasNextPage", &["Boolean!", "Boolean"]),
    ("hasPreviousPage", &["Boolean!", "Boolean"]),
    ("startCursor", &["String"]),
    ("endCursor", &["String"]),
];

/// What is a connection, an edge or a page info.
pub(super) struct Connections {
    kinds: HashMap<String, ObjectKind>,
}

impl Connections {
    pub(super) fn kind(&self, name: &str) -> ObjectKind {
        self.kinds.get(name).cloned().unwrap_or(ObjectKind::Plain)
    }

    pub(super) fn is_part(&self, field: &str) -> bool {
        PARTS.contains(&field)
    }

    /// Reports a field that answers with an edge or a page info outside a connection: only a page can fill those in.
    pub(super) fn check_use(&self, parent: &Name, kind: &ObjectKind, field: &FieldDefinition, out: &mut Collector) {
        let ty = field.ty.inner_named_type();
        let inside = matches!(kind, ObjectKind::Connection { .. } | ObjectKind::Edge { .. });
        if !inside && matches!(self.kind(ty), ObjectKind::Edge { .. } | ObjectKind::PageInfo) {
            let message = format!(
                "`{parent}.{}` answers with `{ty}`, which only a connection can fill in",
                field.name
            );
            out.report(code::PAGE_PART_ALONE, field.name.location(), message)
                .help("answer with the connection, or with the node itself");
        }
    }
}

/// Finds connections of the right shape, with their edges and page infos.
pub(super) fn find(schema: &Schema) -> Connections {
    let mut kinds = HashMap::new();
    for object in objects(schema) {
        let Some(connection) = read(schema, object) else {
            continue;
        };
        if let ObjectKind::Connection { node, edge: Some(edge) } = &connection {
            kinds.insert(edge.clone(), ObjectKind::Edge { node: node.clone() });
        }
        if let Some(page_info) = object.fields.get("pageInfo") {
            kinds.insert(page_info.ty.inner_named_type().to_string(), ObjectKind::PageInfo);
        }
        kinds.insert(object.name.to_string(), connection);
    }
    Connections { kinds }
}

/// Reports types that are called connections and look different.
pub(super) fn check(schema: &Schema, out: &mut Collector) {
    let mut page_infos = HashSet::new();
    for object in objects(schema).filter(|object| object.name.ends_with("Connection")) {
        let kind = read(schema, object);
        if kind.is_none() {
            let message = format!("`{}` is called a connection, but has another shape", object.name);
            out.report(code::CONNECTION_SHAPE, object.name.location(), message)
                .help(SHAPE);
            continue;
        }
        for field in object.fields.values() {
            let ty = field.ty.to_string();
            let known = match field.name.as_str() {
                "nodes" | "edges" => true,
                "pageInfo" => {
                    page_infos.insert(field.ty.inner_named_type().clone());
                    true
                }
                "totalCount" => ty == "Int" || ty == "Int!",
                _ => false,
            };
            if !known || !field.arguments.is_empty() {
                let message = format!("a page cannot fill in `{}.{}: {ty}`", object.name, field.name);
                out.report(code::CONNECTION_SHAPE, field.name.location(), message)
                    .help("a page knows `nodes`, `edges`, `pageInfo` and `totalCount: Int`; remove the field");
            }
        }
    }
    for name in page_infos {
        let Some(page_info) = schema.get_object(&name) else {
            continue;
        };
        for field in page_info.fields.values() {
            let ty = field.ty.to_string();
            let known = PAGE_INFO
                .iter()
                .any(|(name, types)| field.name == *name && types.contains(&ty.as_str()));
            if !known || !field.arguments.is_empty() {
                let message = format!("a page cannot fill in `{name}.{}: {ty}`", field.name);
                let known = "`hasNextPage: Boolean!`, `hasPreviousPage: Boolean!`, `startCursor: String` and `endCursor: String`";
                out.report(code::CONNECTION_SHAPE, field.name.location(), message)
                    .help(format!("a page knows {known}"));
            }
        }
    }
}

fn objects(schema: &Schema) -> impl Iterator<Item = &ObjectType> {
    schema
        .types
        .values()
        .filter(|ty| !ty.is_built_in())
        .filter_map(|ty| ty.as_object())
}

fn read(schema: &Schema, object: &ObjectType) -> Option<ObjectKind> {
    if !object.name.ends_with("Connection") {
        return None;
    }
    let page_info = object.fields.get("pageInfo")?;
    if !matches!(
        schema.types.get(page_info.ty.inner_named_type()),
        Some(ExtendedType::Object(_))
    ) || page_info.ty.is_list()
        || !page_info.ty.is_non_null()
    {
        return None;
    }
    let list_of = |field: &str| {
        let ty = &object.fields.get(field)?.ty;
        let name = ty.inner_named_type();
        (ty.to_string() == format!("[{name}!]!")).then(|| name.to_string())
    };
    let edge = match object.fields.get("edges") {
        None => None,
        Some(_) => {
            let name = list_of("edges")?;
            let edge = schema.get_object(&name)?;
            let cursor = edge.fields.get("cursor")?;
            let node = edge.fields.get("node")?;
            if cursor.ty.to_string() != "String!"
                || node.ty.is_list()
                || !node.ty.is_non_null()
                || edge.fields.len() != 2
            {
                return None;
            }
            Some((name, node.ty.inner_named_type().to_string()))
        }
    };
    let nodes = match object.fields.get("nodes") {
        None => None,
        Some(_) => Some(list_of("nodes")?),
    };
    let (node, edge) = match (nodes, edge) {
        (None, None) => return None,
        (Some(node), None) => (node, None),
        (None, Some((edge, node))) => (node, Some(edge)),
        (Some(nodes), Some((edge, node))) if nodes == node => (node, Some(edge)),
        _ => return None,
    };
    Some(ObjectKind::Connection { node, edge })
}
