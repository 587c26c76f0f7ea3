//! What is selected below a field, for resolvers that can save themselves work.

use std::{fmt, sync::Arc};

use apollo_compiler::{Name, Node, executable::Field, executable::Selection as Selected, executable::SelectionSet};
use indexmap::IndexMap;
use serde_json::{Map, Value};

use super::{collect::Collector, prepare::Prepared};

/// The fields that are selected of a field's objects, by their names in the schema. What is selected of some of the objects
/// only (in a fragment on one of their types) counts as selected; what `@skip` and `@include` leave out does not.
#[derive(Clone)]
pub struct Selection {
    fields: IndexMap<Name, Vec<Node<Field>>>,
    within: Within,
}

#[derive(Clone)]
pub(crate) struct Within {
    pub(crate) prepared: Arc<Prepared>,
    /// At least the variables that conditions depend on.
    pub(crate) variables: Arc<Map<String, Value>>,
}

impl Selection {
    pub(crate) fn new(within: &Within, nodes: &[Node<Field>]) -> Self {
        let mut fields = IndexMap::new();
        for set in nodes.iter().filter_map(|node| node.selection_set.as_ref()) {
            within.add(set, &mut fields, &mut Vec::new());
        }
        Self {
            fields,
            within: within.clone(),
        }
    }

    /// Whether a field is selected. `path` may lead further down: `nodes.title`.
    pub fn has(&self, path: &str) -> bool {
        match path.split_once('.') {
            None => self.fields.contains_key(path),
            Some((first, rest)) => self.below(first).is_some_and(|below| below.has(rest)),
        }
    }

    /// The names of the selected fields, in the order of the document.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.fields.keys().map(Name::as_str)
    }

    /// What is selected below a selected field.
    pub fn below(&self, field: &str) -> Option<Self> {
        let nodes = self.fields.get(field)?;
        Some(Self::new(&self.within, nodes))
    }
}

impl Within {
    fn add<'a>(
        &'a self,
        set: &'a SelectionSet,
        fields: &mut IndexMap<Name, Vec<Node<Field>>>,
        seen: &mut Vec<&'a Name>,
    ) {
        for selection in &set.selections {
            if !Collector::included(&self.variables, selection.directives()) {
                continue;
            }
            match selection {
                Selected::Field(field) => fields.entry(field.name.clone()).or_default().push(field.clone()),
                Selected::InlineFragment(inline) => self.add(&inline.selection_set, fields, seen),
                Selected::FragmentSpread(spread) => {
                    if !seen.contains(&&spread.fragment_name)
                        && let Some(fragment) = self.prepared.document.fragments.get(&spread.fragment_name)
                    {
                        seen.push(&spread.fragment_name);
                        self.add(&fragment.selection_set, fields, seen);
                    }
                }
            }
        }
    }
}

impl fmt::Debug for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.names()).finish()
    }
}
