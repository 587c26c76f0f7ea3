use std::collections::HashMap;

use futures_util::future::{BoxFuture, ready};

use super::{
    GeneratedSchema, Rows,
    call::{Call, EventColumns, Resolution},
};
use crate::FieldError;

/// Resolves one field for all rows of an object type.
pub type ColumnFn<W> = for<'c> fn(&'c dyn Rows, &'c Call<'c, W>) -> Resolution<'c>;

/// Resolves one field of a root type.
pub type RootFn<W> = for<'c> fn(&'c Call<'c, W>) -> Resolution<'c>;

/// Starts the stream of one field of the subscription type.
pub type EventsFn<W> = for<'c> fn(&'c Call<'c, W>) -> BoxFuture<'c, Result<EventColumns, FieldError>>;

/// Resolves no field: for an object type whose fields are all stored in its values.
pub fn no_resolver<'c, W: GeneratedSchema>(_: &'c dyn Rows, call: &'c Call<'c, W>) -> Resolution<'c> {
    call.unknown()
}

/// The entries that one schema file contributes.
pub struct SchemaPart<W: GeneratedSchema> {
    /// Object types: name, stored fields, and resolver of the others.
    pub types: &'static [(&'static str, &'static [&'static str], ColumnFn<W>)],
    /// Query and mutation fields: type, field, and resolver.
    pub roots: &'static [(&'static str, &'static str, RootFn<W>)],
    /// Subscription fields by name.
    pub events: &'static [(&'static str, EventsFn<W>)],
}

/// The entries of all schema files, built once.
pub struct Table<W: GeneratedSchema> {
    types: HashMap<&'static str, (&'static str, &'static [&'static str], ColumnFn<W>)>,
    roots: HashMap<(&'static str, &'static str), RootFn<W>>,
    events: HashMap<&'static str, EventsFn<W>>,
}

impl<W: GeneratedSchema> Table<W> {
    /// Merges the parts, which are disjoint.
    pub fn new(parts: &[SchemaPart<W>]) -> Self {
        Self {
            types: parts.iter().flat_map(|part| part.types).map(|ty| (ty.0, *ty)).collect(),
            roots: parts
                .iter()
                .flat_map(|part| part.roots)
                .map(|(of, field, resolve)| ((*of, *field), *resolve))
                .collect(),
            events: parts.iter().flat_map(|part| part.events).copied().collect(),
        }
    }

    /// Returns the name of an object type and its stored fields.
    pub fn object(&self, name: &str) -> Option<(&'static str, &'static [&'static str])> {
        self.types.get(name).map(|(name, data, _)| (*name, *data))
    }

    /// Resolves a field that is not stored, or a root field.
    pub fn column<'c>(&self, rows: &'c dyn Rows, call: &'c Call<'c, W>) -> Resolution<'c> {
        if let Some((_, _, resolve)) = self.types.get(call.parent()) {
            return resolve(rows, call);
        }
        match self.roots.get(&(call.parent(), call.field())) {
            Some(resolve) => resolve(call),
            None => call.unknown(),
        }
    }

    /// Starts the stream of a subscription field.
    pub fn events<'c>(&self, call: &'c Call<'c, W>) -> BoxFuture<'c, Result<EventColumns, FieldError>> {
        match self.events.get(call.field()) {
            Some(begin) => begin(call),
            None => Box::pin(ready(Err(FieldError::internal(
                "the schema has no such subscription field",
            )))),
        }
    }
}
