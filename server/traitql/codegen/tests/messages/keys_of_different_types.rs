// The two keys of a join have different types.
// Fix: use the same key on both sides. The conversion that rustc suggests compiles, but no keys will match.
use api::{Person, Step, Tour, field, resolve};
use traitql::{Batch, Ctx, Many, One, Throws};

pub struct App;

impl resolve::TourAuthor for App {
    async fn resolve<'b>(&self, _: &Ctx, tours: Batch<'b, Tour>) -> Result<One<'b, Person>, Throws<field::TourAuthor>> {
        let people: Vec<Person> = Vec::new();
        Ok(tours.join(people, |person| person.id.clone(), |tour| tour.title.clone()))
    }
}
