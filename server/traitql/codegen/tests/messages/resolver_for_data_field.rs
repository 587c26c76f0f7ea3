// A resolver for a field that is data of its parent, and therefore has no trait.
// Fix: set the field where the parent is created, or declare it with `@resolve` in the schema.
use api::{Person, Step, Tour, field, resolve};
use traitql::{Batch, Ctx, Many, One, Throws};

pub struct App;

impl resolve::TourTitle for App {
    async fn resolve<'b>(&self, _: &Ctx, tours: Batch<'b, Tour>) -> Result<One<'b, String>, Throws<field::TourAuthor>> {
        Ok(tours.map(|tour| Ok(tour.title.clone())))
    }
}
