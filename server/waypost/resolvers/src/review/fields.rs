use std::collections::HashMap;

use traitql::{Batch, Ctx, Id, Many, One, Throws};
use waypost_api::{
    Account, Comment, CommentReply, Review, ReviewedContent, Revision, Theme, Tour, Workspace, field, resolve,
};
use waypost_domain::{
    account,
    review::store,
    theme,
    tour::{self, revisions},
};

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

impl resolve::ReviewRevision for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        reviews: Batch<'b, Review>,
    ) -> Result<One<'b, Revision>, Throws<field::ReviewRevision>> {
        let rows = revisions::by_ids(self.store.reader(), &reviews.keys(|r| r.revision_id.clone())).await?;
        Ok(reviews.join(rows, |revision| revision.id.clone(), |r| r.revision_id.clone()))
    }
}

impl resolve::ReviewTour for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        reviews: Batch<'b, Review>,
    ) -> Result<One<'b, Tour>, Throws<field::ReviewTour>> {
        let tours = tour::store::by_ids(self.store.reader(), &reviews.keys(|r| r.tour_id.clone())).await?;
        Ok(reviews.join(tours, |tour| tour.id.clone(), |r| r.tour_id.clone()))
    }
}

impl resolve::ReviewBy for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        reviews: Batch<'b, Review>,
    ) -> Result<One<'b, Account>, Throws<field::ReviewBy>> {
        let accounts = account::store::by_ids(self.store.reader(), &reviews.keys(|r| r.by_id.clone())).await?;
        Ok(reviews.join(accounts, |account| account.id.clone(), |r| r.by_id.clone()))
    }
}

impl resolve::ReviewReviewer for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        reviews: Batch<'b, Review>,
    ) -> Result<One<'b, Account>, Throws<field::ReviewReviewer>> {
        let ids = reviews.keys_opt(|r| r.reviewer_id.clone());
        let accounts = account::store::by_ids(self.store.reader(), &ids).await?;
        Ok(reviews.join(accounts, |account| Some(account.id.clone()), |r| r.reviewer_id.clone()))
    }
}

impl resolve::ReviewEndedBy for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        reviews: Batch<'b, Review>,
    ) -> Result<One<'b, Account>, Throws<field::ReviewEndedBy>> {
        let accounts =
            account::store::by_ids(self.store.reader(), &reviews.keys_opt(|r| r.ended_by_id.clone())).await?;
        Ok(reviews.join(accounts, |account| Some(account.id.clone()), |r| r.ended_by_id.clone()))
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

impl resolve::ReviewedContentTheme for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        contents: Batch<'b, ReviewedContent>,
    ) -> Result<One<'b, Theme>, Throws<field::ReviewedContentTheme>> {
        let themes = theme::store::by_ids(self.store.reader(), &contents.keys_opt(|c| c.theme_id.clone())).await?;
        Ok(contents.join(themes, |theme| Some(theme.id.clone()), |c| c.theme_id.clone()))
    }
}

impl resolve::CommentRevision for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        comments: Batch<'b, Comment>,
    ) -> Result<One<'b, Revision>, Throws<field::CommentRevision>> {
        let rows = revisions::by_ids(self.store.reader(), &comments.keys(|c| c.revision_id.clone())).await?;
        Ok(comments.join(rows, |revision| revision.id.clone(), |c| c.revision_id.clone()))
    }
}

impl resolve::CommentBy for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        comments: Batch<'b, Comment>,
    ) -> Result<One<'b, Account>, Throws<field::CommentBy>> {
        let accounts = account::store::by_ids(self.store.reader(), &comments.keys(|c| c.by_id.clone())).await?;
        Ok(comments.join(accounts, |account| account.id.clone(), |c| c.by_id.clone()))
    }
}

impl resolve::CommentResolvedBy for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        comments: Batch<'b, Comment>,
    ) -> Result<One<'b, Account>, Throws<field::CommentResolvedBy>> {
        let ids = comments.keys_opt(|c| c.resolved_by_id.clone());
        let accounts = account::store::by_ids(self.store.reader(), &ids).await?;
        Ok(comments.join(
            accounts,
            |account| Some(account.id.clone()),
            |c| c.resolved_by_id.clone(),
        ))
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

impl resolve::CommentReplyBy for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        replies: Batch<'b, CommentReply>,
    ) -> Result<One<'b, Account>, Throws<field::CommentReplyBy>> {
        let accounts = account::store::by_ids(self.store.reader(), &replies.keys(|r| r.by_id.clone())).await?;
        Ok(replies.join(accounts, |account| account.id.clone(), |r| r.by_id.clone()))
    }
}
