//! From schema and operation texts to a checked [`Model`](model::Model), or to diagnostics that say what is wrong and how
//! to mend it. Pure: texts in, values out. No file is read, nothing is printed, no GraphQL runtime is known.
//!
//! Parsing and validation by the specification are apollo-compiler's work; `compiler` puts its findings into our words.
//! The rules that traitql adds (who may call a field, limits of values, state machines, names that Rust can carry) are
//! checked where the model is built, in `lower`, so that nothing is read twice. Operations are measured and printed in
//! `operations`.

mod calls;
mod code;
mod compiler;
mod contract;
mod diagnostic;
mod documents;
mod explain;
pub mod introspection;
mod load;
mod lower;
pub mod meaning;
mod missing;
pub mod model;
pub mod names;
mod operations;
mod options;
mod overlooked;
mod print;
mod reference;
mod released;
mod sdl;
mod source;
mod specification;
mod suggest;
mod typescript_names;
mod unused;
mod unvalued;
mod uses;

pub use code::{CONVENTIONS, Code};
pub use contract::contract;
pub use diagnostic::{Diagnostic, Note, Report, Style};
pub use explain::Explanation;
pub use load::{load, load_permitting};
pub use missing::{Missing, missing_definitions};
pub use options::Options;
pub use reference::{Directive, directives};
pub use released::{ReleaseText, ReleasedText};
pub use source::SourceText;
pub use specification::{SpecifiedRule, specification};
pub use suggest::nearest;

/// Its example is compiled and run, so that it stays true.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
