//! The data is computed by formulas, so that it is the same everywhere.
//!
//! The store returns copies of its rows, as a database driver does. The functions `shared_…` return references
//! instead, which only a handler with data in memory can use. Functions that would be database queries are `async` and
//! take one scheduler round.

use std::{collections::HashMap, sync::Mutex};

use serde::Serialize;

const MANY: usize = 10_000;
const CURATORS: usize = 7;
const PLACES: usize = 1_000;
const ITEMS: usize = 5;

#[derive(Debug, Clone, Serialize)]
pub struct Product {
    pub id: String,
    pub name: String,
    pub slug: String,
    pub state: State,
    pub stock: i32,
    pub rating: f64,
    pub featured: bool,
    pub description: Option<String>,
}

/// `enum ProductState`
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum State {
    Draft,
    Active,
    Retired,
}

#[derive(Debug, Clone, Serialize)]
pub struct Collection {
    pub id: String,
    pub name: String,
    pub curator_number: u32,
    pub items: Vec<Item>,
}

#[derive(Debug, Clone, Serialize)]
pub struct Curator {
    pub number: u32,
    pub id: String,
    pub name: String,
    pub email: String,
}

#[derive(Debug, Clone, Serialize)]
pub struct Item {
    pub id: String,
    pub title: String,
    pub body: Option<String>,
    pub position: i32,
}

/// A row of `places`. Each place is within another one.
#[derive(Debug, Clone, Serialize)]
pub struct Place {
    pub number: u32,
    pub id: String,
    pub name: String,
    pub within_number: u32,
}

#[derive(Debug, Clone)]
pub struct Review {
    pub id: String,
    pub product_id: String,
    pub stars: i32,
    pub text: String,
}

#[derive(Debug, Serialize)]
pub struct Store {
    products: Vec<Product>,
    collections: Vec<Collection>,
    curators: Vec<Curator>,
    places: Vec<Place>,
    #[serde(skip)]
    reviews: Mutex<HashMap<String, Review>>,
}

impl Default for Store {
    fn default() -> Self {
        Self::with(MANY)
    }
}

impl Store {
    pub fn with(many: usize) -> Self {
        Self {
            products: (0..many).map(product).collect(),
            collections: (0..many).map(collection).collect(),
            curators: (0..CURATORS).map(curator).collect(),
            places: (0..PLACES).map(place).collect(),
            reviews: Mutex::default(),
        }
    }

    pub fn products(&self, first: usize) -> Vec<Product> {
        self.shared_products(first).to_vec()
    }

    pub fn shared_products(&self, first: usize) -> &[Product] {
        &self.products[..first.min(self.products.len())]
    }

    pub fn collections(&self, first: usize) -> Vec<Collection> {
        self.shared_collections(first).to_vec()
    }

    pub fn shared_collections(&self, first: usize) -> &[Collection] {
        &self.collections[..first.min(self.collections.len())]
    }

    pub async fn curators(&self, numbers: &[u32]) -> Vec<Curator> {
        tokio::task::yield_now().await;
        found(&self.curators, numbers).cloned().collect()
    }

    pub async fn shared_curators(&self, numbers: &[u32]) -> Vec<&Curator> {
        tokio::task::yield_now().await;
        found(&self.curators, numbers).collect()
    }

    pub fn all_curators(&self) -> &[Curator] {
        &self.curators
    }

    pub fn all_places(&self) -> &[Place] {
        &self.places
    }

    pub fn places(&self, first: usize) -> Vec<Place> {
        self.places[..first.min(PLACES)].to_vec()
    }

    pub async fn places_by(&self, numbers: &[u32]) -> Vec<Place> {
        tokio::task::yield_now().await;
        found(&self.places, numbers).cloned().collect()
    }

    pub fn set_review(&self, product_id: String, stars: i32, text: String) -> Review {
        let id = format!("review_of_{product_id}");
        let review = Review {
            id,
            product_id,
            stars,
            text,
        };
        let mut reviews = self.reviews.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        reviews.insert(review.id.clone(), review.clone());
        review
    }
}

fn found<'s, T>(rows: &'s [T], numbers: &[u32]) -> impl Iterator<Item = &'s T> {
    numbers.iter().filter_map(|number| rows.get(*number as usize))
}

fn product(at: usize) -> Product {
    // Languages write integral floats differently.
    let hundredths = 100 + (at * 37) % 400;
    let hundredths = hundredths + usize::from(hundredths.is_multiple_of(100));
    Product {
        id: format!("product_{:08}", at * 7_919),
        name: format!("Folding camp table number {at}"),
        slug: format!("folding-camp-table-number-{at}"),
        state: [State::Draft, State::Active, State::Retired][at % 3],
        stock: (at * 3 % 17) as i32,
        rating: hundredths as f64 / 100.0,
        featured: at % 3 == 1,
        description: (at % 5 != 0).then(|| {
            format!("Light and quick to put up, with the \"wide\" top, four legs that hold on any ground (batch {at}).")
        }),
    }
}

fn collection(at: usize) -> Collection {
    Collection {
        id: format!("collection_{at:06}"),
        name: format!("Collection {at} of things"),
        curator_number: (at * 3 % CURATORS) as u32,
        items: (0..ITEMS).map(|position| item(at, position)).collect(),
    }
}

fn item(of: usize, position: usize) -> Item {
    Item {
        id: format!("item_{of}_{position}"),
        title: format!("Shelf {position}: what goes on it"),
        body: (position != 3).then(|| format!("Take the box from the rack and put it into place {position}.")),
        position: position as i32,
    }
}

fn curator(at: usize) -> Curator {
    Curator {
        number: at as u32,
        id: format!("curator_{at}"),
        name: format!("Curator Number {at}"),
        email: format!("curator{at}@example.org"),
    }
}

fn place(at: usize) -> Place {
    Place {
        number: at as u32,
        id: format!("place_{at:04}"),
        name: format!("The place with the number {at}"),
        // Only the number of levels grows.
        within_number: ((at * 7 + 13) % PLACES) as u32,
    }
}
