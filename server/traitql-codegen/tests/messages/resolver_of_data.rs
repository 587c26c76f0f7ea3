// A resolver for a field that is data of its parent: it has no trait.
// Mend: fill the field in where the parent is made, or give it `@resolve` in the schema.
use api::{Person, Step, Tour, field, resolve};
use traitql::{Batch, Ctx, Many, One, Throws};

pub struct App;

impl resolve::TourTitle for App {
    async fn resolve<'b>(&self, _: &Ctx, tours: Batch<'b, Tour>) -> Result<One<'b, String>, Throws<field::TourAuthor>> {
        Ok(tours.map(|tour| Ok(tour.title.clone())))
    }
}
