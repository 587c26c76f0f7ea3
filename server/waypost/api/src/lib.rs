//! The API of Waypost, generated from `schema/` and `operations/`.
//!
//! [`resolve`] contains a trait for each field with a resolver; the application implements all of them, and [`Access`] once.
//! [`Resolvers::new`] then creates the set that executors call; the compiler reports each missing implementation.
//! Change the API in `schema/*.graphql`, then run `cargo traitql generate`.

// The generator formats its output itself, independent of the installed rustfmt.
#[rustfmt::skip]
mod generated;

pub use generated::*;
