//! The parser that validated a document parses it again, so both steps read the same document.

use std::collections::HashSet;

use apollo_compiler::{
    ExecutableDocument, Name, Node, Schema,
    ast::DirectiveList,
    executable::{Operation, Selection, SelectionSet},
    validation::Valid,
};

pub(crate) struct Prepared {
    pub(crate) document: Valid<ExecutableDocument>,
    pub(crate) operation: Node<Operation>,
    /// Variables of `@skip` and `@include` that can be null although the argument `if` is not nullable: a default makes
    /// them valid, but null can be given instead.
    pub(crate) nullable_conditions: Vec<Name>,
}

impl Prepared {
    pub(crate) fn new(schema: &Valid<Schema>, text: &str, name: Option<&str>) -> Result<Self, String> {
        let document = ExecutableDocument::parse(schema, text, "document.graphql")
            .map_err(|problem| problem.errors.to_string())?;
        let document = Valid::assume_valid(document);
        let operation = document
            .operations
            .get(name)
            .map_err(|problem| problem.message().to_string())?
            .clone();
        let nullable_conditions = nullable_conditions(&document, &operation);
        Ok(Self {
            document,
            operation,
            nullable_conditions,
        })
    }
}

fn nullable_conditions(document: &ExecutableDocument, operation: &Operation) -> Vec<Name> {
    let nullable = operation.variables.iter().filter(|variable| !variable.ty.is_non_null());
    let nullable: HashSet<&Name> = nullable.map(|variable| &variable.name).collect();
    if nullable.is_empty() {
        return Vec::new();
    }
    let (mut found, mut seen) = (Vec::new(), HashSet::new());
    let mut open: Vec<&SelectionSet> = vec![&operation.selection_set];
    while let Some(set) = open.pop() {
        for selection in &set.selections {
            let variables = conditions(selection.directives());
            for name in variables.filter(|name| nullable.contains(name)) {
                if !found.contains(name) {
                    found.push(name.clone());
                }
            }
            match selection {
                Selection::Field(field) => open.extend(&field.selection_set),
                Selection::InlineFragment(inline) => open.push(&inline.selection_set),
                Selection::FragmentSpread(spread) => {
                    if seen.insert(&spread.fragment_name) {
                        let fragment = document.fragments.get(&spread.fragment_name);
                        open.extend(fragment.map(|fragment| &fragment.selection_set));
                    }
                }
            }
        }
    }
    found
}

/// Returns the variables of `@skip` and `@include`.
pub(crate) fn conditions(directives: &DirectiveList) -> impl Iterator<Item = &Name> {
    let conditions = ["skip", "include"].into_iter().filter_map(|name| directives.get(name));
    conditions.filter_map(|directive| directive.specified_argument_by_name("if")?.as_variable())
}
