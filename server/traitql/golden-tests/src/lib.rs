//! Golden test of the generator: an API with all features of a schema, generated from `schema/`. The tests compile and
//! run the generated code, and a test in `traitql-codegen` checks that it is up to date.

// The generator formats its output itself, so that it does not depend on the installed version of rustfmt.
#[rustfmt::skip]
mod generated;

/// An API with all features of GraphQL's type system, generated from `language/`.
#[rustfmt::skip]
pub mod language;
pub mod shop;

pub use generated::*;
