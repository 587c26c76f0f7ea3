//! The shape of executable documents: their size with all fragments expanded, without expanding them.
//!
//! A document of one kilobyte can select a billion fields, by fragments that spread each other twice. The weight of a
//! fragment is computed once and reused for each spread, so time is linear in the length of the document. Weights
//! saturate.

use std::collections::HashMap;

use apollo_compiler::ast::{Definition, DirectiveList, Document, Selection};

/// Fields and fragments that are followed into each other, which bounds the stack. Deeper documents have the
/// maximum depth.
const MAX_OPEN: u32 = 1_000;

/// Counts of an operation or a fragment, with all fragments expanded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Weight {
    /// Fields and fragments.
    pub selections: u64,
    /// Fields at the root.
    pub root_fields: u64,
    /// Fields with an alias.
    pub aliases: u64,
    /// Directives, also of variables and of the definition.
    pub directives: u64,
    /// Nesting of fields; a root field has depth 1.
    pub depth: u32,
    /// Nesting of named fragments.
    pub fragment_depth: u32,
    /// Nesting of fields and fragments of both kinds.
    pub nesting: u32,
}

/// Weighs the definitions of documents that share their fragments.
#[derive(Debug)]
pub struct Weigher<'a> {
    fragments: HashMap<&'a str, &'a [Selection]>,
    /// `None` while the fragment is being weighed; a second visit means a cycle.
    weights: HashMap<&'a str, Option<Weight>>,
    cycle: Option<&'a str>,
}

impl<'a> Weigher<'a> {
    /// Knows the fragments of all documents.
    pub fn new(documents: impl IntoIterator<Item = &'a Document>) -> Self {
        let definitions = documents.into_iter().flat_map(|document| &document.definitions);
        let fragments = definitions.filter_map(|definition| match definition {
            Definition::FragmentDefinition(fragment) => {
                Some((fragment.name.as_str(), fragment.selection_set.as_slice()))
            }
            _ => None,
        });
        Self {
            fragments: fragments.collect(),
            weights: HashMap::new(),
            cycle: None,
        }
    }

    /// Returns the weight of an operation or a fragment, or `None` for a type definition. A fragment that contains
    /// itself is counted once.
    pub fn weigh(&mut self, definition: &'a Definition) -> Option<Weight> {
        let (weight, own) = match definition {
            Definition::OperationDefinition(operation) => {
                let variables = operation.variables.iter();
                let variables: u64 = variables.map(|variable| count(&variable.directives)).sum();
                let weight = self.selections(&operation.selection_set, 0);
                (weight, variables + count(&operation.directives))
            }
            // Validators also visit unused fragments.
            Definition::FragmentDefinition(fragment) => {
                let mut weight = self.fragment(&fragment.name, 0);
                weight.root_fields = 0;
                (weight, count(&fragment.directives))
            }
            _ => return None,
        };
        Some(Weight {
            directives: weight.directives.saturating_add(own),
            ..weight
        })
    }

    /// Returns a fragment that contains itself, if one was met.
    pub fn cycle(&self) -> Option<&'a str> {
        self.cycle
    }

    fn selections(&mut self, selections: &'a [Selection], open: u32) -> Weight {
        if open > MAX_OPEN {
            return Weight {
                depth: u32::MAX,
                nesting: u32::MAX,
                ..Weight::default()
            };
        }
        let mut total = Weight::default();
        for selection in selections {
            let below = match selection {
                Selection::Field(field) => {
                    let below = self.selections(field.selection_set.as_deref().unwrap_or_default(), open + 1);
                    Weight {
                        root_fields: 1,
                        aliases: below.aliases.saturating_add(u64::from(field.alias.is_some())),
                        directives: below.directives.saturating_add(count(&field.directives)),
                        depth: below.depth.saturating_add(1),
                        ..below
                    }
                }
                Selection::InlineFragment(inline) => {
                    let below = self.selections(&inline.selection_set, open + 1);
                    Weight {
                        directives: below.directives.saturating_add(count(&inline.directives)),
                        ..below
                    }
                }
                Selection::FragmentSpread(spread) => {
                    let below = self.fragment(&spread.fragment_name, open + 1);
                    Weight {
                        directives: below.directives.saturating_add(count(&spread.directives)),
                        ..below
                    }
                }
            };
            total.add(Weight {
                selections: below.selections.saturating_add(1),
                nesting: below.nesting.saturating_add(1),
                ..below
            });
        }
        total
    }

    fn fragment(&mut self, name: &'a str, open: u32) -> Weight {
        match self.weights.get(name) {
            Some(Some(weight)) => return *weight,
            Some(None) => {
                self.cycle = Some(name);
                return Weight::default();
            }
            None => {}
        }
        // Validators report unknown fragments.
        let Some(selections) = self.fragments.get(name).copied() else {
            return Weight::default();
        };
        self.weights.insert(name, None);
        let below = self.selections(selections, open);
        let weight = Weight {
            fragment_depth: below.fragment_depth.saturating_add(1),
            ..below
        };
        self.weights.insert(name, Some(weight));
        weight
    }
}

impl Weight {
    fn add(&mut self, other: Self) {
        self.selections = self.selections.saturating_add(other.selections);
        self.root_fields = self.root_fields.saturating_add(other.root_fields);
        self.aliases = self.aliases.saturating_add(other.aliases);
        self.directives = self.directives.saturating_add(other.directives);
        self.depth = self.depth.max(other.depth);
        self.fragment_depth = self.fragment_depth.max(other.fragment_depth);
        self.nesting = self.nesting.max(other.nesting);
    }
}

fn count(directives: &DirectiveList) -> u64 {
    directives.len() as u64
}
