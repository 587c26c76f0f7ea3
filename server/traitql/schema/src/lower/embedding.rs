//! A value embedded in itself would be an infinitely large struct, unless a list or a resolver is in between.

use apollo_compiler::Schema;
use indexmap::{IndexMap, IndexSet};

use crate::diagnostics::code;
use crate::diagnostics::diagnostic::Collector;
use crate::model::{Field, FieldKind, Object, Type};

pub(super) fn check(schema: &Schema, types: &IndexMap<String, Type>, out: &mut Collector) {
    for ty in types.values() {
        let Type::Object(start) = ty else { continue };
        let Some((first, last)) = contains_itself(start, types) else {
            continue;
        };
        let field = schema
            .get_object(&start.name)
            .and_then(|object| object.fields.get(first.name.as_str()));
        let message = format!(
            "`{}` contains itself, so its struct would be infinitely large",
            start.name
        );
        let through = last.ty.name();
        let help = match types.get(through) {
            Some(ty) if is_embedded(ty) => {
                format!("make the field a list, or remove `@embedded` from `{through}` so that it gets a resolver")
            }
            _ => "make the field a list, or give it a resolver: `traitql.fields` in codegen.yml declares it as data"
                .to_owned(),
        };
        out.report(
            code::EMBEDDED_CYCLE,
            field.and_then(|field| field.name.location()),
            message,
        )
        .help(help);
    }
}

/// Returns the first and the last field of a path from an object type back to itself.
fn contains_itself<'t>(start: &'t Object, types: &'t IndexMap<String, Type>) -> Option<(&'t Field, &'t Field)> {
    let mut seen: IndexSet<&str> = IndexSet::new();
    let mut open: Vec<(&Object, Option<&Field>)> = vec![(start, None)];
    while let Some((object, first)) = open.pop() {
        let inline = |field: &&Field| field.kind == FieldKind::Data && !field.ty.is_list();
        for field in object.fields.iter().filter(inline) {
            let first = first.unwrap_or(field);
            for name in objects(field.ty.name(), types) {
                if name == start.name {
                    return Some((first, field));
                }
                if let Some(Type::Object(next)) = types.get(name)
                    && seen.insert(name)
                {
                    open.push((next, Some(first)));
                }
            }
        }
    }
    None
}

fn objects<'t>(name: &str, types: &'t IndexMap<String, Type>) -> Vec<&'t str> {
    match types.get(name) {
        Some(Type::Object(object)) => vec![object.name.as_str()],
        Some(Type::Interface(ty)) => ty.members.iter().map(String::as_str).collect(),
        Some(Type::Union(ty)) => ty.members.iter().map(String::as_str).collect(),
        _ => Vec::new(),
    }
}

fn is_embedded(ty: &Type) -> bool {
    match ty {
        Type::Object(ty) => ty.embedded,
        Type::Interface(ty) => ty.embedded,
        Type::Union(ty) => ty.embedded,
        Type::Scalar(_) | Type::Enum(_) | Type::Input(_) => false,
    }
}
