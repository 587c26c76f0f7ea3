//! Names of the configuration one by one: each has to exist in the schema, or to be one that Rust can have.

use traitql_schema::model::{Field, Model, Object, ObjectKind, Type};
use traitql_schema::nearest;

use crate::config::{Names, Seen};

/// Derive macros that need no path, and whether generated types have them anyway.
const DERIVES: [(&str, bool); 9] = [
    ("Debug", true),
    ("Clone", true),
    ("PartialEq", true),
    ("Copy", false),
    ("Default", false),
    ("Eq", false),
    ("Hash", false),
    ("Ord", false),
    ("PartialOrd", false),
];

/// Whether a name exists, and whether what should be Rust is Rust as far as its syntax goes.
pub(super) fn fits(path: &str, seen: &Seen<'_>, model: &Model) -> Result<(), String> {
    match seen {
        Seen::RustType(text) => match syn::parse_str::<syn::Type>(text) {
            Ok(_) => Ok(()),
            Err(_) => Err(format!("`{path}`: `{text}` is no type of Rust")),
        },
        Seen::OwnType(text) => own_type(path, text),
        Seen::Derive(text) => derive(path, text),
        Seen::Name(Names::RustFields, name) => match syn::parse_str::<syn::Ident>(name) {
            Ok(_) => Ok(()),
            Err(_) => Err(format!("`{path}` is no name of a field in Rust")),
        },
        Seen::Name(Names::Scalars, "ID") => Ok(()),
        Seen::Name(Names::Scalars, name) => named(path, name, "scalar", model, |ty| matches!(ty, Type::Scalar(_))),
        Seen::Name(Names::Enums, name) => named(path, name, "enum", model, |ty| matches!(ty, Type::Enum(_))),
        Seen::Name(Names::Objects, name) => named(path, name, "type", model, |ty| matches!(ty, Type::Object(_))),
        Seen::Name(Names::Generated, name) => named(path, name, "type", model, |ty| !matches!(ty, Type::Scalar(_))),
        Seen::Name(Names::Fields, name) => field(path, name, model),
        // What they are decides what they can be called: see `rename`.
        Seen::Name(Names::Coordinates, _) => Ok(()),
    }
}

/// Whether the schema has a type of this kind.
fn named(path: &str, name: &str, kind: &str, model: &Model, wanted: fn(&Type) -> bool) -> Result<(), String> {
    if model.types.get(name).is_some_and(wanted) {
        return Ok(());
    }
    if let Some(what) = what(name, model) {
        return Err(format!("`{path}`: `{name}` is {what}, which cannot stand here"));
    }
    let others = model.types.iter().filter(|(_, ty)| wanted(ty));
    let near = did_you_mean(name, others.map(|(name, _)| name.as_str()));
    Err(format!("`{path}`: the schema has no {kind} `{name}`{near}"))
}

/// What a name means in the schema, also one that every schema has.
fn what(name: &str, model: &Model) -> Option<&'static str> {
    match model.types.get(name) {
        Some(Type::Scalar(_)) => Some("a scalar"),
        Some(Type::Enum(_)) => Some("an enum"),
        Some(Type::Object(_)) => Some("an object type"),
        Some(Type::Interface(_)) => Some("an interface"),
        Some(Type::Union(_)) => Some("a union"),
        Some(Type::Input(_)) => Some("an input type"),
        None => ["ID", "String", "Int", "Float", "Boolean"]
            .contains(&name)
            .then_some("a scalar of GraphQL itself"),
    }
}

/// A type of the generated crate itself: what is generated implements traits of the runtime for it, which Rust permits to the
/// crate of the type alone.
fn own_type(path: &str, text: &str) -> Result<(), String> {
    let plain = syn::parse_str::<syn::Path>(text).ok().filter(|path| {
        let plain = |segment: &syn::PathSegment| segment.arguments.is_none();
        path.leading_colon.is_none() && path.segments.iter().all(plain)
    });
    match plain {
        Some(found) if found.segments.len() > 1 && found.segments[0].ident == "crate" => Ok(()),
        _ => Err(format!(
            "`{path}`: `{text}` must be the path of a type in the generated crate, such as `crate::model::Tour`"
        )),
    }
}

fn derive(path: &str, text: &str) -> Result<(), String> {
    let parsed = syn::parse_str::<syn::Path>(text);
    let known = DERIVES.iter().find(|(name, _)| *name == text);
    match (parsed, known) {
        (Err(_), _) => Err(format!("`{path}`: `{text}` is no path of a derive macro")),
        (Ok(_), Some((_, true))) => Err(format!("`{path}`: `{text}` is derived anyway")),
        (Ok(_), Some((_, false))) => Ok(()),
        (Ok(found), None) if found.segments.len() > 1 => Ok(()),
        (Ok(_), None) => {
            let near = did_you_mean(text, DERIVES.iter().map(|(name, _)| *name));
            Err(format!(
                "`{path}`: name `{text}` with its crate, such as `serde::{text}`{near}"
            ))
        }
    }
}

/// Whether a field exists whose values can come from elsewhere than the schema says.
fn field(path: &str, coordinate: &str, model: &Model) -> Result<(), String> {
    let Some((type_name, field_name)) = coordinate.split_once('.') else {
        return Err(format!("`{path}`: name a field with its type, such as `Tour.title`"));
    };
    let object = match model.types.get(type_name) {
        Some(Type::Object(object)) => object,
        Some(Type::Interface(interface)) => {
            return Err(format!(
                "`{path}`: `{type_name}` is an interface, and its members decide: name {}",
                listed(interface.members.iter().map(|member| format!("{member}.{field_name}")))
            ));
        }
        _ => return named(path, type_name, "type", model, |ty| matches!(ty, Type::Object(_))),
    };
    if let Some(what) = without_struct(object) {
        return Err(format!("`{path}`: {what}"));
    }
    match object.fields.iter().find(|field| field.name == field_name) {
        Some(_) => Ok(()),
        None => {
            let near = did_you_mean(field_name, object.fields.iter().map(|field| field.name.as_str()));
            Err(format!(
                "`{path}`: the type `{type_name}` has no field `{field_name}`{near}"
            ))
        }
    }
}

/// Why a field cannot be data of its parent; nothing where it can.
pub(super) fn never_data(field: &Field, model: &Model) -> Option<String> {
    if !field.args.is_empty() {
        return Some("it has arguments, and data is there before anybody asks".to_owned());
    }
    let name = field.ty.name();
    match model.types.get(name) {
        Some(Type::Object(object)) => without_struct(object),
        _ => None,
    }
}

/// Why an object type has no struct of its own; nothing where it has.
pub(super) fn without_struct(object: &Object) -> Option<String> {
    let name = &object.name;
    match object.kind {
        ObjectKind::Plain => None,
        ObjectKind::Root(_) => Some(format!(
            "`{name}` is a root, which has no values: all its fields are resolved"
        )),
        ObjectKind::Connection { .. } | ObjectKind::Edge { .. } | ObjectKind::PageInfo => Some(format!(
            "`{name}` is a part of a connection, which the runtime makes from a `traitql::Page`"
        )),
    }
}

pub(super) fn did_you_mean<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    nearest(name, candidates).map_or_else(String::new, |near| format!(": did you mean `{near}`?"))
}

fn listed(names: impl Iterator<Item = String>) -> String {
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    names.join(", ")
}
