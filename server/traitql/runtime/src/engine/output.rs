//! Field values, as shapes for every schema, or directly as response bytes.
//!
//! All rows of one object type are in one vector, the batch of the next level's resolvers. The remaining structure
//! (lists, nulls, errors) is a [`Shape`], or a [`Cell`] where one index suffices.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::Value;

use super::{
    rows::{RowSet, Rows, Values},
    write::{Position, Writer, Written},
};
use crate::{Cell, FieldError, Id, Scalar};

/// The value of a field for one parent. Completion checks nullability.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// Null.
    Null,
    /// The field failed at this position.
    Failed(Box<FieldError>),
    /// A scalar or an enum value.
    Leaf(Value),
    /// An object: an index into `RowSet::places`.
    Object(u32),
    /// A list.
    List(Vec<Shape>),
}

impl Shape {
    /// A leaf that contains a string.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Leaf(Value::String(text.into()))
    }

    /// A failure.
    pub fn failed(error: FieldError) -> Self {
        Self::Failed(Box::new(error))
    }
}

/// A value of a field. Generated code implements it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written into a response",
    note = "if codegen.yml names it under `traitql.scalars`, it needs `impl traitql::Scalar`"
)]
pub trait Output: Sized + Send + Sync + 'static {
    /// Converts the value to a shape and moves its objects into `rows`.
    fn shape(self, rows: &mut RowSet) -> Shape;

    /// Writes a value below which no resolver is required.
    fn write<'p>(&self, to: &mut Writer<'p>, at: Position<'p>) -> Written;

    /// Converts several values.
    fn values(all: Vec<Self>, rows: &mut RowSet) -> Values {
        Values::Shapes(all.into_iter().map(|value| value.shape(rows)).collect())
    }

    /// Converts the value of a root field.
    fn cell(self, rows: &mut RowSet) -> (Cell, Values) {
        (Cell::Row(0), Self::values(vec![self], rows))
    }
}

macro_rules! leaf {
    ($type:ty, |$value:ident| $json:expr, |$to:ident, $written:ident| $write:expr) => {
        impl Output for $type {
            fn shape(self, _: &mut RowSet) -> Shape {
                let $value = self;
                Shape::Leaf($json)
            }

            fn write<'p>(&self, $to: &mut Writer<'p>, _: Position<'p>) -> Written {
                let $written = self;
                $write;
                Written::Done
            }

            fn values(all: Vec<Self>, _: &mut RowSet) -> Values {
                Values::Leaves(Box::new(all))
            }
        }
    };
}

leaf!(bool, |value| value.into(), |to, value| to.raw(if *value {
    b"true"
} else {
    b"false"
}));
leaf!(i32, |value| value.into(), |to, value| to.integer(*value));
leaf!(String, |value| Value::String(value), |to, value| to.text(value));
leaf!(Id, |value| Value::String(value.into_string()), |to, value| to
    .text(value.as_str()));

impl Output for f64 {
    /// JSON lacks non-finite numbers (GraphQL October 2021, section 3.5.2: a field error).
    fn shape(self, _: &mut RowSet) -> Shape {
        match serde_json::Number::from_f64(self) {
            Some(number) => Shape::Leaf(number.into()),
            None => Shape::failed(not_finite(self)),
        }
    }

    fn write<'p>(&self, to: &mut Writer<'p>, _: Position<'p>) -> Written {
        if self.is_finite() {
            to.float(*self);
            return Written::Done;
        }
        Written::failed(not_finite(*self))
    }

    fn values(all: Vec<Self>, _: &mut RowSet) -> Values {
        Values::Leaves(Box::new(all))
    }
}

fn not_finite(value: f64) -> FieldError {
    FieldError::internal(format!("the float {value} is not finite"))
}

impl<T: Scalar> Output for T {
    /// A panic in a custom scalar's code fails only this value.
    fn shape(self, _: &mut RowSet) -> Shape {
        match catch_unwind(AssertUnwindSafe(|| self.write())) {
            Ok(value) => Shape::Leaf(value),
            Err(panic) => Shape::failed(FieldError::of_panic(panic)),
        }
    }

    fn write<'p>(&self, to: &mut Writer<'p>, _: Position<'p>) -> Written {
        if to.scalar(self) {
            return Written::Done;
        }
        match catch_unwind(AssertUnwindSafe(|| Scalar::write(self))) {
            Ok(value) => to.json(&value),
            Err(panic) => Written::failed(FieldError::of_panic(panic)),
        }
    }

    fn values(all: Vec<Self>, _: &mut RowSet) -> Values {
        Values::Leaves(Box::new(all))
    }
}

impl<T: Output> Output for Option<T> {
    fn shape(self, rows: &mut RowSet) -> Shape {
        self.map_or(Shape::Null, |value| value.shape(rows))
    }

    fn write<'p>(&self, to: &mut Writer<'p>, at: Position<'p>) -> Written {
        self.as_ref().map_or(Written::Null, |value| value.write(to, at))
    }

    fn cell(self, rows: &mut RowSet) -> (Cell, Values) {
        match self {
            None => (Cell::Null, Values::default()),
            Some(value) => value.cell(rows),
        }
    }
}

impl<T: Output> Output for Vec<T> {
    fn shape(self, rows: &mut RowSet) -> Shape {
        Shape::List(self.into_iter().map(|entry| entry.shape(rows)).collect())
    }

    fn write<'p>(&self, to: &mut Writer<'p>, at: Position<'p>) -> Written {
        to.list(self.len(), at, |to, entry, at| self[entry].write(to, at))
    }

    fn cell(self, rows: &mut RowSet) -> (Cell, Values) {
        let end = super::rows::to_u32(self.len());
        (Cell::Rows { start: 0, end }, T::values(self, rows))
    }
}

/// Returns the name of an enum value, or an error if user code panics.
pub fn name(name: impl FnOnce() -> &'static str) -> Result<&'static str, FieldError> {
    catch_unwind(AssertUnwindSafe(name)).map_err(FieldError::of_panic)
}

/// Returns the typed rows behind a `dyn Rows`.
pub fn rows_of<T: Send + Sync + 'static>(rows: &dyn Rows) -> &[T] {
    let rows = rows.as_any().downcast_ref::<Vec<T>>();
    rows.expect("all rows of one object type have the same Rust type")
}
