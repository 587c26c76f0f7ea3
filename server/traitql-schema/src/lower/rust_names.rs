//! Names that GraphQL keeps apart and Rust does not.
//!
//! Generated code must type-check whatever people write; where two names would meet in Rust, the schema is the place to say
//! so. The conversions are those of `traitql-codegen` (`names.rs` there); keywords are no problem, because the generator
//! writes `r#type` and `self_`.

use std::collections::{HashMap, HashSet};

use apollo_compiler::schema::ExtendedType;
use apollo_compiler::{Name, Schema};

use crate::code;
use crate::diagnostic::Collector;

/// Names of the generated crate's own items, which stand beside the types of the schema, and of what no type can be called.
const TAKEN: [&str; 18] = [
    "Access",
    "Default",
    "Grant",
    "Resolvers",
    "Schema",
    "Subject",
    "Self",
    "self",
    "super",
    "crate",
    "args",
    "audit",
    "errors",
    "field",
    "mock",
    "resolve",
    "role",
    "transition",
];
/// Names of arguments that a resolver has anyway; the generator adds `_` to those of the schema.
const ARGUMENTS: [&str; 4] = ["cx", "viewer", "parents", "self"];

/// Reports names that would meet; `resolved` are the coordinates of fields with a resolver.
pub(super) fn check(schema: &Schema, resolved: &HashSet<String>, out: &mut Collector) {
    let mut traits: HashMap<String, (String, &Name)> = HashMap::new();
    for (type_name, ty) in schema.types.iter().filter(|(_, ty)| !ty.is_built_in()) {
        if TAKEN.contains(&type_name.as_str()) {
            let message = format!("the type `{type_name}` has a name that the generated Rust needs for itself");
            out.report(code::TYPE_NAME_TAKEN, ty.name().location(), message)
                .help("give the type another name");
        }
        match ty {
            ExtendedType::Object(object) => {
                clashes(type_name, object.fields.keys(), "fields", field_name, out);
                for field in object.fields.values() {
                    let owner = format!("{type_name}.{}", field.name);
                    clashes(
                        &owner,
                        field.arguments.iter().map(|argument| &argument.name),
                        "arguments",
                        argument_name,
                        out,
                    );
                    if !resolved.contains(&owner) {
                        continue;
                    }
                    let name = format!("{}{}", pascal_case(type_name), pascal_case(&field.name));
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
            ExtendedType::Interface(interface) => {
                clashes(type_name, interface.fields.keys(), "fields", field_name, out)
            }
            ExtendedType::InputObject(input) => clashes(type_name, input.fields.keys(), "fields", field_name, out),
            ExtendedType::Enum(ty) => clashes(type_name, ty.values.keys(), "values", variant_name, out),
            ExtendedType::Scalar(_) | ExtendedType::Union(_) => {}
        }
    }
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

fn field_name(name: &str) -> String {
    match snake_case(name) {
        name if matches!(name.as_str(), "self" | "super" | "crate" | "_") => name + "_",
        name => name,
    }
}

fn argument_name(name: &str) -> String {
    let name = field_name(name);
    if ARGUMENTS.contains(&name.as_str()) {
        name + "_"
    } else {
        name
    }
}

fn variant_name(name: &str) -> String {
    let name = match name.chars().any(|letter| letter.is_ascii_lowercase()) {
        true => pascal_case(name),
        false => pascal_case(&name.to_ascii_lowercase()),
    };
    match name.chars().next() {
        Some(first) if first.is_ascii_alphabetic() => {
            if name == "Self" {
                name + "_"
            } else {
                name
            }
        }
        _ => format!("V{name}"),
    }
}

/// `hasNextPage` as `has_next_page`, `sourceURL` as `source_url`.
fn snake_case(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    let mut out = String::with_capacity(name.len() + 4);
    for (at, letter) in letters.iter().enumerate() {
        if letter.is_ascii_uppercase() && at > 0 {
            let before = letters[at - 1];
            let ends_run = before.is_ascii_uppercase() && letters.get(at + 1).is_some_and(char::is_ascii_lowercase);
            if before.is_ascii_lowercase() || before.is_ascii_digit() || ends_run {
                out.push('_');
            }
        }
        out.push(letter.to_ascii_lowercase());
    }
    out
}

/// `tourSave` and `tour_save` as `TourSave`.
pub(crate) fn pascal_case(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for part in name.split('_').filter(|part| !part.is_empty()) {
        let mut letters = part.chars();
        out.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        out.push_str(letters.as_str());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_those_of_the_generator() {
        assert_eq!(snake_case("hasNextPage"), "has_next_page");
        assert_eq!(snake_case("HTTPServer"), "http_server");
        assert_eq!(pascal_case("tour_bool_exp"), "TourBoolExp");
        assert_eq!(variant_name("IN_REVIEW"), "InReview");
        assert_eq!(variant_name("inReview"), "InReview");
        assert_eq!(variant_name("_1"), "V1");
        assert_eq!(argument_name("viewer"), "viewer_");
    }
}
