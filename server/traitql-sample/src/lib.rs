//! An API with one of everything that a schema can have, generated from `schema/`: the tests compile and run what the
//! generator writes, and a test fails when it is stale.

mod generated;

pub use generated::*;
