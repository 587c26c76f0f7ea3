pub(crate) mod code;
pub(crate) mod diagnostic;
pub(crate) mod directive_reference;
pub(crate) mod explain;
pub(crate) mod specification;
pub(crate) mod suggest;
