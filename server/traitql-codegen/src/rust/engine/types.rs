//! What the engine needs to know of each type: the data that is part of a value, and which function answers each of the other
//! fields.

use traitql_schema::model::{Field, FieldKind, Object, ObjectKind, Type};

use crate::{
    names::{ident, pascal, snake},
    render::{self, Text},
    rust::{
        api::{Api, Style},
        types::has_struct,
    },
};

/// Name of the function that answers fields of an object type.
fn fields_of(object: &Object) -> String {
    format!("fields_of_{}", snake(&object.rust))
}

/// The Rust type of the rows of an object type; `None` for roots, whose only row is nothing.
pub(super) fn row_type(api: &Api<'_>, object: &Object) -> Option<String> {
    match &object.kind {
        ObjectKind::Root(_) => None,
        ObjectKind::Connection { node, .. } => Some(format!("traitql::Page<{}>", api.named(node, Style::Generated))),
        ObjectKind::Edge { node } => Some(format!("traitql::Edge<{}>", api.named(node, Style::Generated))),
        ObjectKind::PageInfo => Some("traitql::PageInfo".to_owned()),
        ObjectKind::Plain => Some(api.named(&object.name, Style::Generated)),
    }
}

/// The entry of an object type in the table of the runtime's `Part`.
pub(super) fn table_entry(api: &Api<'_>, object: &Object) -> String {
    let (name, rows) = (render::literal(&object.name), row_type(api, object).unwrap_or_default());
    let answer = match resolved(object).next() {
        Some(_) => format!("|rows, call| {}(rows_of(rows), call)", fields_of(object)),
        None => "unresolved".to_owned(),
    };
    format!("({name}, <{rows} as Data>::FIELDS, {answer}),")
}

/// The fields that resolvers answer.
fn resolved(object: &Object) -> impl Iterator<Item = &Field> {
    object.fields.iter().filter(|field| field.kind == FieldKind::Resolved)
}

fn data(object: &Object) -> impl Iterator<Item = &Field> {
    object.fields.iter().filter(|field| field.kind == FieldKind::Data)
}

/// What the engine needs of a type.
pub(super) fn items(api: &Api<'_>, ty: &Type) -> Vec<Text> {
    match ty {
        Type::Scalar(_) | Type::Input(_) => Vec::new(),
        Type::Enum(ty) => {
            let name = pascal(&ty.rust);
            vec![Text::Laid(match api.own(&ty.name) {
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
            match api.own(&object.name) {
                Some(_) => items.push(own_item(api, object)),
                None if has_struct(api, object) => items.push(object_item(object)),
                None => {}
            }
            // The fields of roots are matched in the module of all, wherever they are asked for.
            if !matches!(object.kind, ObjectKind::Root(_)) && resolved(object).next().is_some() {
                items.push(fields_item(api, object));
            }
            items
        }
    }
}

/// An interface or union is whichever of its members it is.
fn sum(api: &Api<'_>, name: &str, members: &[&str]) -> Text {
    let members: Vec<String> = members.iter().map(|member| api.rust(member)).collect();
    let name = pascal(name);
    Text::Laid(match &members[..] {
        [] => format!("traitql::sum!(types::{name} {{}});\n"),
        members => format!(
            "traitql::sum!(types::{name} {{\n    {},\n}});\n",
            members.join(",\n    ")
        ),
    })
}

/// The fields that are parts of a value.
fn object_item(object: &Object) -> Text {
    let (name, graphql) = (pascal(&object.rust), render::literal(&object.name));
    let is_root = matches!(object.kind, ObjectKind::Root(_));
    let fields = data(object).filter(|_| !is_root).enumerate().map(|(number, field)| {
        let place = ident(&snake(&field.rust));
        format!("    {number} {} => {place},\n", render::literal(&field.name))
    });
    let fields: String = fields.collect();
    Text::Laid(match fields.is_empty() {
        true => format!("traitql::object!(types::{name}, {graphql} {{}});\n"),
        false => format!("traitql::object!(types::{name}, {graphql} {{\n{fields}}});\n"),
    })
}

/// Methods of what the trait of an own type demands besides: `Clone`, `PartialEq` and `Debug`.
const INHERITED: &[&str] = &["clone", "clone_from", "eq", "ne", "fmt"];

/// An own type is asked for its data through its trait, in a function of its own: if the trait is missing, rustc says so once.
fn own_item(api: &Api<'_>, object: &Object) -> Text {
    let names: Vec<String> = data(object).map(|field| render::literal(&field.name)).collect();
    let arms: String = data(object)
        .enumerate()
        .map(|(number, field)| {
            let method = ident(&snake(&field.rust));
            // A trait above the own type's may have a method of the same name.
            let of = match INHERITED.contains(&method.as_str()) {
                true => format!("<T as {}>", api.bind(&object.name)),
                false => "T".to_owned(),
            };
            format!("{number} => visitor.made(|| {of}::{method}(row)),\n")
        })
        .collect();
    let (name, graphql) = (pascal(&object.rust), render::literal(&object.name));
    let of = format!("data_of_{}", snake(&object.rust));
    let row = if names.is_empty() { "_" } else { "row" };
    let body = match names.is_empty() {
        true => "visitor.unknown()".to_owned(),
        false => format!("match field {{ {arms} _ => visitor.unknown() }}"),
    };
    let field = if names.is_empty() { "_" } else { "field" };
    Text::Raw(format!(
        "traitql::rows!(types::{name});

        impl Data for types::{name} {{
            const NAME: &'static str = {graphql};
            const FIELDS: &'static [&'static str] = &[{}];
            fn visit<V: Visitor>(&self, field: usize, visitor: V) -> V::Answer {{ {of}(self, field, visitor) }}
        }}

        fn {of}<T: {}, V: Visitor>({row}: &T, {field}: usize, visitor: V) -> V::Answer {{ {body} }}\n",
        names.join(", "),
        api.bind(&object.name),
    ))
}

/// The fields that resolvers answer.
fn fields_item(api: &Api<'_>, object: &Object) -> Text {
    let rows = row_type(api, object).unwrap_or_default();
    let parameters = [format!("rows: &'c [{rows}]"), "call: &'c Call<'c, Wired>".to_owned()];
    let signature = render::call(
        "",
        &format!("fn {}<'c>", fields_of(object)),
        &parameters,
        " -> Answer<'c>",
    );
    let arms: String = resolved(object)
        .map(|field| format!("        {}", arm(api, object, field)))
        .collect();
    Text::Laid(format!(
        "/// The fields of `{}` that resolvers answer.\n{signature} {{\n    match call.field() {{\n{arms}        _ => call.unknown(),\n    }}\n}}\n",
        object.name
    ))
}

fn arm(api: &Api<'_>, object: &Object, field: &Field) -> String {
    // The resolver stands where the field is written, which is another file than the type's when it extends the type.
    let (here, there) = (api.module(&object.origin.file), api.module(&field.origin.file));
    let path = if here == there {
        String::new()
    } else {
        format!("super::{there}::")
    };
    let name = render::literal(&field.name);
    format!("{name} => {path}{}(rows, call),\n", method(object, field))
}

/// Name of a resolver in the seam; also of the function that asks it.
fn method(object: &Object, field: &Field) -> String {
    snake(&format!("{}{}", pascal(&object.rust), pascal(&field.rust)))
}
