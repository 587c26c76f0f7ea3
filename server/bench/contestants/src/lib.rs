//! The servers that `npm run bench` compares: each answers the same operations over the same [`Store`], with the same bytes
//! where its library lets it.

mod async_graphql_macros;
mod baseline;
mod handwritten;
mod in_process;
mod juniper_macros;
mod request;
mod rows;
mod store;
mod traitql_api;
mod traitql_lent;

use std::sync::Arc;

use axum::{
    Router,
    body::Body,
    http::{HeaderValue, StatusCode, header},
    response::Response,
};
use clap::ValueEnum;

pub use in_process::ask;
pub use store::Store;
pub use traitql_api::ENDPOINTS;

/// Who answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Contestant {
    /// Reads the request and answers `{}`: what the network costs.
    Empty,
    /// Reads the request and answers bytes that were ready before: what the network costs for an answer of that size.
    Bytes,
    /// An axum handler that is written for these operations, over serde_json.
    Handwritten,
    /// The same with rows that the store lends, and a buffer that is large enough: all that serde_json can do.
    HandwrittenLent,
    /// traitql's plans behind its whole endpoint; the document comes as text.
    TraitqlPlans,
    /// The same server, told apart by what is sent to it: the document comes as a hash, as Apollo Client sends it.
    TraitqlPlansHash,
    /// traitql's plans behind an axum handler of a few lines.
    TraitqlPlansEngine,
    /// traitql's plans behind its whole endpoint, with rows that the store lends.
    TraitqlPlansLent,
    /// The same behind an axum handler of a few lines.
    TraitqlPlansLentEngine,
    /// traitql without plans: documents that are not in the manifest, behind its whole endpoint.
    TraitqlAdhoc,
    /// The same behind an axum handler of a few lines.
    TraitqlAdhocEngine,
    /// async-graphql, written by hand with its macros.
    AsyncGraphql,
    /// juniper, written by hand with its macros.
    Juniper,
}

impl Contestant {
    /// The name on the command line.
    pub fn name(self) -> String {
        let value = self.to_possible_value();
        value.map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// Its routes: `POST /graphql`. To be called within a runtime.
    pub fn router(self, store: Arc<Store>) -> Router {
        match self {
            Self::Empty => baseline::empty(),
            Self::Bytes => baseline::bytes(store),
            Self::Handwritten => handwritten::router(store, handwritten::Rows::Owned),
            Self::HandwrittenLent => handwritten::router(store, handwritten::Rows::Lent),
            Self::TraitqlPlans | Self::TraitqlPlansHash => traitql_api::endpoint(traitql_api::engine(store)),
            Self::TraitqlPlansEngine => traitql_api::handler(traitql_api::engine(store), true),
            Self::TraitqlPlansLent => traitql_api::endpoint(traitql_lent::engine(store)),
            Self::TraitqlPlansLentEngine => traitql_api::handler(traitql_lent::engine(store), true),
            Self::TraitqlAdhoc => traitql_api::open_endpoint(store),
            Self::TraitqlAdhocEngine => traitql_api::handler(traitql_api::engine(store), false),
            Self::AsyncGraphql => async_graphql_macros::router(store),
            Self::Juniper => juniper_macros::router(store),
        }
    }
}

/// An answer with a finished body.
fn json(body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    let json = HeaderValue::from_static("application/json; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_TYPE, json);
    response
}

/// The answer to what is no request of the benchmarks.
fn refused(problem: &str) -> Response {
    let body = serde_json::json!({ "errors": [{ "message": problem }] });
    let mut response = json(body.to_string());
    *response.status_mut() = StatusCode::BAD_REQUEST;
    response
}
