// A resolver returns an error type of its own.
// Mend: return `Throws<field::…>`: `?` turns the errors of the schema and `traitql::Internal` into it.
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
