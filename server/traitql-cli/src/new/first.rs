//! The first operation of a project: one that needs nothing, so that it can be asked at once, and shows something.

use traitql_schema::model::{Access, Field, InputValue, Model, ObjectKind, Type};

/// Name of the operation, and of its file.
pub(super) const NAME: &str = "FirstLook";

/// Leaves that are asked for in one selection.
const LEAVES: usize = 4;

/// Levels of objects that are shown, and how deep to look for something to show at all.
const LEVELS: usize = 2;
const DEPTH: usize = 4;

/// An operation with a root field that shows something: one whose arguments can be left out, else one that takes an id.
pub(super) fn operation(model: &Model) -> String {
    let Some(Type::Object(query)) = model.types.get(&model.query) else {
        return trivial();
    };
    let shown = query.fields.iter().filter_map(|field| {
        let arguments = arguments(field)?;
        let selection = match is_leaf(model, field.ty.name()) {
            true => String::new(),
            false => selection(model, field.ty.name(), 1)?,
        };
        Some((rank(model, field), format!("  {}{arguments}{selection}\n", field.name)))
    });
    // The best one; among equals the first.
    let best = shown.reduce(|best, next| if next.0 > best.0 { next } else { best });
    best.map_or_else(trivial, |(_, text)| format!("query {NAME} {{\n{text}}}\n"))
}

/// What every schema answers.
pub(super) fn trivial() -> String {
    format!("query {NAME} {{\n  __typename\n}}\n")
}

/// How well a field is suited to begin with.
fn rank(model: &Model, field: &Field) -> (bool, bool, bool, bool) {
    let open = !matches!(field.access, Some(Access::Role { .. } | Access::SignedIn));
    let free = !field.args.iter().any(is_required);
    let is_list = field.ty.is_list()
        || matches!(model.types.get(field.ty.name()), Some(Type::Object(ty)) if matches!(ty.kind, ObjectKind::Connection { .. }));
    (open, free, !is_leaf(model, field.ty.name()), is_list)
}

/// The arguments that must be given: an id, or nothing. `None` when there are others.
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

/// ` { … }` with leaves, and with the first object below them that has any. `None` where there are none.
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
    // Of an edge its node is shown, not where in the list it stands.
    let is_edge = fields().any(|field| field.name == "node") && fields().any(|field| field.name == "cursor");
    let leaves = fields()
        .filter(|field| is_leaf(model, field.ty.name()) && !is_edge)
        .take(LEAVES);
    let mut lines: Vec<String> = leaves.map(|field| format!("{indent}{}\n", field.name)).collect();
    // Of a connection its nodes are shown, not the page's end.
    let objects = || fields().filter(|field| !is_leaf(model, field.ty.name()) && field.name != "pageInfo");
    let preferred = objects().filter(|field| field.name == "nodes").chain(objects());
    // Below the first levels only what has nothing of its own to show: a connection.
    if depth < LEVELS || lines.is_empty() && depth < DEPTH {
        let object = preferred
            .filter_map(|field| Some((&field.name, selection(model, field.ty.name(), depth + 1)?)))
            .next();
        lines.extend(object.map(|(name, selection)| format!("{indent}{name}{selection}\n")));
    }
    (!lines.is_empty()).then(|| format!(" {{\n{}{}}}", lines.concat(), "  ".repeat(depth)))
}
