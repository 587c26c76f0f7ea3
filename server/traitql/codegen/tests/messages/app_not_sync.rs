// The application contains a value that must stay on one thread.
// Fix: use `Mutex`, `RwLock` or an atomic instead of `RefCell` and `Cell`, and `Arc` instead of `Rc`.
use std::cell::RefCell;

use api::{Tour, field, resolve};
use traitql::{Ctx, Throws};

pub struct App {
    requests: RefCell<u64>,
}

impl resolve::QueryTours for App {
    async fn resolve(&self, _: &Ctx, _: i32) -> Result<Vec<Tour>, Throws<field::QueryTours>> {
        *self.requests.borrow_mut() += 1;
        Ok(Vec::new())
    }
}
