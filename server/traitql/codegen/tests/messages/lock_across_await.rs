// A lock of the standard library is held across an `await`.
// Fix: drop the guard before the `await`, for example with a block.
use std::sync::Mutex;

use api::{Tour, field, resolve};
use traitql::{Ctx, Throws};

pub struct App {
    requests: Mutex<u64>,
}

async fn load() {}

impl resolve::QueryTours for App {
    async fn resolve(&self, _: &Ctx, _: i32) -> Result<Vec<Tour>, Throws<field::QueryTours>> {
        let Ok(mut requests) = self.requests.lock() else { return Ok(Vec::new()) };
        load().await;
        *requests += 1;
        Ok(Vec::new())
    }
}
