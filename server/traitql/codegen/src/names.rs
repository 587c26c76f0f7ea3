//! Conversion of GraphQL names to Rust names. `traitql-schema` has already checked the results for collisions.

pub(crate) use traitql_schema::names::{ident, parameter, pascal, screaming, snake, variant};
