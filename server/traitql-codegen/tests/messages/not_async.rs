// The resolver answers at once, and was not written as `async`.
// Mend: write `async fn`; a body that never awaits costs nothing.
use api::{Tour, field, resolve};
use traitql::{Ctx, Throws};

pub struct App;

impl resolve::QueryTours for App {
    fn resolve(&self, _: &Ctx, _: i32) -> Result<Vec<Tour>, Throws<field::QueryTours>> {
        Ok(Vec::new())
    }
}
