//! Source texts and spans, and the parts of parsing that apollo-parser lacks.

pub mod introspection;
pub(crate) mod missing_definitions;
pub(crate) mod missing_values;
pub(crate) mod source;
