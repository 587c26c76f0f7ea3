// The result contains values of another type.
// Fix: return values of the type that the field has in the schema.
use api::{Person, Step, Tour, field, resolve};
use traitql::{Batch, Ctx, Many, One, Throws};

pub struct App;

impl resolve::TourAuthor for App {
    async fn resolve<'b>(&self, _: &Ctx, tours: Batch<'b, Tour>) -> Result<One<'b, Person>, Throws<field::TourAuthor>> {
        Ok(tours.map(|tour| Ok(tour.title.clone())))
    }
}
