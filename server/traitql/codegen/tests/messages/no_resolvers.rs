// A new application without any resolvers. rustc reports each missing resolver once.
// Fix: start with `cargo traitql scaffold`, or return sample values with `traitql::mocked!`.
use std::sync::Arc;

pub struct App;

pub fn wire() -> api::Resolvers {
    api::Resolvers::new(Arc::new(App))
}
