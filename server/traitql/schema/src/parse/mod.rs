pub mod introspection;
pub(crate) mod missing_definitions;
pub(crate) mod missing_values;
pub(crate) mod source;
