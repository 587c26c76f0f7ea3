//! The limits of values that a schema can declare (`@length`, `@count`, `@range`, `@depth`, `@format`): what fits, and what is
//! said when something does not.
//!
//! Three parts of traitql need the same answers: the schema's reader, because a default must obey its own limits; the
//! runtime, which checks what callers send; and the generator, which writes the table of examples that the TypeScript half is
//! held to. This crate is what they share. It knows values and words, and neither schemas nor requests.

mod format;
mod limits;
pub mod words;

pub use format::{Examples, Format};
pub use limits::{count, depth, leaves, length, number, range};
