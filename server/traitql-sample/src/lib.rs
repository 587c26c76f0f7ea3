//! An API with one of everything that a schema can have, generated from `schema/`: the tests compile and run what the
//! generator writes, and a test fails when it is stale.

// The generator formats what it writes, without asking which rustfmt is installed.
#[rustfmt::skip]
mod generated;

/// Everything that the language of schemas has, generated from `language/`.
#[rustfmt::skip]
pub mod language;
pub mod shop;

pub use generated::*;
