// The `impl` has no method.
// Fix: add the method. `cargo traitql scaffold` generates the whole `impl`.
use api::resolve;

pub struct App;

impl resolve::TourAuthor for App {}
