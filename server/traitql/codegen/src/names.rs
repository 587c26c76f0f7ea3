//! `traitql-schema` has checked the results for collisions.

pub(crate) use traitql_schema::names::{ident, parameter, pascal, screaming, snake, variant};
