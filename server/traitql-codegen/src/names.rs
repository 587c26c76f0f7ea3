//! From names of GraphQL to names of Rust: those that `traitql-schema` has checked for clashes.

pub(crate) use traitql_schema::names::{ident, parameter, pascal, screaming, snake, variant};
