// A guarded resolver without the proof that it is handed.
// Mend: take `viewer: &Viewer<role::…>` after the context; name it `_viewer` if nothing is asked of it.
use api::{Tour, field, resolve};
use traitql::{Ctx, Id, Throws};

pub struct App;

impl resolve::MutationTourRename for App {
    async fn resolve(&self, _: &Ctx, _: Id, _: String) -> Result<Tour, Throws<field::MutationTourRename>> {
        todo!()
    }
}
