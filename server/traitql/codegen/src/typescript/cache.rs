//! Policies of Apollo Client's cache that follow from the schema, only for fields that an operation selects, because
//! of the bundle size.

use std::{collections::BTreeSet, fmt::Write as _};

use indexmap::IndexMap;
use traitql_schema::model::{Field, InputValue, Model, Object, ObjectKind, Operation, RootKind, Type, TypeRef};

use super::literal::{doc, list, object, text, texts};
use crate::manifest;

/// These arguments select a page of a connection.
const PAGING: [&str; 4] = ["first", "after", "last", "before"];

pub(super) fn contents(model: &Model) -> String {
    let selected: BTreeSet<&str> = model
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
            .filter(|field| selected.contains(format!("{name}.{}", field.name).as_str()))
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
        "\n/** The object types of each interface and union. */\nexport const possibleTypes = {};\n",
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
        "\n/** Policies for the fields that Apollo's defaults would cache incorrectly. */\nexport const typePolicies = {};\n",
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
        "\n/** The fields with custom scalars, by type. */\nexport const scalarFields = {} as const;\n",
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
            "The hashes of the queries without access checks. If they are sent as `GET` requests by hash, the browser caches the \
             responses and revalidates them on each use."
        ),
        block(&public)
    );
    out
}

fn block(lines: &str) -> String {
    match lines {
        "" => "{}".to_owned(),
        lines => format!("{{\n{lines}}}"),
    }
}

fn imports(policies: &IndexMap<&str, Policy<'_>>) -> String {
    let fields = || policies.values().flat_map(|policy| &policy.fields);
    let used: Vec<&str> = ["lookupById", "merge", "pages", "replace"]
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
 * Configuration of Apollo Client's `InMemoryCache`: pass `possibleTypes` and `typePolicies` to its constructor. Objects
 * with an `id` are normalized; objects without one are stored in their parent.
 */
";

#[derive(Default)]
struct Policy<'m> {
    /// Although the type has an `id`.
    inside_parent: bool,
    fields: Vec<(&'m str, String)>,
}

/// Returns `None` if Apollo's default is correct.
fn field_policy(model: &Model, parent: Option<&Object>, field: &Field) -> Option<String> {
    let root = match parent.map(|parent| &parent.kind) {
        Some(ObjectKind::Root(RootKind::Query)) => true,
        // Apollo stores these results by object id.
        Some(ObjectKind::Root(_)) => return None,
        // The connection's field merges its pages.
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
        _ if field.ty.is_list() => Some("replace".to_owned()),
        [] if root && !has_id => Some("merge".to_owned()),
        _ if embedded => Some("replace".to_owned()),
        [id] if root && has_id && is_lookup(field, id) => Some(format!("lookupById({})", text(field.ty.name()))),
        _ => None,
    }
}

/// True for `tour(id: ID!): Tour`: the field is named after its type, and its only argument is the id.
fn is_lookup(field: &Field, id: &InputValue) -> bool {
    let mut chars = field.ty.name().chars();
    let lower: String = chars
        .next()
        .map(|first| first.to_ascii_lowercase())
        .into_iter()
        .chain(chars)
        .collect();
    field.name == lower && id.name == "id" && id.ty.name() == "ID" && !id.ty.is_list()
}

fn is_identified(fields: &[Field]) -> bool {
    fields
        .iter()
        .any(|field| field.name == "id" && field.ty == TypeRef::NonNull(Box::new(TypeRef::Named("ID".to_owned()))))
}
