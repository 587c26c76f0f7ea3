//! A shelf of books: a small server made with traitql, with everything that one has. The schema is in `schema/`, what clients
//! ask in `operations/`, what is generated from both in `src/generated`. `app.rs` holds what is written by hand.

mod app;

// The generator formats what it writes, without asking which rustfmt is installed.
#[rustfmt::skip]
pub mod generated;

use std::sync::Arc;

use traitql::{Engine, Rates};

pub use app::App;
pub use generated::{MANIFEST, SDL};

/// What answers operations.
pub fn engine(app: App) -> impl Engine {
    generated::engine(&generated::Resolvers::new(Arc::new(app)), Arc::new(Rates::default()))
}
