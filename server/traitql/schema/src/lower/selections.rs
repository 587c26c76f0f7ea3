use apollo_compiler::ExecutableDocument;
use apollo_compiler::ast::{DirectiveList, Value};
use apollo_compiler::executable::{self, SelectionSet};

use crate::diagnostics::diagnostic::Collector;
use crate::lower::{lower_type, lower_value};
use crate::model::{Argument, Condition, Fragment, SelectedField, Selection};

/// Returns all fragments, sorted by name.
pub(crate) fn fragments(document: &ExecutableDocument, out: &Collector) -> Vec<Fragment> {
    let mut fragments: Vec<Fragment> = document
        .fragments
        .values()
        .map(|fragment| Fragment {
            name: fragment.name.to_string(),
            on: fragment.selection_set.ty.to_string(),
            selections: selections(&fragment.selection_set),
            origin: out.sources().origin(fragment.name.location()),
        })
        .collect();
    fragments.sort_by(|a, b| a.name.cmp(&b.name));
    fragments
}

pub(crate) fn selections(set: &SelectionSet) -> Vec<Selection> {
    let selection = |selection: &executable::Selection| match selection {
        executable::Selection::Field(field) => Selection::Field(SelectedField {
            name: field.name.to_string(),
            alias: field.alias.as_ref().map(ToString::to_string),
            ty: lower_type(&field.definition.ty),
            arguments: field
                .arguments
                .iter()
                .map(|given| (given.name.to_string(), argument(&given.value)))
                .collect(),
            conditions: conditions(&field.directives),
            selections: field.selection_set.as_ref().map(selections).unwrap_or_default(),
        }),
        executable::Selection::FragmentSpread(spread) => Selection::Spread {
            fragment: spread.fragment_name.to_string(),
            conditions: conditions(&spread.directives),
        },
        executable::Selection::InlineFragment(inline) => Selection::Inline {
            on: inline.selection_set.ty.to_string(),
            selections: selections(&inline.selection_set),
            conditions: conditions(&inline.directives),
        },
    };
    set.selections.iter().map(selection).collect()
}

fn conditions(directives: &DirectiveList) -> Vec<Condition> {
    let given = directives.iter().filter_map(|directive| {
        let value = directive.specified_argument_by_name("if")?;
        Some(Condition {
            directive: directive.name.to_string(),
            value: argument(value),
        })
    });
    given
        .filter(|condition| matches!(condition.directive.as_str(), "skip" | "include"))
        .collect()
}

fn argument(value: &Value) -> Argument {
    match value {
        Value::Variable(name) => Argument::Variable(name.to_string()),
        Value::List(items) => Argument::List(items.iter().map(|item| argument(item)).collect()),
        Value::Object(fields) => Argument::Object(
            fields
                .iter()
                .map(|(name, value)| (name.to_string(), argument(value)))
                .collect(),
        ),
        constant => Argument::Constant(lower_value(constant)),
    }
}
