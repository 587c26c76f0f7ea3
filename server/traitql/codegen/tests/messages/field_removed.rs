// `Tour.summary` was removed from the schema, but its resolver still exists.
// Fix: remove the `impl`, or add the field to the schema again. `cargo traitql diff` lists such resolvers.
use api::{Person, Step, Tour, field, resolve};
use traitql::{Batch, Ctx, Many, One, Throws};

pub struct App;

impl resolve::TourSummary for App {
    async fn resolve<'b>(&self, _: &Ctx, tours: Batch<'b, Tour>) -> Result<One<'b, String>, Throws<field::TourSummary>> {
        Ok(tours.map(|tour| Ok(tour.title.clone())))
    }
}
