//! Turns schema and operation texts into a checked [`Model`](model::Model), or into diagnostics that state what
//! is wrong and how to fix it. The crate is pure: it takes strings and returns values, reads no files, prints
//! nothing and knows no GraphQL runtime.
//!
//! apollo-compiler parses and validates by the specification; `compiler` rewords its findings. The rules that
//! traitql adds (access, constraints, state machines, names that are valid in Rust) are checked in `lower`,
//! while the model is built, so that nothing is traversed twice. `operations` prints the operations and
//! computes their cost.

mod code;
mod compiler;
mod diagnostic;
mod directive_reference;
mod explain;
mod extra_validation;
pub mod introspection;
mod load;
mod lower;
pub mod meaning;
mod missing;
mod missing_values;
pub mod model;
pub mod names;
mod operation_files;
mod operations;
mod options;
mod print;
mod release_compat;
mod releases;
mod resolver_calls;
mod sdl;
mod source;
mod specification;
mod suggest;
mod typescript_names;
mod unused_fragments;
mod usage;

pub use code::{CONVENTIONS, Code};
pub use diagnostic::{Diagnostic, Note, Report, Style};
pub use directive_reference::{Directive, directives};
pub use explain::Explanation;
pub use load::{load, load_permitting};
pub use missing::{Missing, missing_definitions};
pub use options::Options;
pub use release_compat::contract;
pub use releases::{ReleaseText, ReleasedText};
pub use source::SourceText;
pub use specification::{SpecifiedRule, specification};
pub use suggest::nearest;

/// Compiles and runs the example of the README as a doctest.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
