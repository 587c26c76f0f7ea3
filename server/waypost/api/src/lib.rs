//! Generated from `schema/` and `operations/` with `cargo traitql generate`. [`resolve`] contains a trait for each
//! field with a resolver; the application implements all of them and [`Access`], and [`Resolvers::new`] creates the
//! set that executors call.

// The generator formats its output itself, independent of the installed rustfmt.
#[rustfmt::skip]
mod generated;

pub use generated::*;
