//! From resolved columns to the value of an answer (GraphQL October 2021, sections 6.4.3 and 6.4.4).
//!
//! Resolving went level by level; completing goes through the answer from its beginning to its end. So errors come in the order
//! of the answer, each with its own path, whatever order the resolvers finished in, and objects that several parents
//! share are completed once for each of them. An object that cannot be (one of its fields is null but must not be) is given
//! up at that field; errors found before it stay.

use std::collections::HashMap;

use apollo_compiler::ast::Type;
use async_graphql::{Name, PathSegment, Value};

use super::{level::Resolved, output::Shape};
use crate::FieldError;

/// An error and where it belongs in the answer.
#[derive(Debug, Clone)]
pub(crate) struct Located {
    pub(crate) path: Vec<PathSegment>,
    pub(crate) error: FieldError,
}

/// A position that must not be null would be: the nearest nullable position above becomes null instead.
pub(crate) struct Bubble;

/// Completes a field of a root object. `refuse` makes the error for a null of the field with this coordinate; it is asked
/// once per field.
pub(crate) fn complete(
    field: &Resolved,
    refuse: &dyn Fn(&str, FieldError) -> FieldError,
) -> (Result<Value, Bubble>, Vec<Located>) {
    let mut completion = Completion {
        path: Vec::new(),
        errors: Vec::new(),
        refuse,
        refused: HashMap::new(),
    };
    let value = completion.field(field, 0);
    (value, completion.errors)
}

#[derive(Clone, Copy)]
enum Step<'a> {
    Key(&'a str),
    Index(usize),
}

struct Completion<'a> {
    path: Vec<Step<'a>>,
    errors: Vec<Located>,
    refuse: &'a dyn Fn(&str, FieldError) -> FieldError,
    refused: HashMap<&'a str, FieldError>,
}

impl<'a> Completion<'a> {
    fn field(&mut self, field: &'a Resolved, row: usize) -> Result<Value, Bubble> {
        self.path.push(Step::Key(&field.key));
        let value = self.position(field, &field.ty, &field.shapes[row]);
        self.path.pop();
        value
    }

    /// A position of the answer: a field or an entry of a list.
    fn position(&mut self, field: &'a Resolved, ty: &Type, shape: &'a Shape) -> Result<Value, Bubble> {
        match (self.value(field, ty, shape), ty.is_non_null()) {
            (Err(Bubble), false) => Ok(Value::Null),
            (Ok(Value::Null), true) => {
                let refuse = self.refuse;
                let refusal = self.refused.entry(&field.coordinate).or_insert_with(|| {
                    let problem = FieldError::internal(format!("null where the schema says {}", field.ty));
                    refuse(&field.coordinate, problem)
                });
                let refusal = refusal.clone();
                Err(self.fail(refusal))
            }
            (value, _) => value,
        }
    }

    fn value(&mut self, field: &'a Resolved, ty: &Type, shape: &'a Shape) -> Result<Value, Bubble> {
        match shape {
            Shape::Null => Ok(Value::Null),
            Shape::Failed(error) => Err(self.fail((**error).clone())),
            Shape::Leaf(leaf) => Ok(json(leaf)),
            Shape::List(entries) => {
                let item = ty.item_type();
                let mut values = Vec::with_capacity(entries.len());
                for (at, entry) in entries.iter().enumerate() {
                    self.path.push(Step::Index(at));
                    let value = self.position(field, item, entry);
                    self.path.pop();
                    values.push(value?);
                }
                Ok(Value::List(values))
            }
            Shape::Object(place) => {
                let (group, row) = field.places[*place as usize];
                let objects = &field.below[group as usize];
                let mut values = async_graphql::indexmap::IndexMap::with_capacity(objects.fields.len());
                for below in &objects.fields {
                    let value = self.field(below, row as usize)?;
                    values.insert(Name::new(&below.key), value);
                }
                Ok(Value::Object(values))
            }
        }
    }

    fn fail(&mut self, error: FieldError) -> Bubble {
        let path = self.path.iter().map(|step| match step {
            Step::Key(key) => PathSegment::Field((*key).to_owned()),
            Step::Index(at) => PathSegment::Index(*at),
        });
        self.errors.push(Located {
            path: path.collect(),
            error,
        });
        Bubble
    }
}

/// A leaf as async-graphql holds it. A custom scalar may be any JSON.
fn json(leaf: &serde_json::Value) -> Value {
    match leaf {
        serde_json::Value::Null => Value::Null,
        serde_json::Value::Bool(value) => Value::Boolean(*value),
        serde_json::Value::Number(number) => Value::Number(number.clone()),
        serde_json::Value::String(text) => Value::String(text.clone()),
        serde_json::Value::Array(entries) => Value::List(entries.iter().map(json).collect()),
        serde_json::Value::Object(fields) => Value::Object(
            fields
                .iter()
                .map(|(key, value)| (Name::new(key), json(value)))
                .collect(),
        ),
    }
}
