// A value that belongs to one thread is held across an await.
// Mend: end the life of the value before the `await`, in a block of its own, or take a type that threads can share.
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
