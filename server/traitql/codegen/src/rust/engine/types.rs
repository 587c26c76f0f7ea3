use traitql_schema::model::{Field, FieldKind, Object, ObjectKind, Type};

use crate::{
    names::{ident, pascal, snake},
    render::{self, Text},
    rust::{
        api::{Api, Style},
        types::has_struct,
    },
};

fn fields_of(object: &Object) -> String {
    format!("fields_of_{}", snake(&object.rust))
}

pub(super) fn row_type(api: &Api<'_>, object: &Object) -> Option<String> {
    match &object.kind {
        ObjectKind::Root(_) => None,
        ObjectKind::Connection { node, .. } => Some(format!("traitql::Page<{}>", api.named(node, Style::Generated))),
        ObjectKind::Edge { node } => Some(format!("traitql::Edge<{}>", api.named(node, Style::Generated))),
        ObjectKind::PageInfo => Some("traitql::PageInfo".to_owned()),
        ObjectKind::Plain => Some(api.named(&object.name, Style::Generated)),
    }
}

pub(super) fn table_entry(api: &Api<'_>, object: &Object) -> String {
    let (name, rows) = (render::literal(&object.name), row_type(api, object).unwrap_or_default());
    let answer = match resolved(object).next() {
        Some(_) => format!("|rows, call| {}(rows_of(rows), call)", fields_of(object)),
        None => "no_resolver".to_owned(),
    };
    format!("({name}, <{rows} as Data>::FIELDS, {answer}),")
}

fn resolved(object: &Object) -> impl Iterator<Item = &Field> {
    object.fields.iter().filter(|field| field.kind == FieldKind::Resolved)
}

fn data(object: &Object) -> impl Iterator<Item = &Field> {
    object.fields.iter().filter(|field| field.kind == FieldKind::Data)
}

pub(super) fn items(api: &Api<'_>, ty: &Type) -> Vec<Text> {
    match ty {
        Type::Scalar(_) | Type::Input(_) => Vec::new(),
        Type::Enum(ty) => {
            let name = pascal(&ty.rust);
            vec![Text::Verbatim(match api.bound_type(&ty.name) {
                None => format!("traitql::names!(types::{name}, types::{name}::as_graphql);\n"),
                Some(_) => format!(
                    "traitql::own_names!(types::{name}, |value| {}::value(value).as_graphql());\n",
                    api.bind(&ty.name)
                ),
            })]
        }
        Type::Interface(ty) => vec![sum(api, &ty.rust, &api.members(&ty.members))],
        Type::Union(ty) => vec![sum(api, &ty.rust, &api.members(&ty.members))],
        Type::Object(object) => {
            let mut items = Vec::new();
            match api.bound_type(&object.name) {
                Some(_) => items.push(bound_item(api, object)),
                None if has_struct(api, object) => items.push(object_item(object)),
                None => {}
            }
            // Root fields are in the tables of `engine/mod.rs`.
            if !matches!(object.kind, ObjectKind::Root(_)) && resolved(object).next().is_some() {
                items.push(fields_item(api, object));
            }
            items
        }
    }
}

/// Delegates to the members.
fn sum(api: &Api<'_>, name: &str, members: &[&str]) -> Text {
    let members: Vec<String> = members.iter().map(|member| api.rust(member)).collect();
    let name = pascal(name);
    Text::Verbatim(match &members[..] {
        [] => format!("traitql::sum!(types::{name} {{}});\n"),
        members => format!(
            "traitql::sum!(types::{name} {{\n    {},\n}});\n",
            members.join(",\n    ")
        ),
    })
}

fn object_item(object: &Object) -> Text {
    let (name, graphql) = (pascal(&object.rust), render::literal(&object.name));
    let is_root = matches!(object.kind, ObjectKind::Root(_));
    let fields = data(object).filter(|_| !is_root).enumerate().map(|(number, field)| {
        let member = ident(&snake(&field.rust));
        format!("    {number} {} => {member},\n", render::literal(&field.name))
    });
    let fields: String = fields.collect();
    Text::Verbatim(if fields.is_empty() {
        format!("traitql::object!(types::{name}, {graphql} {{}});\n")
    } else {
        format!("traitql::object!(types::{name}, {graphql} {{\n{fields}}});\n")
    })
}

/// Methods of a bound type's supertraits: `Clone`, `PartialEq` and `Debug`.
const INHERITED: &[&str] = &["clone", "clone_from", "eq", "ne", "fmt"];

/// Accesses the fields in a separate generic function, so that rustc reports a missing trait only once.
fn bound_item(api: &Api<'_>, object: &Object) -> Text {
    let names: Vec<String> = data(object).map(|field| render::literal(&field.name)).collect();
    let arms: String = data(object)
        .enumerate()
        .map(|(number, field)| {
            let method = ident(&snake(&field.rust));
            // A supertrait can have a method of the same name.
            let of = if INHERITED.contains(&method.as_str()) {
                format!("<T as {}>", api.bind(&object.name))
            } else {
                "T".to_owned()
            };
            format!("{number} => visitor.computed(|| {of}::{method}(row)),\n")
        })
        .collect();
    let (name, graphql) = (pascal(&object.rust), render::literal(&object.name));
    let of = format!("data_of_{}", snake(&object.rust));
    let row = if names.is_empty() { "_" } else { "row" };
    let body = if names.is_empty() {
        "visitor.unknown()".to_owned()
    } else {
        format!("match field {{ {arms} _ => visitor.unknown() }}")
    };
    let field = if names.is_empty() { "_" } else { "field" };
    Text::Code(format!(
        "traitql::rows!(types::{name});

        impl Data for types::{name} {{
            const NAME: &'static str = {graphql};
            const FIELDS: &'static [&'static str] = &[{}];
            fn visit<V: Visitor>(&self, field: usize, visitor: V) -> V::Output {{ {of}(self, field, visitor) }}
        }}

        fn {of}<T: {}, V: Visitor>({row}: &T, {field}: usize, visitor: V) -> V::Output {{ {body} }}\n",
        names.join(", "),
        api.bind(&object.name),
    ))
}

fn fields_item(api: &Api<'_>, object: &Object) -> Text {
    let rows = row_type(api, object).unwrap_or_default();
    let arms: String = resolved(object).map(|field| arm(api, object, field)).collect();
    Text::Code(format!(
        "/// Resolves a field of `{}`.
        fn {}<'c>(rows: &'c [{rows}], call: &'c Call<'c, Generated>) -> Resolution<'c> {{
            match call.field() {{ {arms} _ => call.unknown() }}
        }}",
        object.name,
        fields_of(object)
    ))
}

fn arm(api: &Api<'_>, object: &Object, field: &Field) -> String {
    // An extension is called from the module of its file.
    let (here, there) = (api.module(&object.origin.file), api.module(&field.origin.file));
    let path = if here == there {
        String::new()
    } else {
        format!("super::{there}::")
    };
    let name = render::literal(&field.name);
    format!("{name} => {path}{}(rows, call),\n", method(object, field))
}

/// The function that calls the resolver has the same name.
fn method(object: &Object, field: &Field) -> String {
    snake(&format!("{}{}", pascal(&object.rust), pascal(&field.rust)))
}
