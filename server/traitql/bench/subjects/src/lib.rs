//! All servers have the same operations and [`Store`], and the same bytes as far as their libraries permit. README.md
//! describes the subjects.

mod async_graphql_macros;
mod baseline;
mod handwritten;
mod in_process;
mod juniper_macros;
mod request;
mod rows;
mod store;
mod traitql_api;
mod traitql_shared;

use std::sync::Arc;

use axum::{
    Router,
    body::Body,
    http::{HeaderValue, StatusCode, header},
    response::Response,
};
use clap::ValueEnum;

pub use in_process::send;
pub use store::Store;
pub use traitql_api::ENDPOINTS;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Subject {
    Empty,
    Bytes,
    Handwritten,
    HandwrittenShared,
    TraitqlPlans,
    TraitqlPlansHash,
    TraitqlPlansEngine,
    TraitqlPlansShared,
    TraitqlPlansSharedEngine,
    TraitqlAdhoc,
    TraitqlAdhocEngine,
    AsyncGraphql,
    Juniper,
}

impl Subject {
    pub fn name(self) -> String {
        let value = self.to_possible_value();
        value.map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// Returns the routes: `POST /graphql`. Must be called within a runtime.
    pub fn router(self, store: Arc<Store>) -> Router {
        match self {
            Self::Empty => baseline::empty(),
            Self::Bytes => baseline::bytes(store),
            Self::Handwritten => handwritten::router(store, handwritten::Rows::Owned),
            Self::HandwrittenShared => handwritten::router(store, handwritten::Rows::Borrowed),
            Self::TraitqlPlans | Self::TraitqlPlansHash => traitql_api::endpoint(traitql_api::engine(store)),
            Self::TraitqlPlansEngine => traitql_api::handler(traitql_api::engine(store), true),
            Self::TraitqlPlansShared => traitql_api::endpoint(traitql_shared::engine(store)),
            Self::TraitqlPlansSharedEngine => traitql_api::handler(traitql_shared::engine(store), true),
            Self::TraitqlAdhoc => traitql_api::open_endpoint(store),
            Self::TraitqlAdhocEngine => traitql_api::handler(traitql_api::engine(store), false),
            Self::AsyncGraphql => async_graphql_macros::router(store),
            Self::Juniper => juniper_macros::router(store),
        }
    }
}

fn json(body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    let json = HeaderValue::from_static("application/json; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_TYPE, json);
    response
}

fn bad_request(problem: &str) -> Response {
    let body = serde_json::json!({ "errors": [{ "message": problem }] });
    let mut response = json(body.to_string());
    *response.status_mut() = StatusCode::BAD_REQUEST;
    response
}
