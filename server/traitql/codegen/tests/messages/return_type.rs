// The resolver returns another type than the schema declares: `Tour!` is never null.
// Fix: return the value itself, or make the field nullable in the schema. Report a missing object with an error code.
use api::{Tour, TourChangeInput, field, resolve};
use traitql::{Ctx, Throws};

pub struct App;

impl resolve::MutationTourChange for App {
    async fn resolve(&self, _: &Ctx, _: TourChangeInput) -> Result<Option<Tour>, Throws<field::MutationTourChange>> {
        Ok(None)
    }
}
