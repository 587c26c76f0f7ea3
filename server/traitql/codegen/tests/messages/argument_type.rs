// An argument has another type than in the schema: `first: Int!` is `i32`.
// Fix: use the type of the schema, and convert the value in the resolver.
use api::{Tour, field, resolve};
use traitql::{Ctx, Throws};

pub struct App;

impl resolve::QueryTours for App {
    async fn resolve(&self, _: &Ctx, first: usize) -> Result<Vec<Tour>, Throws<field::QueryTours>> {
        Ok(Vec::with_capacity(first))
    }
}
