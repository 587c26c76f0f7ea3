// The answer is built from another batch than the one that was asked about: its slots belong to other tours.
// Mend: answer from the batch that was handed to the resolver: `tours.join(…)`.
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
