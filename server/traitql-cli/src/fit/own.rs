//! Own types in the place of generated ones, and fields whose values come from elsewhere than the schema says: what the parts
//! of the configuration mean for each other.

use std::collections::HashMap;

use traitql_schema::model::{Field, FieldKind, Model, Type};

use super::names;
use crate::config::{Problems, Settings};

pub(super) fn check(settings: &Settings, model: &Model, problems: &mut Problems) {
    once(settings, problems);
    enums(settings, model, problems);
    objects(settings, model, problems);
    shared(settings, model, problems);
    fields(settings, model, problems);
}

/// A Rust type stands for one type of the schema: it can implement `From` and the traits of the engine only once.
fn once(settings: &Settings, problems: &mut Problems) {
    let codegen = &settings.codegen;
    let own = [("enums", &codegen.enums), ("objects", &codegen.objects)];
    let mut seen: HashMap<&str, &str> = HashMap::new();
    for (section, types) in own {
        for (name, path) in types {
            if let Some(first) = seen.insert(path, name) {
                let problem = format!("`traitql.{section}.{name}`: `{path}` stands for `{first}` already");
                problems.push(settings.place(&[section, name]), problem);
            }
        }
    }
}

fn enums(settings: &Settings, model: &Model, problems: &mut Problems) {
    for name in settings.codegen.enums.keys() {
        let always = if model.role_enum.as_deref() == Some(name) {
            "the proofs of `@auth` are made of its values"
        } else if model.error_enum.as_deref() == Some(name) {
            "errors are made of its values"
        } else {
            if matches!(model.types.get(name), Some(Type::Enum(_))) && !is_value(name, model) {
                let problem = format!(
                    "`traitql.enums.{name}`: only directives have values of this enum, so nothing stands for it"
                );
                problems.push(settings.place(&["enums", name]), problem);
            }
            continue;
        };
        let problem = format!("`traitql.enums.{name}`: this enum is always generated, because {always}");
        problems.push(settings.place(&["enums", name]), problem);
    }
}

/// Whether a field, an argument or a state has values of an enum.
fn is_value(name: &str, model: &Model) -> bool {
    let fields = |fields: &[Field]| {
        fields.iter().any(|field| {
            let transition = field
                .transition
                .as_ref()
                .is_some_and(|transition| transition.of == name);
            transition || field.ty.name() == name || field.args.iter().any(|arg| arg.ty.name() == name)
        })
    };
    model.types.values().any(|ty| match ty {
        Type::Object(ty) => fields(&ty.fields),
        Type::Interface(ty) => fields(&ty.fields),
        Type::Input(ty) => ty.fields.iter().any(|field| field.ty.name() == name),
        Type::Scalar(_) | Type::Enum(_) | Type::Union(_) => false,
    })
}

fn objects(settings: &Settings, model: &Model, problems: &mut Problems) {
    let codegen = &settings.codegen;
    for name in codegen.objects.keys() {
        let Some(Type::Object(object)) = model.types.get(name) else {
            continue;
        };
        if let Some(what) = names::without_struct(object) {
            let problem = format!("`traitql.objects.{name}`: {what}");
            problems.push(settings.place(&["objects", name]), problem);
        }
        if codegen.extra.contains_key(name) {
            let problem = format!("`traitql.extra.{name}`: an own type stands for `{name}`; give that type the fields");
            problems.push(settings.place(&["extra", name]), problem);
        }
    }
    for name in codegen.derive.types.keys() {
        if codegen.objects.contains_key(name) || codegen.enums.contains_key(name) {
            let problem = format!("`traitql.derive.types.{name}`: an own type stands for `{name}`; derive it there");
            problems.push(settings.place(&["derive", "types", name]), problem);
        }
    }
}

/// What is shared is a struct.
fn shared(settings: &Settings, model: &Model, problems: &mut Problems) {
    for name in &settings.codegen.shared {
        if let Some(Type::Object(object)) = model.types.get(name)
            && let Some(what) = names::without_struct(object)
        {
            let problem = format!("`traitql.shared.{name}`: {what}");
            problems.push(settings.place(&["shared"]), problem);
        }
    }
}

fn fields(settings: &Settings, model: &Model, problems: &mut Problems) {
    for (coordinate, kind) in settings.options.fields() {
        let Some((type_name, field_name)) = coordinate.split_once('.') else {
            continue;
        };
        let Some(Type::Object(object)) = model.types.get(type_name) else {
            continue;
        };
        let Some(field) = object.fields.iter().find(|field| field.name == field_name) else {
            continue;
        };
        if kind == FieldKind::Data
            && names::without_struct(object).is_none()
            && let Some(why) = names::never_data(field, model)
        {
            let problem = format!("`traitql.fields.{coordinate}` cannot be data: {why}");
            problems.push(settings.place(&["fields", coordinate]), problem);
        }
    }
}
