use std::collections::BTreeSet;

use apollo_compiler::{
    Node,
    ast::{Argument, Definition, DirectiveList, Document, Selection, Value as Literal},
};
use serde_json::{Map, Value};

use crate::{bench::Bench, world::World};

#[derive(Clone)]
pub(crate) struct Case {
    pub(crate) text: String,
    pub(crate) variables: Map<String, Value>,
    pub(crate) world: World,
}

impl Case {
    pub(crate) fn difference(&self, bench: &mut Bench) -> Option<String> {
        let document = bench.check(&self.text).ok()?;
        bench.compare(&document, &self.variables, &self.world).err()
    }
}

pub(crate) fn minimized(bench: &mut Bench, mut case: Case) -> (Case, String) {
    let mut difference = case.difference(bench).expect("the case shows a difference");
    loop {
        let smaller = candidates(&case).find_map(|candidate| {
            let difference = candidate.difference(bench)?;
            Some((candidate, difference))
        });
        match smaller {
            Some((smaller, found)) => (case, difference) = (smaller, found),
            None => return (case, difference),
        }
    }
}

fn candidates(case: &Case) -> impl Iterator<Item = Case> + '_ {
    let faults = case.world.faults.kinds().map(|kind| {
        let mut world = case.world.clone();
        world.faults = world.faults.without(kind);
        Case { world, ..case.clone() }
    });
    let variables = case.variables.keys().map(|name| {
        let mut variables = case.variables.clone();
        variables.shift_remove(name);
        Case {
            variables,
            ..case.clone()
        }
    });
    let document = Document::parse(&case.text, "document").expect("the document is valid");
    let edits = (0..).map_while(move |at| {
        let mut edited = document.clone();
        Edit { left: at }.document(&mut edited).then_some(edited)
    });
    let texts = edits.map(|mut document| {
        tidy(&mut document);
        Case {
            text: document.to_string(),
            ..case.clone()
        }
    });
    faults.chain(texts).chain(variables)
}

struct Edit {
    left: usize,
}

impl Edit {
    fn document(&mut self, document: &mut Document) -> bool {
        document.definitions.iter_mut().any(|definition| match definition {
            Definition::OperationDefinition(operation) => self.selections(&mut operation.make_mut().selection_set),
            Definition::FragmentDefinition(fragment) => self.selections(&mut fragment.make_mut().selection_set),
            _ => false,
        })
    }

    fn is_now(&mut self) -> bool {
        let is_now = self.left == 0;
        self.left = self.left.wrapping_sub(1);
        is_now
    }

    fn selections(&mut self, selections: &mut Vec<Selection>) -> bool {
        for at in 0..selections.len() {
            if selections.len() > 1 && self.is_now() {
                selections.remove(at);
                return true;
            }
            // A fragment is replaced by its selections.
            if let Selection::InlineFragment(inline) = &selections[at]
                && self.is_now()
            {
                let inner = inline.selection_set.clone();
                selections.splice(at..=at, inner);
                return true;
            }
        }
        selections.iter_mut().any(|selection| match selection {
            Selection::Field(field) => {
                let field = field.make_mut();
                self.directives(&mut field.directives)
                    || self.arguments(&mut field.arguments)
                    || field.selection_set.as_mut().is_some_and(|below| self.selections(below))
            }
            Selection::FragmentSpread(spread) => self.directives(&mut spread.make_mut().directives),
            Selection::InlineFragment(inline) => {
                let inline = inline.make_mut();
                self.directives(&mut inline.directives) || self.selections(&mut inline.selection_set)
            }
        })
    }

    fn directives(&mut self, directives: &mut DirectiveList) -> bool {
        self.one(&mut directives.0)
    }

    fn arguments(&mut self, arguments: &mut Vec<Node<Argument>>) -> bool {
        self.one(arguments)
    }

    fn one<T>(&mut self, of: &mut Vec<T>) -> bool {
        let found = (0..of.len()).find(|_| self.is_now());
        found.map(|at| of.remove(at)).is_some()
    }
}

/// Unused fragments and variables would make the document invalid.
fn tidy(document: &mut Document) {
    loop {
        let mut used = Used::default();
        for definition in &document.definitions {
            used.definition(definition);
        }
        let before = document.definitions.len();
        document.definitions.retain(|definition| {
            definition
                .as_fragment_definition()
                .is_none_or(|fragment| used.fragments.contains(fragment.name.as_str()))
        });
        if document.definitions.len() < before {
            continue;
        }
        for definition in &mut document.definitions {
            if let Definition::OperationDefinition(operation) = definition {
                operation
                    .make_mut()
                    .variables
                    .retain(|variable| used.variables.contains(variable.name.as_str()));
            }
        }
        return;
    }
}

#[derive(Default)]
pub(crate) struct Used {
    pub(crate) fragments: BTreeSet<String>,
    variables: BTreeSet<String>,
}

impl Used {
    pub(crate) fn definition(&mut self, definition: &Definition) {
        match definition {
            Definition::OperationDefinition(operation) => self.selections(&operation.selection_set),
            Definition::FragmentDefinition(fragment) => self.selections(&fragment.selection_set),
            _ => {}
        }
    }

    fn selections(&mut self, selections: &[Selection]) {
        for selection in selections {
            match selection {
                Selection::Field(field) => {
                    self.directives(&field.directives);
                    field.arguments.iter().for_each(|argument| self.value(&argument.value));
                    self.selections(field.selection_set.as_deref().unwrap_or_default());
                }
                Selection::FragmentSpread(spread) => {
                    self.directives(&spread.directives);
                    self.fragments.insert(spread.fragment_name.to_string());
                }
                Selection::InlineFragment(inline) => {
                    self.directives(&inline.directives);
                    self.selections(&inline.selection_set);
                }
            }
        }
    }

    fn directives(&mut self, directives: &DirectiveList) {
        let arguments = directives.0.iter().flat_map(|directive| &directive.arguments);
        arguments.for_each(|argument| self.value(&argument.value));
    }

    fn value(&mut self, value: &Literal) {
        match value {
            Literal::Variable(name) => drop(self.variables.insert(name.to_string())),
            Literal::List(entries) => entries.iter().for_each(|entry| self.value(entry)),
            Literal::Object(fields) => fields.iter().for_each(|(_, value)| self.value(value)),
            _ => {}
        }
    }
}
