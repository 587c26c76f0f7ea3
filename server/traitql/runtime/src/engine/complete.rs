//! Builds the value of a response from resolved columns (GraphQL October 2021, sections 6.4.3 and 6.4.4) in response
//! order. An object stops at the first field that violates non-null; errors found before are kept.

use std::collections::HashMap;

use apollo_compiler::ast::Type;
use async_graphql::{Name, PathSegment, Value};

use super::{level::Resolved, output::Shape, response::Located};
use crate::FieldError;

/// The nearest nullable position above becomes null.
pub(crate) struct NullBubble;

/// `null_error` logs a null error and returns the error for the caller; it is called once per field coordinate.
pub(crate) fn complete(
    field: &Resolved,
    null_error: &dyn Fn(&str, FieldError) -> FieldError,
) -> (Result<Value, NullBubble>, Vec<Located>) {
    let mut completion = Completion {
        path: Vec::new(),
        errors: Vec::new(),
        null_error,
        null_errors: HashMap::new(),
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
    null_error: &'a dyn Fn(&str, FieldError) -> FieldError,
    null_errors: HashMap<&'a str, FieldError>,
}

impl<'a> Completion<'a> {
    fn field(&mut self, field: &'a Resolved, row: usize) -> Result<Value, NullBubble> {
        self.path.push(Step::Key(&field.key));
        let value = self.position(field, &field.ty, &field.shapes[row]);
        self.path.pop();
        value
    }

    fn position(&mut self, field: &'a Resolved, ty: &Type, shape: &'a Shape) -> Result<Value, NullBubble> {
        match (self.value(field, ty, shape), ty.is_non_null()) {
            (Err(NullBubble), false) => Ok(Value::Null),
            (Ok(Value::Null), true) => {
                let null_error = self.null_error;
                let error = self.null_errors.entry(&field.coordinate).or_insert_with(|| {
                    let problem = FieldError::internal(format!("got null in a field of type {}", field.ty));
                    null_error(&field.coordinate, problem)
                });
                let error = error.clone();
                Err(self.fail(error))
            }
            (value, _) => value,
        }
    }

    fn value(&mut self, field: &'a Resolved, ty: &Type, shape: &'a Shape) -> Result<Value, NullBubble> {
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

    fn fail(&mut self, error: FieldError) -> NullBubble {
        let path = self.path.iter().map(|step| match step {
            Step::Key(key) => PathSegment::Field((*key).to_owned()),
            Step::Index(at) => PathSegment::Index(*at),
        });
        self.errors.push(Located {
            path: path.collect(),
            error,
        });
        NullBubble
    }
}

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
