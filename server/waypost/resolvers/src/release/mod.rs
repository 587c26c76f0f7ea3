//! Releases: fields and root fields.

mod fields;
mod impact;
mod resolvers;
mod states;
