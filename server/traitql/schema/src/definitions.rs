//! A schema contains the definitions of traitql's directives, so that any GraphQL tool can read it. A deviating one
//! would declare something that is not enforced. Three enums belong to the application: roles (`@auth`), error codes
//! (`@throws`) and formats (`@format`).
//!
//! Directives of other schemas with the same names are removed before lowering, if they are allowed.

use std::collections::HashSet;

use apollo_compiler::ast::{
    Definition, DirectiveDefinition, DirectiveList, Document, EnumTypeDefinition, FieldDefinition, InputValueDefinition,
};
use apollo_compiler::collections::IndexMap;
use apollo_compiler::schema::ExtendedType;
use apollo_compiler::{Name, Node, Schema};

use crate::diagnostics::code;
use crate::diagnostics::diagnostic::Collector;
use crate::sdl;

pub(crate) const DEFINITIONS: &str = include_str!("directives.graphql");

/// Their enum belongs to the application.
const APPLICATION_ENUM_ARGUMENTS: [(&str, &str); 3] = [("auth", "role"), ("throws", "codes"), ("format", "is")];

pub(crate) fn check(schema: &Schema, out: &mut Collector) -> HashSet<Name> {
    let document = Document::parse(DEFINITIONS, "directives.graphql").expect("traitql's own definitions parse");
    let mut others = HashSet::new();
    let directives = document
        .definitions
        .iter()
        .filter_map(|definition| definition.as_directive_definition());
    for ours in directives.clone() {
        let theirs = schema.directive_definitions.get(&ours.name);
        if theirs.is_some_and(|theirs| check_directive(schema, ours, theirs, out)) {
            others.insert(ours.name.clone());
        }
    }
    let names: Vec<&Name> = directives.map(|directive| &directive.name).collect();
    for definition in &document.definitions {
        let Definition::EnumTypeDefinition(ours) = definition else {
            continue;
        };
        let Some(theirs) = schema.types.get(&ours.name) else {
            continue;
        };
        let same = theirs
            .as_enum()
            .is_some_and(|theirs| theirs.values.keys().eq(ours.values.iter().map(|value| &value.value)));
        let known = schema.directive_definitions.values();
        let mut known = known.filter(|known| names.contains(&&known.name) && !others.contains(&known.name));
        let used = known.any(|directive| {
            directive
                .arguments
                .iter()
                .any(|argument| *argument.ty.inner_named_type() == ours.name)
        });
        if !same && used {
            let message = format!("enum `{}` differs from traitql's definition", ours.name);
            out.report(code::DEFINITION_DIFFERS, theirs.name().location(), message)
                .help(format!("write `{}`", enum_line(ours)));
        }
    }
    others
}

pub(crate) fn without_directives(schema: &Schema, others: &HashSet<Name>) -> Schema {
    let mut schema = schema.clone();
    schema.directive_definitions.retain(|name, _| !others.contains(name));
    let inputs = |inputs: &mut Vec<Node<InputValueDefinition>>| {
        for input in inputs.iter_mut().filter(|input| has(&input.directives, others)) {
            input
                .make_mut()
                .directives
                .0
                .retain(|directive| !others.contains(&directive.name));
        }
    };
    let fields = |fields: &mut IndexMap<Name, Node<FieldDefinition>>| {
        for field in fields.values_mut() {
            let field = field.make_mut();
            field.directives.0.retain(|directive| !others.contains(&directive.name));
            inputs(&mut field.arguments);
        }
    };
    for ty in schema.types.values_mut().filter(|ty| !ty.is_built_in()) {
        match ty {
            ExtendedType::Object(ty) => {
                let ty = ty.make_mut();
                ty.directives.0.retain(|directive| !others.contains(&directive.name));
                fields(&mut ty.fields);
            }
            ExtendedType::Interface(ty) => {
                let ty = ty.make_mut();
                ty.directives.0.retain(|directive| !others.contains(&directive.name));
                fields(&mut ty.fields);
            }
            ExtendedType::Union(ty) => {
                ty.make_mut()
                    .directives
                    .0
                    .retain(|directive| !others.contains(&directive.name));
            }
            ExtendedType::Enum(ty) => {
                for value in ty.make_mut().values.values_mut() {
                    value
                        .make_mut()
                        .directives
                        .0
                        .retain(|directive| !others.contains(&directive.name));
                }
            }
            ExtendedType::InputObject(ty) => {
                for field in ty.make_mut().fields.values_mut() {
                    field
                        .make_mut()
                        .directives
                        .0
                        .retain(|directive| !others.contains(&directive.name));
                }
            }
            ExtendedType::Scalar(_) => {}
        }
    }
    schema
}

fn has(directives: &DirectiveList, names: &HashSet<Name>) -> bool {
    directives.iter().any(|directive| names.contains(&directive.name))
}

pub(crate) fn definition_of(name: &str) -> Option<String> {
    let document = Document::parse(DEFINITIONS, "directives.graphql").ok()?;
    document.definitions.iter().find_map(|definition| match definition {
        Definition::DirectiveDefinition(directive) if directive.name == name => Some(sdl::directive_line(directive)),
        _ => None,
    })
}

/// Returns the definitions that a schema needs for a directive of traitql and lacks: the directive, its enums, and
/// `@error` for error codes. Enums of the application contain the values that the schema uses.
pub(crate) fn definitions_for(schema: &Schema, directive: &str) -> Option<Vec<String>> {
    let document = Document::parse(DEFINITIONS, "directives.graphql").ok()?;
    let ours = document
        .definitions
        .iter()
        .filter_map(Definition::as_directive_definition);
    let ours = ours.into_iter().find(|ours| ours.name == *directive)?;
    let mut lines = Vec::new();
    if !schema.directive_definitions.contains_key(directive) {
        lines.push(sdl::directive_line(ours));
    }
    for argument in &ours.arguments {
        let name = argument.ty.inner_named_type();
        if !schema.types.contains_key(name) {
            lines.extend(enum_for(schema, name));
        }
    }
    Some(lines)
}

/// Returns the definition of a missing enum, and what it needs.
pub(crate) fn enum_for(schema: &Schema, name: &str) -> Vec<String> {
    let needs_errors = name == "ErrorCode";
    let definition = enum_definition_of(name).or_else(|| {
        let (directive, argument, example) = match name {
            "ErrorCode" => ("throws", "codes", "NOT_READY"),
            "Format" => ("format", "is", "EMAIL"),
            "Role" => ("auth", "role", "EDITOR"),
            _ => return None,
        };
        let mut values = used_values(schema, directive, argument);
        if values.is_empty() {
            values.push(example.to_owned());
        }
        let suffix = if needs_errors {
            " @error(http: 409, message: \"A message for the user.\")"
        } else {
            ""
        };
        let values: Vec<String> = values.iter().map(|value| format!("{value}{suffix}")).collect();
        Some(format!("enum {name} {{ {} }}", values.join(" ")))
    });
    let mut lines: Vec<String> = definition.into_iter().collect();
    if needs_errors {
        lines.extend(definitions_for(schema, "error").unwrap_or_default());
    }
    lines
}

/// Returns the enum values that an argument of a directive has in the schema.
fn used_values(schema: &Schema, directive: &str, argument: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut add = |directives: &DirectiveList| {
        for value in directives
            .get_all(directive)
            .filter_map(|one| one.specified_argument_by_name(argument))
        {
            let names = value.as_list().unwrap_or(std::slice::from_ref(value)).iter();
            for name in names.filter_map(|value| value.as_enum()) {
                if !found.iter().any(|known| known == name.as_str()) {
                    found.push(name.to_string());
                }
            }
        }
    };
    for ty in schema.types.values() {
        let fields = match ty {
            ExtendedType::Object(object) => &object.fields,
            ExtendedType::Interface(interface) => &interface.fields,
            ExtendedType::InputObject(input) => {
                input.fields.values().for_each(|field| add(&field.directives));
                continue;
            }
            _ => continue,
        };
        for field in fields.values() {
            add(&field.directives);
            field.arguments.iter().for_each(|argument| add(&argument.directives));
        }
    }
    found
}

pub(crate) fn enum_definition_of(name: &str) -> Option<String> {
    let document = Document::parse(DEFINITIONS, "directives.graphql").ok()?;
    document.definitions.iter().find_map(|definition| match definition {
        Definition::EnumTypeDefinition(ty) if ty.name == name => Some(enum_line(ty)),
        _ => None,
    })
}

fn enum_line(ty: &EnumTypeDefinition) -> String {
    let values: Vec<&str> = ty.values.iter().map(|value| value.value.as_str()).collect();
    format!("enum {} {{ {} }}", ty.name, values.join(" "))
}

/// Returns true if it differs from traitql's definition.
fn check_directive(
    schema: &Schema,
    ours: &Node<DirectiveDefinition>,
    theirs: &Node<DirectiveDefinition>,
    out: &mut Collector,
) -> bool {
    let mut expected = (**ours).clone();
    for argument in &mut expected.arguments {
        let open = APPLICATION_ENUM_ARGUMENTS
            .iter()
            .any(|(directive, name)| expected.name == *directive && argument.name == *name);
        let Some(their_argument) = theirs.argument_by_name(&argument.name).filter(|_| open) else {
            continue;
        };
        let their_enum = their_argument.ty.inner_named_type();
        if schema.get_enum(their_enum).is_some() {
            let renamed = argument
                .ty
                .to_string()
                .replace(argument.ty.inner_named_type().as_str(), their_enum);
            if their_argument.ty.to_string() == renamed {
                argument.make_mut().ty = their_argument.ty.clone();
            }
        }
    }
    let expected = sdl::directive_line(&expected);
    let differs = sdl::directive_line(theirs) != expected;
    if differs {
        let message = format!("the definition of `@{}` differs from traitql's definition", ours.name);
        out.report(code::DEFINITION_DIFFERS, theirs.name.location(), message)
            .help(format!("write `{expected}`"));
    }
    differs
}

pub(crate) fn is_traitql_directive(name: &str) -> bool {
    definition_of(name).is_some()
}

#[cfg(test)]
mod tests {
    use traitql_constraints::Format;

    use super::*;

    #[test]
    fn every_format_is_mentioned_in_the_description_of_the_directive() {
        let text = definition_of("format").map(|_| DEFINITIONS).unwrap_or_default();
        let about = text.split("directive @format").next().unwrap_or_default();
        for form in Format::ALL {
            assert!(
                about.contains(&format!("`{}`", form.name())),
                "mention `{}` in the description of `@format`",
                form.name()
            );
        }
    }
}
