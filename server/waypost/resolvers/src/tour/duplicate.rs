use traitql::{Ctx, Id, Throws, Viewer};
use waypost_api::{Tour, audit, errors, field, resolve, role};
use waypost_domain::{
    audit::Entry,
    store::OnConstraint,
    tour::{content::Content, revisions, store},
};

use super::mutations::tour_limit_reached;
use crate::App;

impl resolve::MutationTourDuplicate for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<role::Author>,
        id: Id,
        title: String,
        slug: String,
    ) -> Result<Tour, Throws<field::MutationTourDuplicate>> {
        let mut tx = self.store.write(audit::TOUR_DUPLICATE, &viewer.account).await?;
        let (author, now) = (&viewer.account, tx.now());
        let original = store::for_change(tx.conn(), &id).await?.row;
        if let Some(error) = tour_limit_reached(tx.conn(), &original.workspace_id).await? {
            return Err(error.into());
        }
        let draft = revisions::draft(tx.conn(), &id).await?.row;
        let copy = store::insert(tx.conn(), &original.workspace_id, &slug, &title, author, now)
            .await
            .on_constraint(&store::SLUG_KEY, || errors::SlugTaken { slug })?;
        revisions::insert_draft(tx.conn(), &copy, 1, 1, &Content::from(&draft), author, now).await?;
        let tour = store::for_change(tx.conn(), &copy).await?.row;
        let entry = Entry::on(&tour.workspace_id, &tour.title).added("slug", &tour.slug);
        tx.commit(entry.added("from", &original.title)).await?;
        Ok(tour)
    }
}
