pub(crate) use traitql_schema::names::{ident, parameter, pascal, screaming, snake, variant};
