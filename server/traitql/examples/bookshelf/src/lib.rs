//! Example of a traitql server: a bookshelf with queries, a mutation and a subscription. The schema is in `schema/`,
//! the operations of clients are in `operations/`, and the generated code is in `src/generated`. `app.rs` contains the
//! handwritten resolvers.

mod app;

// The generator formats its output itself, so that it does not depend on the installed version of rustfmt.
#[rustfmt::skip]
pub mod generated;

use std::sync::Arc;

use traitql::{Engine, RateLimits};

pub use app::App;
pub use generated::{MANIFEST, SDL};

/// Creates the engine that executes operations.
pub fn engine(app: App) -> impl Engine {
    generated::engine(
        &generated::Resolvers::new(Arc::new(app)),
        Arc::new(RateLimits::default()),
    )
}
