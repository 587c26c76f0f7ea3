//! traitql: the resolvers, both engines, and both ways to serve an engine over HTTP.

use std::{collections::HashMap, sync::Arc};

use axum::{Router, body::Bytes, extract::State, response::Response, routing::post};
use bench_api::{MANIFEST, Resolvers, SDL, field, resolve};
use serde::Deserialize;
use traitql::{AdHoc, Batch, Ctx, CtxParts, Document, Documents, Engine, Limits, One, RateLimits, Throws, Variables};
use traitql_axum::{Endpoint, router};

use crate::{Store, Subject, bad_request, json};

crate::rows::rows!(bench_api, std::convert::identity);

/// Subjects with traitql's own connection handling (`traitql_axum::serve`), as in an application.
pub const ENDPOINTS: &[Subject] = &[
    Subject::TraitqlPlans,
    Subject::TraitqlPlansHash,
    Subject::TraitqlPlansShared,
    Subject::TraitqlAdhoc,
];

/// Others are ad hoc.
pub(crate) fn engine(store: Arc<Store>) -> Arc<dyn Engine> {
    let resolvers = Resolvers::new(Arc::new(App(store)));
    Arc::new(bench_api::engine(&resolvers, Arc::new(RateLimits::default())))
}

fn documents() -> Documents {
    Documents::from_manifest(MANIFEST).expect("the generated manifest is valid")
}

pub(crate) fn endpoint(engine: Arc<dyn Engine>) -> Router {
    router(Endpoint::new(engine, documents()))
}

/// Returns the same endpoint for development: no document is trusted, and each one is checked on its first use.
pub(crate) fn open_endpoint(store: Arc<Store>) -> Router {
    let ad_hoc = AdHoc::new(SDL, Limits::default()).expect("the generated schema is valid");
    router(Endpoint::new(engine(store), Documents::default()).ad_hoc(ad_hoc))
}

/// Selects documents by operation name. Untrusted documents have no plans.
pub(crate) fn handler(engine: Arc<dyn Engine>, trusted: bool) -> Router {
    let named = |document: &Arc<Document>| {
        let name = document.name.clone()?;
        let document = Document {
            text: document.text.clone(),
            name: Some(name.clone()),
            kind: document.kind,
            hash: document.hash.clone(),
            cost: document.cost,
            trusted,
        };
        Some((name, document))
    };
    let handler = Handler {
        engine,
        documents: Arc::new(documents().iter().filter_map(named).collect()),
    };
    Router::new().route("/graphql", post(respond)).with_state(handler)
}

#[derive(Clone)]
struct Handler {
    engine: Arc<dyn Engine>,
    documents: Arc<HashMap<String, Document>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct NamedRequest<'a> {
    operation_name: &'a str,
    variables: Variables,
}

async fn respond(State(handler): State<Handler>, body: Bytes) -> Response {
    let request: NamedRequest<'_> = match serde_json::from_slice(&body) {
        Ok(request) => request,
        Err(error) => return bad_request(&error.to_string()),
    };
    let Some(document) = handler.documents.get(request.operation_name) else {
        return bad_request("unknown operation");
    };
    let cx: Ctx = CtxParts::default().into();
    json(handler.engine.execute(&cx, document, request.variables).await.body)
}

struct App(Arc<Store>);

fn count(first: i32) -> usize {
    usize::try_from(first).unwrap_or(0)
}

impl resolve::QueryPing for App {
    async fn resolve(&self, _: &Ctx) -> Result<String, Throws<field::QueryPing>> {
        Ok("pong".to_owned())
    }
}

impl resolve::QueryProducts for App {
    async fn resolve(&self, _: &Ctx, first: i32) -> Result<Vec<bench_api::Product>, Throws<field::QueryProducts>> {
        Ok(self.0.products(count(first)).into_iter().map(Into::into).collect())
    }
}

impl resolve::QueryCollections for App {
    async fn resolve(
        &self,
        _: &Ctx,
        first: i32,
    ) -> Result<Vec<bench_api::Collection>, Throws<field::QueryCollections>> {
        Ok(self.0.collections(count(first)).into_iter().map(Into::into).collect())
    }
}

impl resolve::CollectionCurator for App {
    async fn resolve<'b>(
        &self,
        _: &Ctx,
        collections: Batch<'b, bench_api::Collection>,
    ) -> Result<One<'b, bench_api::Curator>, Throws<field::CollectionCurator>> {
        let curators = self
            .0
            .curators(&collections.keys(|collection| collection.curator_number))
            .await;
        let joined = collections.join(
            curators,
            |curator| curator.number,
            |collection| collection.curator_number,
        );
        Ok(joined.map_rows(Into::into))
    }
}

impl resolve::QueryPlaces for App {
    async fn resolve(&self, _: &Ctx, first: i32) -> Result<Vec<bench_api::Place>, Throws<field::QueryPlaces>> {
        Ok(self.0.places(count(first)).into_iter().map(Into::into).collect())
    }
}

impl resolve::PlaceWithin for App {
    async fn resolve<'b>(
        &self,
        _: &Ctx,
        places: Batch<'b, bench_api::Place>,
    ) -> Result<One<'b, bench_api::Place>, Throws<field::PlaceWithin>> {
        let found = self.0.places_by(&places.keys(|place| place.within_number)).await;
        let joined = places.join(found, |place| place.number, |place| place.within_number);
        Ok(joined.map_rows(Into::into))
    }
}

impl resolve::MutationReviewSet for App {
    async fn resolve(
        &self,
        _: &Ctx,
        input: bench_api::ReviewSetInput,
    ) -> Result<bench_api::Review, Throws<field::MutationReviewSet>> {
        // The constraints of the schema have been checked.
        let review = self
            .0
            .set_review(input.product_id.into_string(), input.stars, input.text);
        Ok(review.into())
    }
}
