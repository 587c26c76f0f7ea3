// A value that must stay on one thread is held across an `await`.
// Fix: drop the value before the `await`, for example with a block, or use a thread-safe type.
use std::rc::Rc;

use api::{Person, Tour, field, resolve};
use traitql::{Batch, Ctx, One, Throws};

pub struct App;

async fn load() {}

impl resolve::TourAuthor for App {
    async fn resolve<'b>(&self, _: &Ctx, tours: Batch<'b, Tour>) -> Result<One<'b, Person>, Throws<field::TourAuthor>> {
        let name = Rc::new(String::from("Ann"));
        load().await;
        Ok(tours.map(|tour| Ok(Person { id: tour.id.clone(), name: name.to_string() })))
    }
}
