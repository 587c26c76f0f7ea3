// The result is built from another batch than the resolver's, so its entries belong to other tours.
// Fix: build the result from the batch that the resolver received: `tours.join(…)`.
use api::{Person, Tour, field, resolve};
use traitql::{Batch, Ctx, One, Throws, with_batch};

pub struct App {
    tours: Vec<Tour>,
    people: Vec<Person>,
}

impl resolve::TourAuthor for App {
    async fn resolve<'b>(&self, _: &Ctx, _: Batch<'b, Tour>) -> Result<One<'b, Person>, Throws<field::TourAuthor>> {
        with_batch(&self.tours, async |all| {
            Ok(all.join(self.people.clone(), |person| person.id.clone(), |tour| tour.id.clone()))
        })
        .await
    }
}
