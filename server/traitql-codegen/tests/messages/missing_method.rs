// The `impl` is there, its method is not.
// Mend: add the method; `cargo traitql scaffold` writes the whole `impl`.
use api::resolve;

pub struct App;

impl resolve::TourAuthor for App {}
