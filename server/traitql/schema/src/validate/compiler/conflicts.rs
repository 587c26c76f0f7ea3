//! Finds the other one of two selections that cannot be merged (specification 5.3.2), which apollo-compiler's message
//! does not name.

use std::collections::HashSet;

use apollo_compiler::ast::Type;
use apollo_compiler::executable::{Field, Selection, SelectionSet};
use apollo_compiler::parser::SourceSpan;
use apollo_compiler::{ExecutableDocument, Name, Node};
use indexmap::IndexMap;

pub(super) struct Selected<'d> {
    parent: &'d Name,
    name: &'d Name,
    pub(super) ty: &'d Type,
    pub(super) at: Option<SourceSpan>,
}

impl Selected<'_> {
    /// Returns the coordinate of the field.
    pub(super) fn field(&self) -> String {
        format!("{}.{}", self.parent, self.name)
    }
}

pub(super) struct Conflict<'d> {
    pub(super) here: Selected<'d>,
    pub(super) other: Selected<'d>,
}

impl Conflict<'_> {
    pub(super) fn note(&self) -> String {
        if self.here.name != self.other.name || self.here.ty != self.other.ty {
            format!("here it is `{}: {}`", self.other.field(), self.other.ty)
        } else {
            "here it has other arguments".to_owned()
        }
    }
}

/// Fields with the types on which they are selected.
type Merged<'d> = IndexMap<&'d str, Vec<(&'d Name, &'d Node<Field>)>>;

/// `at` is the position of one of the selections.
pub(super) fn find<'d>(document: &'d ExecutableDocument, key: &str, at: Option<SourceSpan>) -> Option<Conflict<'d>> {
    let mut search = Search { document, key, at };
    document
        .operations
        .iter()
        .find_map(|operation| search.merged(&[&operation.selection_set]))
}

struct Search<'d, 'k> {
    document: &'d ExecutableDocument,
    key: &'k str,
    at: Option<SourceSpan>,
}

impl<'d> Search<'d, '_> {
    fn merged(&mut self, sets: &[&'d SelectionSet]) -> Option<Conflict<'d>> {
        let (mut fields, mut seen) = (Merged::new(), HashSet::new());
        for set in sets {
            self.collect(set, &mut fields, &mut seen);
        }
        if let Some(found) = fields.get(self.key).and_then(|selected| self.conflict(selected)) {
            return Some(found);
        }
        fields.values().find_map(|fields| {
            let sets: Vec<_> = fields
                .iter()
                .filter_map(|(_, field)| field.selection_set.as_ref())
                .collect();
            (!sets.is_empty()).then(|| self.merged(&sets)).flatten()
        })
    }

    fn conflict(&self, selected: &[(&'d Name, &'d Node<Field>)]) -> Option<Conflict<'d>> {
        let here = selected.iter().find(|(_, field)| field.location() == self.at)?;
        let differs = |(parent, field): &&(&Name, &Node<Field>)| {
            field.name != here.1.name
                || field.definition.ty != here.1.definition.ty
                || *parent == here.0 && !has_same_arguments(field, here.1)
        };
        let other = selected.iter().find(differs)?;
        let of = |(parent, field): &(&'d Name, &'d Node<Field>)| Selected {
            parent,
            name: &field.name,
            ty: &field.definition.ty,
            at: field.alias.as_ref().unwrap_or(&field.name).location(),
        };
        Some(Conflict {
            here: of(here),
            other: of(other),
        })
    }

    fn collect(&self, set: &'d SelectionSet, fields: &mut Merged<'d>, seen: &mut HashSet<&'d Name>) {
        for selection in &set.selections {
            match selection {
                Selection::Field(field) => fields
                    .entry(field.response_name().as_str())
                    .or_default()
                    .push((&set.ty, field)),
                Selection::InlineFragment(inline) => self.collect(&inline.selection_set, fields, seen),
                Selection::FragmentSpread(spread) => {
                    if seen.insert(&spread.fragment_name)
                        && let Some(fragment) = self.document.fragments.get(&spread.fragment_name)
                    {
                        self.collect(&fragment.selection_set, fields, seen);
                    }
                }
            }
        }
    }
}

fn has_same_arguments(one: &Field, other: &Field) -> bool {
    one.arguments.len() == other.arguments.len()
        && one.arguments.iter().all(|argument| {
            let same = other.specified_argument_by_name(&argument.name);
            same.is_some_and(|value| *value == argument.value)
        })
}
