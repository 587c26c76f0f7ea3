//! Rules that apollo-compiler does not check (2.6 and 2.9.8, 5.6.3, 5.6.1, 5.8.5, empty selections), or checks too
//! strictly: a subscription that selects its one field several times. `traitql-schema` applies the same rules to
//! files.

use std::collections::HashSet;

use apollo_compiler::{
    ExecutableDocument, Node,
    ast::{Argument, Definition, DirectiveList, Document, Selection, Value, VariableDefinition},
    executable::{self, SelectionSet},
    validation::WithErrors,
};
use apollo_parser::{Parser, SyntaxKind, cst::CstNode};

/// The text must be within the limits.
pub(super) fn check_text(text: &str) -> Result<(), String> {
    let tree = Parser::new(text).parse().document();
    let mut nodes = tree.syntax().descendants();
    let without_value = nodes.find(|node| {
        matches!(node.kind(), SyntaxKind::ARGUMENT | SyntaxKind::OBJECT_FIELD)
            && !node.children_with_tokens().any(|part| part.kind() == SyntaxKind::COLON)
    });
    match without_value {
        Some(node) => Err(format!("`{}` has no value.", node.text().to_string().trim_end())),
        None => Ok(()),
    }
}

/// Rejects duplicate fields of an object value, empty selections, and null as the default of a non-null variable.
pub(super) fn check(document: &Document) -> Result<(), String> {
    for definition in &document.definitions {
        directives(definition.directives())?;
        match definition {
            Definition::OperationDefinition(operation) => {
                for variable in &operation.variables {
                    if is_null(variable) && variable.ty.is_non_null() {
                        let (name, ty) = (&variable.name, &variable.ty);
                        return Err(format!("the default of `${name}` is null, but its type is `{ty}`."));
                    }
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

/// apollo-compiler assumes that a variable with any default is never null, and would accept it in a non-null position.
/// The original text is executed.
pub(super) fn without_null_defaults(document: &mut Document) {
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

fn is_null(variable: &VariableDefinition) -> bool {
    variable.default_value.as_ref().is_some_and(|value| value.is_null())
}

/// apollo-compiler counts selections, the specification response keys (5.2.4.1, Single Root Field).
pub(super) fn is_single_field_subscription(failed: &WithErrors<ExecutableDocument>) -> bool {
    let document = &failed.partial;
    let is_expected = |name: Option<&str>| name == Some("SubscriptionUsesMultipleFields");
    let subscriptions = document
        .operations
        .iter()
        .filter(|operation| operation.is_subscription());
    failed
        .errors
        .iter()
        .all(|error| is_expected(error.error.unstable_error_name()))
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
        return Err("it has an empty selection.".to_owned());
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
            if fields[..index].iter().any(|(earlier, _)| earlier == name) {
                Err(format!("it contains the field `{name}` twice."))
            } else {
                value(item)
            }
        }),
        _ => Ok(()),
    }
}
