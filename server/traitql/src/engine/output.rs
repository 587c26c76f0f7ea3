//! What a field answers, in two forms: taken apart into values that one executor handles for every schema, and written
//! straight into the answer.
//!
//! Typed rows come from resolvers. Rows of one object type stay together in one vector, whatever lists, interfaces or unions
//! they came through: that vector is what the resolvers of the next level get as their batch. What remains, the nesting of
//! lists, nulls and errors, is a [`Shape`] where it is general, and a [`Cell`] where one number says it all.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::Value;

use super::{
    call::panicked,
    rows::{RowSet, Rows, Values},
    write::{At, Writer, Written},
};
use crate::{Cell, FieldError, Id, Scalar};

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

/// A value that a field can answer with. Implemented by generated code for the types of the schema.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say how it is written into an answer",
    note = "if codegen.yml names it under `traitql.scalars`, it needs `impl traitql::Scalar`"
)]
pub trait Output: Sized + Send + Sync + 'static {
    /// Takes the value apart.
    fn shape(self, rows: &mut RowSet) -> Shape;

    /// Writes the value. Only where nothing below it has to be asked of a resolver.
    fn write<'p>(&self, to: &mut Writer<'p>, at: At<'p>) -> Written;

    /// Takes several values apart at once.
    fn values(all: Vec<Self>, rows: &mut RowSet) -> Values {
        Values::Shapes(all.into_iter().map(|value| value.shape(rows)).collect())
    }

    /// Takes the answer of a root field apart.
    fn cell(self, rows: &mut RowSet) -> (Cell, Values) {
        (Cell::Row(0), Self::values(vec![self], rows))
    }
}

/// Leaves whose JSON needs no more than a method of the writer.
macro_rules! leaf {
    ($type:ty, |$value:ident| $json:expr, |$to:ident, $written:ident| $write:expr) => {
        impl Output for $type {
            fn shape(self, _: &mut RowSet) -> Shape {
                let $value = self;
                Shape::Leaf($json)
            }

            fn write<'p>(&self, $to: &mut Writer<'p>, _: At<'p>) -> Written {
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
    /// JSON has no number for what is not finite (GraphQL October 2021, section 3.5.2: a field error).
    fn shape(self, _: &mut RowSet) -> Shape {
        match serde_json::Number::from_f64(self) {
            Some(number) => Shape::Leaf(number.into()),
            None => Shape::failed(not_finite(self)),
        }
    }

    fn write<'p>(&self, to: &mut Writer<'p>, _: At<'p>) -> Written {
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
    /// A custom scalar runs code of its own: what goes wrong there fails this value.
    fn shape(self, _: &mut RowSet) -> Shape {
        match catch_unwind(AssertUnwindSafe(|| self.write())) {
            Ok(value) => Shape::Leaf(value),
            Err(panic) => Shape::failed(panicked(panic)),
        }
    }

    fn write<'p>(&self, to: &mut Writer<'p>, _: At<'p>) -> Written {
        if to.scalar(self) {
            return Written::Done;
        }
        match catch_unwind(AssertUnwindSafe(|| Scalar::write(self))) {
            Ok(value) => to.json(&value),
            Err(panic) => Written::failed(panicked(panic)),
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

    fn write<'p>(&self, to: &mut Writer<'p>, at: At<'p>) -> Written {
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

    fn write<'p>(&self, to: &mut Writer<'p>, at: At<'p>) -> Written {
        to.list(self.len(), at, |to, entry, at| self[entry].write(to, at))
    }

    fn cell(self, rows: &mut RowSet) -> (Cell, Values) {
        let end = super::rows::narrow(self.len());
        (Cell::Rows { start: 0, end }, T::values(self, rows))
    }
}

/// The values of an enum: their names, written as they are.
pub fn name(name: impl FnOnce() -> &'static str) -> Result<&'static str, FieldError> {
    catch_unwind(AssertUnwindSafe(name)).map_err(panicked)
}

/// The typed rows behind a `dyn Rows`.
pub fn rows_of<T: Send + Sync + 'static>(rows: &dyn Rows) -> &[T] {
    let rows = rows.as_any().downcast_ref::<Vec<T>>();
    rows.expect("rows of one object type have one Rust type")
}
