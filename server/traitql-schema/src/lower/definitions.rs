//! The directives of traitql, as the schema defines them.
//!
//! A schema writes the definitions out, so that any GraphQL tool reads it; traitql compares them with its own, so that they
//! cannot say something that nobody enforces. Three places are open, because the enum there belongs to the application:
//! the roles of `@auth`, the error codes of `@throws` and the forms of `@format`.

use apollo_compiler::ast::{Definition, DirectiveDefinition, Document};
use apollo_compiler::{Node, Schema};

use crate::code;
use crate::diagnostic::Collector;
use crate::sdl;

/// What traitql understands.
pub(crate) const DEFINITIONS: &str = include_str!("directives.graphql");

/// Arguments whose enum is the application's.
const OPEN: [(&str, &str); 3] = [("auth", "role"), ("throws", "codes"), ("format", "is")];

/// Reports definitions that differ from traitql's own.
pub(super) fn check(schema: &Schema, out: &mut Collector) {
    let document = Document::parse(DEFINITIONS, "directives.graphql").expect("traitql's own definitions parse");
    for definition in &document.definitions {
        match definition {
            Definition::DirectiveDefinition(ours) => {
                let Some(theirs) = schema.directive_definitions.get(&ours.name) else {
                    continue;
                };
                check_directive(schema, ours, theirs, out);
            }
            Definition::EnumTypeDefinition(ours) => {
                let Some(theirs) = schema.types.get(&ours.name) else {
                    continue;
                };
                let same = theirs
                    .as_enum()
                    .is_some_and(|theirs| theirs.values.keys().eq(ours.values.iter().map(|value| &value.value)));
                let used = schema.directive_definitions.values().any(|directive| {
                    directive
                        .arguments
                        .iter()
                        .any(|argument| *argument.ty.inner_named_type() == ours.name)
                });
                if !same && used {
                    let values = ours
                        .values
                        .iter()
                        .map(|value| value.value.as_str())
                        .collect::<Vec<_>>()
                        .join(" ");
                    let message = format!("the enum `{}` differs from the one that traitql understands", ours.name);
                    out.report(code::DEFINITION_DIFFERS, theirs.name().location(), message)
                        .help(format!("write `enum {} {{ {values} }}`", ours.name));
                }
            }
            _ => {}
        }
    }
}

/// The definition of one of our directives as one line, for those who use it without defining it.
pub(crate) fn ours(name: &str) -> Option<String> {
    let document = Document::parse(DEFINITIONS, "directives.graphql").ok()?;
    document.definitions.iter().find_map(|definition| match definition {
        Definition::DirectiveDefinition(directive) if directive.name == name => Some(sdl::directive_line(directive)),
        _ => None,
    })
}

fn check_directive(
    schema: &Schema,
    ours: &Node<DirectiveDefinition>,
    theirs: &Node<DirectiveDefinition>,
    out: &mut Collector,
) {
    let mut expected = (**ours).clone();
    for argument in &mut expected.arguments {
        let open = OPEN
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
    if sdl::directive_line(theirs) != expected {
        let message = format!(
            "the definition of `@{}` differs from the one that traitql understands",
            ours.name
        );
        out.report(code::DEFINITION_DIFFERS, theirs.name.location(), message)
            .help(format!("write `{expected}`"));
    }
}

/// Whether a directive is one of traitql's.
pub(crate) fn is_ours(name: &str) -> bool {
    ours(name).is_some()
}

#[cfg(test)]
mod tests {
    use traitql_rules::Format;

    use super::*;

    #[test]
    fn every_form_is_named_where_the_directive_is_described() {
        let text = ours("format").map(|_| DEFINITIONS).unwrap_or_default();
        let about = text.split("directive @format").next().unwrap_or_default();
        for form in Format::ALL {
            assert!(
                about.contains(&format!("`{}`", form.name())),
                "say that there is `{}`",
                form.name()
            );
        }
    }
}
