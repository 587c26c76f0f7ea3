//! `cache.ts`: how Apollo Client's cache keeps the answers of the operations that clients ask.
//!
//! What can be known from the schema is decided here; the rest keeps Apollo's own defaults. Only fields that some operation
//! asks for are named, so a large schema costs a small client nothing.

use std::{collections::BTreeSet, fmt::Write as _};

use indexmap::IndexMap;
use traitql_schema::model::{Field, InputValue, Model, Object, ObjectKind, Operation, RootKind, Type, TypeRef};

use super::literal::{doc, list, object, text, texts};
use crate::manifest;

/// Arguments that say which page of a connection is asked for.
const PAGING: [&str; 4] = ["first", "after", "last", "before"];

pub(super) fn contents(model: &Model) -> String {
    let asked: BTreeSet<&str> = model
        .operations
        .iter()
        .flat_map(|operation| operation.coordinates.iter().map(String::as_str))
        .collect();
    let mut policies: IndexMap<&str, Policy<'_>> = IndexMap::new();
    let mut scalars: IndexMap<&str, Vec<(&str, &str)>> = IndexMap::new();
    for ty in model.types.values() {
        let (name, fields, object) = match ty {
            Type::Object(object) => (&object.name, &object.fields, Some(object)),
            Type::Interface(interface) => (&interface.name, &interface.fields, None),
            _ => continue,
        };
        for field in fields
            .iter()
            .filter(|field| asked.contains(format!("{name}.{}", field.name).as_str()))
        {
            if let Some(Type::Scalar(scalar)) = model.types.get(field.ty.name()) {
                scalars.entry(name).or_default().push((&field.name, &scalar.name));
            }
            if let Some(policy) = field_policy(model, object, field) {
                policies.entry(name).or_default().fields.push((&field.name, policy));
            }
            if field.name == "id" && object.is_some_and(|object| object.embedded) {
                policies.entry(name).or_default().inside_parent = true;
            }
        }
    }
    let mut out = imports(&policies);
    let members: String = model
        .types
        .values()
        .filter_map(|ty| match ty {
            Type::Interface(ty) => Some((&ty.name, &ty.members)),
            Type::Union(ty) => Some((&ty.name, &ty.members)),
            _ => None,
        })
        .filter(|(_, members)| !members.is_empty())
        .map(|(name, members)| format!("  {name}: {},\n", texts(members)))
        .collect();
    let _ = write!(
        out,
        "\n/** Which types stand behind an interface or a union. */\nexport const possibleTypes = {};\n",
        block(&members)
    );
    let mut types = String::new();
    for (name, policy) in &policies {
        let _ = writeln!(types, "  {name}: {{");
        if policy.inside_parent {
            types.push_str("    keyFields: false as const,\n");
        }
        if !policy.fields.is_empty() {
            types.push_str("    fields: {\n");
            for (field, policy) in &policy.fields {
                let _ = writeln!(types, "      {field}: {policy},");
            }
            types.push_str("    },\n");
        }
        types.push_str("  },\n");
    }
    let _ = write!(
        out,
        "\n/** How each field is kept that the default would keep wrongly. */\nexport const typePolicies = {};\n",
        block(&types)
    );
    let scalars: String = scalars
        .iter()
        .map(|(name, fields)| {
            let fields: Vec<(&str, String)> = fields.iter().map(|(field, scalar)| (*field, text(scalar))).collect();
            format!("  {name}: {},\n", object(&fields))
        })
        .collect();
    let _ = write!(
        out,
        "\n/** Which fields have a custom scalar. */\nexport const scalarFields = {} as const;\n",
        block(&scalars)
    );
    let mut public: Vec<&Operation> = model.operations.iter().collect();
    public.retain(|operation| manifest::is_public(model, operation));
    public.sort_by(|a, b| a.name.cmp(&b.name));
    let public: String = public
        .into_iter()
        .map(|operation| format!("  {}: {},\n", operation.name, text(&manifest::id(&operation.body))))
        .collect();
    let _ = write!(
        out,
        "\n{}export const publicQueries: Readonly<Record<string, string>> = {};\n",
        doc(
            "The hashes of the queries that anybody may ask. Sent by `GET` and by hash, their answers stay in the browser's cache, \
             which asks each time whether they still hold."
        ),
        block(&public)
    );
    out
}

/// An object of lines.
fn block(lines: &str) -> String {
    match lines {
        "" => "{}".to_owned(),
        lines => format!("{{\n{lines}}}"),
    }
}

/// The kinds of policies that some field has.
fn imports(policies: &IndexMap<&str, Policy<'_>>) -> String {
    let fields = || policies.values().flat_map(|policy| &policy.fields);
    let used: Vec<&str> = ["identified", "merged", "pages", "replaced"]
        .into_iter()
        .filter(|kind| fields().any(|(_, policy)| policy.split('(').next() == Some(kind)))
        .collect();
    let import = match used.as_slice() {
        [] => String::new(),
        used => format!("import {{ {} }} from './policies';\n\n", used.join(", ")),
    };
    format!("{import}{ABOUT}")
}

const ABOUT: &str = "\
/**
 * How Apollo Client's `InMemoryCache` keeps the answers: pass `possibleTypes` and `typePolicies` to its constructor. Types with an
 * `id` are kept once; types without one live inside their parent.
 */
";

#[derive(Default)]
struct Policy<'m> {
    /// The type has an `id`, but no identity.
    inside_parent: bool,
    fields: Vec<(&'m str, String)>,
}

/// How a field is kept; nothing where Apollo's default is right.
fn field_policy(model: &Model, parent: Option<&Object>, field: &Field) -> Option<String> {
    let root = match parent.map(|parent| &parent.kind) {
        Some(ObjectKind::Root(RootKind::Query)) => true,
        // What mutations and events answer is kept by the identity of its parts, never by the field.
        Some(ObjectKind::Root(_)) => return None,
        // The pages of a connection are put together as a whole.
        Some(ObjectKind::Connection { .. } | ObjectKind::Edge { .. } | ObjectKind::PageInfo) => return None,
        _ => false,
    };
    let ty = model.types.get(field.ty.name())?;
    if let Type::Object(object) = ty
        && matches!(object.kind, ObjectKind::Connection { .. })
    {
        let keys: Vec<String> = field
            .args
            .iter()
            .filter(|arg| !PAGING.contains(&arg.name.as_str()))
            .map(|arg| text(&arg.name))
            .collect();
        return Some(format!("pages({})", list(keys)));
    }
    let (embedded, has_id) = match ty {
        Type::Object(object) => (object.embedded, is_identified(&object.fields)),
        Type::Interface(interface) => (interface.embedded, is_identified(&interface.fields)),
        Type::Union(union) => (union.embedded, true),
        _ => return None,
    };
    match field.args.as_slice() {
        _ if field.ty.is_list() => Some("replaced".to_owned()),
        [] if root && !has_id => Some("merged".to_owned()),
        _ if embedded => Some("replaced".to_owned()),
        [id] if root && has_id && is_lookup(field, id) => Some(format!("identified({})", text(field.ty.name()))),
        _ => None,
    }
}

/// `tour(id: ID!): Tour`: the field is named like its type, and its only argument is the identity.
fn is_lookup(field: &Field, id: &InputValue) -> bool {
    let mut letters = field.ty.name().chars();
    let lower: String = letters
        .next()
        .map(|first| first.to_ascii_lowercase())
        .into_iter()
        .chain(letters)
        .collect();
    field.name == lower && id.name == "id" && id.ty.name() == "ID" && !id.ty.is_list()
}

fn is_identified(fields: &[Field]) -> bool {
    fields
        .iter()
        .any(|field| field.name == "id" && field.ty == TypeRef::NonNull(Box::new(TypeRef::Named("ID".to_owned()))))
}
