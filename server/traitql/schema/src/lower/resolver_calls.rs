//! Counts the resolver calls of one execution.
//!
//! The engine calls a resolver once for all objects of a concrete type at one response path with the same selections,
//! so the number is independent of the rows. Nulls, empty lists, absent members and `@skip` only reduce it.

use apollo_compiler::executable::{Field, Selection, SelectionSet};
use apollo_compiler::{ExecutableDocument, Node};
use indexmap::{IndexMap, IndexSet};

use crate::model::{self, FieldKind, Object, ResolverCalls, Type, TypeRef};

pub(crate) fn count(
    document: &ExecutableDocument,
    types: &IndexMap<String, Type>,
    root: &SelectionSet,
) -> ResolverCalls {
    let counter = Counter { document, types };
    let mut calls = ResolverCalls {
        max: 0,
        is_constant: true,
    };
    counter.level(
        vec![Group {
            ty: &root.ty,
            sets: vec![root],
        }],
        true,
        &mut calls,
    );
    calls
}

struct Counter<'a> {
    document: &'a ExecutableDocument,
    types: &'a IndexMap<String, Type>,
}

/// Same type and selections.
struct Group<'a> {
    ty: &'a str,
    sets: Vec<&'a SelectionSet>,
}

#[derive(Default)]
struct Key<'a> {
    fields: Vec<&'a Node<Field>>,
    certain: bool,
}

impl<'a> Counter<'a> {
    /// `certain`: every execution has an object of each group.
    fn level(&self, groups: Vec<Group<'a>>, certain: bool, calls: &mut ResolverCalls) {
        let mut below: IndexMap<&str, (Vec<Group<'a>>, bool)> = IndexMap::new();
        for group in &groups {
            let Some(Type::Object(object)) = self.types.get(group.ty) else {
                continue;
            };
            let mut keys = IndexMap::new();
            for set in &group.sets {
                self.collect(set, object, certain, &mut keys, &mut IndexSet::new());
            }
            for (name, key) in keys {
                let Some(field) = definition(object, &key.fields[0].name) else {
                    continue;
                };
                if field.kind == FieldKind::Resolved {
                    calls.max = calls.max.saturating_add(1);
                    calls.is_constant &= key.certain;
                }
                let sets: Vec<&SelectionSet> = key
                    .fields
                    .iter()
                    .filter_map(|field| field.selection_set.as_ref())
                    .collect();
                if sets.is_empty() {
                    continue;
                }
                let concrete = self.concrete(field.ty.name());
                let always =
                    key.certain && concrete.len() == 1 && matches!(&field.ty, TypeRef::NonNull(ty) if !ty.is_list());
                let (known, sure) = below.entry(name).or_insert_with(|| (Vec::new(), true));
                *sure &= always;
                for ty in concrete {
                    let same = |group: &Group<'_>| {
                        let pairs = group.sets.iter().zip(&sets);
                        group.ty == ty
                            && group.sets.len() == sets.len()
                            && pairs.into_iter().all(|(one, other)| std::ptr::eq(*one, *other))
                    };
                    if !known.iter().any(same) {
                        known.push(Group { ty, sets: sets.clone() });
                    }
                }
            }
        }
        for (groups, sure) in below.into_values().filter(|(groups, _)| !groups.is_empty()) {
            self.level(groups, sure, calls);
        }
    }

    fn collect(
        &self,
        set: &'a SelectionSet,
        object: &Object,
        certain: bool,
        keys: &mut IndexMap<&'a str, Key<'a>>,
        seen: &mut IndexSet<&'a str>,
    ) {
        for selection in &set.selections {
            let directives = match selection {
                Selection::Field(field) => &field.directives,
                Selection::FragmentSpread(spread) => &spread.directives,
                Selection::InlineFragment(inline) => &inline.directives,
            };
            let certain = certain && !directives.has("skip") && !directives.has("include");
            match selection {
                Selection::Field(field) if field.name.starts_with("__") => {}
                Selection::Field(field) => {
                    let key = keys.entry(field.response_name().as_str()).or_default();
                    key.fields.push(field);
                    key.certain |= certain;
                }
                Selection::InlineFragment(inline) => {
                    if inline.type_condition.as_ref().is_none_or(|ty| self.is_a(object, ty)) {
                        self.collect(&inline.selection_set, object, certain, keys, seen);
                    }
                }
                Selection::FragmentSpread(spread) => {
                    if seen.insert(spread.fragment_name.as_str())
                        && let Some(fragment) = self.document.fragments.get(&spread.fragment_name)
                        && self.is_a(object, fragment.type_condition())
                    {
                        self.collect(&fragment.selection_set, object, certain, keys, seen);
                    }
                }
            }
        }
    }

    fn is_a(&self, object: &Object, condition: &str) -> bool {
        object.name == condition
            || object.implements.iter().any(|name| name == condition)
            || matches!(self.types.get(condition), Some(Type::Union(union)) if union.members.contains(&object.name))
    }

    fn concrete(&self, name: &str) -> Vec<&'a str> {
        match self.types.get(name) {
            Some(Type::Object(object)) => vec![&object.name],
            Some(Type::Interface(interface)) => interface.members.iter().map(String::as_str).collect(),
            Some(Type::Union(union)) => union.members.iter().map(String::as_str).collect(),
            _ => Vec::new(),
        }
    }
}

fn definition<'o>(object: &'o Object, name: &str) -> Option<&'o model::Field> {
    object.fields.iter().find(|field| field.name == name)
}
