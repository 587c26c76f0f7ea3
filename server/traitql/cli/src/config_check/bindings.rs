use std::collections::HashMap;

use traitql_schema::model::{Field, FieldKind, Model, Type};

use super::names;
use crate::config::{Problems, Settings};

pub(super) fn check(settings: &Settings, model: &Model, problems: &mut Problems) {
    bound_once(settings, problems);
    enums(settings, model, problems);
    objects(settings, model, problems);
    shared(settings, model, problems);
    fields(settings, model, problems);
}

fn bound_once(settings: &Settings, problems: &mut Problems) {
    let codegen = &settings.codegen;
    let bound = [("enums", &codegen.enums), ("objects", &codegen.objects)];
    let mut seen: HashMap<&str, &str> = HashMap::new();
    for (section, types) in bound {
        for (name, path) in types {
            if let Some(first) = seen.insert(path, name) {
                let problem = format!("`traitql.{section}.{name}`: `{path}` is already bound to `{first}`");
                problems.push(settings.position(&[section, name]), problem);
            }
        }
    }
}

fn enums(settings: &Settings, model: &Model, problems: &mut Problems) {
    for name in settings.codegen.enums.keys() {
        let reason = if model.role_enum.as_deref() == Some(name) {
            "access checks depend on its values"
        } else if model.error_enum.as_deref() == Some(name) {
            "errors depend on its values"
        } else {
            if matches!(model.types.get(name), Some(Type::Enum(_))) && !is_used(name, model) {
                let problem =
                    format!("`traitql.enums.{name}`: only directives use this enum, so no Rust type is needed");
                problems.push(settings.position(&["enums", name]), problem);
            }
            continue;
        };
        let problem = format!("`traitql.enums.{name}`: this enum is always generated, because {reason}");
        problems.push(settings.position(&["enums", name]), problem);
    }
}

fn is_used(name: &str, model: &Model) -> bool {
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
        if let Some(reason) = names::reason_without_struct(object) {
            let problem = format!("`traitql.objects.{name}`: {reason}");
            problems.push(settings.position(&["objects", name]), problem);
        }
        if codegen.extra.contains_key(name) {
            let problem = format!("`traitql.extra.{name}`: `{name}` has a bound type; add the fields to that type");
            problems.push(settings.position(&["extra", name]), problem);
        }
    }
    for name in codegen.derive.types.keys() {
        if codegen.objects.contains_key(name) || codegen.enums.contains_key(name) {
            let problem =
                format!("`traitql.derive.types.{name}`: `{name}` has a bound type; add the derive to that type");
            problems.push(settings.position(&["derive", "types", name]), problem);
        }
    }
}

fn shared(settings: &Settings, model: &Model, problems: &mut Problems) {
    for name in &settings.codegen.shared {
        if let Some(Type::Object(object)) = model.types.get(name)
            && let Some(reason) = names::reason_without_struct(object)
        {
            let problem = format!("`traitql.shared.{name}`: {reason}");
            problems.push(settings.position(&["shared"]), problem);
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
            && names::reason_without_struct(object).is_none()
            && let Some(reason) = names::reason_not_data(field, model)
        {
            let problem = format!("`traitql.fields.{coordinate}` cannot be data: {reason}");
            problems.push(settings.position(&["fields", coordinate]), problem);
        }
    }
}
