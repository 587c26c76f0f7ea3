//! Fields with arguments, an access check, errors or a transition.

use std::fmt::Write as _;

use traitql_schema::model::{Access, Authentication, Field, Model, Object, ObjectKind, RootKind, Transition, Type};

use super::literal::{doc, object, text, texts};
use super::rules;
use crate::names::pascal;

pub(super) fn contents(model: &Model) -> String {
    let mut exports = String::new();
    for (ty, field) in fields(model) {
        let metadata = metadata(model, field);
        if !metadata.is_empty() {
            let about = field.description.as_deref().unwrap_or_default().trim();
            let about = format!("`{}.{}`. {about}", ty.name, field.name);
            let _ = write!(
                exports,
                "\n{}export const {} = {{\n{metadata}}} as const satisfies FieldMetadata;\n",
                doc(&about),
                constant(ty, field)
            );
        }
    }
    let rules = if exports.contains("rules.") {
        "import * as rules from './rules';\n"
    } else {
        ""
    };
    match exports.as_str() {
        "" => "\nexport {};\n".to_owned(),
        exports => format!("{rules}import type {{ FieldMetadata }} from './traitql';\n{exports}"),
    }
}

pub(super) fn fields(model: &Model) -> Vec<(&Object, &Field)> {
    let mut objects: Vec<&Object> = model
        .types
        .values()
        .filter_map(|ty| match ty {
            Type::Object(object) => Some(object),
            _ => None,
        })
        .collect();
    objects.sort_by_key(|object| match object.kind {
        ObjectKind::Root(RootKind::Query) => 0,
        ObjectKind::Root(RootKind::Mutation) => 1,
        ObjectKind::Root(RootKind::Subscription) => 2,
        _ => 3,
    });
    let fields = objects
        .into_iter()
        .flat_map(|object| object.fields.iter().map(move |field| (object, field)));
    fields.collect()
}

/// Returns the name of the resolver trait in Rust: `MutationTourRelease`.
pub(super) fn constant(ty: &Object, field: &Field) -> String {
    format!("{}{}", pascal(&ty.rust), pascal(&field.rust))
}

fn metadata(model: &Model, field: &Field) -> String {
    let mut out = String::new();
    if !field.args.is_empty() {
        out.push_str("  args: {\n");
        for arg in &field.args {
            let _ = writeln!(out, "    {}: {},", arg.name, rules::value(model, arg, "rules."));
        }
        out.push_str("  },\n");
    }
    if let Some(access) = &field.access {
        let _ = writeln!(out, "  access: {},", access_literal(model, access));
    }
    if !field.throws.is_empty() {
        let _ = writeln!(out, "  throws: {},", texts(&field.throws));
    }
    if let Some(Transition { of, from, to }) = &field.transition {
        let edge = [("of", text(of)), ("from", texts(from)), ("to", text(to))];
        let _ = writeln!(out, "  transition: {},", object(&edge));
    }
    out
}

fn access_literal(model: &Model, access: &Access) -> String {
    let mut entries = match access {
        Access::Public => vec![("to", text("PUBLIC"))],
        Access::SignedIn { .. } => vec![("to", text("SIGNED_IN"))],
        Access::Role {
            role, subject, path, ..
        } => vec![
            ("to", text("ROLE")),
            ("role", text(role)),
            ("of", text(&model.subjects[*subject].of)),
            ("by", text(&path.join("."))),
        ],
    };
    if let Some(Authentication { max_age, acr }) = access.authentication() {
        entries.extend(max_age.map(|seconds| ("maxAge", seconds.to_string())));
        entries.extend(acr.as_ref().map(|level| ("acr", text(level))));
    }
    object(&entries)
}
