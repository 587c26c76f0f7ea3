use std::collections::HashSet;

use crate::model::{Access, Model, Operation, Type};

use super::Change;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct AffectedOperation {
    pub name: String,
    pub file: String,
}

/// Returns for each change the affected operations of both models, sorted by name, with their current files.
pub fn affected_operations(old: &Model, new: &Model, changes: &[Change]) -> Vec<Vec<AffectedOperation>> {
    let present = new.operations.iter().map(|operation| (new, operation));
    let former = old.operations.iter().map(|operation| (old, operation));
    let footprints: Vec<(&Operation, HashSet<String>)> = present
        .chain(former)
        .map(|(model, operation)| (operation, footprint(model, operation)))
        .collect();
    let of_change = |change: &Change| {
        let key = key(&change.coordinate, old, new);
        let mut found: Vec<AffectedOperation> = Vec::new();
        for (operation, footprint) in &footprints {
            let touches = footprint.contains(key) || change.coordinate == format!("operation {}", operation.name);
            if touches && !found.iter().any(|known| known.name == operation.name) {
                found.push(AffectedOperation {
                    name: operation.name.clone(),
                    file: operation.origin.file.clone(),
                });
            }
        }
        found.sort();
        found
    };
    changes.iter().map(of_change).collect()
}

fn key<'c>(coordinate: &'c str, old: &Model, new: &Model) -> &'c str {
    let Some((ty, _)) = coordinate.split_once('.') else {
        return coordinate;
    };
    match new.types.get(ty).or_else(|| old.types.get(ty)) {
        Some(Type::Object(_) | Type::Interface(_)) => coordinate,
        // Only operations that can receive an error code are affected.
        Some(Type::Enum(_)) if new.error_enum.as_deref() == Some(ty) => coordinate,
        _ => ty,
    }
}

/// Returns the coordinates of callable fields, and the names of the types that are sent or received.
fn footprint(model: &Model, operation: &Operation) -> HashSet<String> {
    let mut out = HashSet::new();
    for coordinate in &operation.coordinates {
        let Some((ty, name)) = coordinate.split_once('.') else {
            continue;
        };
        out.insert(coordinate.clone());
        out.insert(ty.to_owned());
        let fields = match model.types.get(ty) {
            Some(Type::Object(object)) => &object.fields,
            Some(Type::Interface(interface)) => {
                // A field of an interface is a field of one of its members.
                out.extend(interface.members.iter().map(|member| format!("{member}.{name}")));
                &interface.fields
            }
            _ => continue,
        };
        let Some(field) = fields.iter().find(|field| field.name == name) else {
            continue;
        };
        receive(model, field.ty.name(), &mut out);
        if let Some(errors) = &model.error_enum {
            out.extend(field.throws.iter().map(|code| format!("{errors}.{code}")));
        }
        if let (Some(Access::Role { .. }), Some(roles)) = (&field.access, &model.role_enum) {
            out.insert(roles.clone());
        }
        field
            .args
            .iter()
            .for_each(|argument| send(model, argument.ty.name(), &mut out));
    }
    for directive in &model.directives {
        let used = operation
            .body
            .match_indices(&format!("@{}", directive.name))
            .any(|(at, found)| {
                let after = operation.body[at + found.len()..].chars().next();
                !after.is_some_and(|ch| ch.is_ascii_alphanumeric() || ch == '_')
            });
        if used {
            out.insert(format!("@{}", directive.name));
        }
    }
    out
}

fn receive(model: &Model, name: &str, out: &mut HashSet<String>) {
    out.insert(name.to_owned());
    match model.types.get(name) {
        Some(Type::Interface(interface)) => out.extend(interface.members.iter().cloned()),
        Some(Type::Union(union)) => out.extend(union.members.iter().cloned()),
        _ => {}
    }
}

fn send(model: &Model, name: &str, out: &mut HashSet<String>) {
    if out.insert(name.to_owned())
        && let Some(Type::Input(input)) = model.types.get(name)
    {
        input.fields.iter().for_each(|field| send(model, field.ty.name(), out));
    }
}
