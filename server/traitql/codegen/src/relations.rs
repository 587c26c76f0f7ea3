//! The section `relations`: fields that are resolved by loading rows with the ids in a struct field of their parents.

use traitql_schema::model::{Field, FieldKind, Model, Object, ObjectKind, Type};

use crate::Config;
use crate::names::{ident, snake};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Key {
    Required,
    Optional,
}

/// Returns `None` if the struct has no such field, or if it is no id.
pub(crate) fn key_type(config: &Config, object: &Object, key: &str) -> Option<Key> {
    let extra = config.extra.get(&object.name).and_then(|extra| extra.get(key));
    if let Some(ty) = extra {
        return match ty.replace(' ', "").as_str() {
            "traitql::Id" => Some(Key::Required),
            "Option<traitql::Id>" => Some(Key::Optional),
            _ => None,
        };
    }
    let field = object
        .fields
        .iter()
        .find(|field| rust_name(field) == key && is_id(field))?;
    Some(if field.ty.is_non_null() {
        Key::Required
    } else {
        Key::Optional
    })
}

fn rust_name(field: &Field) -> String {
    ident(&snake(&field.rust))
}

fn is_id(field: &Field) -> bool {
    field.kind == FieldKind::Data && !field.ty.is_list() && field.ty.name() == "ID"
}

/// Returns why the relation cannot be generated.
pub(crate) fn problem(model: &Model, config: &Config, coordinate: &str, key: &str) -> Option<String> {
    let (name, field) = coordinate.split_once('.')?;
    let Some(Type::Object(object)) = model.types.get(name) else {
        return None;
    };
    let field = object.fields.iter().find(|candidate| candidate.name == field)?;
    if object.kind != ObjectKind::Plain {
        return Some(format!("`{name}` has no struct with keys"));
    }
    if config.objects.contains_key(name) {
        return Some(format!("`{name}` is bound to a Rust type, whose keys are unknown"));
    }
    if field.kind == FieldKind::Data {
        return Some("the field is data, so it needs no resolver".to_owned());
    }
    if !field.args.is_empty() {
        return Some("the field has arguments, which a loader does not receive".to_owned());
    }
    let target = field.ty.name();
    let has_id = match model.types.get(target) {
        Some(Type::Object(row)) => {
            row.kind == ObjectKind::Plain
                && !config.objects.contains_key(target)
                && row
                    .fields
                    .iter()
                    .any(|field| field.name == "id" && is_id(field) && field.ty.is_non_null())
        }
        _ => false,
    };
    if field.ty.is_list() || !has_id {
        return Some("the field must return one object of a type with the data field `id: ID!`".to_owned());
    }
    match key_type(config, object, key) {
        None => Some(format!(
            "the struct `{name}` has no field `{key}` of the type `traitql::Id` or `Option<traitql::Id>`; add it to `traitql.extra.{name}`"
        )),
        Some(Key::Optional) if field.ty.is_non_null() => Some(format!(
            "the field is never null, but its key `{key}` can be `None`; use the type `traitql::Id`, or make the field nullable"
        )),
        Some(_) => None,
    }
}
