// A resolver mutates the application, which concurrent requests share.
// Fix: take `&self`, and keep mutable state in an atomic, a lock or the database.
use api::{Tour, field, resolve};
use traitql::{Ctx, Throws};

pub struct App {
    requests: u64,
}

impl resolve::QueryTours for App {
    async fn resolve(&mut self, _: &Ctx, _: i32) -> Result<Vec<Tour>, Throws<field::QueryTours>> {
        self.requests += 1;
        Ok(Vec::new())
    }
}
