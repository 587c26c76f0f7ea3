use std::{fmt, sync::Arc};

use apollo_compiler::{Name, Node, executable::Field, executable::Selection as Selected, executable::SelectionSet};
use indexmap::IndexMap;
use serde_json::{Map, Value};

use super::{collect::Collector, prepare::Prepared};

/// The fields selected below a field, also those in fragments for some of the objects, but not those that `@skip` or
/// `@include` exclude.
#[derive(Clone)]
pub struct Selection {
    fields: IndexMap<Name, Vec<Node<Field>>>,
    context: SelectionContext,
}

#[derive(Clone)]
pub(crate) struct SelectionContext {
    pub(crate) prepared: Arc<Prepared>,
    /// Has at least the variables of conditions.
    pub(crate) variables: Arc<Map<String, Value>>,
}

impl Selection {
    pub(crate) fn new(context: &SelectionContext, nodes: &[Node<Field>]) -> Self {
        let mut fields = IndexMap::new();
        for set in nodes.iter().filter_map(|node| node.selection_set.as_ref()) {
            context.add(set, &mut fields, &mut Vec::new());
        }
        Self {
            fields,
            context: context.clone(),
        }
    }

    /// True if a field is selected. `path` can be `nodes.title`.
    pub fn has(&self, path: &str) -> bool {
        match path.split_once('.') {
            None => self.fields.contains_key(path),
            Some((first, rest)) => self.below(first).is_some_and(|below| below.has(rest)),
        }
    }

    /// Returns the names of the selected fields, in document order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.fields.keys().map(Name::as_str)
    }

    /// Returns the selection below a field, if the field is selected.
    pub fn below(&self, field: &str) -> Option<Self> {
        let nodes = self.fields.get(field)?;
        Some(Self::new(&self.context, nodes))
    }
}

impl SelectionContext {
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
