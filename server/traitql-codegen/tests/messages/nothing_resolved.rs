// A new application: nothing is implemented. Each missing piece is named once.
// Mend: begin with `cargo traitql scaffold`, or answer with sample values through `traitql::mocked!`.
use std::sync::Arc;

pub struct App;

pub fn wire() -> api::Resolvers {
    api::Resolvers::new(Arc::new(App))
}
