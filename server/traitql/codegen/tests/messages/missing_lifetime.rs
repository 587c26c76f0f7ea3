// The lifetime that connects the result to its batch is missing.
// Fix: add it: `async fn resolve<'b>(…, tours: Batch<'b, Tour>) -> Result<One<'b, Person>, …>`.
use api::{Person, Step, Tour, field, resolve};
use traitql::{Batch, Ctx, Many, One, Throws};

pub struct App;

impl resolve::TourAuthor for App {
    async fn resolve(&self, _: &Ctx, tours: Batch<'_, Tour>) -> Result<One<'_, Person>, Throws<field::TourAuthor>> {
        Ok(tours.map(|tour| Ok(Person { id: tour.id.clone(), name: String::new() })))
    }
}
