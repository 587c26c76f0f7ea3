//! The baseline for all ratios does not implement GraphQL: operations are selected by name, variables are deserialized
//! into a struct, and rows are serialized with serde.

use std::{collections::HashMap, ops::RangeInclusive, sync::Arc};

use axum::{Router, body::Bytes, extract::State, response::Response, routing::post};
use serde::{Deserialize, Serialize, Serializer, ser::SerializeStruct};

use crate::{
    Store, bad_request, json,
    request::NamedRequest,
    store::{Collection, Curator, Item, Place, Product, State as ProductState},
};

#[derive(Debug, Clone, Copy)]
pub(crate) enum Rows {
    /// Copied, as from a database.
    Owned,
    /// Borrowed, and written into a buffer that does not grow.
    Borrowed,
}

/// Larger than the responses of the lists with 50 and 20 entries.
const RESPONSE_CAPACITY: usize = 24 * 1024;

pub(crate) fn router(store: Arc<Store>, rows: Rows) -> Router {
    Router::new().route(
        "/graphql",
        post(async move |State(store): State<Arc<Store>>, body: Bytes| -> Response {
            match respond(&store, rows, &body).await {
                Ok(body) => json(body),
                Err(problem) => bad_request(&problem),
            }
        })
        .with_state(store),
    )
}

pub(crate) async fn respond(store: &Store, rows: Rows, body: &[u8]) -> Result<Vec<u8>, String> {
    let request: NamedRequest<'_> = read(body)?;
    let variables = request.variables.get().as_bytes();
    match request.operation_name {
        "Ping" => write(rows, &Ping { ping: "pong" }),
        "Products" => {
            let first = first(variables, 0..=10_000)?;
            match rows {
                Rows::Owned => write(
                    rows,
                    &Products {
                        products: List(&store.products(first)),
                    },
                ),
                Rows::Borrowed => write(
                    rows,
                    &Products {
                        products: List(store.shared_products(first)),
                    },
                ),
            }
        }
        "Collections" => {
            let first = first(variables, 0..=10_000)?;
            match rows {
                Rows::Owned => {
                    let collections = store.collections(first);
                    let curators = store.curators(&wanted(&collections)).await;
                    write(rows, &collected(&collections, curators.iter())?)
                }
                Rows::Borrowed => {
                    let collections = store.shared_collections(first);
                    let curators = store.shared_curators(&wanted(collections)).await;
                    write(rows, &collected(collections, curators.into_iter())?)
                }
            }
        }
        "ReviewSet" => {
            let ReviewVariables { input } = read(variables)?;
            if !(1..=5).contains(&input.stars) {
                return Err("input.stars must be 1 to 5".to_owned());
            }
            if !(1..=500).contains(&input.text.chars().count()) {
                return Err("input.text must have 1 to 500 characters".to_owned());
            }
            let review = store.set_review(input.product_id, input.stars, input.text);
            let review = ReviewView {
                id: &review.id,
                product_id: &review.product_id,
                stars: review.stars,
                text: &review.text,
                typename: "Review",
            };
            write(rows, &ReviewSet { review_set: review })
        }
        name => {
            let levels: usize = name
                .strip_prefix("Places")
                .and_then(|levels| levels.parse().ok())
                .ok_or_else(|| format!("unknown operation `{name}`"))?;
            places(store, rows, first(variables, 0..=1_000)?, levels).await
        }
    }
}

async fn places(store: &Store, rows: Rows, first: usize, levels: usize) -> Result<Vec<u8>, String> {
    let places = store.places(first);
    let mut within: Vec<HashMap<u32, Place>> = Vec::with_capacity(levels);
    let mut wanted: Vec<u32> = distinct(places.iter().map(|place| place.within_number));
    for _ in 1..levels {
        let found = store.places_by(&wanted).await;
        wanted = distinct(found.iter().map(|place| place.within_number));
        within.push(found.into_iter().map(|place| (place.number, place)).collect());
    }
    let places = places.iter().map(|place| PlaceView { place, within: &within });
    write(
        rows,
        &Places {
            places: places.collect(),
        },
    )
}

fn read<'a, T: Deserialize<'a>>(json: &'a [u8]) -> Result<T, String> {
    serde_json::from_slice(json).map_err(|error| error.to_string())
}

fn first(variables: &[u8], allowed: RangeInclusive<i32>) -> Result<usize, String> {
    let First { first } = read(variables)?;
    if allowed.contains(&first) {
        return Ok(first as usize);
    }
    Err(format!("first must be {} to {}", allowed.start(), allowed.end()))
}

fn write(rows: Rows, data: &impl Serialize) -> Result<Vec<u8>, String> {
    let answer = Answer { data };
    match rows {
        Rows::Owned => serde_json::to_vec(&answer).map_err(|error| error.to_string()),
        Rows::Borrowed => {
            let mut body = Vec::with_capacity(RESPONSE_CAPACITY);
            serde_json::to_writer(&mut body, &answer).map_err(|error| error.to_string())?;
            Ok(body)
        }
    }
}

fn wanted(collections: &[Collection]) -> Vec<u32> {
    distinct(collections.iter().map(|collection| collection.curator_number))
}

fn distinct(numbers: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut numbers: Vec<u32> = numbers.collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

fn collected<'a>(
    collections: &'a [Collection],
    curators: impl Iterator<Item = &'a Curator>,
) -> Result<Collections<'a>, String> {
    let curators: HashMap<u32, &Curator> = curators.map(|curator| (curator.number, curator)).collect();
    let view = |collection: &'a Collection| {
        let curator = curators
            .get(&collection.curator_number)
            .ok_or("a collection has no curator")?;
        Ok(CollectionView {
            id: &collection.id,
            name: &collection.name,
            curator: CuratorView {
                id: &curator.id,
                name: &curator.name,
                email: &curator.email,
                typename: "Curator",
            },
            items: List(&collection.items),
            typename: "Collection",
        })
    };
    let collections: Result<_, &str> = collections.iter().map(view).collect();
    Ok(Collections {
        collections: collections?,
    })
}

#[derive(Deserialize)]
struct First {
    first: i32,
}

#[derive(Deserialize)]
struct ReviewVariables {
    input: ReviewInput,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ReviewInput {
    product_id: String,
    stars: i32,
    text: String,
}

#[derive(Serialize)]
struct Answer<'a, T> {
    data: &'a T,
}

#[derive(Serialize)]
struct Ping {
    ping: &'static str,
}

#[derive(Serialize)]
struct Products<'a> {
    products: List<'a, Product>,
}

#[derive(Serialize)]
struct Collections<'a> {
    collections: Vec<CollectionView<'a>>,
}

#[derive(Serialize)]
struct Places<'a> {
    places: Vec<PlaceView<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ReviewSet<'a> {
    review_set: ReviewView<'a>,
}

struct List<'a, T>(&'a [T]);

impl Serialize for List<'_, Product> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|product| ProductView {
            id: &product.id,
            name: &product.name,
            slug: &product.slug,
            state: product.state,
            stock: product.stock,
            rating: product.rating,
            featured: product.featured,
            description: product.description.as_deref(),
            typename: "Product",
        }))
    }
}

impl Serialize for List<'_, Item> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|item| ItemView {
            id: &item.id,
            title: &item.title,
            body: item.body.as_deref(),
            position: item.position,
            typename: "Item",
        }))
    }
}

#[derive(Serialize)]
struct ProductView<'a> {
    id: &'a str,
    name: &'a str,
    slug: &'a str,
    state: ProductState,
    stock: i32,
    rating: f64,
    featured: bool,
    description: Option<&'a str>,
    #[serde(rename = "__typename")]
    typename: &'static str,
}

#[derive(Serialize)]
struct CollectionView<'a> {
    id: &'a str,
    name: &'a str,
    curator: CuratorView<'a>,
    items: List<'a, Item>,
    #[serde(rename = "__typename")]
    typename: &'static str,
}

#[derive(Serialize)]
struct CuratorView<'a> {
    id: &'a str,
    name: &'a str,
    email: &'a str,
    #[serde(rename = "__typename")]
    typename: &'static str,
}

#[derive(Serialize)]
struct ItemView<'a> {
    id: &'a str,
    title: &'a str,
    body: Option<&'a str>,
    position: i32,
    #[serde(rename = "__typename")]
    typename: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ReviewView<'a> {
    id: &'a str,
    product_id: &'a str,
    stars: i32,
    text: &'a str,
    #[serde(rename = "__typename")]
    typename: &'static str,
}

/// A place, and the surrounding places of all places of its list, by level.
struct PlaceView<'a> {
    place: &'a Place,
    within: &'a [HashMap<u32, Place>],
}

impl Serialize for PlaceView<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Place", 4)?;
        fields.serialize_field("id", &self.place.id)?;
        fields.serialize_field("name", &self.place.name)?;
        if let Some((level, within)) = self.within.split_first() {
            let place = level.get(&self.place.within_number);
            let place = place.ok_or_else(|| serde::ser::Error::custom("a place has no surrounding place"))?;
            fields.serialize_field("within", &Self { place, within })?;
        }
        fields.serialize_field("__typename", "Place")?;
        fields.end()
    }
}
