//! Runs: fields and root fields.

mod fields;
pub(crate) mod resolvers;
