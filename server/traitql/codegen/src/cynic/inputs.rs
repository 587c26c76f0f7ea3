//! The scalars, enums and inputs of the documents.
//!
//! Inputs implement cynic's traits without its derive, which does not distinguish an absent list from null.

use std::collections::BTreeSet;

use traitql_schema::model::{Enum, InputObject, InputValue, Type, TypeRef, Variable};

use super::{Client, attribute, rename, rust_file, wrapped};
use crate::GeneratedFile;
use crate::names::{ident, pascal, screaming, snake, variant};
use crate::render::{call, indented};

const INPUT: &str = "cynic::serde::Serialize, Debug, Clone";

pub(super) fn file(client: &Client<'_>) -> GeneratedFile {
    let mut file = rust_file(client.config, "types.rs", "Scalars, enums and inputs.");
    file.item("use super::schema;");
    for name in &client.used {
        let rust = client.name(name);
        let graphql_type = (rust != *name).then(|| format!("graphql_type = {name:?}"));
        let head = attribute(&graphql_type.into_iter().collect::<Vec<_>>());
        let ty = client.model.types.get(*name);
        match ty {
            _ if client.is_json(name) => file.item(json(name, &rust)),
            Some(Type::Scalar(_)) => {
                let inner = client.config.scalars.get(*name).map_or("String", String::as_str);
                file.item(format!(
                    "#[derive(cynic::Scalar, Debug, Clone, PartialEq)]\n{head}pub struct {rust}(pub {inner});"
                ));
            }
            Some(Type::Enum(ty)) => file.item(enumeration(ty, &rust, &head)),
            Some(Type::Input(input)) if input.one_of => file.item(one_of(client, input, &rust)),
            Some(Type::Input(input)) => {
                let head = "#[serde(crate = \"cynic::serde\", rename_all = \"camelCase\")]\n";
                let fields: Vec<InputField> = input
                    .fields
                    .iter()
                    .map(|field| input_field(client, input, field))
                    .collect();
                file.item(structure(&rust, INPUT, head, &fields));
            }
            _ => {}
        }
        match ty {
            Some(Type::Input(_)) => file.item(implementations(name, &rust)),
            Some(Type::Object(_)) => file.item(format!(
                "impl cynic::QueryFragment for {rust} {{\ntype SchemaType = schema::{name};\ntype VariablesFields = ();\n\
                 fn query(_: cynic::queries::SelectionBuilder<'_, Self::SchemaType, Self::VariablesFields>) {{}}\n}}\n"
            )),
            _ => {}
        }
    }
    file.finish()
}

fn json(name: &str, rust: &str) -> String {
    format!(
        "/// The JSON of a `{name}`.\n\
         #[derive(cynic::serde::Serialize, cynic::serde::Deserialize, Debug, Clone, PartialEq)]\n\
         #[serde(crate = \"cynic::serde\", transparent)]\npub struct {rust}(pub serde_json::Value);\n"
    )
}

fn implementations(name: &str, rust: &str) -> String {
    format!(
        "impl cynic::InputObject for {rust} {{\ntype SchemaType = schema::{name};\n}}\n\
         cynic::impl_coercions!({rust}, schema::{name});\n\
         impl schema::variable::Variable for {rust} {{\n\
         const TYPE: cynic::variables::VariableType = cynic::variables::VariableType::Named({name:?});\n}}\n"
    )
}

fn enumeration(ty: &Enum, rust: &str, head: &str) -> String {
    let mut variants = String::new();
    for value in &ty.values {
        let variant = variant(&value.rust);
        let is_plain = value.name.chars().all(|c| c.is_ascii_uppercase() || c == '_');
        if !is_plain || screaming(&variant) != value.name {
            variants += &format!("#[cynic(rename = {:?})]\n", value.name);
        }
        variants += &format!("{variant},\n");
    }
    format!("#[derive(cynic::Enum, Debug, Clone, Copy, PartialEq, Eq)]\n{head}pub enum {rust} {{\n{variants}}}\n")
}

/// serde writes an enum like GraphQL an input of which one field is given.
fn one_of(client: &Client<'_>, input: &InputObject, rust: &str) -> String {
    let mut variants = String::new();
    for field in &input.fields {
        let variant = ident(&pascal(&field.rust));
        let ty = required(&field.ty, &inner(client, input, field));
        variants += &format!("#[serde(rename = {:?})]\n{variant}({ty}),\n", field.name);
    }
    format!("#[derive({INPUT})]\n#[serde(crate = \"cynic::serde\")]\npub enum {rust} {{\n{variants}}}\n")
}

/// Returns the type of the innermost values.
fn inner(client: &Client<'_>, owner: &InputObject, field: &InputValue) -> String {
    let leaf = client.leaf(field.ty.name());
    if is_recursive(client, owner, field) {
        format!("Box<{leaf}>")
    } else {
        leaf
    }
}

fn is_recursive(client: &Client<'_>, owner: &InputObject, field: &InputValue) -> bool {
    fn reaches<'a>(client: &Client<'a>, from: &'a str, to: &str, seen: &mut BTreeSet<&'a str>) -> bool {
        let Some(Type::Input(input)) = client.model.types.get(from) else {
            return false;
        };
        from == to
            || seen.insert(from)
                && !client.is_json(from)
                && input
                    .fields
                    .iter()
                    .any(|field| !field.ty.is_list() && reaches(client, field.ty.name(), to, seen))
    }
    let name = client.model.types.get_key_value(field.ty.name()).map(|(name, _)| name);
    name.is_some_and(|name| !field.ty.is_list() && reaches(client, name, &owner.name, &mut BTreeSet::new()))
}

/// A field of an input or of variables.
pub(super) struct InputField {
    head: String,
    ident: String,
    ty: String,
    is_optional: bool,
}

fn input_field(client: &Client<'_>, owner: &InputObject, field: &InputValue) -> InputField {
    let ident = ident(&snake(&field.rust));
    let rename = rename(&ident, &field.name);
    let inner = inner(client, owner, field);
    InputField::new("serde", rename, ident, &field.ty, field.default.is_some(), &inner)
}

pub(super) fn variable(client: &Client<'_>, variable: &Variable) -> InputField {
    let ident = ident(&snake(&variable.name));
    let rename = rename(&ident, &variable.name);
    let inner = client.leaf(variable.ty.name());
    InputField::new("cynic", rename, ident, &variable.ty, variable.has_default, &inner)
}

impl InputField {
    fn new(macros: &str, rename: Option<String>, ident: String, ty: &TypeRef, has_default: bool, inner: &str) -> Self {
        let mut attributes: Vec<String> = rename.into_iter().collect();
        let is_optional = has_default || !ty.is_non_null();
        let mut rust = required(ty, inner);
        if is_optional {
            let wrapper = if ty.is_non_null() { "Defaulted" } else { "Optional" };
            rust = format!("super::{wrapper}<{rust}>");
            attributes.push(format!("skip_serializing_if = \"super::{wrapper}::is_absent\""));
        }
        let head = match &attributes[..] {
            [] => String::new(),
            attributes => format!("#[{macros}({})]\n", attributes.join(", ")),
        };
        Self {
            head,
            ident,
            ty: rust,
            is_optional,
        }
    }
}

/// Returns the type of values that are not null.
fn required(ty: &TypeRef, inner: &str) -> String {
    wrapped(&TypeRef::NonNull(Box::new(ty.nullable().clone())), inner)
}

/// Returns a struct that can be created from its required fields.
pub(super) fn structure(name: &str, derive: &str, head: &str, fields: &[InputField]) -> String {
    let (optional, required): (Vec<&InputField>, Vec<&InputField>) = fields.iter().partition(|field| field.is_optional);
    let default = if required.is_empty() { ", Default" } else { "" };
    let declared: String = fields
        .iter()
        .map(|field| format!("{}pub {}: {},\n", field.head, field.ident, field.ty))
        .collect();
    let declared = indented(&declared, 1);
    let mut text = format!("#[derive({derive}{default})]\n{head}pub struct {name} {{\n{declared}}}\n");
    if !optional.is_empty() && !required.is_empty() {
        let parameters: Vec<String> = required
            .iter()
            .map(|field| format!("{}: {}", field.ident, field.ty))
            .collect();
        let values = fields.iter().map(|field| {
            let value = if field.is_optional { ": Default::default()" } else { "" };
            format!("{}{value},\n", field.ident)
        });
        let values: String = values.collect();
        text += &format!(
            "\nimpl {name} {{\n    /// Leaves the optional values absent.\n{} {{\n        Self {{\n{}        }}\n    }}\n}}\n",
            call("    ", "pub fn new", &parameters, " -> Self"),
            indented(&values, 3),
        );
    }
    text
}
