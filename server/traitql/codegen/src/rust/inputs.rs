//! Structs, and enums for `@oneOf` inputs.

use traitql_schema::model::{InputObject, InputValue};

use super::{
    api::{Api, Style},
    derive::Derives,
    literal,
};
use crate::{
    names::{ident, pascal, snake},
    render,
};

pub(crate) fn item(api: &Api<'_>, input: &InputObject, derive: &Derives) -> String {
    let name = pascal(&input.rust);
    let doc = render::doc(input.description.as_deref(), &format!("`input {}`", input.name));
    if input.one_of {
        let variants: String = input
            .fields
            .iter()
            .map(|field| {
                let doc = render::doc(field.description.as_deref(), &format!("`{}`", field.sdl));
                let name = ident(&pascal(&field.rust));
                let renamed = derive.name(&name, &field.name);
                let head = render::indented(&(doc + &renamed), 1);
                format!("{head}    {name}({}),\n", variant_type(api, input, field))
            })
            .collect();
        return format!("{doc}{}pub enum {name} {{\n{variants}}}\n", derive.head);
    }
    let fields: String = input
        .fields
        .iter()
        .map(|field| {
            let doc = render::doc(field.description.as_deref(), &format!("`{}`", field.sdl));
            let name = ident(&snake(&field.rust));
            let ty = api.input_field(&input.name, field, Style::Types);
            let head = doc + &derive.name(&name, &field.name) + derive.patch(&ty);
            render::field(&head, &name, &ty)
        })
        .collect();
    format!(
        "{doc}{}pub struct {name} {{\n{fields}}}\n{}",
        derive.head,
        constructor(api, input, &name)
    )
}

/// The schema declares the fields as nullable, but the selected one is never null.
pub(crate) fn variant_type(api: &Api<'_>, input: &InputObject, field: &InputValue) -> String {
    let present = InputValue {
        ty: traitql_schema::model::TypeRef::NonNull(Box::new(field.ty.nullable().clone())),
        ..field.clone()
    };
    api.input_field(&input.name, &present, Style::Types)
}

/// Generates `new`, which takes the required fields, or `Default` if no field is required.
fn constructor(api: &Api<'_>, input: &InputObject, name: &str) -> String {
    let required: Vec<&InputValue> = input
        .fields
        .iter()
        .filter(|field| literal::absent(api, input, field, Style::Types).is_none())
        .collect();
    let fields: Vec<String> = input
        .fields
        .iter()
        .map(|field| {
            let name = ident(&snake(&field.rust));
            match literal::absent(api, input, field, Style::Types) {
                Some(value) => format!("{name}: {value}"),
                None => name,
            }
        })
        .collect();
    let body = format!("Self {{ {} }}", fields.join(", "));
    if required.is_empty() {
        return format!("\nimpl Default for {name} {{\n    fn default() -> Self {{\n        {body}\n    }}\n}}\n");
    }
    let params: Vec<String> = required
        .iter()
        .map(|field| {
            format!(
                "{}: {}",
                ident(&snake(&field.rust)),
                api.input_field(&input.name, field, Style::Types)
            )
        })
        .collect();
    // Beyond clippy's limit, a struct literal is easier to read.
    if params.len() > 7 {
        return String::new();
    }
    format!(
        "
impl {name} {{
    /// Creates an input from its required fields. The others have their defaults.
    pub fn new({}) -> Self {{
        {body}
    }}
}}
",
        params.join(", ")
    )
}
