pub(crate) mod compiler;
pub(crate) mod extra_validation;
pub(crate) mod nesting;
pub(crate) mod operation_files;
pub(crate) mod size;
pub(crate) mod typescript_names;
pub(crate) mod unused_fragments;
pub(crate) mod usage;
