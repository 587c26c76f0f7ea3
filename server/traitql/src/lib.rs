//! Runtime of traitql: what the generated code of a schema calls.
//!
//! It knows no schema and no noun. Generated code supplies the types, the resolver traits and the way between them; this
//! crate supplies batches, errors, guards, rules, the engine and GraphQL over HTTP.

mod batch;
#[cfg(test)]
mod chance;
mod ctx;
mod documents;
pub mod engine;
mod error;
mod fields;
mod guard;
pub mod http;
mod id;
mod input;
mod limits;
mod page;
mod patch;
mod rate;
mod rules;
mod sample;
mod scalars;
pub mod testing;
mod transition;
mod viewer;
mod violation;

pub use batch::{Batch, Cell, Many, One, with_batch};
pub use ctx::{Ctx, CtxParts, Principal};
pub use documents::{Documents, ManifestError};
pub use engine::{Document, Engine, OperationKind, Response, Selection, Variables};
pub use error::{Code, Declares, FieldError, Internal, Throws};
pub use id::Id;
pub use input::{Fields, Input, read};
pub use limits::{AdHoc, Finding, Limits, Refusal};
pub use page::{Edge, Page, PageInfo};
pub use patch::Patch;
pub use rate::{Rate, Rates, address_key};
pub use rules::{Check, Entries, Leaf, Levels, Nesting, Scalars, check};
pub use sample::{Mocked, Sample, Sampler};
pub use scalars::{Date, DateTime, Json, Scalar, Url};
pub use traitql_rules::Format;
pub use transition::{IllegalEdge, Transition};
pub use viewer::{Grant, Includes, Level, SignedIn, Viewer};
pub use violation::{Findings, Violation};

/// What the resolver of a subscription answers with: a stream of events, each of which may fail. `F` is the field's marker. Any
/// stream will do; `boxed` of `futures_util::StreamExt` makes one of this type of it. It is dropped when the client leaves.
///
/// ```
/// use futures_util::{StreamExt, stream};
/// use traitql::Events;
///
/// fn counted<F: 'static>(to: i32) -> Events<i32, F> {
///     stream::iter(1..=to).map(Ok).boxed()
/// }
/// ```
pub type Events<T, F> = futures_util::stream::BoxStream<'static, Result<T, Throws<F>>>;

/// For generated code only: what would let hand-written code skip a check.
#[doc(hidden)]
pub mod __private {
    pub use futures_util::future::BoxFuture;

    pub use crate::fields::{Closures, asked};

    use crate::{FieldError, Grant, Id, Level, Scalar, SignedIn, Throws, Viewer, viewer};

    /// What a mock answers when a test did not say what.
    pub fn unanswered<F>(coordinate: &'static str) -> Throws<F> {
        Throws::__new(FieldError::new(
            "UNIMPLEMENTED",
            501,
            format!("the mock does not answer `{coordinate}`"),
        ))
    }

    /// Where rustc says that the type of a scalar lacks its trait.
    pub const fn is_scalar<T: Scalar>() {}

    /// Whether an own type that stands for an enum names a value as the schema does; a mistake in an `impl` of `bind`.
    pub fn is_value(bind: &str, name: &str, given: &str) {
        assert!(
            name == given,
            "the `impl {bind}` has a constant for the value `{name}` whose `value()` is `{given}`"
        );
    }

    /// A custom scalar's default value, which the generator knows as JSON.
    pub fn constant<T: Scalar>(json: &str) -> T {
        let value = serde_json::from_str(json).expect("the generator writes JSON");
        T::parse(&value).unwrap_or_else(|problem| panic!("the default {json} in the schema {problem}"))
    }

    /// The proof of a role; `None` when the role of the grant is too low.
    pub fn granted<R: Level>(account: Id, grant: Grant<R::Role>) -> Option<Viewer<R>> {
        viewer::granted(account, grant)
    }

    /// The proof that somebody is signed in.
    pub fn signed_in(account: Id) -> Viewer<SignedIn> {
        viewer::signed_in(account)
    }
}
