// A resolver returns a custom error type.
// Fix: return `Throws<field::…>`: `?` converts the errors of the schema and `traitql::Internal` into it.
use api::{Tour, field, resolve};
use traitql::{Ctx, Throws};

pub struct App;

#[derive(Debug)]
pub enum StoreError {
    Missing,
}

impl resolve::QueryTours for App {
    async fn resolve(&self, _: &Ctx, _: i32) -> Result<Vec<Tour>, StoreError> {
        Err(StoreError::Missing)
    }
}
