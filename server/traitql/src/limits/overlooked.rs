//! What apollo-compiler lets pass and the specification does not: arguments and fields of input objects without a value (2.6,
//! 2.9.8), which it reads over; fields that an object value gives twice (5.6.3), selections without a field, and null as the default of a variable that must not be null (5.8.5). And what it refuses and the specification
//! does not: a subscription that asks for its one field in several selections. `traitql-schema` judges files alike; a document
//! that comes by HTTP is no better, and no worse.

use std::collections::HashSet;

use apollo_compiler::{
    ExecutableDocument, Node,
    ast::{Argument, Definition, DirectiveList, Document, Selection, Value, VariableDefinition},
    executable::{self, SelectionSet},
    validation::WithErrors,
};
use apollo_parser::{Parser, SyntaxKind, cst::CstNode};

/// Says which argument or field of an input object has no value, in a text that is within the limits.
pub(super) fn check_text(text: &str) -> Result<(), String> {
    let tree = Parser::new(text).parse().document();
    let mut nodes = tree.syntax().descendants();
    let unvalued = nodes.find(|node| {
        matches!(node.kind(), SyntaxKind::ARGUMENT | SyntaxKind::OBJECT_FIELD)
            && !node.children_with_tokens().any(|part| part.kind() == SyntaxKind::COLON)
    });
    match unvalued {
        Some(node) => Err(format!("`{}` has no value.", node.text().to_string().trim_end())),
        None => Ok(()),
    }
}

/// Says what is wrong with a document of bounded size.
pub(super) fn check(document: &Document) -> Result<(), String> {
    for definition in &document.definitions {
        directives(definition.directives())?;
        match definition {
            Definition::OperationDefinition(operation) => {
                for variable in &operation.variables {
                    variable.default_value.iter().try_for_each(|default| value(default))?;
                    directives(&variable.directives)?;
                }
                selections(&operation.selection_set)?;
            }
            Definition::FragmentDefinition(fragment) => selections(&fragment.selection_set)?,
            _ => {}
        }
    }
    Ok(())
}

/// Takes defaults away that are null. The library takes any default for a promise that the variable is not null; without
/// one it knows better. What is executed is the text, so nothing is lost.
pub(super) fn without_null_defaults(document: &mut Document) {
    let is_null = |variable: &VariableDefinition| variable.default_value.as_ref().is_some_and(|value| value.is_null());
    for definition in &mut document.definitions {
        let Definition::OperationDefinition(operation) = definition else {
            continue;
        };
        if !operation.variables.iter().any(|variable| is_null(variable)) {
            continue;
        }
        for variable in &mut operation.make_mut().variables {
            if is_null(variable) {
                variable.make_mut().default_value = None;
            }
        }
    }
}

/// Whether nothing is wrong but that a subscription asks for one field in several selections. The library counts selections; the
/// specification counts what they are in the answer (5.2.4.1, Single Root Field).
pub(super) fn is_one_stream(failed: &WithErrors<ExecutableDocument>) -> bool {
    let document = &failed.partial;
    let is_that = |name: Option<&str>| name == Some("SubscriptionUsesMultipleFields");
    let subscriptions = document
        .operations
        .iter()
        .filter(|operation| operation.is_subscription());
    failed
        .errors
        .iter()
        .all(|error| is_that(error.error.unstable_error_name()))
        && subscriptions
            .into_iter()
            .all(|operation| has_one_key(document, &operation.selection_set))
}

fn has_one_key(document: &ExecutableDocument, root: &SelectionSet) -> bool {
    let (mut keys, mut seen) = (HashSet::new(), HashSet::new());
    let mut open = vec![root];
    while let Some(set) = open.pop() {
        for selection in &set.selections {
            match selection {
                executable::Selection::Field(field) => drop(keys.insert(field.response_name())),
                executable::Selection::InlineFragment(inline) => open.push(&inline.selection_set),
                executable::Selection::FragmentSpread(spread) => {
                    if seen.insert(&spread.fragment_name) {
                        let fragment = document.fragments.get(&spread.fragment_name);
                        open.extend(fragment.map(|fragment| &fragment.selection_set));
                    }
                }
            }
        }
    }
    keys.len() == 1
}

fn selections(set: &[Selection]) -> Result<(), String> {
    if set.is_empty() {
        return Err("it has a selection without a field.".to_owned());
    }
    set.iter().try_for_each(|selection| match selection {
        Selection::Field(field) => {
            arguments(&field.arguments)?;
            directives(&field.directives)?;
            field.selection_set.as_deref().map_or(Ok(()), selections)
        }
        Selection::InlineFragment(inline) => {
            directives(&inline.directives)?;
            selections(&inline.selection_set)
        }
        Selection::FragmentSpread(spread) => directives(&spread.directives),
    })
}

fn directives(directives: &DirectiveList) -> Result<(), String> {
    directives
        .iter()
        .try_for_each(|directive| arguments(&directive.arguments))
}

fn arguments(arguments: &[Node<Argument>]) -> Result<(), String> {
    arguments.iter().try_for_each(|argument| value(&argument.value))
}

fn value(given: &Value) -> Result<(), String> {
    match given {
        Value::List(items) => items.iter().try_for_each(|item| value(item)),
        Value::Object(fields) => fields.iter().enumerate().try_for_each(|(index, (name, item))| {
            match fields[..index].iter().any(|(earlier, _)| earlier == name) {
                true => Err(format!("it gives the field `{name}` twice.")),
                false => value(item),
            }
        }),
        _ => Ok(()),
    }
}
