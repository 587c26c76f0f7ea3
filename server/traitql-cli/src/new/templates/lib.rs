//! The application. `app.rs` is the place to begin; `mocked.rs` lists what is left to do.

mod app;
mod mocked;

use std::sync::Arc;

use api::Resolvers;
use traitql::{Engine, Rates};

pub use app::App;

/// What answers operations.
pub fn engine(app: App) -> impl Engine {
    api::engine(&Resolvers::new(Arc::new(app)), Arc::new(Rates::default()))
}
