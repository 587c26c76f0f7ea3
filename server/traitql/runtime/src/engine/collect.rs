//! CollectFields of GraphQL October 2021.

use std::collections::HashSet;

use apollo_compiler::{
    ExecutableDocument, Name, Node,
    ast::{DirectiveList, Value as Literal},
    executable::{Field, Selection, SelectionSet},
};
use indexmap::IndexMap;
use serde_json::{Map, Value};

use super::schema_index::{SchemaIndex, is_introspection_field};

#[derive(Clone)]
pub(crate) struct Selected {
    pub(crate) nodes: Vec<Node<Field>>,
}

impl Selected {
    pub(crate) fn key(&self) -> &Name {
        self.nodes[0].response_name()
    }

    pub(crate) fn name(&self) -> &Name {
        &self.nodes[0].name
    }

    pub(crate) fn is_introspection(&self) -> bool {
        is_introspection_field(self.name())
    }

    /// Identical selections can be resolved together.
    pub(crate) fn same(&self, other: &Self) -> bool {
        self.nodes.len() == other.nodes.len() && self.nodes.iter().zip(&other.nodes).all(|(a, b)| a.ptr_eq(b))
    }

    pub(crate) fn sets(&self) -> impl Iterator<Item = &SelectionSet> {
        self.nodes.iter().filter_map(|node| node.selection_set.as_ref())
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Collector<'a> {
    pub(crate) schema_index: &'a SchemaIndex,
    pub(crate) document: &'a ExecutableDocument,
    pub(crate) variables: &'a Map<String, Value>,
}

impl<'a> Collector<'a> {
    /// Returns the fields in the order in which their keys are first selected.
    pub(crate) fn collect(self, type_name: &str, sets: impl Iterator<Item = &'a SelectionSet>) -> Vec<Selected> {
        let mut found = IndexMap::new();
        let mut seen = HashSet::new();
        for set in sets {
            self.visit(type_name, set, &mut found, &mut seen);
        }
        found.into_values().map(|nodes| Selected { nodes }).collect()
    }

    fn visit(
        self,
        type_name: &str,
        set: &'a SelectionSet,
        found: &mut IndexMap<&'a Name, Vec<Node<Field>>>,
        seen: &mut HashSet<&'a Name>,
    ) {
        for selection in &set.selections {
            if !Self::included(self.variables, selection.directives()) {
                continue;
            }
            match selection {
                Selection::Field(field) => found.entry(field.response_name()).or_default().push(field.clone()),
                Selection::FragmentSpread(spread) => {
                    let Some(fragment) = self.document.fragments.get(&spread.fragment_name) else {
                        continue;
                    };
                    if seen.insert(&spread.fragment_name)
                        && self.schema_index.applies(&fragment.selection_set.ty, type_name)
                    {
                        self.visit(type_name, &fragment.selection_set, found, seen);
                    }
                }
                Selection::InlineFragment(inline) => {
                    let applies = |on: &Name| self.schema_index.applies(on, type_name);
                    if inline.type_condition.as_ref().is_none_or(applies) {
                        self.visit(type_name, &inline.selection_set, found, seen);
                    }
                }
            }
        }
    }

    /// Both must agree. Coercion rejects null.
    pub(crate) fn included(variables: &Map<String, Value>, directives: &DirectiveList) -> bool {
        let holds = |name: &str, otherwise: bool| {
            let Some(directive) = directives.get(name) else {
                return otherwise;
            };
            match directive.specified_argument_by_name("if").map(|condition| &**condition) {
                Some(Literal::Boolean(value)) => *value,
                Some(Literal::Variable(variable)) => variables.get(variable.as_str()) == Some(&Value::Bool(true)),
                _ => false,
            }
        };
        !holds("skip", false) && holds("include", true)
    }
}
