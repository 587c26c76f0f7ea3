use futures_util::FutureExt;
use traitql::{Ctx, Events, Id, Throws, Viewer};
use waypost_api::{Review, ReviewState, Revision, Workspace, audit, errors, field, resolve, role, transition};
use waypost_domain::{
    audit::Entry,
    change::Changed,
    release::illegal_transition,
    review::{require_approver, store},
    store::ForChange,
    tour::{self, problem::releasable, revisions},
    workspace,
};

use crate::{App, visitor::MIN_UPDATE_INTERVAL};

impl resolve::QueryRevision for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        _viewer: &Viewer<role::Viewer>,
        id: Id,
    ) -> Result<Option<Revision>, Throws<field::QueryRevision>> {
        Ok(revisions::by_ids(self.store.reader(), &[id]).await?.pop())
    }
}

impl resolve::QueryReview for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        _viewer: &Viewer<role::Viewer>,
        id: Id,
    ) -> Result<Option<Review>, Throws<field::QueryReview>> {
        Ok(store::by_id(self.store.reader(), &id).await?)
    }
}

impl resolve::QueryReviewsReturned for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<role::Viewer>,
        workspace_id: Id,
    ) -> Result<Vec<Review>, Throws<field::QueryReviewsReturned>> {
        Ok(store::returned(self.store.reader(), &workspace_id, &viewer.account).await?)
    }
}

impl resolve::SubscriptionReviewsChanged for App {
    async fn resolve(
        &self,
        cx: &Ctx,
        viewer: &Viewer<role::Viewer>,
        workspace_id: Id,
    ) -> Result<Events<Workspace, field::SubscriptionReviewsChanged>, Throws<field::SubscriptionReviewsChanged>> {
        let live = (&self.live_reviews, Changed::Reviews(workspace_id.clone()), workspace_id);
        Ok(self.live(cx, viewer, live, MIN_UPDATE_INTERVAL, |app, id| {
            async move { Ok(workspace::store::by_ids(app.store.reader(), &[id]).await?.pop()) }.boxed()
        }))
    }
}

impl resolve::MutationRevisionSubmit for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<role::Author>,
        id: Id,
        expected_version: i32,
        note: Option<String>,
        reviewer_id: Option<Id>,
    ) -> Result<Revision, Throws<field::MutationRevisionSubmit>> {
        let mut tx = self.store.write(audit::REVISION_SUBMIT, &viewer.account).await?;
        let ForChange {
            row: before,
            changed_by: person,
        } = revisions::for_change(tx.conn(), &id).await?;
        let tour = tour::store::for_change(tx.conn(), &before.tour_id).await?.row;
        tour::ensure_not_archived(&tour)?;
        let state = transition::REVISION_SUBMIT
            .apply(before.state)
            .map_err(illegal_transition("revision"))?;
        if before.version != expected_version {
            return Err(errors::VersionConflict { person }.into());
        }
        releasable(&before.steps, &before.start)?;
        let mut entry = Entry::on(&tour.workspace_id, &tour.title).added("revision", before.number);
        if let Some(reviewer) = &reviewer_id {
            let subject = (&tour.workspace_id, &before);
            let name = require_approver(tx.conn(), subject, &viewer.account, reviewer).await?;
            entry = entry.added("reviewer", name);
        }
        let note = trimmed(note);
        let request = store::ReviewRequest {
            by: &viewer.account,
            at: tx.now(),
            note: note.as_deref(),
            reviewer: reviewer_id.as_ref(),
        };
        store::begin(tx.conn(), &before, request).await?;
        revisions::set_in_review(tx.conn(), &id, true).await?;
        tx.touch(Changed::Tour(tour.id));
        tx.touch(Changed::Reviews(tour.workspace_id));
        tx.commit(entry.with_note(note.as_deref())).await?;
        Ok(Revision { state, ..before })
    }
}

impl resolve::MutationRevisionReturn for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<role::Author>,
        id: Id,
        note: Option<String>,
    ) -> Result<Revision, Throws<field::MutationRevisionReturn>> {
        let mut tx = self.store.write(audit::REVISION_RETURN, &viewer.account).await?;
        let before = revisions::for_change(tx.conn(), &id).await?.row;
        let tour = tour::store::for_change(tx.conn(), &before.tour_id).await?.row;
        tour::ensure_not_archived(&tour)?;
        let state = transition::REVISION_RETURN
            .apply(before.state)
            .map_err(illegal_transition("revision"))?;
        let note = trimmed(note);
        let end = store::ReviewEnd {
            state: ReviewState::Returned,
            by: &viewer.account,
            at: tx.now(),
            answer: note.as_deref(),
        };
        store::end(tx.conn(), &id, end).await?;
        revisions::set_in_review(tx.conn(), &id, false).await?;
        tx.touch(Changed::Tour(tour.id));
        let entry = Entry::on(&tour.workspace_id, &tour.title).added("revision", before.number);
        tx.touch(Changed::Reviews(tour.workspace_id));
        tx.commit(entry.with_note(note.as_deref())).await?;
        Ok(Revision { state, ..before })
    }
}

fn trimmed(note: Option<String>) -> Option<String> {
    note.map(|note| note.trim().to_owned()).filter(|note| !note.is_empty())
}
