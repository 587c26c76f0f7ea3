//! Names that GraphQL keeps apart and Rust does not.
//!
//! Generated code must type-check whatever people write; where two names would meet in Rust, the schema is the place to say
//! so. Keywords are no problem, because the generator writes `r#type` and `self_`.

use std::collections::{HashMap, HashSet};

use apollo_compiler::schema::ExtendedType;
use apollo_compiler::{Name, Schema};

use crate::code;
use crate::diagnostic::Collector;
use crate::names::{TAKEN, ident, parameter, pascal, snake, variant};

/// Reports names that would meet; `resolved` are the coordinates of fields with a resolver, `guards` the questions that the
/// schema asks about callers.
pub(super) fn check(schema: &Schema, resolved: &HashSet<String>, guards: Guards, out: &mut Collector) {
    let mut types: HashMap<String, &Name> = HashMap::new();
    let mut traits: HashMap<String, (String, &Name)> = HashMap::new();
    for (type_name, ty) in schema.types.iter().filter(|(_, ty)| !ty.is_built_in()) {
        // A scalar makes no item in Rust.
        let rust = pascal(type_name);
        let first = if ty.is_scalar() { None } else { types.get(&rust) };
        if let Some(first) = first {
            let message = format!("the types `{first}` and `{type_name}` would both be called `{rust}` in Rust");
            out.report(code::RUST_NAME_CLASH, ty.name().location(), message)
                .note(first.location(), "the other one")
                .help("rename one of them");
        } else if !ty.is_scalar() {
            types.insert(rust.clone(), ty.name());
        }
        let needed = match rust.as_str() {
            "Access" => guards != Guards::None,
            "Grant" | "Subject" => guards == Guards::Roles,
            name => TAKEN.contains(&name),
        };
        if needed && !ty.is_scalar() {
            let message = format!("the type `{type_name}` has a name that the generated Rust needs for itself");
            out.report(code::TYPE_NAME_TAKEN, ty.name().location(), message)
                .help("give the type another name");
        }
        match ty {
            ExtendedType::Object(object) => {
                clashes(type_name, object.fields.keys(), "fields", field, out);
                for field in object.fields.values() {
                    let owner = format!("{type_name}.{}", field.name);
                    clashes(
                        &owner,
                        field.arguments.iter().map(|argument| &argument.name),
                        "arguments",
                        parameter,
                        out,
                    );
                    if !resolved.contains(&owner) {
                        continue;
                    }
                    let name = format!("{}{}", pascal(type_name), pascal(&field.name));
                    match traits.get(&name) {
                        // Within one type the clash of the fields has been reported.
                        Some((other, first)) if !other.starts_with(&format!("{type_name}.")) => {
                            let message = format!("`{owner}` and `{other}` would both be `resolve::{name}` in Rust");
                            out.report(code::COORDINATE_CLASH, field.name.location(), message)
                                .note(first.location(), "the other one")
                                .help("rename one of them");
                        }
                        Some(_) => {}
                        None => {
                            traits.insert(name, (owner, &field.name));
                        }
                    }
                }
            }
            ExtendedType::Interface(interface) => clashes(type_name, interface.fields.keys(), "fields", field, out),
            // The fields of a `@oneOf` input are variants of an enum.
            ExtendedType::InputObject(input) if input.is_one_of() => {
                clashes(
                    type_name,
                    input.fields.keys(),
                    "fields",
                    |name| ident(&pascal(name)),
                    out,
                );
            }
            ExtendedType::InputObject(input) => clashes(type_name, input.fields.keys(), "fields", field, out),
            ExtendedType::Enum(ty) => clashes(type_name, ty.values.keys(), "values", variant, out),
            ExtendedType::Scalar(_) | ExtendedType::Union(_) => {}
        }
    }
}

/// What a schema wants to know about callers: the generated crate has items for it only then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Guards {
    None,
    SignedIn,
    Roles,
}

fn clashes<'n>(
    owner: &str,
    names: impl Iterator<Item = &'n Name>,
    what: &str,
    convert: fn(&str) -> String,
    out: &mut Collector,
) {
    let mut seen: HashMap<String, &Name> = HashMap::new();
    for name in names {
        let rust = convert(name);
        match seen.get(&rust) {
            Some(first) => {
                let message =
                    format!("the {what} `{first}` and `{name}` of `{owner}` would both be called `{rust}` in Rust");
                out.report(code::RUST_NAME_CLASH, name.location(), message)
                    .note(first.location(), "the other one")
                    .help("rename one of them");
            }
            None => {
                seen.insert(rust, name);
            }
        }
    }
}

fn field(name: &str) -> String {
    ident(&snake(name))
}
