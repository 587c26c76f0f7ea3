//! Validates values against the constraints that a schema declares (`@length`, `@count`, `@range`, `@depth`,
//! `@format`).
//!
//! Three parts of traitql share this crate: the schema reader, because default values must satisfy their own
//! constraints; the runtime, which validates requests; and the generator, which writes the table of examples
//! that the TypeScript implementation is tested against. The crate knows values and messages, but neither
//! schemas nor requests.

#![warn(missing_docs)]

mod format;
mod limits;
pub mod messages;

pub use format::{Examples, Format};
pub use limits::{count, depth, leaves, length, number, range};
