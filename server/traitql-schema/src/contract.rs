//! What documents rely on beside their own text: the types of what they are answered, and of what their variables hold.
//!
//! Validation finds that a document asks for a field that is gone. It does not find that a field can be null now, or that an
//! input that comes in a variable has a required field more, or has lost the default of one. So a release keeps these types beside its documents, a line
//! for each coordinate, and every later schema is held against them.

use indexmap::IndexMap;

use crate::meaning::{promises_all_of, takes_all_of, words};
use crate::model::{Operation, Type, TypeRef};

/// The lines of some operations: `Tour.title` to `String!`, `TourSaveInput.id` to `ID!`, `TourSaveInput.size` to `Int! = 3`,
/// `Status` to `DRAFT | LIVE`, and `TourSaveInput` to `input` or `input @oneOf`; by coordinate, so that two releases differ
/// in few lines.
pub fn contract(types: &IndexMap<String, Type>, operations: &[Operation]) -> IndexMap<String, String> {
    let mut lines = IndexMap::new();
    for operation in operations {
        for coordinate in &operation.coordinates {
            if let Some(ty) = output(types, coordinate) {
                lines.insert(coordinate.clone(), ty.to_string());
            }
        }
        for variable in &operation.variables {
            input(types, variable.ty.name(), &mut lines);
        }
    }
    lines.sort_keys();
    lines
}

/// The lines among those of a release that one of its operations relies on.
pub(crate) fn part(lines: &IndexMap<String, String>, operation: &Operation) -> IndexMap<String, String> {
    let mut names: Vec<String> = operation
        .variables
        .iter()
        .map(|variable| variable.ty.name().to_owned())
        .collect();
    let mut at = 0;
    while let Some(name) = names.get(at).cloned() {
        let below = lines.iter().filter(|(coordinate, _)| {
            let (ty, field) = coordinate.split_once('.').unwrap_or_default();
            ty == name && !field.is_empty()
        });
        for (_, line) in below {
            let inner = type_of(line).replace(['[', ']', '!'], "");
            if !names.contains(&inner) {
                names.push(inner);
            }
        }
        at += 1;
    }
    let is_of_it = |coordinate: &String| {
        let ty = coordinate.split('.').next().unwrap_or_default();
        operation.coordinates.contains(coordinate) || names.iter().any(|name| name == ty)
    };
    lines
        .iter()
        .filter(|(coordinate, _)| is_of_it(coordinate))
        .map(|(coordinate, line)| (coordinate.clone(), line.clone()))
        .collect()
}

fn output<'t>(types: &'t IndexMap<String, Type>, coordinate: &str) -> Option<&'t TypeRef> {
    let (ty, name) = coordinate.split_once('.')?;
    let fields = match types.get(ty)? {
        Type::Object(object) => &object.fields,
        Type::Interface(interface) => &interface.fields,
        _ => return None,
    };
    Some(&fields.iter().find(|field| field.name == name)?.ty)
}

fn input(types: &IndexMap<String, Type>, name: &str, lines: &mut IndexMap<String, String>) {
    if lines.contains_key(name) {
        return;
    }
    match types.get(name) {
        Some(Type::Input(input)) => {
            let kind = if input.one_of { "input @oneOf" } else { "input" };
            lines.insert(name.to_owned(), kind.to_owned());
            for field in &input.fields {
                // Where null is no value, only the default lets clients leave the field out.
                let default = match field.ty.is_non_null() {
                    true => words::default(field),
                    false => String::new(),
                };
                lines.insert(format!("{name}.{}", field.name), format!("{}{default}", field.ty));
                self::input(types, field.ty.name(), lines);
            }
        }
        Some(Type::Enum(ty)) => {
            let values: Vec<&str> = ty.values.iter().map(|value| value.name.as_str()).collect();
            lines.insert(name.to_owned(), values.join(" | "));
        }
        _ => {}
    }
}

/// A line that a schema does not keep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Breach {
    /// Where in the schema: `Tour.title`, `TourSaveInput`.
    pub(crate) coordinate: String,
    /// What is different there.
    pub(crate) message: String,
}

/// What types do not keep of a contract. That a document is valid is not looked at again.
pub(crate) fn breaches(types: &IndexMap<String, Type>, contract: &IndexMap<String, String>) -> Vec<Breach> {
    let mut out = Vec::new();
    let mut breach = |coordinate: &str, message: String| {
        out.push(Breach {
            coordinate: coordinate.to_owned(),
            message,
        });
    };
    for (coordinate, line) in contract {
        match coordinate.split_once('.') {
            Some((name, field)) => match types.get(name) {
                Some(Type::Input(input)) => match input.fields.iter().find(|known| known.name == field) {
                    None => breach(name, format!("the input field `{coordinate}` is gone")),
                    Some(known) if !parse(type_of(line)).is_some_and(|before| takes_all_of(&before, &known.ty)) => {
                        breach(
                            coordinate,
                            format!("`{coordinate}` is `{}`, and was `{}`", known.ty, type_of(line)),
                        );
                    }
                    Some(known) if line != type_of(line) && known.ty.is_non_null() && known.default.is_none() => {
                        breach(
                            coordinate,
                            format!("`{coordinate}` has no default any more, and they may not send it"),
                        );
                    }
                    Some(_) => {}
                },
                _ => {
                    if let Some(now) = output(types, coordinate)
                        && !parse(line).is_some_and(|before| promises_all_of(&before, now))
                    {
                        breach(coordinate, format!("`{coordinate}` is `{now}`, and was `{line}`"));
                    }
                }
            },
            None => match types.get(coordinate) {
                Some(Type::Input(input)) => {
                    if input.one_of && line == "input" {
                        breach(
                            coordinate,
                            format!("`{coordinate}` takes exactly one of its fields, and they may send several"),
                        );
                    }
                    let required = input.fields.iter().filter(|field| {
                        let key = format!("{coordinate}.{}", field.name);
                        field.ty.is_non_null() && field.default.is_none() && !contract.contains_key(&key)
                    });
                    for field in required {
                        let key = format!("{coordinate}.{}", field.name);
                        breach(&key, format!("`{key}` is required, and they do not send it"));
                    }
                }
                Some(Type::Enum(ty)) => {
                    for value in line
                        .split(" | ")
                        .filter(|value| !ty.values.iter().any(|known| known.name == *value))
                    {
                        breach(coordinate, format!("the value `{coordinate}.{value}` is gone"));
                    }
                }
                _ => {}
            },
        }
    }
    out
}

/// The type of a line, without the default behind it.
fn type_of(line: &str) -> &str {
    line.split_once(" = ").map_or(line, |(ty, _)| ty)
}

/// A type as it is written; nothing when it is no type.
fn parse(text: &str) -> Option<TypeRef> {
    if let Some(inner) = text.strip_suffix('!') {
        return Some(TypeRef::NonNull(Box::new(parse(inner)?)));
    }
    match text.strip_prefix('[') {
        Some(rest) => Some(TypeRef::List(Box::new(parse(rest.strip_suffix(']')?)?))),
        None => (!text.is_empty()).then(|| TypeRef::Named(text.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_read_as_they_are_written() {
        for text in ["ID", "ID!", "[ID]", "[ID!]!", "[[Tour!]]!"] {
            assert_eq!(parse(text).map(|ty| ty.to_string()).as_deref(), Some(text));
        }
        assert_eq!(parse("[ID"), None);
        assert_eq!(parse(""), None);
    }
}
