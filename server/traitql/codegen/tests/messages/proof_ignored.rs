// A guarded resolver does not take the proof of its access check.
// Fix: take `viewer: &Viewer<role::…>` after the context. Name it `_viewer` if you do not use it.
use api::{Tour, field, resolve};
use traitql::{Ctx, Id, Throws};

pub struct App;

impl resolve::MutationTourRename for App {
    async fn resolve(&self, _: &Ctx, _: Id, _: String) -> Result<Tour, Throws<field::MutationTourRename>> {
        todo!()
    }
}
