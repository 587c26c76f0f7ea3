//! Names and types must exist in the schema or be valid Rust.

use traitql_schema::model::{Field, Model, Object, ObjectKind, Type};
use traitql_schema::nearest;

use crate::config::{KeyKind, Reference};

/// Derives without a path; true for those that are always derived.
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

pub(super) fn check(path: &str, seen: &Reference<'_>, model: &Model) -> Result<(), String> {
    match seen {
        Reference::RustType(text) => match syn::parse_str::<syn::Type>(text) {
            Ok(_) => Ok(()),
            Err(_) => Err(format!("`{path}`: `{text}` is not a Rust type")),
        },
        Reference::OwnType(text) => bound_type(path, text),
        Reference::Derive(text) => derive(path, text),
        Reference::Name(KeyKind::RustFields, name) => match syn::parse_str::<syn::Ident>(name) {
            Ok(_) => Ok(()),
            Err(_) => Err(format!("`{path}` is not a valid name for a Rust field")),
        },
        Reference::Name(KeyKind::Scalars, "ID") => Ok(()),
        Reference::Name(KeyKind::Scalars, name) => {
            named(path, name, "scalar", model, |ty| matches!(ty, Type::Scalar(_)))
        }
        Reference::Name(KeyKind::Enums, name) => named(path, name, "enum", model, |ty| matches!(ty, Type::Enum(_))),
        Reference::Name(KeyKind::Objects, name) => named(path, name, "type", model, |ty| matches!(ty, Type::Object(_))),
        Reference::Name(KeyKind::Generated, name) => {
            named(path, name, "type", model, |ty| !matches!(ty, Type::Scalar(_)))
        }
        Reference::Name(KeyKind::Structured, name) => named(path, name, "object or input type", model, |ty| {
            matches!(ty, Type::Object(_) | Type::Input(_))
        }),
        Reference::Name(KeyKind::Operations, name) => operation(path, name, model),
        Reference::Name(KeyKind::Fields, name) => field(path, name, model),
        // See `rename`.
        Reference::Name(KeyKind::Coordinates, _) => Ok(()),
    }
}

fn named(path: &str, name: &str, kind: &str, model: &Model, is_kind: fn(&Type) -> bool) -> Result<(), String> {
    if model.types.get(name).is_some_and(is_kind) {
        return Ok(());
    }
    if let Some(actual) = kind_of(name, model) {
        return Err(format!(
            "`{path}`: `{name}` is {actual}, not the kind of type that is expected here"
        ));
    }
    let others = model.types.iter().filter(|(_, ty)| is_kind(ty));
    let near = did_you_mean(name, others.map(|(name, _)| name.as_str()));
    Err(format!("`{path}`: the schema has no {kind} `{name}`{near}"))
}

fn operation(path: &str, name: &str, model: &Model) -> Result<(), String> {
    let names = model.operations.iter().map(|operation| operation.name.as_str());
    if names.clone().any(|known| known == name) {
        return Ok(());
    }
    let near = did_you_mean(name, names);
    Err(format!("`{path}`: there is no operation `{name}`{near}"))
}

fn kind_of(name: &str, model: &Model) -> Option<&'static str> {
    match model.types.get(name) {
        Some(Type::Scalar(_)) => Some("a scalar"),
        Some(Type::Enum(_)) => Some("an enum"),
        Some(Type::Object(_)) => Some("an object type"),
        Some(Type::Interface(_)) => Some("an interface"),
        Some(Type::Union(_)) => Some("a union"),
        Some(Type::Input(_)) => Some("an input type"),
        None => ["ID", "String", "Int", "Float", "Boolean"]
            .contains(&name)
            .then_some("a built-in scalar"),
    }
}

/// Rust permits an implementation of the runtime's traits only in the crate of the type.
fn bound_type(path: &str, text: &str) -> Result<(), String> {
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
        (Err(_), _) => Err(format!("`{path}`: `{text}` is not the path of a derive macro")),
        (Ok(_), Some((_, true))) => Err(format!("`{path}`: `{text}` is always derived")),
        (Ok(_), Some((_, false))) => Ok(()),
        (Ok(found), None) if found.segments.len() > 1 => Ok(()),
        (Ok(_), None) => {
            let near = did_you_mean(text, DERIVES.iter().map(|(name, _)| *name));
            Err(format!(
                "`{path}`: `{text}` needs the path of its crate, such as `serde::{text}`{near}"
            ))
        }
    }
}

/// The source of the field must be configurable.
fn field(path: &str, coordinate: &str, model: &Model) -> Result<(), String> {
    let Some((type_name, field_name)) = coordinate.split_once('.') else {
        return Err(format!("`{path}` must be a field with its type, such as `Tour.title`"));
    };
    let object = match model.types.get(type_name) {
        Some(Type::Object(object)) => object,
        Some(Type::Interface(interface)) => {
            return Err(format!(
                "`{path}`: `{type_name}` is an interface; configure the fields of its members: {}",
                listed(interface.members.iter().map(|member| format!("{member}.{field_name}")))
            ));
        }
        _ => return named(path, type_name, "type", model, |ty| matches!(ty, Type::Object(_))),
    };
    if let Some(reason) = reason_without_struct(object) {
        return Err(format!("`{path}`: {reason}"));
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

pub(super) fn reason_not_data(field: &Field, model: &Model) -> Option<String> {
    if !field.args.is_empty() {
        return Some("it has arguments, and data is loaded before arguments are known".to_owned());
    }
    let name = field.ty.name();
    match model.types.get(name) {
        Some(Type::Object(object)) => reason_without_struct(object),
        _ => None,
    }
}

pub(super) fn reason_without_struct(object: &Object) -> Option<String> {
    let name = &object.name;
    match object.kind {
        ObjectKind::Plain => None,
        ObjectKind::Root(_) => Some(format!("`{name}` is a root type, so all its fields have resolvers")),
        ObjectKind::Connection { .. } | ObjectKind::Edge { .. } | ObjectKind::PageInfo => Some(format!(
            "`{name}` is part of a connection, which the runtime creates from a `traitql::Page`"
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
