//! Default values that contain themselves (specification 3.10, InputObjectDefaultValueHasCycle), or that become too large
//! when the defaults of omitted fields are added.

use std::collections::{HashMap, HashSet};

use apollo_compiler::ast::{InputValueDefinition, Value};
use apollo_compiler::parser::SourceSpan;
use apollo_compiler::schema::{ExtendedType, InputObjectType};
use apollo_compiler::{Node, Schema};

use crate::diagnostics::code;
use crate::diagnostics::diagnostic::Collector;

/// Values of one default. Two fields whose defaults contain two others each are enough for exponential growth.
const MAX_VALUES: u64 = 1_000;
/// Defaults that contain each other.
const MAX_DEPTH: usize = 32;

/// Reports each cycle once.
pub(super) fn check(schema: &Schema, out: &mut Collector) {
    let mut search = Search {
        schema,
        done: HashMap::new(),
        path: Vec::new(),
    };
    let mut reported = HashSet::new();
    let mut is_deep = false;
    for input in schema.types.values().filter_map(|ty| ty.as_input_object()) {
        for field in input.fields.values() {
            match search.field(input, field) {
                Ok(_) => {}
                Err(Problem::Cycle(cycle)) => report_cycle(&cycle, field, out),
                Err(Problem::TooDeep) => {
                    if !std::mem::replace(&mut is_deep, true) {
                        let owner = format!("{}.{}", input.name, field.name);
                        let message = format!("the default of `{owner}` contains more than {MAX_DEPTH} others");
                        out.report(code::TOO_DEEP, field.name.location(), message).help(HELP);
                    }
                }
                Err(Problem::TooLarge((owner, name))) => {
                    if reported.insert((owner, name)) {
                        let field = schema.get_input_object(owner).and_then(|owner| owner.fields.get(name));
                        too_large(
                            &format!("{owner}.{name}"),
                            field.and_then(|field| field.name.location()),
                            out,
                        );
                    }
                }
            }
        }
    }
    let fields = schema.types.iter().filter_map(|(name, ty)| match ty {
        ExtendedType::Object(object) => Some((name, &object.fields)),
        ExtendedType::Interface(interface) => Some((name, &interface.fields)),
        _ => None,
    });
    for (owner, field) in fields.flat_map(|(owner, fields)| fields.values().map(move |field| (owner, field))) {
        for argument in &field.arguments {
            let Some(default) = &argument.default_value else {
                continue;
            };
            let ty = schema.get_input_object(argument.ty.inner_named_type());
            // Defaults inside were reported above.
            if search
                .value(ty.map(|ty| &**ty), default)
                .is_ok_and(|size| size > MAX_VALUES)
            {
                let coordinate = format!("{owner}.{}({}:)", field.name, argument.name);
                too_large(&coordinate, argument.name.location(), out);
            }
        }
    }
}

const HELP: &str = "set the fields in the default to values or to `null`, or remove defaults";

fn report_cycle(cycle: &[FieldKey<'_>], field: &InputValueDefinition, out: &mut Collector) {
    let names: Vec<String> = cycle.iter().map(|(owner, name)| format!("{owner}.{name}")).collect();
    let message = match names.as_slice() {
        [one] => format!("the default of `{one}` contains itself"),
        [first, rest @ ..] => format!(
            "the default of `{first}` contains itself through `{}`",
            rest.join("`, `")
        ),
        [] => return,
    };
    out.report(code::DEFAULT_CYCLE, field.name.location(), message)
        .help("set the field in the default to a value or to `null`, or remove one of the defaults");
}

fn too_large(coordinate: &str, at: Option<SourceSpan>, out: &mut Collector) {
    let message =
        format!("the default of `{coordinate}` has more than {MAX_VALUES} values, with the defaults of omitted fields");
    out.report(code::TOO_DEEP, at, message).help(HELP);
}

type FieldKey<'s> = (&'s str, &'s str);

#[derive(Clone)]
enum Problem<'s> {
    Cycle(Vec<FieldKey<'s>>),
    TooDeep,
    TooLarge(FieldKey<'s>),
}

struct Search<'s> {
    schema: &'s Schema,
    /// Number of values of each default that was followed completely.
    done: HashMap<FieldKey<'s>, Result<u64, Problem<'s>>>,
    /// Being followed.
    path: Vec<FieldKey<'s>>,
}

impl<'s> Search<'s> {
    fn field(&mut self, owner: &'s InputObjectType, field: &'s Node<InputValueDefinition>) -> Result<u64, Problem<'s>> {
        let Some(default) = &field.default_value else {
            return Ok(0);
        };
        let ty = self.schema.get_input_object(field.ty.inner_named_type());
        let key = (owner.name.as_str(), field.name.as_str());
        if let Some(start) = self.path.iter().position(|known| *known == key) {
            return Err(Problem::Cycle(self.path[start..].to_vec()));
        }
        if let Some(done) = self.done.get(&key) {
            return done.clone();
        }
        if self.path.len() >= MAX_DEPTH {
            return Err(Problem::TooDeep);
        }
        self.path.push(key);
        let size = self.value(ty.map(|ty| &**ty), default);
        self.path.pop();
        let size = match size {
            Ok(size) if size > MAX_VALUES => Err(Problem::TooLarge(key)),
            size => size,
        };
        // A cycle is reported once.
        let known = match &size {
            Err(Problem::Cycle(_)) => Ok(0),
            size => size.clone(),
        };
        self.done.insert(key, known);
        size
    }

    /// Follows the defaults of omitted fields.
    fn value(&mut self, ty: Option<&'s InputObjectType>, value: &'s Value) -> Result<u64, Problem<'s>> {
        let mut total: u64 = 1;
        match (value, ty) {
            (Value::List(entries), ty) => {
                for entry in entries {
                    total = total.saturating_add(self.value(ty, entry)?);
                }
            }
            (Value::Object(given), Some(ty)) => {
                for field in ty.fields.values() {
                    let size = match given.iter().find(|(name, _)| *name == field.name) {
                        None => self.field(ty, field)?,
                        Some((_, value)) => {
                            let below = self.schema.get_input_object(field.ty.inner_named_type());
                            self.value(below.map(|below| &**below), value)?
                        }
                    };
                    total = total.saturating_add(size);
                }
            }
            (Value::Object(given), None) => {
                for (_, value) in given {
                    total = total.saturating_add(self.value(None, value)?);
                }
            }
            _ => {}
        }
        Ok(total)
    }
}
