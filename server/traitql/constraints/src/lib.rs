//! Validates values against the constraints that a schema declares (`@length`, `@count`, `@range`, `@depth`,
//! `@format`).
//!
//! Shared by the schema reader (defaults), the runtime (requests) and the generator (examples for TypeScript). The
//! feature `shape` adds the sizes of documents, which the first two limit.

#![warn(missing_docs)]

mod format;
mod limits;
mod problem;
#[cfg(feature = "shape")]
pub mod shape;

pub use format::{Examples, Format};
pub use limits::{count, depth, leaves, length, number, range};
pub use problem::{Bound, Expected, Problem};
