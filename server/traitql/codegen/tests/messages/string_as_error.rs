// A string is returned as an error. Errors are codes of the schema, or internal errors.
// Fix: declare a code with its message in the schema and return its type, or fail with `traitql::Internal::new(text)`.
use api::{Tour, field, resolve};
use traitql::{Ctx, Throws};

pub struct App;

fn check(first: i32) -> Result<(), String> {
    if first > 100 { Err("too many".to_owned()) } else { Ok(()) }
}

impl resolve::QueryTours for App {
    async fn resolve(&self, _: &Ctx, first: i32) -> Result<Vec<Tour>, Throws<field::QueryTours>> {
        check(first)?;
        Ok(Vec::new())
    }
}
