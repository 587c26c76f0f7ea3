// The signature was copied from another field, so its error type belongs to that field.
// Fix: use the resolver's own field in `Throws<field::…>`.
use api::{Tour, field, resolve};
use traitql::{Ctx, Throws};

pub struct App;

impl resolve::QueryTours for App {
    async fn resolve(&self, _: &Ctx, _: i32) -> Result<Vec<Tour>, Throws<field::QueryNode>> {
        Ok(Vec::new())
    }
}
