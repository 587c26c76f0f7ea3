// The arguments are not in the order of the schema.
// Fix: take the arguments in the order of the schema.
use api::{Tour, field, resolve, role};
use traitql::{Ctx, Id, Throws, Viewer};

pub struct App;

impl resolve::MutationTourRename for App {
    async fn resolve(
        &self,
        _: &Ctx,
        _: &Viewer<role::Author>,
        _: String,
        _: Id,
    ) -> Result<Tour, Throws<field::MutationTourRename>> {
        todo!()
    }
}
