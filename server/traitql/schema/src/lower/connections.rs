//! Connections: pages of a list, in Relay's shape, which every type with a name in `…Connection` must have. The
//! runtime fills in the parts of the page, so they are data.

use std::collections::HashMap;

use apollo_compiler::parser::SourceSpan;
use apollo_compiler::schema::{ExtendedType, ObjectType};
use apollo_compiler::{Name, Schema};

use crate::diagnostics::code;
use crate::diagnostics::diagnostic::Collector;
use crate::model::ObjectKind;

const SHAPE: &str = "a connection has `nodes: [T!]!`, or `edges: [E!]!` with `type E { cursor: String! node: T! }`,\n\
    and `pageInfo: PageInfo!`, and optionally `totalCount: Int`; otherwise rename the type";

const PARTS: [&str; 6] = ["nodes", "edges", "pageInfo", "totalCount", "cursor", "node"];
const PAGE_INFO: [(&str, &[&str]); 4] = [
    ("hasNextPage", &["Boolean!", "Boolean"]),
    ("hasPreviousPage", &["Boolean!", "Boolean"]),
    ("startCursor", &["String"]),
    ("endCursor", &["String"]),
];

pub(super) struct Connections {
    kinds: HashMap<String, ObjectKind>,
    problems: Vec<Problem>,
}

struct Problem {
    at: Option<SourceSpan>,
    message: String,
    help: String,
}

impl Connections {
    pub(super) fn kind(&self, name: &str) -> ObjectKind {
        self.kinds.get(name).cloned().unwrap_or(ObjectKind::Plain)
    }

    pub(super) fn is_part(&self, field: &str) -> bool {
        PARTS.contains(&field)
    }

    /// Reports types that are only named like connections. If allowed, they are ordinary objects.
    pub(super) fn report(&self, out: &mut Collector) {
        for problem in &self.problems {
            out.report(code::CONNECTION_SHAPE, problem.at, &*problem.message)
                .help(&*problem.help);
        }
    }
}

pub(super) fn find(schema: &Schema) -> Connections {
    let mut found = Connections {
        kinds: HashMap::new(),
        problems: Vec::new(),
    };
    let members = members(schema);
    for object in objects(schema).filter(|object| object.name.ends_with("Connection")) {
        let mut problems = Vec::new();
        let Some(connection) = read(schema, object) else {
            found.problems.push(Problem {
                at: object.name.location(),
                message: format!("`{}` is named like a connection but has another shape", object.name),
                help: SHAPE.to_owned(),
            });
            continue;
        };
        let ObjectKind::Connection { node, edge } = &connection else {
            continue;
        };
        let page_info = object.fields.get("pageInfo").map(|field| field.ty.inner_named_type());
        check_fields(object, &mut problems);
        let info = page_info.and_then(|name| schema.get_object(name));
        info.iter().for_each(|info| check_page_info(info, &mut problems));
        let edge_type = edge.as_deref().and_then(|name| schema.get_object(name));
        for part in [Some(object), edge_type.map(|edge| &**edge), info.map(|info| &**info)]
            .into_iter()
            .flatten()
        {
            if let Some(of) = members.get(&part.name) {
                problems.push(Problem {
                    at: part.name.location(),
                    message: format!("`{}` is part of a page, so it cannot belong to `{of}`", part.name),
                    help: format!(
                        "remove it from `{of}`: types of an interface or a union need a struct, and parts of a page have none"
                    ),
                });
            }
        }
        if problems.is_empty() {
            if let Some(edge) = edge {
                found
                    .kinds
                    .insert(edge.clone(), ObjectKind::Edge { node: node.clone() });
            }
            if let Some(page_info) = page_info {
                found.kinds.insert(page_info.to_string(), ObjectKind::PageInfo);
            }
            found.kinds.insert(object.name.to_string(), connection);
        }
        found.problems.append(&mut problems);
    }
    found
}

fn members(schema: &Schema) -> HashMap<&Name, &Name> {
    let mut members: HashMap<&Name, &Name> = HashMap::new();
    for ty in schema.types.values() {
        match ty {
            ExtendedType::Object(object) => {
                if let Some(interface) = object.implements_interfaces.first() {
                    members.insert(&object.name, interface);
                }
            }
            ExtendedType::Union(union) => {
                for member in &union.members {
                    members.entry(&**member).or_insert(&union.name);
                }
            }
            _ => {}
        }
    }
    members
}

fn check_fields(object: &ObjectType, problems: &mut Vec<Problem>) {
    for field in object.fields.values() {
        let ty = field.ty.to_string();
        let known = match field.name.as_str() {
            "nodes" | "edges" | "pageInfo" => true,
            "totalCount" => ty == "Int" || ty == "Int!",
            _ => false,
        };
        if !known || !field.arguments.is_empty() {
            problems.push(Problem {
                at: field.name.location(),
                message: format!("a page cannot provide `{}.{}: {ty}`", object.name, field.name),
                help: "a page has `nodes`, `edges`, `pageInfo` and `totalCount: Int`; remove the field".to_owned(),
            });
        }
    }
}

fn check_page_info(page_info: &ObjectType, problems: &mut Vec<Problem>) {
    for field in page_info.fields.values() {
        let ty = field.ty.to_string();
        let known = PAGE_INFO
            .iter()
            .any(|(name, types)| field.name == *name && types.contains(&ty.as_str()));
        if !known || !field.arguments.is_empty() {
            let known =
                "`hasNextPage: Boolean!`, `hasPreviousPage: Boolean!`, `startCursor: String` and `endCursor: String`";
            problems.push(Problem {
                at: field.name.location(),
                message: format!("a page cannot provide `{}.{}: {ty}`", page_info.name, field.name),
                help: format!("a page info has {known}"),
            });
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
