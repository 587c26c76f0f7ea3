//! The way from a type's name to the generated function that answers its fields.

use std::collections::HashMap;

use futures_util::future::{BoxFuture, ready};

use super::{
    Rows, Wiring,
    call::{Answer, Call, EventColumns},
};
use crate::FieldError;

/// Answers one field for all rows of an object type.
pub type ColumnFn<W> = for<'c> fn(&'c dyn Rows, &'c Call<'c, W>) -> Answer<'c>;

/// Answers one field of a root type.
pub type RootFn<W> = for<'c> fn(&'c Call<'c, W>) -> Answer<'c>;

/// Begins the stream of one field of the subscription type.
pub type EventsFn<W> = for<'c> fn(&'c Call<'c, W>) -> BoxFuture<'c, Result<EventColumns, FieldError>>;

/// Answers no field: all that an object type has are parts of its values.
pub fn unresolved<'c, W: Wiring>(_: &'c dyn Rows, call: &'c Call<'c, W>) -> Answer<'c> {
    call.unknown()
}

/// What one file of the schema brings along.
pub struct Part<W: Wiring> {
    /// Object types: name, fields that are parts of a value, and what answers the others.
    pub types: &'static [(&'static str, &'static [&'static str], ColumnFn<W>)],
    /// Fields of the query and mutation types, as name of the type and name of the field.
    pub roots: &'static [(&'static str, &'static str, RootFn<W>)],
    /// Fields of the subscription type by their names.
    pub events: &'static [(&'static str, EventsFn<W>)],
}

/// What all files of the schema bring along, made once.
pub struct Table<W: Wiring> {
    types: HashMap<&'static str, (&'static str, &'static [&'static str], ColumnFn<W>)>,
    roots: HashMap<(&'static str, &'static str), RootFn<W>>,
    events: HashMap<&'static str, EventsFn<W>>,
}

impl<W: Wiring> Table<W> {
    /// Joins the parts. Every type and every field is in one of them.
    pub fn new(parts: &[Part<W>]) -> Self {
        Self {
            types: parts.iter().flat_map(|part| part.types).map(|ty| (ty.0, *ty)).collect(),
            roots: parts
                .iter()
                .flat_map(|part| part.roots)
                .map(|(of, field, answer)| ((*of, *field), *answer))
                .collect(),
            events: parts.iter().flat_map(|part| part.events).copied().collect(),
        }
    }

    /// An object type: its name, and the fields that are parts of a value.
    pub fn object(&self, name: &str) -> Option<(&'static str, &'static [&'static str])> {
        self.types.get(name).map(|(name, data, _)| (*name, *data))
    }

    /// Answers a field of an object type that is no part of a value, or one of a root.
    pub fn column<'c>(&self, rows: &'c dyn Rows, call: &'c Call<'c, W>) -> Answer<'c> {
        if let Some((_, _, answer)) = self.types.get(call.parent()) {
            return answer(rows, call);
        }
        match self.roots.get(&(call.parent(), call.field())) {
            Some(answer) => answer(call),
            None => call.unknown(),
        }
    }

    /// Begins the stream of a field of the subscription type.
    pub fn events<'c>(&self, call: &'c Call<'c, W>) -> BoxFuture<'c, Result<EventColumns, FieldError>> {
        match self.events.get(call.field()) {
            Some(begin) => begin(call),
            None => Box::pin(ready(Err(FieldError::internal("the schema has no such event")))),
        }
    }
}
