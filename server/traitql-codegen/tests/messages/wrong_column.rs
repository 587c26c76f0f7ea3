// A to-one field answers with a to-many column.
// Mend: a field with one value for each parent is `One` (`map`, `join`), a list is `Many` (`map_many`, `group`).
use api::{Person, Tour, field, resolve};
use traitql::{Batch, Ctx, Many, Throws};

pub struct App;

impl resolve::TourAuthor for App {
    async fn resolve<'b>(&self, _: &Ctx, tours: Batch<'b, Tour>) -> Result<Many<'b, Person>, Throws<field::TourAuthor>> {
        Ok(tours.map_many(|_| Ok(Vec::new())))
    }
}
