//! traitql: the resolvers, both ways to execute a document, and both ways to put the engine behind HTTP.

use std::{collections::HashMap, sync::Arc};

use axum::{Router, body::Bytes, extract::State, response::Response, routing::post};
use bench_api::{MANIFEST, Resolvers, SDL, field, resolve};
use serde::Deserialize;
use traitql::{
    AdHoc, Batch, Ctx, CtxParts, Document, Documents, Engine, Limits, One, Rates, Throws, Variables,
    http::{Endpoint, router},
};

use crate::{Contestant, Store, json, refused};

crate::rows::rows!(bench_api, std::convert::identity);

/// Those that traitql serves with connections of its own (`traitql::http::serve`), as an application does.
pub const ENDPOINTS: &[Contestant] = &[
    Contestant::TraitqlPlans,
    Contestant::TraitqlPlansHash,
    Contestant::TraitqlPlansLent,
    Contestant::TraitqlAdhoc,
];

/// The engine: documents of the manifest are served by their plans, others are executed as they come.
pub(crate) fn engine(store: Arc<Store>) -> Arc<dyn Engine> {
    let resolvers = Resolvers::new(Arc::new(App(store)));
    Arc::new(bench_api::engine(&resolvers, Arc::new(Rates::default())))
}

fn documents() -> Documents {
    Documents::from_manifest(MANIFEST).expect("the manifest is as it was generated")
}

/// The whole of `traitql::http`, as a server in production has it.
pub(crate) fn endpoint(engine: Arc<dyn Engine>) -> Router {
    router(Endpoint::new(engine, documents()))
}

/// The same in development: no document is known, and each is checked when it comes for the first time.
pub(crate) fn open_endpoint(store: Arc<Store>) -> Router {
    let ad_hoc = AdHoc::new(SDL, Limits::default()).expect("the generator has accepted the schema");
    router(Endpoint::new(engine(store), Documents::default()).ad_hoc(ad_hoc))
}

/// The engine alone: documents are found by the name of the operation. Those that are not trusted have no plans.
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
    let known = Known {
        engine,
        documents: Arc::new(documents().iter().filter_map(named).collect()),
    };
    Router::new().route("/graphql", post(answer)).with_state(known)
}

#[derive(Clone)]
struct Known {
    engine: Arc<dyn Engine>,
    documents: Arc<HashMap<String, Document>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Asked<'a> {
    operation_name: &'a str,
    variables: Variables,
}

async fn answer(State(known): State<Known>, body: Bytes) -> Response {
    let asked: Asked<'_> = match serde_json::from_slice(&body) {
        Ok(asked) => asked,
        Err(error) => return refused(&error.to_string()),
    };
    let Some(document) = known.documents.get(asked.operation_name) else {
        return refused("there is no such operation");
    };
    let cx: Ctx = CtxParts::default().into();
    json(known.engine.execute(&cx, document, asked.variables).await.body)
}

/// Resolves every field of the schema.
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
        // The rules of the schema have been checked.
        let review = self
            .0
            .set_review(input.product_id.into_string(), input.stars, input.text);
        Ok(review.into())
    }
}
