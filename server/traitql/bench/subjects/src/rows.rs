//! Conversion from rows of the store to values of the schema, for each crate that traitql generates.

/// `$held` converts an item to the type that a collection stores.
macro_rules! rows {
    ($api:path, $stored_item:expr) => {
        const _: () = {
            use $api as api;

            use $crate::store;

            impl From<store::Product> for api::Product {
                fn from(row: store::Product) -> Self {
                    Self {
                        id: row.id.into(),
                        name: row.name,
                        slug: row.slug,
                        state: match row.state {
                            store::State::Draft => api::ProductState::Draft,
                            store::State::Active => api::ProductState::Active,
                            store::State::Retired => api::ProductState::Retired,
                        },
                        stock: row.stock,
                        rating: row.rating,
                        featured: row.featured,
                        description: row.description,
                    }
                }
            }

            impl From<store::Collection> for api::Collection {
                fn from(row: store::Collection) -> Self {
                    Self {
                        id: row.id.into(),
                        name: row.name,
                        items: row
                            .items
                            .into_iter()
                            .map(api::Item::from)
                            .map($stored_item)
                            .collect(),
                        curator_number: row.curator_number,
                    }
                }
            }

            impl From<store::Item> for api::Item {
                fn from(row: store::Item) -> Self {
                    Self {
                        id: row.id.into(),
                        title: row.title,
                        body: row.body,
                        position: row.position,
                    }
                }
            }

            impl From<store::Curator> for api::Curator {
                fn from(row: store::Curator) -> Self {
                    Self {
                        id: row.id.into(),
                        name: row.name,
                        email: row.email,
                    }
                }
            }

            impl From<store::Place> for api::Place {
                fn from(row: store::Place) -> Self {
                    Self {
                        id: row.id.into(),
                        name: row.name,
                        within_number: row.within_number,
                    }
                }
            }

            impl From<store::Review> for api::Review {
                fn from(row: store::Review) -> Self {
                    Self {
                        id: row.id.into(),
                        product_id: row.product_id.into(),
                        stars: row.stars,
                        text: row.text,
                    }
                }
            }
        };
    };
}

pub(crate) use rows;
