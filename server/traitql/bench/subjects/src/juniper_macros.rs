//! juniper as its users write it: macros on structs, and the crate `dataloader` for to-one relations.

use std::{collections::HashMap, sync::Arc};

use axum::{Router, body::Bytes, extract::State, response::Response, routing::post};
use dataloader::{BatchFn, non_cached::Loader};
use juniper::{
    EmptySubscription, FieldError, FieldResult, GraphQLEnum, GraphQLInputObject, GraphQLObject, ID, RootNode, Value,
    graphql_object, http::GraphQLRequest,
};

use crate::{Store, bad_request, json, store};

type Api = RootNode<Query, Mutation, EmptySubscription<Context>>;

pub(crate) fn router(store: Arc<Store>) -> Router {
    let schema = Arc::new(Api::new(Query, Mutation, EmptySubscription::new()));
    Router::new()
        .route("/graphql", post(answer))
        .with_state((schema, store))
}

async fn answer(State((schema, store)): State<(Arc<Api>, Arc<Store>)>, body: Bytes) -> Response {
    let request: GraphQLRequest = match serde_json::from_slice(&body) {
        Ok(request) => request,
        Err(error) => return bad_request(&error.to_string()),
    };
    let context = Context::new(store);
    match serde_json::to_vec(&request.execute(&schema, &context).await) {
        Ok(body) => json(body),
        Err(error) => bad_request(&error.to_string()),
    }
}

struct Context {
    store: Arc<Store>,
    curators: Loader<u32, Curator, Curators>,
    places: Loader<u32, Place, Places>,
}

impl Context {
    fn new(store: Arc<Store>) -> Self {
        let curators = Curators(Arc::clone(&store));
        let places = Places(Arc::clone(&store));
        Self {
            store,
            // The default is to wait for ten scheduler rounds. One is sufficient.
            curators: Loader::new(curators).with_max_batch_size(1_000).with_yield_count(1),
            places: Loader::new(places).with_max_batch_size(1_000).with_yield_count(1),
        }
    }
}

impl juniper::Context for Context {}

struct Curators(Arc<Store>);

impl BatchFn<u32, Curator> for Curators {
    async fn load(&mut self, numbers: &[u32]) -> HashMap<u32, Curator> {
        let found = self.0.curators(numbers).await.into_iter();
        found.map(|row| (row.number, row.into())).collect()
    }
}

struct Places(Arc<Store>);

impl BatchFn<u32, Place> for Places {
    async fn load(&mut self, numbers: &[u32]) -> HashMap<u32, Place> {
        let found = self.0.places_by(numbers).await.into_iter();
        found.map(|row| (row.number, row.into())).collect()
    }
}

fn count(first: i32, max: i32) -> FieldResult<usize> {
    if (0..=max).contains(&first) {
        return Ok(first as usize);
    }
    Err(FieldError::new(format!("first must be 0 to {max}"), Value::null()))
}

struct Query;

#[graphql_object(context = Context)]
impl Query {
    fn ping() -> String {
        "pong".to_owned()
    }

    fn products(context: &Context, #[graphql(default = 50)] first: i32) -> FieldResult<Vec<Product>> {
        let rows = context.store.products(count(first, 10_000)?);
        Ok(rows.into_iter().map(Into::into).collect())
    }

    fn collections(context: &Context, #[graphql(default = 20)] first: i32) -> FieldResult<Vec<Collection>> {
        let rows = context.store.collections(count(first, 10_000)?);
        Ok(rows.into_iter().map(Into::into).collect())
    }

    fn places(context: &Context, #[graphql(default = 20)] first: i32) -> FieldResult<Vec<Place>> {
        let rows = context.store.places(count(first, 1_000)?);
        Ok(rows.into_iter().map(Into::into).collect())
    }
}

struct Mutation;

#[graphql_object(context = Context)]
impl Mutation {
    fn review_set(context: &Context, input: ReviewSetInput) -> FieldResult<Review> {
        if !(1..=5).contains(&input.stars) {
            return Err(FieldError::new("input.stars must be 1 to 5", Value::null()));
        }
        if !(1..=500).contains(&input.text.chars().count()) {
            return Err(FieldError::new(
                "input.text must have 1 to 500 characters",
                Value::null(),
            ));
        }
        let review = context
            .store
            .set_review(input.product_id.to_string(), input.stars, input.text);
        Ok(Review {
            id: ID::from(review.id),
            product_id: ID::from(review.product_id),
            stars: review.stars,
            text: review.text,
        })
    }
}

#[derive(GraphQLInputObject)]
struct ReviewSetInput {
    product_id: ID,
    stars: i32,
    text: String,
}

#[derive(GraphQLEnum, Clone, Copy)]
enum ProductState {
    Draft,
    Active,
    Retired,
}

#[derive(GraphQLObject)]
struct Product {
    id: ID,
    name: String,
    slug: String,
    state: ProductState,
    stock: i32,
    rating: f64,
    featured: bool,
    description: Option<String>,
}

impl From<store::Product> for Product {
    fn from(row: store::Product) -> Self {
        Self {
            id: ID::from(row.id),
            name: row.name,
            slug: row.slug,
            state: match row.state {
                store::State::Draft => ProductState::Draft,
                store::State::Active => ProductState::Active,
                store::State::Retired => ProductState::Retired,
            },
            stock: row.stock,
            rating: row.rating,
            featured: row.featured,
            description: row.description,
        }
    }
}

struct Collection {
    id: ID,
    name: String,
    items: Vec<Item>,
    curator_number: u32,
}

#[graphql_object(context = Context)]
impl Collection {
    fn id(&self) -> &ID {
        &self.id
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn items(&self) -> &[Item] {
        &self.items
    }

    async fn curator(&self, context: &Context) -> FieldResult<Curator> {
        Ok(context.curators.try_load(self.curator_number).await?)
    }
}

impl From<store::Collection> for Collection {
    fn from(row: store::Collection) -> Self {
        let item = |item: store::Item| Item {
            id: ID::from(item.id),
            title: item.title,
            body: item.body,
            position: item.position,
        };
        Self {
            id: ID::from(row.id),
            name: row.name,
            items: row.items.into_iter().map(item).collect(),
            curator_number: row.curator_number,
        }
    }
}

#[derive(GraphQLObject)]
struct Item {
    id: ID,
    title: String,
    body: Option<String>,
    position: i32,
}

#[derive(GraphQLObject, Clone)]
struct Curator {
    id: ID,
    name: String,
    email: String,
}

impl From<store::Curator> for Curator {
    fn from(row: store::Curator) -> Self {
        Self {
            id: ID::from(row.id),
            name: row.name,
            email: row.email,
        }
    }
}

#[derive(Clone)]
struct Place {
    id: ID,
    name: String,
    within_number: u32,
}

#[graphql_object(context = Context)]
impl Place {
    fn id(&self) -> &ID {
        &self.id
    }

    fn name(&self) -> &str {
        &self.name
    }

    async fn within(&self, context: &Context) -> FieldResult<Place> {
        Ok(context.places.try_load(self.within_number).await?)
    }
}

impl From<store::Place> for Place {
    fn from(row: store::Place) -> Self {
        Self {
            id: ID::from(row.id),
            name: row.name,
            within_number: row.within_number,
        }
    }
}

#[derive(GraphQLObject)]
struct Review {
    id: ID,
    product_id: ID,
    stars: i32,
    text: String,
}
