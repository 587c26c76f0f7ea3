// The `impl` is there, its method is not.
use api::resolve;

pub struct App;

impl resolve::TourAuthor for App {}
