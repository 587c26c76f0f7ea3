//! What an operation costs at most, by the schema's `@cost`: a constant of the document, whatever its variables.
//!
//! A field costs what its `@cost(value:)` says. Without one it costs 1 if a resolver stands behind it (it has arguments, says
//! `@resolve`, or its type is composite and not `@embedded`) and nothing if it is data of its parent. With `times:` the cost
//! of everything below is multiplied by that argument: by its value, or by the upper end of its `@range` if it is a variable.

use std::collections::HashMap;

use apollo_compiler::{
    ExecutableDocument, Schema,
    ast::Value,
    executable::{Field, Operation, Selection, SelectionSet},
};

/// Multiplier where neither a value nor a rule bounds the argument.
const UNBOUNDED_TIMES: u64 = 100;

/// The cost of one operation of a valid document.
pub(super) fn of(schema: &Schema, document: &ExecutableDocument, operation: &Operation) -> u64 {
    Coster {
        schema,
        document,
        operation,
        fragments: HashMap::new(),
    }
    .selections(&operation.selection_set)
}

struct Coster<'a> {
    schema: &'a Schema,
    document: &'a ExecutableDocument,
    operation: &'a Operation,
    fragments: HashMap<&'a str, u64>,
}

impl<'a> Coster<'a> {
    fn selections(&mut self, selections: &'a SelectionSet) -> u64 {
        selections.selections.iter().fold(0_u64, |sum, selection| {
            sum.saturating_add(match selection {
                Selection::Field(field) => self.field(field),
                Selection::InlineFragment(inline) => self.selections(&inline.selection_set),
                Selection::FragmentSpread(spread) => self.fragment(&spread.fragment_name),
            })
        })
    }

    fn fragment(&mut self, name: &'a str) -> u64 {
        if let Some(cost) = self.fragments.get(name) {
            return *cost;
        }
        let cost = match self.document.fragments.get(name) {
            Some(fragment) => self.selections(&fragment.selection_set),
            None => 0,
        };
        self.fragments.insert(name, cost);
        cost
    }

    fn field(&mut self, field: &'a Field) -> u64 {
        // Introspection reads what is in memory; its depth has a limit of its own.
        if field.name.starts_with("__") {
            return 0;
        }
        let below = field
            .selection_set
            .as_ref()
            .map_or(0, |selections| self.selections(selections));
        let Some(cost) = field.definition.directives.get("cost") else {
            return below.saturating_add(u64::from(self.is_resolved(field)));
        };
        let own = cost
            .specified_argument_by_name("value")
            .map_or(Some(1), |value| value.to_i32());
        let times = cost
            .specified_argument_by_name("times")
            .and_then(|times| times.as_str());
        let times = times.map_or(1, |argument| self.times(field, argument));
        below
            .saturating_mul(times)
            .saturating_add(own.and_then(|own| own.try_into().ok()).unwrap_or(1))
    }

    fn is_resolved(&self, field: &Field) -> bool {
        let composite = |name: &str| {
            self.schema
                .types
                .get(name)
                .is_some_and(|ty| !ty.is_leaf() && !ty.directives().has("embedded"))
        };
        !field.definition.arguments.is_empty()
            || field.definition.directives.has("resolve")
            || composite(field.definition.ty.inner_named_type())
    }

    fn times(&self, field: &Field, argument: &str) -> u64 {
        let definition = field.definition.argument_by_name(argument);
        let written = field.specified_argument_by_name(argument);
        let value = written.or_else(|| definition.and_then(|definition| definition.default_value.as_ref()));
        let constant = |value: &Value| value.to_i32().map(|value| u64::try_from(value).unwrap_or(0));
        match value.map(|value| &**value) {
            Some(Value::Variable(variable)) => {
                let range = definition.and_then(|definition| definition.directives.get("range"));
                let max = range.and_then(|range| range.specified_argument_by_name("max"));
                let by_rule = max.and_then(|max| max.to_f64()).map(|max| max.max(0.0) as u64);
                let nullable = self
                    .operation
                    .variables
                    .iter()
                    .find(|definition| definition.name == *variable);
                let default = nullable
                    .and_then(|definition| definition.default_value.as_deref())
                    .and_then(constant);
                by_rule.unwrap_or_else(|| default.unwrap_or(0).max(UNBOUNDED_TIMES))
            }
            Some(value) => constant(value).unwrap_or(UNBOUNDED_TIMES),
            None => UNBOUNDED_TIMES,
        }
    }
}
