//! apollo-compiler validates fragments only where they are spread, so each unused one gets an artificial operation.

use std::collections::HashSet;

use apollo_compiler::ast::OperationType;
use apollo_compiler::executable::{FragmentSpread, Operation, Selection, SelectionSet};
use apollo_compiler::{ExecutableDocument, Name, Node};

/// Returns `None` if all fragments are used. Findings without a location concern the artificial operations.
pub(crate) fn document(document: &ExecutableDocument) -> Option<ExecutableDocument> {
    let mut used = HashSet::new();
    let mut open: Vec<&SelectionSet> = document
        .operations
        .iter()
        .map(|operation| &operation.selection_set)
        .collect();
    while let Some(set) = open.pop() {
        for selection in &set.selections {
            match selection {
                Selection::Field(field) => open.extend(&field.selection_set),
                Selection::InlineFragment(inline) => open.push(&inline.selection_set),
                Selection::FragmentSpread(spread) => {
                    if let Some(fragment) = document.fragments.get(&spread.fragment_name)
                        && used.insert(&spread.fragment_name)
                    {
                        open.push(&fragment.selection_set);
                    }
                }
            }
        }
    }
    let unused: Vec<&Name> = document.fragments.keys().filter(|name| !used.contains(name)).collect();
    if unused.is_empty() {
        return None;
    }
    let mut made = ExecutableDocument::new();
    made.sources = document.sources.clone();
    made.fragments = document.fragments.clone();
    for name in unused {
        let spread = FragmentSpread {
            fragment_name: name.clone(),
            directives: Default::default(),
        };
        let operation = Operation {
            description: None,
            operation_type: OperationType::Query,
            name: Some(name.clone()),
            variables: Vec::new(),
            directives: Default::default(),
            selection_set: SelectionSet {
                ty: document.fragments[name].type_condition().clone(),
                selections: vec![Selection::FragmentSpread(Node::new(spread))],
            },
        };
        made.operations.named.insert(name.clone(), Node::new(operation));
    }
    Some(made)
}
