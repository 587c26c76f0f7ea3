//! Default values that contain themselves (specification 3.10, InputObjectDefaultValueHasCycle).

use std::collections::HashSet;

use apollo_compiler::ast::{InputValueDefinition, Value};
use apollo_compiler::schema::InputObjectType;
use apollo_compiler::{Node, Schema};

use crate::diagnostics::code;
use crate::diagnostics::diagnostic::Collector;

/// Reports each cycle once.
pub(super) fn check(schema: &Schema, out: &mut Collector) {
    let mut search = Search {
        schema,
        done: HashSet::new(),
        path: Vec::new(),
    };
    for input in schema.types.values().filter_map(|ty| ty.as_input_object()) {
        for field in input.fields.values() {
            if let Some(cycle) = search.field(input, field) {
                let names: Vec<String> = cycle.iter().map(|(owner, name)| format!("{owner}.{name}")).collect();
                let message = match names.as_slice() {
                    [one] => format!("the default of `{one}` contains itself"),
                    [first, rest @ ..] => format!(
                        "the default of `{first}` contains itself through `{}`",
                        rest.join("`, `")
                    ),
                    [] => continue,
                };
                out.report(code::DEFAULT_CYCLE, field.name.location(), message)
                    .help("set the field in the default to a value or to `null`, or remove one of the defaults");
            }
        }
    }
}

type FieldKey<'s> = (&'s str, &'s str);

struct Search<'s> {
    schema: &'s Schema,
    /// Followed completely.
    done: HashSet<FieldKey<'s>>,
    /// Being followed.
    path: Vec<FieldKey<'s>>,
}

impl<'s> Search<'s> {
    fn field(
        &mut self,
        owner: &'s InputObjectType,
        field: &'s Node<InputValueDefinition>,
    ) -> Option<Vec<FieldKey<'s>>> {
        let ty = self.schema.get_input_object(field.ty.inner_named_type())?;
        let default = field.default_value.as_ref()?;
        let key = (owner.name.as_str(), field.name.as_str());
        if let Some(start) = self.path.iter().position(|known| *known == key) {
            return Some(self.path[start..].to_vec());
        }
        if self.done.contains(&key) {
            return None;
        }
        self.path.push(key);
        let cycle = self.value(ty, default);
        self.path.pop();
        self.done.insert(key);
        cycle
    }

    /// Follows the defaults of omitted fields.
    fn value(&mut self, ty: &'s InputObjectType, value: &'s Value) -> Option<Vec<FieldKey<'s>>> {
        match value {
            Value::List(entries) => entries.iter().find_map(|entry| self.value(ty, entry)),
            Value::Object(given) => {
                ty.fields
                    .values()
                    .find_map(|field| match given.iter().find(|(name, _)| *name == field.name) {
                        None => self.field(ty, field),
                        Some((_, value)) => {
                            let below = self.schema.get_input_object(field.ty.inner_named_type())?;
                            self.value(below, value)
                        }
                    })
            }
            _ => None,
        }
    }
}
