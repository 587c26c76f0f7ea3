//! Root fields of comments. They leave no audit entry: a comment says itself who made it and who closed it, and stays.

use traitql::{Ctx, Id, Throws, Viewer};
use waypost_api::{Comment, CommentAddInput, errors, field, resolve, role};

use super::store;
use crate::{
    App,
    change::Changed,
    tour::{self, revisions},
};

impl resolve::MutationCommentAdd for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<role::Author>,
        input: CommentAddInput,
    ) -> Result<Comment, Throws<field::MutationCommentAdd>> {
        let mut tx = self.store.save().await?;
        let (revision, _) = revisions::for_change(tx.conn(), &input.revision_id).await?;
        let (tour, _) = tour::store::for_change(tx.conn(), &revision.tour_id).await?;
        tour::open(&tour)?;
        let step_key = input.step_key.value();
        if let Some(key) = &step_key
            && !revision.steps.iter().any(|step| step.key == *key)
        {
            return Err(errors::UnknownStep { key: key.clone() }.into());
        }
        let now = tx.now;
        let said = store::Said {
            step_key: step_key.as_deref(),
            body: &input.body,
            by: &viewer.account,
            at: now,
        };
        let comment = store::comment_insert(tx.conn(), &revision, said).await?;
        tx.touch(Changed::Tour(tour.id));
        tx.commit().await?;
        Ok(comment)
    }
}

impl resolve::MutationCommentResolve for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<role::Author>,
        id: Id,
    ) -> Result<Comment, Throws<field::MutationCommentResolve>> {
        let mut tx = self.store.save().await?;
        let tour = tour::store::of_comment(tx.conn(), &id).await?;
        tour::open(&tour)?;
        let now = tx.now;
        let comment = store::comment_resolve(tx.conn(), &id, &viewer.account, now).await?;
        tx.touch(Changed::Tour(tour.id));
        tx.commit().await?;
        Ok(comment)
    }
}

impl resolve::MutationCommentReopen for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        _viewer: &Viewer<role::Author>,
        id: Id,
    ) -> Result<Comment, Throws<field::MutationCommentReopen>> {
        let mut tx = self.store.save().await?;
        let tour = tour::store::of_comment(tx.conn(), &id).await?;
        tour::open(&tour)?;
        let comment = store::comment_reopen(tx.conn(), &id).await?;
        tx.touch(Changed::Tour(tour.id));
        tx.commit().await?;
        Ok(comment)
    }
}
