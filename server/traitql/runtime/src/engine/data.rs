//! Fields that are stored in the values of an object type, as opposed to fields that a resolver computes.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use super::{
    output::{Output, Shape},
    rows::RowSet,
    write::{Position, Writer, Written},
};
use crate::{Edge, FieldError, Page, PageInfo};

/// An object type with stored fields. Implemented by generated code.
pub trait Data: Send + Sync + 'static {
    /// Name of the type in the schema. Empty if one Rust type represents several types (such as [`Page`]).
    const NAME: &'static str;

    /// Stored fields; the index of a name identifies the field.
    const FIELDS: &'static [&'static str];

    /// Passes the field with this index to a visitor.
    fn visit<V: Visitor>(&self, field: usize, visitor: V) -> V::Output;
}

/// An operation on a field of any type.
pub trait Visitor: Sized {
    /// Result of the visit.
    type Output;

    /// Visits a field that is stored in the object.
    fn stored<T: Output + Clone>(self, value: &T) -> Self::Output;

    /// Visits a field that code which may panic computes from the object.
    fn computed<T: Output>(self, value: impl FnOnce() -> T) -> Self::Output;

    /// Called if the schema and the generated code are of different versions.
    fn unknown(self) -> Self::Output;
}

pub(crate) struct ExtractField<'r>(pub(crate) &'r mut RowSet);

impl Visitor for ExtractField<'_> {
    type Output = Shape;

    fn stored<T: Output + Clone>(self, value: &T) -> Shape {
        value.clone().shape(self.0)
    }

    fn computed<T: Output>(self, value: impl FnOnce() -> T) -> Shape {
        match catch_unwind(AssertUnwindSafe(value)) {
            Ok(value) => value.shape(self.0),
            Err(panic) => Shape::failed(FieldError::of_panic(panic)),
        }
    }

    fn unknown(self) -> Shape {
        Shape::failed(unknown())
    }
}

pub(crate) struct WriteField<'w, 'p> {
    pub(crate) to: &'w mut Writer<'p>,
    pub(crate) at: Position<'p>,
}

impl Visitor for WriteField<'_, '_> {
    type Output = Written;

    #[inline]
    fn stored<T: Output + Clone>(self, value: &T) -> Written {
        value.write(self.to, self.at)
    }

    fn computed<T: Output>(self, value: impl FnOnce() -> T) -> Written {
        match catch_unwind(AssertUnwindSafe(value)) {
            Ok(value) => value.write(self.to, self.at),
            Err(panic) => Written::failed(FieldError::of_panic(panic)),
        }
    }

    fn unknown(self) -> Written {
        Written::failed(unknown())
    }
}

fn unknown() -> crate::FieldError {
    crate::FieldError::internal("the generated code has no such field")
}

#[doc(hidden)]
#[macro_export]
macro_rules! object {
    ($type:ty, $name:literal { $($number:literal $graphql:literal => $field:ident),* $(,)? }) => {
        impl $crate::engine::Data for $type {
            const NAME: &'static str = $name;
            const FIELDS: &'static [&'static str] = &[$($graphql),*];

            fn visit<V: $crate::engine::Visitor>(&self, field: usize, visitor: V) -> V::Output {
                match field {
                    $($number => visitor.stored(&self.$field),)*
                    _ => visitor.unknown(),
                }
            }
        }

        $crate::rows!($type);
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! rows {
    ($type:ty $(, $T:ident: $($bound:path),+)?) => {
        impl$(<$T: $($bound +)+>)? $crate::engine::Output for $type {
            fn shape(self, rows: &mut $crate::engine::RowSet) -> $crate::engine::Shape {
                rows.push(<Self as $crate::engine::Data>::NAME, self)
            }

            fn write<'p>(
                &self,
                to: &mut $crate::engine::Writer<'p>,
                at: $crate::engine::Position<'p>,
            ) -> $crate::engine::Written {
                to.object(<Self as $crate::engine::Data>::NAME, self, at)
            }

            fn values(all: Vec<Self>, rows: &mut $crate::engine::RowSet) -> $crate::engine::Values {
                rows.push_column(<Self as $crate::engine::Data>::NAME, all)
            }
        }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! sum {
    ($type:ty { $($variant:ident),* $(,)? }) => {
        impl $crate::engine::Output for $type {
            #[allow(unused_variables, reason = "an interface may have no members")]
            fn shape(self, rows: &mut $crate::engine::RowSet) -> $crate::engine::Shape {
                match self {
                    $(Self::$variant(value) => $crate::engine::Output::shape(value, rows),)*
                }
            }

            #[allow(unused_variables, unreachable_code, reason = "an interface may have no members")]
            fn write<'p>(
                &self,
                to: &mut $crate::engine::Writer<'p>,
                at: $crate::engine::Position<'p>,
            ) -> $crate::engine::Written {
                match *self {
                    $(Self::$variant(ref value) => $crate::engine::Output::write(value, to, at),)*
                }
            }
        }
    };
}

/// Calls `$name` for the name of a value.
#[doc(hidden)]
#[macro_export]
macro_rules! names {
    ($type:ty, $name:expr) => {
        impl $crate::engine::Output for $type {
            fn shape(self, _: &mut $crate::engine::RowSet) -> $crate::engine::Shape {
                $crate::engine::Shape::text($name(self))
            }

            fn write<'p>(
                &self,
                to: &mut $crate::engine::Writer<'p>,
                _: $crate::engine::Position<'p>,
            ) -> $crate::engine::Written {
                to.name($name(*self))
            }

            fn values(all: Vec<Self>, _: &mut $crate::engine::RowSet) -> $crate::engine::Values {
                $crate::engine::Values::Leaves(Box::new(all))
            }
        }
    };
}

/// Like `names!`, for a user-defined type whose code may panic.
#[doc(hidden)]
#[macro_export]
macro_rules! own_names {
    ($type:ty, $name:expr) => {
        impl $crate::engine::Output for $type {
            fn shape(self, _: &mut $crate::engine::RowSet) -> $crate::engine::Shape {
                match $crate::engine::name(|| $name(self)) {
                    Ok(name) => $crate::engine::Shape::text(name),
                    Err(error) => $crate::engine::Shape::failed(error),
                }
            }

            fn write<'p>(
                &self,
                to: &mut $crate::engine::Writer<'p>,
                _: $crate::engine::Position<'p>,
            ) -> $crate::engine::Written {
                match $crate::engine::name(|| $name(*self)) {
                    Ok(name) => to.name(name),
                    Err(error) => $crate::engine::Written::failed(error),
                }
            }

            fn values(all: Vec<Self>, _: &mut $crate::engine::RowSet) -> $crate::engine::Values {
                $crate::engine::Values::Leaves(Box::new(all))
            }
        }
    };
}

crate::rows!(Page<T>, T: Output, Clone);
crate::rows!(Edge<T>, T: Output, Clone);
crate::rows!(PageInfo);
crate::rows!(Arc<T>, T: Data);

impl<T: Data> Data for Arc<T> {
    const NAME: &'static str = T::NAME;
    const FIELDS: &'static [&'static str] = T::FIELDS;

    fn visit<V: Visitor>(&self, field: usize, visitor: V) -> V::Output {
        T::visit(self, field, visitor)
    }
}

impl<T: Output + Clone> Data for Page<T> {
    const NAME: &'static str = "";
    const FIELDS: &'static [&'static str] = &["nodes", "edges", "pageInfo", "totalCount"];

    fn visit<V: Visitor>(&self, field: usize, visitor: V) -> V::Output {
        match field {
            0 => visitor.stored(&self.nodes),
            1 => visitor.computed(|| {
                let edges = self.cursors.iter().cloned().zip(self.nodes.iter().cloned());
                edges.map(|(cursor, node)| Edge { cursor, node }).collect::<Vec<_>>()
            }),
            2 => visitor.computed(|| self.info()),
            3 => visitor.stored(&self.total_count),
            _ => visitor.unknown(),
        }
    }
}

impl<T: Output + Clone> Data for Edge<T> {
    const NAME: &'static str = "";
    const FIELDS: &'static [&'static str] = &["cursor", "node"];

    fn visit<V: Visitor>(&self, field: usize, visitor: V) -> V::Output {
        match field {
            0 => visitor.stored(&self.cursor),
            1 => visitor.stored(&self.node),
            _ => visitor.unknown(),
        }
    }
}

impl Data for PageInfo {
    const NAME: &'static str = "";
    const FIELDS: &'static [&'static str] = &["hasNextPage", "hasPreviousPage", "startCursor", "endCursor"];

    fn visit<V: Visitor>(&self, field: usize, visitor: V) -> V::Output {
        match field {
            0 => visitor.stored(&self.has_next_page),
            1 => visitor.stored(&self.has_previous_page),
            2 => visitor.stored(&self.start_cursor),
            3 => visitor.stored(&self.end_cursor),
            _ => visitor.unknown(),
        }
    }
}

/// A root object, which has no stored fields.
impl Data for () {
    const NAME: &'static str = "";
    const FIELDS: &'static [&'static str] = &[];

    fn visit<V: Visitor>(&self, _: usize, visitor: V) -> V::Output {
        visitor.unknown()
    }
}
