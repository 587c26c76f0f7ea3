//! A fragment's weight is reused for each spread, so time is linear in the length of the text. Weights saturate.
//! Rejects fragment cycles, so later steps can follow spreads.

use std::collections::HashMap;

use apollo_compiler::ast::{Definition, DirectiveList, Document, Selection};

use super::{Limits, Rejection};

#[derive(Debug, Clone, Copy, Default)]
struct Weight {
    selections: u64,
    root_fields: u64,
    aliases: u64,
    directives: u64,
    depth: u32,
}

struct Weigher<'a> {
    fragments: HashMap<&'a str, &'a [Selection]>,
    /// `None` while the fragment is being weighed; a second visit means a cycle.
    weights: HashMap<&'a str, Option<Weight>>,
}

/// Reports the first limit that is exceeded.
pub(super) fn check(document: &Document, limits: &Limits) -> Result<(), Rejection> {
    let fragments = document.definitions.iter().filter_map(|definition| match definition {
        Definition::FragmentDefinition(fragment) => Some((fragment.name.as_str(), fragment.selection_set.as_slice())),
        _ => None,
    });
    let mut weigher = Weigher {
        fragments: fragments.collect(),
        weights: HashMap::new(),
    };
    for definition in &document.definitions {
        let (mut weight, own) = match definition {
            Definition::OperationDefinition(operation) => {
                let variables = operation
                    .variables
                    .iter()
                    .map(|variable| count(&variable.directives))
                    .sum::<u64>();
                (
                    weigher.selections(&operation.selection_set)?,
                    variables + count(&operation.directives),
                )
            }
            // The validator also visits unused fragments.
            Definition::FragmentDefinition(fragment) => {
                let mut weight = weigher.fragment(&fragment.name)?;
                weight.root_fields = 0;
                (weight, count(&fragment.directives))
            }
            // The validator reports type definitions.
            _ => continue,
        };
        weight.directives = weight.directives.saturating_add(own);
        weight.check(limits)?;
    }
    Ok(())
}

impl<'a> Weigher<'a> {
    fn selections(&mut self, selections: &'a [Selection]) -> Result<Weight, Rejection> {
        let mut total = Weight::default();
        for selection in selections {
            match selection {
                Selection::Field(field) => {
                    let below = self.selections(field.selection_set.as_deref().unwrap_or_default())?;
                    total.add(Weight {
                        selections: below.selections.saturating_add(1),
                        root_fields: 1,
                        aliases: below.aliases.saturating_add(u64::from(field.alias.is_some())),
                        directives: below.directives.saturating_add(count(&field.directives)),
                        depth: below.depth.saturating_add(1),
                    });
                }
                Selection::InlineFragment(inline) => {
                    total.add(self.selections(&inline.selection_set)?);
                    total.selections = total.selections.saturating_add(1);
                    total.directives = total.directives.saturating_add(count(&inline.directives));
                }
                Selection::FragmentSpread(spread) => {
                    total.add(self.fragment(&spread.fragment_name)?);
                    total.selections = total.selections.saturating_add(1);
                    total.directives = total.directives.saturating_add(count(&spread.directives));
                }
            }
        }
        Ok(total)
    }

    fn fragment(&mut self, name: &'a str) -> Result<Weight, Rejection> {
        match self.weights.get(name) {
            Some(Some(weight)) => return Ok(*weight),
            Some(None) => {
                let problem = format!("the fragment `{name}` contains itself.");
                return Err(Rejection::invalid(problem));
            }
            None => {}
        }
        // The validator reports unknown fragments.
        let Some(selections) = self.fragments.get(name).copied() else {
            return Ok(Weight::default());
        };
        self.weights.insert(name, None);
        let weight = self.selections(selections)?;
        self.weights.insert(name, Some(weight));
        Ok(weight)
    }
}

impl Weight {
    fn add(&mut self, other: Self) {
        self.selections = self.selections.saturating_add(other.selections);
        self.root_fields = self.root_fields.saturating_add(other.root_fields);
        self.aliases = self.aliases.saturating_add(other.aliases);
        self.directives = self.directives.saturating_add(other.directives);
        self.depth = self.depth.max(other.depth);
    }

    fn check(&self, limits: &Limits) -> Result<(), Rejection> {
        let counts = [
            (
                "selections",
                self.selections,
                limits.selections,
                "fields, with its fragments expanded",
            ),
            (
                "root_fields",
                self.root_fields,
                limits.root_fields,
                "fields at its root",
            ),
            (
                "aliases",
                self.aliases,
                limits.aliases,
                "aliases, with its fragments expanded",
            ),
            (
                "directives",
                self.directives,
                limits.directives,
                "directives, with its fragments expanded",
            ),
        ];
        for (name, count, limit, what) in counts {
            if count > limit {
                return Err(Rejection::too_large(name, &format!("it has more than {limit} {what}")));
            }
        }
        if self.depth > limits.depth {
            let problem = format!("its fields are nested more than {} levels deep", limits.depth);
            return Err(Rejection::too_large("depth", &problem));
        }
        Ok(())
    }
}

fn count(directives: &DirectiveList) -> u64 {
    directives.len() as u64
}
