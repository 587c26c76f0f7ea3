// The result of the store is not awaited.
// Fix: add `.await`.
use api::{Tour, field, resolve};
use traitql::{Ctx, Throws};

pub struct App;

async fn load() -> Result<Vec<Tour>, std::io::Error> {
    Ok(Vec::new())
}

impl resolve::QueryTours for App {
    async fn resolve(&self, _: &Ctx, _: i32) -> Result<Vec<Tour>, Throws<field::QueryTours>> {
        let tours = load()?;
        Ok(tours)
    }
}
