//! The interface between HTTP and the engines.
//!
//! HTTP passes a [`Document`] (trusted, or validated within limits) and the raw variables. An engine returns the
//! complete JSON response.

mod ad_hoc;
mod call;
mod catalog;
mod coerce;
mod collect;
mod data;
#[cfg(test)]
mod fuzz;
mod graphql;
mod json;
mod levels;
mod output;
mod plan;
mod planned;
mod planner;
mod prepare;
mod resolve;
mod response;
mod rows;
pub(crate) mod schema_index;
mod selection;
mod table;
mod write;

use bytes::Bytes;
use futures_util::{future::BoxFuture, stream::BoxStream};
use serde_json::{Map, Value};
use std::{ops::Range, sync::Arc};

pub(crate) use json::text as append_text;

use crate::{FieldError, ctx::Ctx};

pub use ad_hoc::GraphqlEngine;
pub use call::{Call, EventColumns, Resolution, argument_key};
pub use catalog::ErrorDefinition;
pub use data::{Data, Visitor};
pub use output::{Output, Shape, name, rows_of};
pub use planned::PlanEngine;
pub use rows::{Column, RowSet, Rows, Values};
pub use selection::Selection;
pub use table::{ColumnFn, EventsFn, RootFn, SchemaPart, Table, no_resolver};
pub use write::{Position, Writer, Written};

/// Kind of an operation (GraphQL October 2021, section 2.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OperationKind {
    /// The only kind allowed with HTTP GET.
    Query,
    /// A write followed by a fetch.
    Mutation,
    /// A stream of responses.
    Subscription,
}

/// An operation that has passed validation.
#[derive(Debug)]
pub struct Document {
    /// Text of the operation and its fragments.
    pub text: String,
    /// Name of the operation to execute.
    pub name: Option<String>,
    /// Kind of that operation.
    pub kind: OperationKind,
    /// SHA-256 of the text in lower-case hexadecimal.
    pub hash: String,
    /// Upper bound of the cost of one execution.
    pub cost: u64,
    /// True for documents of the manifest.
    pub trusted: bool,
}

/// Raw variables of the request. An integer that does not fit in 64 bits is a float, whose digits are in
/// [`BIG_INTEGERS`].
pub type Variables = Map<String, Value>;

/// Key of an object with the digits of integers that do not fit in 64 bits, by path (`input.ids.0`). The empty string is
/// not the name of a variable.
pub const BIG_INTEGERS: &str = "";

/// A complete response: the JSON object of GraphQL October 2021, section 7.1.
#[derive(Debug, Clone)]
pub struct Response {
    /// `{"data":…,"errors":…,"extensions":…}`
    pub body: Bytes,
    /// 200 if `data` is present, otherwise the status of the first error. Used with
    /// `application/graphql-response+json`.
    pub http: u16,
    /// Codes of the errors, for logs and metrics.
    pub codes: Vec<&'static str>,
    /// Requirements on the caller's next authentication, if a field failed because of the last one (`@auth(maxAge:, acr:)`).
    pub step_up: Option<StepUp>,
    /// The value of the root field in `body`, if a planned operation has only this one and returned no errors.
    pub root_field: Option<Range<usize>>,
}

/// Requirements on a caller's next authentication, for the challenge of RFC 9470, section 3.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StepUp {
    /// Seconds within which the caller must have authenticated.
    pub max_age: Option<u32>,
    /// Accepted classes of authentication in order of preference, separated by spaces.
    pub acr_values: Option<String>,
}

/// Executes operations.
pub trait Engine: Send + Sync + 'static {
    /// Executes a query or mutation.
    fn execute<'a>(&'a self, cx: &'a Ctx, document: &'a Document, variables: Variables) -> BoxFuture<'a, Response>;

    /// Starts a subscription. `Err` is the response if it cannot be started.
    fn subscribe(
        &self,
        cx: Ctx,
        document: Arc<Document>,
        variables: Variables,
    ) -> BoxFuture<'_, Result<BoxStream<'static, Response>, Response>>;
}

/// Generic code is compiled in the crate that instantiates it, here once for all.
impl Engine for Box<dyn Engine> {
    fn execute<'a>(&'a self, cx: &'a Ctx, document: &'a Document, variables: Variables) -> BoxFuture<'a, Response> {
        (**self).execute(cx, document, variables)
    }

    fn subscribe(
        &self,
        cx: Ctx,
        document: Arc<Document>,
        variables: Variables,
    ) -> BoxFuture<'_, Result<BoxStream<'static, Response>, Response>> {
        (**self).subscribe(cx, document, variables)
    }
}

/// The schema-specific part of an engine, implemented by generated code.
pub trait GeneratedSchema: Sized + Send + Sync + 'static {
    /// Dispatch to the resolvers: `dyn Schema` of the generated crate.
    type Schema: ?Sized + Send + Sync + 'static;
    /// The schema's role enum.
    type Role: Copy + Send + Sync + 'static;
    /// The complete schema in SDL.
    const SDL: &'static str;
    /// Name of the query root type.
    const QUERY: &'static str;
    /// Name of the mutation root type.
    const MUTATION: Option<&'static str>;
    /// Name of the subscription root type.
    const SUBSCRIPTION: Option<&'static str>;
    /// The error catalog.
    const ERRORS: &'static [ErrorDefinition];
    /// Returns the name of an object type and its stored fields, which are indexed as in [`Data::FIELDS`]. Returns
    /// `None` for root types.
    fn object(name: &str) -> Option<(&'static str, &'static [&'static str])>;
    /// Resolves any other field of [`Call::parent`] for all `rows`.
    fn column<'c>(rows: &'c dyn Rows, call: &'c Call<'c, Self>) -> Resolution<'c>;
    /// Starts the stream of a subscription field.
    fn events<'c>(call: &'c Call<'c, Self>) -> BoxFuture<'c, Result<EventColumns, FieldError>>;
}
