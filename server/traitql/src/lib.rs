//! Runtime of traitql: what the generated code of a schema calls.
//!
//! It knows no schema and no noun. Generated code supplies the types, the resolver traits and the way between them; this
//! crate supplies batches, errors, guards, rules, the engine and GraphQL over HTTP.

mod ctx;
mod engine;
mod error;

pub use ctx::{Ctx, CtxParts, Principal};
pub use engine::{Document, Engine, OperationKind, Response, Variables};
pub use error::{Code, Declares, FieldError, Internal, Throws};
