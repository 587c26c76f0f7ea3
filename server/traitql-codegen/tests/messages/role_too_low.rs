// A reader's proof is passed where an author's is needed, first as it is, then "lowered" to a higher role.
// Mend: call what the reader may call, or guard your own field with the higher role.
use api::{Tour, resolve, role};
use traitql::{Ctx, Viewer};

pub async fn rename(app: &impl resolve::MutationTourRename, cx: &Ctx, viewer: &Viewer<role::Reader>) -> Option<Tour> {
    app.resolve(cx, viewer, "t1".into(), "Mine".to_owned()).await.ok()
}

pub fn promote(viewer: &Viewer<role::Reader>) -> Viewer<role::Author> {
    viewer.lower::<role::Author>()
}
