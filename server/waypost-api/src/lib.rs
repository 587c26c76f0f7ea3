//! The API of Waypost, generated from `schema/` and `operations/`.
//!
//! [`resolve`] holds a trait for each field with a resolver; the application implements them all, and [`Access`] once.
//! [`Resolvers::new`] then makes the set that executors call, and rustc names each one that is missing.
//! Change the API in `schema/*.graphql`, then run `cargo traitql generate`.

// The generator formats what it writes, without asking which rustfmt is installed.
#[rustfmt::skip]
mod generated;

pub use generated::*;
