//! Only deletions are audited, because a comment itself contains its author and who resolved it.

use traitql::{Ctx, Id, Internal, Throws, Viewer};
use waypost_api::{Comment, CommentAddInput, Role, audit, errors, field, resolve, role};
use waypost_domain::{
    audit::Entry,
    change::Changed,
    review::store,
    store::{Conn, ForChange},
    tour::{self, revisions},
    workspace,
};

use crate::App;

impl resolve::MutationCommentAdd for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<role::Author>,
        input: CommentAddInput,
    ) -> Result<Comment, Throws<field::MutationCommentAdd>> {
        let mut tx = self.store.save().await?;
        let revision = revisions::for_change(tx.conn(), &input.revision_id).await?.row;
        let tour = tour::store::for_change(tx.conn(), &revision.tour_id).await?.row;
        tour::ensure_not_archived(&tour)?;
        let step_key = input.step_key.value();
        if let Some(key) = &step_key
            && !revision.steps.iter().any(|step| step.key == *key)
        {
            return Err(errors::UnknownStep { key: key.clone() }.into());
        }
        let now = tx.now;
        let new = store::NewComment {
            step_key: step_key.as_deref(),
            body: &input.body,
            by: &viewer.account,
            at: now,
        };
        let comment = store::comment_insert(tx.conn(), &revision, new).await?;
        tx.touch(Changed::Tour(tour.id));
        tx.touch(Changed::Reviews(tour.workspace_id));
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
        let tour = tour::store::of_comment(tx.conn(), &id).await?.ok_or_else(not_found)?;
        tour::ensure_not_archived(&tour)?;
        let now = tx.now;
        let comment = store::comment_resolve(tx.conn(), &id, &viewer.account, now).await?;
        tx.touch(Changed::Tour(tour.id));
        tx.touch(Changed::Reviews(tour.workspace_id));
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
        let tour = tour::store::of_comment(tx.conn(), &id).await?.ok_or_else(not_found)?;
        tour::ensure_not_archived(&tour)?;
        let comment = store::comment_reopen(tx.conn(), &id).await?;
        tx.touch(Changed::Tour(tour.id));
        tx.touch(Changed::Reviews(tour.workspace_id));
        tx.commit().await?;
        Ok(comment)
    }
}

impl resolve::MutationCommentDelete for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<role::Author>,
        id: Id,
    ) -> Result<Id, Throws<field::MutationCommentDelete>> {
        let mut tx = self.store.write(audit::COMMENT_DELETE, &viewer.account).await?;
        let tour = tour::store::of_comment(tx.conn(), &id).await?.ok_or_else(not_found)?;
        tour::ensure_not_archived(&tour)?;
        let (by, person) = store::comment_author(tx.conn(), &id).await?;
        if by != viewer.account && !is_admin(tx.conn(), &tour.workspace_id, &viewer.account).await? {
            return Err(errors::CommentNotYours { person }.into());
        }
        store::comment_delete(tx.conn(), &id).await?;
        // Deleting a comment must remove its text.
        let entry = Entry::on(&tour.workspace_id, &tour.title).removed("commentBy", person);
        tx.touch(Changed::Tour(tour.id));
        tx.touch(Changed::Reviews(tour.workspace_id));
        tx.commit(entry).await?;
        Ok(id)
    }
}

impl resolve::MutationCommentReply for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<role::Author>,
        id: Id,
        body: String,
    ) -> Result<Comment, Throws<field::MutationCommentReply>> {
        let mut tx = self.store.save().await?;
        let tour = tour::store::of_comment(tx.conn(), &id).await?.ok_or_else(not_found)?;
        tour::ensure_not_archived(&tour)?;
        let comment = store::comment_by_id(tx.conn(), &id).await?.ok_or_else(not_found)?;
        let now = tx.now;
        store::reply_insert(tx.conn(), &id, &body, &viewer.account, now).await?;
        tx.touch(Changed::Tour(tour.id));
        tx.commit().await?;
        Ok(comment)
    }
}

impl resolve::MutationCommentReplyDelete for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<role::Author>,
        id: Id,
    ) -> Result<Comment, Throws<field::MutationCommentReplyDelete>> {
        let mut tx = self.store.write(audit::COMMENT_REPLY_DELETE, &viewer.account).await?;
        let found = store::reply_for_change(tx.conn(), &id).await?;
        let ForChange {
            row: reply,
            changed_by: person,
        } = found.ok_or_else(|| missing("reply"))?;
        let comment = store::comment_by_id(tx.conn(), &reply.comment_id).await?;
        let comment = comment.ok_or_else(not_found)?;
        let tour = tour::store::of_comment(tx.conn(), &comment.id)
            .await?
            .ok_or_else(not_found)?;
        tour::ensure_not_archived(&tour)?;
        if reply.by_id != viewer.account && !is_admin(tx.conn(), &tour.workspace_id, &viewer.account).await? {
            return Err(errors::CommentNotYours { person }.into());
        }
        store::reply_delete(tx.conn(), &id).await?;
        // Deleting a reply must remove its text.
        let entry = Entry::on(&tour.workspace_id, &tour.title).removed("commentBy", person);
        tx.touch(Changed::Tour(tour.id));
        tx.commit(entry).await?;
        Ok(comment)
    }
}

async fn is_admin(conn: &mut Conn, workspace_id: &Id, account: &Id) -> Result<bool, Internal> {
    let member = workspace::store::member_of(conn, workspace_id, account).await?;
    Ok(member.is_some_and(|member| member.role == Role::Admin))
}

fn not_found() -> errors::NotFound {
    missing("comment")
}

fn missing(thing: &str) -> errors::NotFound {
    let thing = thing.to_owned();
    errors::NotFound { thing }
}
