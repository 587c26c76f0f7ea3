//! async-graphql as its users write it: macros on structs, and its `DataLoader` for to-one relations.

use std::{collections::HashMap, convert::Infallible, future::Future, pin::Pin, sync::Arc, time::Duration};

use async_graphql::{
    ComplexObject, Context, EmptySubscription, Enum, Error, ID, InputObject, Object, Request, Result, Schema,
    SimpleObject,
    dataloader::{DataLoader, Loader},
    runtime::{Timer, TokioSpawner},
};
use axum::{Router, body::Bytes, extract::State, response::Response, routing::post};

use crate::{Store, bad_request, json, store};

type Api = Schema<Query, Mutation, EmptySubscription>;

pub(crate) fn router(store: Arc<Store>) -> Router {
    let loader = || {
        let rows = Rows(Arc::clone(&store));
        // The default delay is one millisecond. One scheduler round is the shortest possible delay.
        DataLoader::new(rows, TokioSpawner::current(), OneRound).delay(Duration::ZERO)
    };
    let loader = loader();
    let schema = Schema::build(Query, Mutation, EmptySubscription)
        .data(loader)
        .data(store)
        .limit_depth(32)
        .finish();
    Router::new().route("/graphql", post(answer)).with_state(schema)
}

async fn answer(State(schema): State<Api>, body: Bytes) -> Response {
    let request: Request = match serde_json::from_slice(&body) {
        Ok(request) => request,
        Err(error) => return bad_request(&error.to_string()),
    };
    match serde_json::to_vec(&schema.execute(request).await) {
        Ok(body) => json(body),
        Err(error) => bad_request(&error.to_string()),
    }
}

struct OneRound;

impl Timer for OneRound {
    fn delay(&self, _: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(tokio::task::yield_now())
    }
}

struct Rows(Arc<Store>);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct CuratorNumber(u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct PlaceNumber(u32);

impl Loader<CuratorNumber> for Rows {
    type Value = Curator;
    type Error = Infallible;

    async fn load(&self, keys: &[CuratorNumber]) -> Result<HashMap<CuratorNumber, Curator>, Infallible> {
        let numbers: Vec<u32> = keys.iter().map(|key| key.0).collect();
        let found = self.0.curators(&numbers).await.into_iter();
        Ok(found.map(|row| (CuratorNumber(row.number), row.into())).collect())
    }
}

impl Loader<PlaceNumber> for Rows {
    type Value = Place;
    type Error = Infallible;

    async fn load(&self, keys: &[PlaceNumber]) -> Result<HashMap<PlaceNumber, Place>, Infallible> {
        let numbers: Vec<u32> = keys.iter().map(|key| key.0).collect();
        let found = self.0.places_by(&numbers).await.into_iter();
        Ok(found.map(|row| (PlaceNumber(row.number), row.into())).collect())
    }
}

struct Query;

#[Object]
impl Query {
    async fn ping(&self) -> String {
        "pong".to_owned()
    }

    async fn products(
        &self,
        cx: &Context<'_>,
        #[graphql(default = 50, validator(minimum = 0, maximum = 10000))] first: i32,
    ) -> Result<Vec<Product>> {
        let rows = cx.data::<Arc<Store>>()?.products(first as usize);
        Ok(rows.into_iter().map(Into::into).collect())
    }

    async fn collections(
        &self,
        cx: &Context<'_>,
        #[graphql(default = 20, validator(minimum = 0, maximum = 10000))] first: i32,
    ) -> Result<Vec<Collection>> {
        let rows = cx.data::<Arc<Store>>()?.collections(first as usize);
        Ok(rows.into_iter().map(Into::into).collect())
    }

    async fn places(
        &self,
        cx: &Context<'_>,
        #[graphql(default = 20, validator(minimum = 0, maximum = 1000))] first: i32,
    ) -> Result<Vec<Place>> {
        let rows = cx.data::<Arc<Store>>()?.places(first as usize);
        Ok(rows.into_iter().map(Into::into).collect())
    }
}

struct Mutation;

#[Object]
impl Mutation {
    async fn review_set(&self, cx: &Context<'_>, input: ReviewSetInput) -> Result<Review> {
        let store = cx.data::<Arc<Store>>()?;
        let review = store.set_review(input.product_id.0, input.stars, input.text);
        Ok(Review {
            id: ID(review.id),
            product_id: ID(review.product_id),
            stars: review.stars,
            text: review.text,
        })
    }
}

#[derive(InputObject)]
struct ReviewSetInput {
    product_id: ID,
    #[graphql(validator(minimum = 1, maximum = 5))]
    stars: i32,
    #[graphql(validator(chars_min_length = 1, chars_max_length = 500))]
    text: String,
}

#[derive(Enum, Clone, Copy, PartialEq, Eq)]
enum ProductState {
    Draft,
    Active,
    Retired,
}

#[derive(SimpleObject)]
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
            id: ID(row.id),
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

#[derive(SimpleObject)]
#[graphql(complex)]
struct Collection {
    id: ID,
    name: String,
    items: Vec<Item>,
    #[graphql(skip)]
    curator_number: u32,
}

#[ComplexObject]
impl Collection {
    async fn curator(&self, cx: &Context<'_>) -> Result<Curator> {
        let loader = cx.data::<DataLoader<Rows>>()?;
        let found = loader.load_one(CuratorNumber(self.curator_number)).await?;
        found.ok_or_else(|| Error::new("a collection has no curator"))
    }
}

impl From<store::Collection> for Collection {
    fn from(row: store::Collection) -> Self {
        let item = |item: store::Item| Item {
            id: ID(item.id),
            title: item.title,
            body: item.body,
            position: item.position,
        };
        Self {
            id: ID(row.id),
            name: row.name,
            items: row.items.into_iter().map(item).collect(),
            curator_number: row.curator_number,
        }
    }
}

#[derive(SimpleObject)]
struct Item {
    id: ID,
    title: String,
    body: Option<String>,
    position: i32,
}

#[derive(SimpleObject, Clone)]
struct Curator {
    id: ID,
    name: String,
    email: String,
}

impl From<store::Curator> for Curator {
    fn from(row: store::Curator) -> Self {
        Self {
            id: ID(row.id),
            name: row.name,
            email: row.email,
        }
    }
}

#[derive(SimpleObject, Clone)]
#[graphql(complex)]
struct Place {
    id: ID,
    name: String,
    #[graphql(skip)]
    within_number: u32,
}

#[ComplexObject]
impl Place {
    async fn within(&self, cx: &Context<'_>) -> Result<Place> {
        let loader = cx.data::<DataLoader<Rows>>()?;
        let found = loader.load_one(PlaceNumber(self.within_number)).await?;
        found.ok_or_else(|| Error::new("a place has no surrounding place"))
    }
}

impl From<store::Place> for Place {
    fn from(row: store::Place) -> Self {
        Self {
            id: ID(row.id),
            name: row.name,
            within_number: row.within_number,
        }
    }
}

#[derive(SimpleObject)]
struct Review {
    id: ID,
    product_id: ID,
    stars: i32,
    text: String,
}
