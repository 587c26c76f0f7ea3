//! What traitql generates from `server/bench/schema` and `server/bench/operations`.

// The generator formats what it writes, without asking which rustfmt is installed.
#[rustfmt::skip]
pub mod generated;

/// The same with values that are shared.
#[rustfmt::skip]
pub mod lent;

pub use generated::*;
