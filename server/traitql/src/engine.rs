//! The seam between HTTP and whatever executes operations.
//!
//! The HTTP side makes a [`Document`] (trusted, or validated within bounds) and hands it over with raw variables. An engine
//! answers with finished JSON. Neither side knows more of the other.

mod answer;
mod blueprint;
mod call;
mod catalogue;
mod coerce;
mod collect;
mod complete;
mod data;
#[cfg(test)]
mod fuzz;
mod graphql;
mod json;
mod level;
mod output;
mod plan;
mod planned;
mod planner;
mod prepare;
mod reference;
mod resolve;
mod rows;
mod selection;
mod table;
mod write;

use bytes::Bytes;
use futures_util::{future::BoxFuture, stream::BoxStream};
use serde_json::{Map, Value};
use std::sync::Arc;

pub(crate) use json::text as append_text;

use crate::{FieldError, ctx::Ctx};

pub use call::{Answer, Call, EventColumns, caller_key};
pub use catalogue::Sentence;
pub use data::{Data, Visitor};
pub use output::{Output, Shape, name, rows_of};
pub use planned::PlanEngine;
pub use reference::GraphqlEngine;
pub use rows::{Column, RowSet, Rows, Values};
pub use selection::Selection;
pub use table::{ColumnFn, EventsFn, Part, RootFn, Table, unresolved};
pub use write::{At, Writer, Written};

/// Kind of an operation (GraphQL October 2021, section 2.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OperationKind {
    /// Side-effect free; the only kind that may come by GET.
    Query,
    /// A write followed by a fetch.
    Mutation,
    /// A stream of answers.
    Subscription,
}

/// One operation that has passed validation.
#[derive(Debug)]
pub struct Document {
    /// Text of the operation and its fragments.
    pub text: String,
    /// Name of the operation to execute.
    pub name: Option<String>,
    /// Kind of that operation.
    pub kind: OperationKind,
    /// SHA-256 of the text, in lower-case hexadecimal; the key under which engines cache what they derive.
    pub hash: String,
    /// What one execution costs at most.
    pub cost: u64,
    /// True for documents of the manifest.
    pub trusted: bool,
}

/// Raw variables, as they stood in the request.
pub type Variables = Map<String, Value>;

/// A finished answer: the JSON object of GraphQL October 2021, section 7.1.
#[derive(Debug, Clone)]
pub struct Response {
    /// `{"data":…,"errors":…,"extensions":…}`
    pub body: Bytes,
    /// 200 when `data` is there; otherwise the status of the first error. Used with `application/graphql-response+json`.
    pub http: u16,
    /// Codes of the errors, for logs and metrics.
    pub codes: Vec<&'static str>,
}

/// Executes operations.
pub trait Engine: Send + Sync + 'static {
    /// Answers a query or mutation.
    fn execute<'a>(&'a self, cx: &'a Ctx, document: &'a Document, variables: Variables) -> BoxFuture<'a, Response>;

    /// Begins a subscription. `Err` is the answer when it cannot begin; each item of the stream is one event.
    fn subscribe(
        &self,
        cx: Ctx,
        document: Arc<Document>,
        variables: Variables,
    ) -> BoxFuture<'_, Result<BoxStream<'static, Response>, Response>>;
}

/// What is generic is compiled by the crate that names it. A crate that makes an engine and gives it away in a box has compiled it,
/// and those that serve it need not do so again.
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

/// What generated code tells about its schema.
pub trait Wiring: Sized + Send + Sync + 'static {
    /// The seam to the resolvers: `dyn Schema` of the generated crate.
    type Schema: ?Sized + Send + Sync + 'static;
    /// The schema's role enum.
    type Role: Copy + Send + Sync + 'static;
    /// The schema as one text.
    const SDL: &'static str;
    /// Name of the query root type.
    const QUERY: &'static str;
    /// Name of the mutation root type.
    const MUTATION: Option<&'static str>;
    /// Name of the subscription root type.
    const SUBSCRIPTION: Option<&'static str>;
    /// The error catalogue.
    const SENTENCES: &'static [Sentence];
    /// An object type of the schema: its name, and the fields that are parts of its values, by their numbers ([`Data::FIELDS`]).
    /// Roots are none.
    fn object(name: &str) -> Option<(&'static str, &'static [&'static str])>;
    /// Answers any other field of the object type [`Call::parent`] for all `rows`.
    fn column<'c>(rows: &'c dyn Rows, call: &'c Call<'c, Self>) -> Answer<'c>;
    /// Begins the stream of a subscription field.
    fn events<'c>(call: &'c Call<'c, Self>) -> BoxFuture<'c, Result<EventColumns, FieldError>>;
}
