//! CollectFields (section 6.3.2) with DoesFragmentTypeApply, `@skip` and `@include`.

use std::collections::HashSet;

use apollo_compiler::ast::{self, DirectiveList, Selection};
use indexmap::IndexMap;
use serde_json::Value;

use super::{Fields, Judge};

impl<'a> Judge<'a> {
    /// The type of `if` is `Boolean!`, but a variable with a default can be null. Unlike graphql-js, which reports an
    /// error for each object with such a selection, the engines reject the request.
    pub(super) fn has_null_condition(&self, operation: &'a ast::OperationDefinition) -> bool {
        let mut open: Vec<&Selection> = operation.selection_set.iter().collect();
        let mut visited = HashSet::new();
        while let Some(selection) = open.pop() {
            let directives = match selection {
                Selection::Field(field) => {
                    open.extend(field.selection_set.iter().flatten());
                    &field.directives
                }
                Selection::InlineFragment(inline) => {
                    open.extend(&inline.selection_set);
                    &inline.directives
                }
                Selection::FragmentSpread(spread) => {
                    if visited.insert(spread.fragment_name.as_str()) {
                        let fragments = self.document.definitions.iter();
                        let mut fragments = fragments.filter_map(ast::Definition::as_fragment_definition);
                        let fragment = fragments.find(|fragment| fragment.name == spread.fragment_name);
                        open.extend(&fragment.expect("the document is valid").selection_set);
                    }
                    &spread.directives
                }
            };
            for name in ["skip", "include"] {
                let condition = directives.get(name).and_then(|it| it.specified_argument_by_name("if"));
                let variable = condition.and_then(|condition| condition.as_variable());
                if variable.is_some_and(|name| self.variables.get(name.as_str()).is_none_or(Value::is_null)) {
                    return true;
                }
            }
        }
        false
    }

    pub(super) fn collect(&self, concrete: &str, sets: &[&'a [Selection]]) -> IndexMap<&'a str, Fields<'a>> {
        let (mut grouped, mut visited) = (IndexMap::new(), HashSet::new());
        for set in sets {
            self.visit(concrete, set, &mut grouped, &mut visited);
        }
        grouped
    }

    fn visit(
        &self,
        concrete: &str,
        set: &'a [Selection],
        grouped: &mut IndexMap<&'a str, Fields<'a>>,
        visited: &mut HashSet<&'a str>,
    ) {
        for selection in set {
            let directives = match selection {
                Selection::Field(field) => &field.directives,
                Selection::FragmentSpread(spread) => &spread.directives,
                Selection::InlineFragment(inline) => &inline.directives,
            };
            if self.condition(directives, "skip", false) || !self.condition(directives, "include", true) {
                continue;
            }
            match selection {
                Selection::Field(field) => grouped.entry(field.response_name().as_str()).or_default().push(field),
                Selection::FragmentSpread(spread) => {
                    if !visited.insert(spread.fragment_name.as_str()) {
                        continue;
                    }
                    let fragment = self.document.definitions.iter().find_map(|definition| {
                        let fragment = definition.as_fragment_definition()?;
                        (fragment.name == spread.fragment_name).then_some(fragment)
                    });
                    let fragment = fragment.expect("the document is valid");
                    if self.facts.applies(&fragment.type_condition, concrete) {
                        self.visit(concrete, &fragment.selection_set, grouped, visited);
                    }
                }
                Selection::InlineFragment(inline) => {
                    if inline
                        .type_condition
                        .as_ref()
                        .is_none_or(|on| self.facts.applies(on, concrete))
                    {
                        self.visit(concrete, &inline.selection_set, grouped, visited);
                    }
                }
            }
        }
    }

    fn condition(&self, directives: &DirectiveList, name: &str, otherwise: bool) -> bool {
        let Some(directive) = directives.get(name) else {
            return otherwise;
        };
        match directive.specified_argument_by_name("if").map(|value| &**value) {
            Some(ast::Value::Boolean(value)) => *value,
            Some(ast::Value::Variable(variable)) => self.variables.get(variable.as_str()) == Some(&Value::Bool(true)),
            _ => false,
        }
    }
}
