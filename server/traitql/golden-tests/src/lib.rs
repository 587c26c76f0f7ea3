//! An API with all features of a schema. The tests compile and run the code
//!
//! , and `traitql-codegen` checks that it is up to date.

// Independent of the installed rustfmt.
#[rustfmt::skip]
mod generated;

#[rustfmt::skip]
pub mod language;
pub mod shop;

pub use generated::*;
