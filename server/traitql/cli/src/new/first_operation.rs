//! The first operation should work without changes and return useful data.

use traitql_schema::model::{Access, Field, InputValue, Model, ObjectKind, Type};

/// Names the operation and its file.
pub(super) const NAME: &str = "FirstLook";

/// Limits the fields of one selection.
const MAX_LEAVES: usize = 4;

/// Limits the levels of objects.
const MAX_LEVELS: usize = 2;
/// Limits the search for leaf fields.
const MAX_SEARCH_DEPTH: usize = 4;

/// Prefers root fields without required arguments, then those that take an id.
pub(super) fn operation(model: &Model) -> String {
    let Some(Type::Object(query)) = model.types.get(&model.query) else {
        return trivial();
    };
    let shown = query.fields.iter().filter_map(|field| {
        let arguments = arguments(field)?;
        let selection = if is_leaf(model, field.ty.name()) {
            String::new()
        } else {
            selection(model, field.ty.name(), 1)?
        };
        Some((rank(model, field), format!("  {}{arguments}{selection}\n", field.name)))
    });
    // The field with the highest rank; the first one of several.
    let best = shown.reduce(|best, next| if next.0 > best.0 { next } else { best });
    best.map_or_else(trivial, |(_, text)| format!("query {NAME} {{\n{text}}}\n"))
}

pub(super) fn trivial() -> String {
    format!("query {NAME} {{\n  __typename\n}}\n")
}

fn rank(model: &Model, field: &Field) -> (bool, bool, bool, bool) {
    let is_public = !matches!(field.access, Some(Access::Role { .. } | Access::SignedIn { .. }));
    let is_without_required = !field.args.iter().any(is_required);
    let is_list = field.ty.is_list()
        || matches!(model.types.get(field.ty.name()), Some(Type::Object(ty)) if matches!(ty.kind, ObjectKind::Connection { .. }));
    (
        is_public,
        is_without_required,
        !is_leaf(model, field.ty.name()),
        is_list,
    )
}

/// Returns an id, or nothing. `None` if there are other required arguments.
fn arguments(field: &Field) -> Option<String> {
    let required: Vec<&InputValue> = field.args.iter().filter(|arg| is_required(arg)).collect();
    match required[..] {
        [] => Some(String::new()),
        [id] if id.ty.name() == "ID" && !id.ty.is_list() => Some(format!("({}: \"1\")", id.name)),
        _ => None,
    }
}

fn is_required(arg: &InputValue) -> bool {
    arg.ty.is_non_null() && arg.default.is_none()
}

fn is_leaf(model: &Model, ty: &str) -> bool {
    matches!(model.types.get(ty), None | Some(Type::Scalar(_) | Type::Enum(_)))
}

/// Selects leaf fields and the first object field with leaf fields; `None` without any.
fn selection(model: &Model, ty: &str, depth: usize) -> Option<String> {
    let indent = "  ".repeat(depth + 1);
    let fields = match model.types.get(ty)? {
        Type::Object(object) => &object.fields,
        Type::Interface(interface) => &interface.fields,
        _ => return Some(format!(" {{\n{indent}__typename\n{}}}", "  ".repeat(depth))),
    };
    let fields = || {
        let plain = |field: &&Field| field.deprecated.is_none() && !field.args.iter().any(is_required);
        fields.iter().filter(plain)
    };
    // An edge's cursor is not interesting.
    let is_edge = fields().any(|field| field.name == "node") && fields().any(|field| field.name == "cursor");
    let leaves = fields()
        .filter(|field| is_leaf(model, field.ty.name()) && !is_edge)
        .take(MAX_LEAVES);
    let mut lines: Vec<String> = leaves.map(|field| format!("{indent}{}\n", field.name)).collect();
    // Prefer the nodes of a connection to its page info.
    let objects = || fields().filter(|field| !is_leaf(model, field.ty.name()) && field.name != "pageInfo");
    let preferred = objects().filter(|field| field.name == "nodes").chain(objects());
    // Types without leaf fields, such as connections, need deeper levels.
    if depth < MAX_LEVELS || lines.is_empty() && depth < MAX_SEARCH_DEPTH {
        let object = preferred
            .filter_map(|field| Some((&field.name, selection(model, field.ty.name(), depth + 1)?)))
            .next();
        lines.extend(object.map(|(name, selection)| format!("{indent}{name}{selection}\n")));
    }
    (!lines.is_empty()).then(|| format!(" {{\n{}{}}}", lines.concat(), "  ".repeat(depth)))
}
