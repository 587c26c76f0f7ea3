//! The API: generated from the schema, by `cargo traitql generate`.

// The generator formats what it writes, without asking which rustfmt is installed.
#[rustfmt::skip]
mod generated;

pub use generated::*;
