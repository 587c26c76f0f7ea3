//! Names that GraphQL keeps apart and Rust does not, or that Rust cannot carry at all.
//!
//! Generated code must type-check whatever people write; where two names would meet in Rust, the schema is the place to say
//! so. Keywords such as `type` are fine (`r#type`); the four that have no raw form are not.

use std::collections::HashMap;

use apollo_compiler::schema::ExtendedType;
use apollo_compiler::{Name, Schema};

use crate::code;
use crate::diagnostic::Collector;

/// Names of the generated crate's own items beside the types of the schema.
const TAKEN: [&str; 12] = [
    "Access", "Grant", "Schema", "Subject", "SDL", "MANIFEST", "Self", "Patch", "Page", "Batch", "Option", "Result",
];
/// Keywords of Rust that cannot be written as raw identifiers.
const UNWRITABLE: [&str; 4] = ["self", "Self", "super", "crate"];

pub(super) fn check(schema: &Schema, out: &mut Collector) {
    let mut coordinates: HashMap<String, (String, Name)> = HashMap::new();
    for (type_name, ty) in schema.types.iter().filter(|(_, ty)| !ty.is_built_in()) {
        if TAKEN.contains(&type_name.as_str()) {
            let message = format!("the generated Rust has a `{type_name}` of its own");
            out.report(code::TYPE_NAME_TAKEN, type_name.location(), message)
                .help("give the type another name");
        }
        match ty {
            ExtendedType::Object(object) => {
                clashes(type_name, object.fields.keys(), "field", snake_case, out);
                for field in object.fields.values() {
                    clashes(
                        type_name,
                        field.arguments.iter().map(|argument| &argument.name),
                        "argument",
                        snake_case,
                        out,
                    );
                    let coordinate = format!("{type_name}.{}", field.name);
                    let name = format!("{}{}", pascal_case(type_name), pascal_case(&field.name));
                    match coordinates.get(&name) {
                        // Within one type the clash of the fields has been reported.
                        Some((other, first)) if !other.starts_with(&format!("{type_name}.")) => {
                            let message = format!("`{coordinate}` and `{other}` would both be called `{name}` in Rust");
                            out.report(code::COORDINATE_CLASH, field.name.location(), message)
                                .note(first.location(), "the other one")
                                .help("rename one of them");
                        }
                        Some(_) => {}
                        None => {
                            coordinates.insert(name, (coordinate, field.name.clone()));
                        }
                    }
                }
            }
            ExtendedType::Interface(interface) => clashes(type_name, interface.fields.keys(), "field", snake_case, out),
            ExtendedType::InputObject(input) => clashes(type_name, input.fields.keys(), "field", snake_case, out),
            ExtendedType::Enum(ty) => clashes(type_name, ty.values.keys(), "value", pascal_case, out),
            ExtendedType::Scalar(_) | ExtendedType::Union(_) => {}
        }
    }
}

fn clashes<'n>(
    owner: &Name,
    names: impl Iterator<Item = &'n Name>,
    what: &str,
    convert: fn(&str) -> String,
    out: &mut Collector,
) {
    let mut seen: HashMap<String, &Name> = HashMap::new();
    for name in names {
        let rust = convert(name);
        if UNWRITABLE.contains(&rust.as_str()) || rust.is_empty() || rust.starts_with(|c: char| c.is_ascii_digit()) {
            let message =
                format!("the {what} `{name}` of `{owner}` would be called `{rust}` in Rust, which is no name there");
            out.report(code::NOT_A_RUST_NAME, name.location(), message)
                .help("give it another name");
            continue;
        }
        match seen.get(&rust) {
            Some(first) => {
                let message =
                    format!("the {what}s `{first}` and `{name}` of `{owner}` would both be called `{rust}` in Rust");
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

/// `hasNextPage` as `has_next_page`, `sourceURL` as `source_url`.
pub(crate) fn snake_case(name: &str) -> String {
    words(name).join("_")
}

/// `IN_REVIEW` as `InReview`, `tourSave` as `TourSave`.
pub(crate) fn pascal_case(name: &str) -> String {
    words(name)
        .iter()
        .map(|word| {
            let mut letters = word.chars();
            letters.next().map_or_else(String::new, |first| {
                first.to_ascii_uppercase().to_string() + letters.as_str()
            })
        })
        .collect()
}

/// Words in lower case: at `_`, before an upper-case letter that follows a lower-case one or a digit, and before the last
/// upper-case letter of a run when a lower-case letter follows.
fn words(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    for (index, &letter) in letters.iter().enumerate() {
        let before = index.checked_sub(1).map(|before| letters[before]);
        let after = letters.get(index + 1);
        let begins = letter.is_ascii_uppercase()
            && before.is_some_and(|before| {
                before.is_ascii_lowercase()
                    || before.is_ascii_digit()
                    || (before.is_ascii_uppercase() && after.is_some_and(|after| after.is_ascii_lowercase()))
            });
        if (begins || letter == '_') && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if letter != '_' {
            word.push(letter.to_ascii_lowercase());
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_rust_names() {
        assert_eq!(snake_case("hasNextPage"), "has_next_page");
        assert_eq!(snake_case("sourceURL"), "source_url");
        assert_eq!(snake_case("HTMLBody2"), "html_body2");
        assert_eq!(snake_case("_id"), "id");
        assert_eq!(pascal_case("IN_REVIEW"), "InReview");
        assert_eq!(pascal_case("tourSave"), "TourSave");
    }
}
