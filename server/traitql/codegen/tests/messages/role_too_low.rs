// The proof of a reader is passed where an author is required, first directly, then converted to a higher role.
// Fix: call a resolver that readers may call, or guard your own field with the higher role.
use api::{Tour, resolve, role};
use traitql::{Ctx, Viewer};

pub async fn rename(app: &impl resolve::MutationTourRename, cx: &Ctx, viewer: &Viewer<role::Reader>) -> Option<Tour> {
    app.resolve(cx, viewer, "t1".into(), "Mine".to_owned()).await.ok()
}

pub fn promote(viewer: &Viewer<role::Reader>) -> Viewer<role::Author> {
    viewer.lower::<role::Author>()
}
