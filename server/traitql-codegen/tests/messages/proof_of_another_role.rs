// A guarded resolver that expects the proof of another role than the schema's.
// Mend: expect the role that the schema names in `@auth`.
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
