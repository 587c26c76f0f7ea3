//! Runs: fields and root fields.

mod fields;
mod resolvers;
