// `Tour.summary` was removed from the schema; its resolver is still there.
// Mend: remove the `impl`, or put the field back into the schema. `cargo traitql diff` names such orphans.
use api::{Person, Step, Tour, field, resolve};
use traitql::{Batch, Ctx, Many, One, Throws};

pub struct App;

impl resolve::TourSummary for App {
    async fn resolve<'b>(&self, _: &Ctx, tours: Batch<'b, Tour>) -> Result<One<'b, String>, Throws<field::TourSummary>> {
        Ok(tours.map(|tour| Ok(tour.title.clone())))
    }
}
