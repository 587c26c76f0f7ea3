//! What a field answers, in a form that one executor can handle for every schema.
//!
//! A resolver answers with typed rows. The executor knows no types, so an answer is taken apart once: every leaf becomes
//! JSON, every object becomes a row of a [`RowSet`], and what remains, the nesting of lists, nulls and errors, is a
//! [`Shape`]. Rows of one object type stay together in one vector, whatever lists, interfaces or unions they came through:
//! that vector is what the resolvers of the next level get as their batch.

use std::any::Any;

use serde_json::Value;

use crate::{FieldError, Id, Scalar};

/// The answer for one parent. Whether null is allowed somewhere is not known here: the schema decides when the answer is
/// completed.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// Null.
    Null,
    /// The field failed here.
    Failed(Box<FieldError>),
    /// A scalar or an enum value.
    Leaf(Value),
    /// An object: the entry of `RowSet::places` with this number.
    Object(u32),
    /// A list.
    List(Vec<Shape>),
}

impl Shape {
    /// A leaf that is a text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Leaf(Value::String(text.into()))
    }

    /// A failure.
    pub fn failed(error: FieldError) -> Self {
        Self::Failed(Box::new(error))
    }
}

/// Rows of one object type, without their Rust type.
pub trait Rows: Any + Send + Sync {
    /// How many there are: never none.
    fn count(&self) -> usize;
    /// Moves the rows of another set of the same type behind these.
    fn append(&mut self, other: Box<dyn Rows>);
    /// For downcasts.
    fn as_any(&self) -> &dyn Any;
    /// For downcasts.
    fn into_any(self: Box<Self>) -> Box<dyn Any>;
    /// For downcasts.
    fn as_any_mut(&mut self) -> &mut dyn Any;
}

impl<T: Send + Sync + 'static> Rows for Vec<T> {
    fn count(&self) -> usize {
        self.len()
    }

    fn append(&mut self, other: Box<dyn Rows>) {
        let other = other.into_any().downcast::<Self>();
        let mut other = other.expect("rows of one object type have one Rust type");
        Vec::append(self, &mut other);
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

/// The typed rows behind a `dyn Rows`.
pub fn rows_of<T: Send + Sync + 'static>(rows: &dyn Rows) -> &[T] {
    let rows = rows.as_any().downcast_ref::<Vec<T>>();
    rows.expect("rows of one object type have one Rust type")
}

/// The objects of one column, split by their concrete type.
#[derive(Default)]
pub struct RowSet {
    pub(crate) parts: Vec<Part>,
    /// Part and row of each object, in the order in which the objects were found.
    pub(crate) places: Vec<(u32, u32)>,
}

/// The objects of one concrete type.
pub(crate) struct Part {
    pub(crate) type_name: &'static str,
    pub(crate) rows: Box<dyn Rows>,
}

impl RowSet {
    /// Adds an object of the schema's type `type_name`. All objects of one type have the same Rust type.
    pub fn push<T: Send + Sync + 'static>(&mut self, type_name: &'static str, row: T) -> Shape {
        let part = match self.parts.iter().position(|part| part.type_name == type_name) {
            Some(part) => part,
            None => {
                let rows = Box::new(Vec::<T>::new());
                self.parts.push(Part { type_name, rows });
                self.parts.len() - 1
            }
        };
        let rows = self.parts[part].rows.as_any_mut().downcast_mut::<Vec<T>>();
        let rows = rows.expect("rows of one object type have one Rust type");
        rows.push(row);
        self.places.push((narrow(part), narrow(rows.len() - 1)));
        Shape::Object(narrow(self.places.len() - 1))
    }
}

/// The answer of a field for all its parents.
#[derive(Default)]
pub struct Column {
    /// One per parent.
    pub(crate) shapes: Vec<Shape>,
    /// The objects that the shapes refer to.
    pub(crate) rows: RowSet,
}

impl Column {
    /// The same failure for each of `parents` parents.
    pub fn failed(parents: usize, error: &FieldError) -> Self {
        Self {
            shapes: vec![Shape::failed(error.clone()); parents],
            rows: RowSet::default(),
        }
    }
}

/// A value that a field can answer with. Implemented by generated code for the types of the schema.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say how it is written into an answer",
    note = "if codegen.yml names it under `traitql.scalars`, it needs `impl traitql::Scalar`"
)]
pub trait Output: Send + Sync + 'static {
    /// Takes the value apart.
    fn shape(self, rows: &mut RowSet) -> Shape;
}

impl Output for bool {
    fn shape(self, _: &mut RowSet) -> Shape {
        Shape::Leaf(self.into())
    }
}

impl Output for i32 {
    fn shape(self, _: &mut RowSet) -> Shape {
        Shape::Leaf(self.into())
    }
}

impl Output for f64 {
    /// JSON has no number for what is not finite (GraphQL October 2021, section 3.5.2: a field error).
    fn shape(self, _: &mut RowSet) -> Shape {
        match serde_json::Number::from_f64(self) {
            Some(number) => Shape::Leaf(number.into()),
            None => Shape::failed(FieldError::internal(format!("the float {self} is not finite"))),
        }
    }
}

impl Output for String {
    fn shape(self, _: &mut RowSet) -> Shape {
        Shape::text(self)
    }
}

impl Output for Id {
    fn shape(self, _: &mut RowSet) -> Shape {
        Shape::text(self.into_string())
    }
}

impl<T: Scalar> Output for T {
    fn shape(self, _: &mut RowSet) -> Shape {
        Shape::Leaf(self.write())
    }
}

impl<T: Output> Output for Option<T> {
    fn shape(self, rows: &mut RowSet) -> Shape {
        self.map_or(Shape::Null, |value| value.shape(rows))
    }
}

impl<T: Output> Output for Vec<T> {
    fn shape(self, rows: &mut RowSet) -> Shape {
        Shape::List(self.into_iter().map(|entry| entry.shape(rows)).collect())
    }
}

/// Takes a value apart that may be null, by what takes one apart that is there.
pub fn nullable<T>(take: impl Fn(T, &mut RowSet) -> Shape) -> impl Fn(Option<T>, &mut RowSet) -> Shape {
    move |value, rows| value.map_or(Shape::Null, |value| take(value, rows))
}

/// Takes a list apart, by what takes an entry apart.
pub fn list<T>(take: impl Fn(T, &mut RowSet) -> Shape) -> impl Fn(Vec<T>, &mut RowSet) -> Shape {
    move |values, rows| Shape::List(values.into_iter().map(|value| take(value, rows)).collect())
}

/// Rows of one column are counted in 32 bits: a column of four thousand million rows does not fit into an answer.
pub(crate) fn narrow(at: usize) -> u32 {
    u32::try_from(at).expect("a column has fewer than 2^32 rows")
}
