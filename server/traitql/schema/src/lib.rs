//! Turns schema and operation texts into a checked [`Model`](model::Model), or into diagnostics with their
//! fixes. The crate is pure: it reads no files, prints nothing and knows no GraphQL runtime.
//!
//! | stage | module |
//! |---|---|
//! | source texts, introspection | `parse` |
//! | the specification: findings of apollo-compiler, with codes and help, and the rules that it does not check | `validate` |
//! | the model, with the rules that traitql adds (access, constraints, state machines, names that are valid in Rust), so that nothing is traversed twice; operations and their cost | `lower` |
//! | changes between two models, and the compatibility of releases | [`diff`] |
//! | codes, rendering, explanations | `diagnostics` |

// Unit tests use the helpers of the integration tests, which name the crate.
#[cfg(test)]
extern crate self as traitql_schema;
#[cfg(test)]
#[path = "../tests/support/mod.rs"]
mod support;

mod definitions;
mod diagnostics;
pub mod diff;
mod load;
mod lower;
pub mod model;
pub mod names;
mod options;
mod parse;
mod print;
mod release_source;
mod sdl;
mod validate;

pub use diagnostics::code::{CONVENTIONS, Code};
pub use diagnostics::diagnostic::{Diagnostic, Note, Report, Style};
pub use diagnostics::directive_reference::{DirectiveReference, directive_references};
pub use diagnostics::explain::Explanation;
pub use diagnostics::specification::{SpecifiedRule, specification};
pub use diagnostics::suggest::nearest;
pub use diff::release_compat::schema_dependencies;
pub use load::{load, load_lenient};
pub use options::Options;
pub use parse::introspection;
pub use parse::missing_definitions::{MissingDefinitions, undefined_directives};
pub use parse::source::SourceText;
pub use release_source::{ReleaseDocument, ReleaseSource};

/// The README's example is a doctest.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
