//! Maximum cost of an operation by `@cost`, for any variables.
//!
//! A field costs the value of its `@cost(value:)`. Without the directive it costs 1 if it has a resolver (it is a root
//! field, has arguments or `@resolve`, or its type is composite and not `@embedded`), and 0 if it is stored in its
//! parent, as the parts of a page are. `times:` names an argument that multiplies everything below: by its value, or
//! by the upper end of its `@range` if it is a variable. A field that is selected several times counts once. The
//! generator uses the same rules.
//!
//! Fragments are expanded, so the shape must have been checked.

use std::collections::{HashMap, HashSet};

use apollo_compiler::{
    ExecutableDocument, Name, Schema,
    ast::Value,
    executable::{Field, Operation, Selection, SelectionSet},
    schema::FieldDefinition,
};

/// Neither a value nor a constraint bounds the argument.
const UNBOUNDED_TIMES: u64 = 100;

const PAGE_PARTS: [&str; 6] = ["nodes", "edges", "pageInfo", "totalCount", "cursor", "node"];

#[derive(Debug)]
pub(super) struct Costs {
    roots: HashSet<Name>,
    pages: HashSet<Name>,
}

impl Costs {
    pub(super) fn new(schema: &Schema) -> Self {
        let roots = schema
            .schema_definition
            .iter_root_operations()
            .map(|(_, name)| (**name).clone());
        let connections = || schema.types.iter().filter(|(name, _)| name.ends_with("Connection"));
        let edges =
            connections().filter_map(|(_, ty)| Some(ty.as_object()?.fields.get("edges")?.ty.inner_named_type()));
        let pages = connections().map(|(name, _)| name).chain(edges);
        Self {
            roots: roots.collect(),
            pages: pages.cloned().collect(),
        }
    }

    pub(super) fn of(&self, schema: &Schema, document: &ExecutableDocument, operation: &Operation) -> u64 {
        Coster {
            costs: self,
            schema,
            document,
            operation,
        }
        .selections(&[&operation.selection_set])
    }
}

struct Coster<'a> {
    costs: &'a Costs,
    schema: &'a Schema,
    document: &'a ExecutableDocument,
    operation: &'a Operation,
}

type Fields<'a> = HashMap<(&'a Name, &'a Name), Vec<&'a Field>>;

impl<'a> Coster<'a> {
    /// If a key has several parent types, all are counted.
    fn selections(&self, sets: &[&'a SelectionSet]) -> u64 {
        let mut fields = Fields::new();
        let mut seen = HashSet::new();
        for set in sets {
            self.collect(set, &mut fields, &mut seen);
        }
        let costs = fields
            .into_iter()
            .map(|((parent, _), fields)| self.field(parent, &fields));
        costs.fold(0, u64::saturating_add)
    }

    fn collect(&self, set: &'a SelectionSet, fields: &mut Fields<'a>, seen: &mut HashSet<&'a Name>) {
        for selection in &set.selections {
            match selection {
                // Introspection only reads memory, and its depth is limited separately.
                Selection::Field(field) if field.name.starts_with("__") => {}
                Selection::Field(field) => fields.entry((&set.ty, field.response_name())).or_default().push(field),
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

    fn field(&self, parent: &Name, fields: &[&'a Field]) -> u64 {
        let Some(field) = fields.first() else { return 0 };
        let below: Vec<_> = fields.iter().filter_map(|field| field.selection_set.as_ref()).collect();
        let below = self.selections(&below);
        let Some(cost) = field.definition.directives.get("cost") else {
            return below.saturating_add(u64::from(self.is_resolved(parent, &field.definition)));
        };
        let own = cost
            .specified_argument_by_name("value")
            .map_or(Some(1), |value| value.to_i32());
        let own = own.map_or(1, |own| u64::try_from(own).unwrap_or(0));
        let times = cost
            .specified_argument_by_name("times")
            .and_then(|times| times.as_str());
        below
            .saturating_mul(times.map_or(1, |argument| self.times(field, argument)))
            .saturating_add(own)
    }

    fn is_resolved(&self, parent: &Name, definition: &FieldDefinition) -> bool {
        let composite = |name: &Name| {
            self.schema
                .types
                .get(name)
                .is_some_and(|ty| !ty.is_leaf() && !ty.directives().has("embedded"))
        };
        if self.costs.roots.contains(parent) {
            return true;
        }
        if self.costs.pages.contains(parent) && PAGE_PARTS.contains(&definition.name.as_str()) {
            return false;
        }
        !definition.arguments.is_empty()
            || definition.directives.has("resolve")
            || composite(definition.ty.inner_named_type())
    }

    fn times(&self, field: &Field, argument: &str) -> u64 {
        let definition = field.definition.argument_by_name(argument);
        let range = definition.and_then(|definition| definition.directives.get("range"));
        let max = range.and_then(|range| range.specified_argument_by_name("max")?.to_f64());
        let range_max = max.map(|max| max.max(0.0) as u64);
        let default = definition.and_then(|definition| constant(definition.default_value.as_deref()?));
        match field.specified_argument_by_name(argument).map(|value| &**value) {
            Some(Value::Variable(variable)) => {
                let variable = self
                    .operation
                    .variables
                    .iter()
                    .find(|definition| definition.name == *variable);
                let variable_default = variable.and_then(|definition| constant(definition.default_value.as_deref()?));
                range_max.unwrap_or_else(|| variable_default.unwrap_or(0).max(UNBOUNDED_TIMES))
            }
            Some(value) => constant(value).or(default).unwrap_or(UNBOUNDED_TIMES),
            None => default.or(range_max).unwrap_or(UNBOUNDED_TIMES),
        }
    }
}

fn constant(value: &Value) -> Option<u64> {
    value.to_i32().map(|value| u64::try_from(value).unwrap_or(0))
}
