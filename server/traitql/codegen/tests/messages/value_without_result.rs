// The function that creates a value must return a `Result`.
// Fix: wrap the value in `Ok(…)`. An `Err` fails only this parent.
use api::{Person, Step, Tour, field, resolve};
use traitql::{Batch, Ctx, Many, One, Throws};

pub struct App;

impl resolve::TourAuthor for App {
    async fn resolve<'b>(&self, _: &Ctx, tours: Batch<'b, Tour>) -> Result<One<'b, Person>, Throws<field::TourAuthor>> {
        Ok(tours.map(|tour| Person { id: tour.id.clone(), name: String::new() }))
    }
}
