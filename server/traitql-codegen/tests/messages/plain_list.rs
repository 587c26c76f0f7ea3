// A batch is answered with a list that nobody can match with the parents.
// Mend: let the batch build the answer: `map` where each parent knows its value, `join` where rows are found by a key.
use api::{Person, Step, Tour, field, resolve};
use traitql::{Batch, Ctx, Many, One, Throws};

pub struct App;

impl resolve::TourAuthor for App {
    async fn resolve<'b>(&self, _: &Ctx, tours: Batch<'b, Tour>) -> Result<Vec<Person>, Throws<field::TourAuthor>> {
        Ok(tours.iter().map(|tour| Person { id: tour.id.clone(), name: String::new() }).collect())
    }
}
