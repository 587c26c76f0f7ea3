//! The fields of an object type that are part of its values.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use super::{
    call::panicked,
    output::{Output, Shape},
    rows::RowSet,
    write::{At, Writer, Written},
};
use crate::{Edge, Page, PageInfo};

/// An object type whose values can be asked for the fields that need no resolver. Implemented by generated code.
pub trait Data: Send + Sync + 'static {
    /// Name of the type in the schema; empty where one Rust type stands for several: theirs is the one with which a field is
    /// declared.
    const NAME: &'static str;

    /// Names of the fields, by their numbers.
    const FIELDS: &'static [&'static str];

    /// Shows a field to a visitor.
    fn visit<V: Visitor>(&self, field: usize, visitor: V) -> V::Answer;
}

/// Something that is done to a field of an object, whatever its type.
pub trait Visitor: Sized {
    /// What comes of it.
    type Answer;

    /// The field is part of the object.
    fn see<T: Output + Clone>(self, value: &T) -> Self::Answer;

    /// The field is computed from the object, by code that may fail.
    fn made<T: Output>(self, value: impl FnOnce() -> T) -> Self::Answer;

    /// There is no such field: the schema and the code are of different versions.
    fn unknown(self) -> Self::Answer;
}

/// Takes the field apart.
pub(crate) struct Take<'r>(pub(crate) &'r mut RowSet);

impl Visitor for Take<'_> {
    type Answer = Shape;

    fn see<T: Output + Clone>(self, value: &T) -> Shape {
        value.clone().shape(self.0)
    }

    fn made<T: Output>(self, value: impl FnOnce() -> T) -> Shape {
        match catch_unwind(AssertUnwindSafe(value)) {
            Ok(value) => value.shape(self.0),
            Err(panic) => Shape::failed(panicked(panic)),
        }
    }

    fn unknown(self) -> Shape {
        Shape::failed(unknown())
    }
}

/// Writes the field.
pub(crate) struct Put<'w, 'p> {
    pub(crate) to: &'w mut Writer<'p>,
    pub(crate) at: At<'p>,
}

impl Visitor for Put<'_, '_> {
    type Answer = Written;

    #[inline]
    fn see<T: Output + Clone>(self, value: &T) -> Written {
        value.write(self.to, self.at)
    }

    fn made<T: Output>(self, value: impl FnOnce() -> T) -> Written {
        match catch_unwind(AssertUnwindSafe(value)) {
            Ok(value) => value.write(self.to, self.at),
            Err(panic) => Written::failed(panicked(panic)),
        }
    }

    fn unknown(self) -> Written {
        Written::failed(unknown())
    }
}

fn unknown() -> crate::FieldError {
    crate::FieldError::internal("the generated code does not know this field")
}

/// Says that a type stands for an object type of the schema, and which parts of its values are fields, by their numbers.
///
/// ```text
/// traitql::object!(types::Tour, "Tour" { 0 "id" => id, 1 "title" => title });
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! object {
    ($type:ty, $name:literal { $($number:literal $graphql:literal => $field:ident),* $(,)? }) => {
        impl $crate::engine::Data for $type {
            const NAME: &'static str = $name;
            const FIELDS: &'static [&'static str] = &[$($graphql),*];

            fn visit<V: $crate::engine::Visitor>(&self, field: usize, visitor: V) -> V::Answer {
                match field {
                    $($number => visitor.see(&self.$field),)*
                    _ => visitor.unknown(),
                }
            }
        }

        $crate::rows!($type);
    };
}

/// How values that are rows of an object type are taken apart and written.
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
                at: $crate::engine::At<'p>,
            ) -> $crate::engine::Written {
                to.object(<Self as $crate::engine::Data>::NAME, self, at)
            }

            fn values(all: Vec<Self>, rows: &mut $crate::engine::RowSet) -> $crate::engine::Values {
                rows.whole(<Self as $crate::engine::Data>::NAME, all)
            }
        }
    };
}

/// Says that a Rust enum stands for an interface or a union of the schema.
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
                at: $crate::engine::At<'p>,
            ) -> $crate::engine::Written {
                match *self {
                    $(Self::$variant(ref value) => $crate::engine::Output::write(value, to, at),)*
                }
            }
        }
    };
}

/// Says that a type stands for an enum of the schema. `$name` makes the name of a value.
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
                _: $crate::engine::At<'p>,
            ) -> $crate::engine::Written {
                to.name($name(*self))
            }

            fn values(all: Vec<Self>, _: &mut $crate::engine::RowSet) -> $crate::engine::Values {
                $crate::engine::Values::Leaves(Box::new(all))
            }
        }
    };
}

/// The same for a type that somebody else has written, and whose code may panic.
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
                _: $crate::engine::At<'p>,
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

/// A value that others hold as well (`shared` of codegen.yml): taking a row costs a count and not a copy.
impl<T: Data> Data for Arc<T> {
    const NAME: &'static str = T::NAME;
    const FIELDS: &'static [&'static str] = T::FIELDS;

    fn visit<V: Visitor>(&self, field: usize, visitor: V) -> V::Answer {
        T::visit(self, field, visitor)
    }
}

impl<T: Output + Clone> Data for Page<T> {
    const NAME: &'static str = "";
    const FIELDS: &'static [&'static str] = &["nodes", "edges", "pageInfo", "totalCount"];

    fn visit<V: Visitor>(&self, field: usize, visitor: V) -> V::Answer {
        match field {
            0 => visitor.see(&self.nodes),
            1 => visitor.made(|| {
                let edges = self.cursors.iter().cloned().zip(self.nodes.iter().cloned());
                edges.map(|(cursor, node)| Edge { cursor, node }).collect::<Vec<_>>()
            }),
            2 => visitor.made(|| self.info()),
            3 => visitor.see(&self.total_count),
            _ => visitor.unknown(),
        }
    }
}

impl<T: Output + Clone> Data for Edge<T> {
    const NAME: &'static str = "";
    const FIELDS: &'static [&'static str] = &["cursor", "node"];

    fn visit<V: Visitor>(&self, field: usize, visitor: V) -> V::Answer {
        match field {
            0 => visitor.see(&self.cursor),
            1 => visitor.see(&self.node),
            _ => visitor.unknown(),
        }
    }
}

impl Data for PageInfo {
    const NAME: &'static str = "";
    const FIELDS: &'static [&'static str] = &["hasNextPage", "hasPreviousPage", "startCursor", "endCursor"];

    fn visit<V: Visitor>(&self, field: usize, visitor: V) -> V::Answer {
        match field {
            0 => visitor.see(&self.has_next_page),
            1 => visitor.see(&self.has_previous_page),
            2 => visitor.see(&self.start_cursor),
            3 => visitor.see(&self.end_cursor),
            _ => visitor.unknown(),
        }
    }
}

/// A root: it knows nothing.
impl Data for () {
    const NAME: &'static str = "";
    const FIELDS: &'static [&'static str] = &[];

    fn visit<V: Visitor>(&self, _: usize, visitor: V) -> V::Answer {
        visitor.unknown()
    }
}
