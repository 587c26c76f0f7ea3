use std::collections::HashMap;

use traitql::{Batch, Ctx, Id, Many, One, Throws};
use waypost_api::{Comment, CommentReply, Review, ReviewedContent, Revision, Workspace, field, resolve};
use waypost_domain::review::store;

use crate::App;

impl resolve::WorkspaceReviewsWaiting for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        workspaces: Batch<'b, Workspace>,
    ) -> Result<Many<'b, Review>, Throws<field::WorkspaceReviewsWaiting>> {
        let waiting = store::waiting(self.store.reader(), &workspaces.keys(|w| w.id.clone())).await?;
        let mut by_workspace: HashMap<Id, Vec<Review>> = HashMap::new();
        for (workspace, review) in waiting {
            by_workspace.entry(workspace).or_default().push(review);
        }
        Ok(workspaces.map_many(|workspace| Ok(by_workspace.remove(&workspace.id).unwrap_or_default())))
    }
}

impl resolve::RevisionReviews for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        revisions: Batch<'b, Revision>,
    ) -> Result<Many<'b, Review>, Throws<field::RevisionReviews>> {
        let reviews = store::of_revisions(self.store.reader(), &revisions.keys(|r| r.id.clone())).await?;
        Ok(revisions.group(reviews, |review| review.revision_id.clone(), |r| r.id.clone()))
    }
}

impl resolve::RevisionComments for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        revisions: Batch<'b, Revision>,
    ) -> Result<Many<'b, Comment>, Throws<field::RevisionComments>> {
        let listed = store::comments(self.store.reader(), &revisions.keys(|r| r.id.clone())).await?;
        let mut by_revision: HashMap<Id, Vec<Comment>> = HashMap::new();
        for (revision, comment) in listed {
            by_revision.entry(revision).or_default().push(comment);
        }
        Ok(revisions.map_many(|revision| Ok(by_revision.remove(&revision.id).unwrap_or_default())))
    }
}

impl resolve::RevisionOpenComments for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        revisions: Batch<'b, Revision>,
    ) -> Result<One<'b, i32>, Throws<field::RevisionOpenComments>> {
        let counts = store::open_comments(self.store.reader(), &revisions.keys(|r| r.id.clone())).await?;
        let counts: HashMap<Id, i32> = counts.into_iter().collect();
        Ok(revisions.map(|revision| Ok(counts.get(&revision.id).copied().unwrap_or(0))))
    }
}

impl resolve::ReviewContent for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        reviews: Batch<'b, Review>,
    ) -> Result<One<'b, ReviewedContent>, Throws<field::ReviewContent>> {
        let contents = store::contents(self.store.reader(), &reviews.keys(|r| r.id.clone())).await?;
        Ok(reviews.join(contents, |content| content.review_id.clone(), |r| r.id.clone()))
    }
}

impl resolve::CommentReplies for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        comments: Batch<'b, Comment>,
    ) -> Result<Many<'b, CommentReply>, Throws<field::CommentReplies>> {
        let replies = store::replies(self.store.reader(), &comments.keys(|c| c.id.clone())).await?;
        Ok(comments.group(replies, |reply| reply.comment_id.clone(), |c| c.id.clone()))
    }
}
