// A guarded resolver takes the proof of another role than the schema requires.
// Fix: use the role that `@auth` declares.
use api::{Tour, field, resolve, role};
use traitql::{Ctx, Id, Throws, Viewer};

pub struct App;

impl resolve::MutationTourRename for App {
    async fn resolve(
        &self,
        _: &Ctx,
        _: &Viewer<role::Reader>,
        _: Id,
        _: String,
    ) -> Result<Tour, Throws<field::MutationTourRename>> {
        todo!()
    }
}
