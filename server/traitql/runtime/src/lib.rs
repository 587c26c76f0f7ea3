//! Runtime support for the code that traitql generates from a GraphQL schema.
//!
//! Generated code supplies the types, the resolver traits and their dispatch for a schema; this crate supplies batches,
//! errors, guards, constraint checks and the engines. It knows no transport: `traitql-axum` serves an engine over HTTP.

#![warn(missing_docs)]

mod batch;
mod coalesce;
mod constraints;
mod ctx;
mod documents;
pub mod engine;
mod error;
mod fields;
mod guard;
mod id;
mod input;
mod limits;
mod page;
mod patch;
mod rate;
mod sample;
mod scalars;
pub mod testing;
mod transition;
mod viewer;
mod violation;

pub use batch::{Batch, Cell, Many, One, with_batch};
pub use coalesce::{Coalesce, OncePerKey};
pub use constraints::{Check, Entries, Leaf, Levels, Nesting, Scalars, check};
pub use ctx::{AcrLevel, AcrLevels, Authenticated, Ctx, CtxParts, Principal};
pub use documents::{Documents, ManifestError};
pub use engine::{BIG_INTEGERS, Document, Engine, OperationKind, Response, Selection, StepUp, Variables};
pub use error::{Code, Declares, FieldError, Internal, OUTAGE_RETRY_SECONDS, Outage, Throws};
pub use id::Id;
pub use input::{Fields, Input, read};
pub use limits::{AdHoc, Finding, Limits, Rejection};
pub use page::{Edge, Page, PageInfo};
pub use patch::Patch;
pub use rate::{RateLimit, RateLimits, address_key};
pub use sample::{ListedInMocked, Sample, Sampler};
pub use scalars::{Date, DateTime, Json, Scalar, Url};
pub use traitql_constraints::{Bound, Expected, Format, Problem};
pub use transition::{IllegalTransition, Transition};
pub use viewer::{Grant, Includes, Level, SignedIn, Viewer};
pub use violation::{Violation, Violations};

/// Stream returned by a subscription resolver; each event may fail. `F` is the field's marker type.
///
/// Any stream works; `boxed` of `futures_util::StreamExt` converts it to this type. The stream is dropped when the
/// client unsubscribes.
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

/// Items for generated code only. Hand-written code could use them to skip a check.
#[doc(hidden)]
pub mod __private {
    pub use futures_util::future::BoxFuture;

    pub use crate::fields::{Closures, boxed_resolver};

    use crate::{FieldError, Grant, Id, Level, Scalar, SignedIn, Throws, Viewer, viewer};

    /// The error of a mock without a response for the field.
    pub fn not_mocked<F>(coordinate: &'static str) -> Throws<F> {
        Throws::__new(FieldError::new(
            "UNIMPLEMENTED",
            501,
            format!("the mock has no closure for `{coordinate}`"),
        ))
    }

    /// Makes rustc report a custom scalar without [`Scalar`].
    pub const fn is_scalar<T: Scalar>() {}

    /// Checks the `impl` of `bind` for a value of an enum.
    pub fn is_value(bind: &str, name: &str, given: &str) {
        assert!(
            name == given,
            "the `impl {bind}` has a constant for the value `{name}` whose `value()` is `{given}`"
        );
    }

    /// Parses the default value of a custom scalar.
    pub fn constant<T: Scalar>(json: &str) -> T {
        let value = serde_json::from_str(json).expect("the generator writes JSON");
        T::parse(&value).unwrap_or_else(|problem| panic!("the default {json} in the schema {problem}"))
    }

    /// Returns the proof of a role, if the grant suffices.
    pub fn granted<R: Level>(account: Id, grant: Grant<R::Role>) -> Option<Viewer<R>> {
        viewer::granted(account, grant)
    }

    /// Returns the proof that the caller is signed in.
    pub fn signed_in(account: Id) -> Viewer<SignedIn> {
        viewer::signed_in(account)
    }
}
