//! The application. Start in `app.rs`; `mocked.rs` lists the fields that have no resolvers yet.

mod app;
mod mocked;

use std::sync::Arc;

use api::Resolvers;
use traitql::{Engine, RateLimits};

pub use app::App;

/// Creates the engine that executes operations.
pub fn engine(app: App) -> impl Engine {
    api::engine(&Resolvers::new(Arc::new(app)), Arc::new(RateLimits::default()))
}
