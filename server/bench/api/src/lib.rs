//! What traitql generates from `server/bench/schema` and `server/bench/operations`.

// The generator formats what it writes, without asking which rustfmt is installed.
#[rustfmt::skip]
pub mod generated;

pub use generated::*;
