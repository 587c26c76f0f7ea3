//! The application keeps its rows behind `Arc`s and clones the pointers for each response (`shared` of codegen.yml).

use std::sync::Arc;

use bench_api::shared::{self, Collection, Curator, Place, Product, Resolvers, Review, ReviewSetInput, field, resolve};
use traitql::{Batch, Ctx, Engine, One, RateLimits, Throws};

use crate::Store;

crate::rows::rows!(bench_api::shared, Arc::new);

pub(crate) fn engine(store: Arc<Store>) -> Arc<dyn Engine> {
    let resolvers = Resolvers::new(Arc::new(App::new(store)));
    Arc::new(shared::engine(&resolvers, Arc::new(RateLimits::default())))
}

struct App {
    products: Vec<Arc<Product>>,
    collections: Vec<Arc<Collection>>,
    curators: Numbered<Curator>,
    places: Numbered<Place>,
    store: Arc<Store>,
}

impl App {
    fn new(store: Arc<Store>) -> Self {
        Self {
            products: shared(store.shared_products(usize::MAX)),
            collections: shared(store.shared_collections(usize::MAX)),
            curators: Numbered(shared(store.all_curators())),
            places: Numbered(shared(store.all_places())),
            store,
        }
    }
}

fn shared<R: Clone, T: From<R>>(rows: &[R]) -> Vec<Arc<T>> {
    rows.iter().cloned().map(T::from).map(Arc::new).collect()
}

fn first<T>(rows: &[Arc<T>], first: i32) -> Vec<Arc<T>> {
    let first = usize::try_from(first).unwrap_or(0);
    rows[..first.min(rows.len())].to_vec()
}

struct Numbered<T>(Vec<Arc<T>>);

impl<T> Numbered<T> {
    /// Returns the values with these numbers, after one scheduler round, like a database query.
    async fn found(&self, numbers: &[u32]) -> Vec<(u32, Arc<T>)> {
        tokio::task::yield_now().await;
        let found = |number: &u32| Some((*number, Arc::clone(self.0.get(*number as usize)?)));
        numbers.iter().filter_map(found).collect()
    }
}

impl resolve::QueryPing for App {
    async fn resolve(&self, _: &Ctx) -> Result<String, Throws<field::QueryPing>> {
        Ok("pong".to_owned())
    }
}

impl resolve::QueryProducts for App {
    async fn resolve(&self, _: &Ctx, count: i32) -> Result<Vec<Arc<Product>>, Throws<field::QueryProducts>> {
        Ok(first(&self.products, count))
    }
}

impl resolve::QueryCollections for App {
    async fn resolve(&self, _: &Ctx, count: i32) -> Result<Vec<Arc<Collection>>, Throws<field::QueryCollections>> {
        Ok(first(&self.collections, count))
    }
}

impl resolve::CollectionCurator for App {
    async fn resolve<'b>(
        &self,
        _: &Ctx,
        collections: Batch<'b, Arc<Collection>>,
    ) -> Result<One<'b, Arc<Curator>>, Throws<field::CollectionCurator>> {
        let numbers = collections.keys(|collection| collection.curator_number);
        let curators = self.curators.found(&numbers).await;
        let joined = collections.join(curators, |(number, _)| *number, |collection| collection.curator_number);
        Ok(joined.map_rows(|(_, curator)| curator))
    }
}

impl resolve::QueryPlaces for App {
    async fn resolve(&self, _: &Ctx, count: i32) -> Result<Vec<Arc<Place>>, Throws<field::QueryPlaces>> {
        Ok(first(&self.places.0, count))
    }
}

impl resolve::PlaceWithin for App {
    async fn resolve<'b>(
        &self,
        _: &Ctx,
        places: Batch<'b, Arc<Place>>,
    ) -> Result<One<'b, Arc<Place>>, Throws<field::PlaceWithin>> {
        let found = self.places.found(&places.keys(|place| place.within_number)).await;
        let joined = places.join(found, |(number, _)| *number, |place| place.within_number);
        Ok(joined.map_rows(|(_, place)| place))
    }
}

impl resolve::MutationReviewSet for App {
    async fn resolve(&self, _: &Ctx, input: ReviewSetInput) -> Result<Review, Throws<field::MutationReviewSet>> {
        // The constraints of the schema have been checked.
        let review = self
            .store
            .set_review(input.product_id.into_string(), input.stars, input.text);
        Ok(review.into())
    }
}
