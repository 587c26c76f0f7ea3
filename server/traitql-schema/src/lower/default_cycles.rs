//! Default values that contain themselves (specification 3.10, InputObjectDefaultValueHasCycle): a field's default leaves out
//! a field, whose default leaves out the first one again. Whoever filled in defaults would never come to an end, the
//! generator first of all.

use std::collections::HashSet;

use apollo_compiler::ast::{InputValueDefinition, Value};
use apollo_compiler::schema::InputObjectType;
use apollo_compiler::{Node, Schema};

use crate::code;
use crate::diagnostic::Collector;

/// Reports every default value that contains itself, once per circle.
pub(super) fn check(schema: &Schema, out: &mut Collector) {
    let mut search = Search {
        schema,
        done: HashSet::new(),
        way: Vec::new(),
    };
    for input in schema.types.values().filter_map(|ty| ty.as_input_object()) {
        for field in input.fields.values() {
            if let Some(circle) = search.field(input, field) {
                let names: Vec<String> = circle.iter().map(|(owner, name)| format!("{owner}.{name}")).collect();
                let message = match names.as_slice() {
                    [one] => format!("the default of `{one}` contains itself"),
                    [first, rest @ ..] => format!(
                        "the default of `{first}` contains itself, by way of `{}`",
                        rest.join("`, `")
                    ),
                    [] => continue,
                };
                out.report(code::DEFAULT_CYCLE, field.name.location(), message)
                    .help("name the field in the default, with a value or with `null`, or remove one of the defaults");
            }
        }
    }
}

/// Name of an input object and of one of its fields.
type Place<'s> = (&'s str, &'s str);

struct Search<'s> {
    schema: &'s Schema,
    /// Fields whose defaults have been followed to their ends.
    done: HashSet<Place<'s>>,
    /// Fields whose defaults are being followed.
    way: Vec<Place<'s>>,
}

impl<'s> Search<'s> {
    /// Follows the default of a field; answers with the circle that it leads into.
    fn field(&mut self, owner: &'s InputObjectType, field: &'s Node<InputValueDefinition>) -> Option<Vec<Place<'s>>> {
        let ty = self.schema.get_input_object(field.ty.inner_named_type())?;
        let default = field.default_value.as_ref()?;
        let place = (owner.name.as_str(), field.name.as_str());
        if let Some(start) = self.way.iter().position(|known| *known == place) {
            return Some(self.way[start..].to_vec());
        }
        if self.done.contains(&place) {
            return None;
        }
        self.way.push(place);
        let circle = self.value(ty, default);
        self.way.pop();
        self.done.insert(place);
        circle
    }

    /// Follows what a value leaves out.
    fn value(&mut self, ty: &'s InputObjectType, value: &'s Value) -> Option<Vec<Place<'s>>> {
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
