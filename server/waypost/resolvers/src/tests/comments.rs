//! Comments on revisions, and replies to them.

use futures_util::StreamExt;
use traitql::{Id, Patch, Viewer, with_batch};
use waypost_api::{Comment, CommentAddInput, CommentReply, Revision, Role, resolve, role};

use super::reviews::draft;
use crate::{
    App,
    testing::{TestApp, anonymous, code},
};

async fn comments(app: &App, revision: &Revision) -> Vec<Comment> {
    with_batch(std::slice::from_ref(revision), async |revisions| {
        let column = resolve::RevisionComments::resolve(app, &anonymous(), revisions).await;
        column.expect("comments").get(0).to_vec()
    })
    .await
}

async fn open_comments(app: &App, revision: &Revision) -> i32 {
    with_batch(std::slice::from_ref(revision), async |revisions| {
        let column = resolve::RevisionOpenComments::resolve(app, &anonymous(), revisions).await;
        *column.expect("counts").get(0).expect("a count")
    })
    .await
}

pub(super) async fn replies(app: &App, comment: &Comment) -> Vec<CommentReply> {
    with_batch(std::slice::from_ref(comment), async |comments| {
        let column = resolve::CommentReplies::resolve(app, &anonymous(), comments).await;
        column.expect("replies").get(0).to_vec()
    })
    .await
}

#[tokio::test]
async fn comments_are_added_resolved_and_reopened() {
    let test = TestApp::new().await;
    let (app, cx) = (&test.app, &anonymous());
    let admin = test.workspace("team", "ada").await;
    let author = &admin.lower();
    let tour = test.tour(&admin, "first", &["a"]).await;
    let draft = draft(app, &tour).await;
    let comment_on = async |step: Option<&str>, body: &str| {
        let mut input = CommentAddInput::new(draft.id.clone(), body.to_owned());
        input.step_key = step.map_or(Patch::Keep, |key| Patch::Set(key.to_owned()));
        resolve::MutationCommentAdd::resolve(app, cx, author, input).await
    };
    assert_eq!(code(comment_on(Some("b"), "Where?").await), "UNKNOWN_STEP");
    let whole = comment_on(None, "Too long.").await.expect("a comment");
    test.advance(1000);
    let of_step = comment_on(Some("a"), "A better title?").await.expect("a comment");
    let listed = comments(app, &draft).await;
    assert_eq!(
        listed.iter().map(|c| &c.id).collect::<Vec<_>>(),
        [&whole.id, &of_step.id]
    );
    assert_eq!(listed[1].step_key.as_deref(), Some("a"));

    let close = async || resolve::MutationCommentResolve::resolve(app, cx, author, whole.id.clone()).await;
    let closed = close().await.expect("closed");
    test.advance(1000);
    assert_eq!(close().await.expect("closed already").resolved_at, closed.resolved_at);
    assert_eq!(closed.resolved_by_id, Some(admin.account.clone()));
    assert_eq!(open_comments(app, &draft).await, 1);
    let opened = resolve::MutationCommentReopen::resolve(app, cx, author, whole.id.clone()).await;
    assert_eq!(opened.expect("open again").resolved_by_id, None);
    assert_eq!(open_comments(app, &draft).await, 2);

    resolve::MutationTourArchive::resolve(app, cx, &admin.lower(), tour.id.clone())
        .await
        .expect("archived");
    assert_eq!(code(comment_on(None, "Late.").await), "TOUR_ARCHIVED");
    assert_eq!(code(close().await), "TOUR_ARCHIVED");
    let opened = resolve::MutationCommentReopen::resolve(app, cx, author, whole.id).await;
    assert_eq!(code(opened), "TOUR_ARCHIVED");
}

#[tokio::test]
async fn a_comment_is_deleted_by_its_author_or_an_administrator() {
    let test = TestApp::new().await;
    let (app, cx) = (&test.app, &anonymous());
    let admin = test.workspace("team", "ada").await;
    let tour = test.tour(&admin, "first", &["a"]).await;
    let draft = draft(app, &tour).await;
    let mut authors: Vec<Viewer<role::Author>> = Vec::new();
    for name in ["bob", "carl"] {
        let member = test.member(&admin, name, Role::Author).await;
        authors.push(Viewer::for_test(member.account_id, Some(admin.scope().clone())));
    }
    let (bob, carl) = (&authors[0], &authors[1]);
    let comment_on = async || {
        let input = CommentAddInput::new(draft.id.clone(), "The password is 1234.".to_owned());
        let comment = resolve::MutationCommentAdd::resolve(app, cx, bob, input).await;
        comment.expect("a comment").id
    };
    let delete = async |who: &Viewer<role::Author>, id: &Id| {
        resolve::MutationCommentDelete::resolve(app, cx, who, id.clone()).await
    };
    let (first, second) = (comment_on().await, comment_on().await);
    let refused = delete(carl, &first)
        .await
        .expect_err("a comment of another author")
        .into_error();
    assert_eq!(
        (refused.code, refused.slots["person"].as_str()),
        ("COMMENT_NOT_YOURS", Some("bob"))
    );
    let mut changes = resolve::SubscriptionTourChanged::resolve(app, cx, &admin.lower(), tour.id.clone())
        .await
        .expect("a stream");
    assert!(changes.next().await.is_some(), "the initial state");
    assert_eq!(delete(bob, &first).await.expect("deleted"), first);
    assert!(changes.next().await.is_some());
    assert_eq!(code(delete(&admin.lower(), &second).await), "no error");
    assert_eq!(comments(app, &draft).await.len(), 0);
    let log = resolve::QueryAudit::resolve(app, cx, &admin, admin.scope().clone(), None, 1, None).await;
    let log = format!("{:?}", log.expect("the log").nodes);
    assert!(log.contains("comment.delete") && !log.contains("1234"), "{log}");

    // A deleted comment, and the comments of an archived tour.
    assert_eq!(code(delete(bob, &first).await), "NOT_FOUND");
    let closed = resolve::MutationCommentResolve::resolve(app, cx, bob, first.clone()).await;
    assert_eq!(code(closed), "NOT_FOUND");
    let opened = resolve::MutationCommentReopen::resolve(app, cx, bob, first).await;
    assert_eq!(code(opened), "NOT_FOUND");
    let third = comment_on().await;
    resolve::MutationTourArchive::resolve(app, cx, &admin.lower(), tour.id)
        .await
        .expect("archived");
    assert_eq!(code(delete(bob, &third).await), "TOUR_ARCHIVED");
}

#[tokio::test]
async fn open_comments_are_listed_at_the_next_draft() {
    let test = TestApp::new().await;
    let (app, cx) = (&test.app, &anonymous());
    let admin = test.workspace("team", "ada").await;
    let site = test.site(&admin, "Shop").await;
    let tour = test.tour(&admin, "first", &["a"]).await;
    let first = draft(app, &tour).await;
    let comment_on = async |body: &str| {
        let input = CommentAddInput::new(first.id.clone(), body.to_owned());
        resolve::MutationCommentAdd::resolve(app, cx, &admin.lower(), input)
            .await
            .expect("a comment")
    };
    let (later, done) = (comment_on("For the next time.").await, comment_on("A comma.").await);
    resolve::MutationCommentResolve::resolve(app, cx, &admin.lower(), done.id.clone())
        .await
        .expect("closed");
    test.release(&admin, &tour, 2, &site).await;
    let next = draft(app, &tour).await;
    let ids = |comments: Vec<Comment>| comments.into_iter().map(|c| c.id).collect::<Vec<_>>();
    assert_eq!(ids(comments(app, &next).await), std::slice::from_ref(&later.id));
    assert_eq!(
        ids(comments(app, &first).await),
        [later.id, done.id],
        "both comments belong to it"
    );
    assert_eq!(
        (open_comments(app, &next).await, open_comments(app, &first).await),
        (1, 1)
    );
}

#[tokio::test]
async fn a_comment_has_replies_that_only_their_authors_and_administrators_can_delete() {
    for postgres in [None, Some(waypost_testkit::create_database())] {
        let test = TestApp::over(postgres, |_| {}).await;
        let (app, cx) = (&test.app, &anonymous());
        let admin = test.workspace("team", "ada").await;
        let tour = test.tour(&admin, "first", &["a"]).await;
        let draft = draft(app, &tour).await;
        let mut authors: Vec<Viewer<role::Author>> = Vec::new();
        for name in ["bob", "carl"] {
            let member = test.member(&admin, name, Role::Author).await;
            authors.push(Viewer::for_test(member.account_id, Some(admin.scope().clone())));
        }
        let (bob, carl) = (&authors[0], &authors[1]);
        let input = CommentAddInput::new(draft.id.clone(), "Too long?".to_owned());
        let comment = resolve::MutationCommentAdd::resolve(app, cx, &admin.lower(), input)
            .await
            .expect("a comment");
        let mut changes = resolve::SubscriptionTourChanged::resolve(app, cx, &admin.lower(), tour.id.clone())
            .await
            .expect("a stream");
        assert!(changes.next().await.is_some(), "the initial state");
        for (by, body) in [(bob, "No."), (carl, "The password is 1234.")] {
            test.advance(1000);
            let replied =
                resolve::MutationCommentReply::resolve(app, cx, by, comment.id.clone(), body.to_owned()).await;
            assert_eq!(replied.expect("replied"), comment);
            assert!(changes.next().await.is_some());
        }
        let listed = replies(app, &comment).await;
        let texts: Vec<_> = listed.iter().map(|reply| (&reply.by_id, reply.body.as_str())).collect();
        assert_eq!(texts, [(&bob.account, "No."), (&carl.account, "The password is 1234.")]);
        assert_eq!(open_comments(app, &draft).await, 1, "replies are not counted");

        let delete = async |who: &Viewer<role::Author>, id: &Id| {
            resolve::MutationCommentReplyDelete::resolve(app, cx, who, id.clone()).await
        };
        let refused = delete(bob, &listed[1].id)
            .await
            .expect_err("a reply of another author")
            .into_error();
        assert_eq!(
            (refused.code, refused.slots["person"].as_str()),
            ("COMMENT_NOT_YOURS", Some("carl"))
        );
        assert_eq!(delete(carl, &listed[1].id).await.expect("deleted"), comment);
        assert_eq!(code(delete(carl, &listed[1].id).await), "NOT_FOUND");
        assert_eq!(code(delete(&admin.lower(), &listed[0].id).await), "no error");
        assert!(replies(app, &comment).await.is_empty());
        let log = resolve::QueryAudit::resolve(app, cx, &admin, admin.scope().clone(), None, 2, None).await;
        let log = format!("{:?}", log.expect("the log").nodes);
        assert!(log.contains("comment.reply.delete") && !log.contains("1234"), "{log}");

        let reply =
            async || resolve::MutationCommentReply::resolve(app, cx, bob, comment.id.clone(), "Yes.".to_owned()).await;
        reply().await.expect("a reply");
        let kept = replies(app, &comment).await.remove(0);
        resolve::MutationTourArchive::resolve(app, cx, &admin.lower(), tour.id.clone())
            .await
            .expect("archived");
        assert_eq!(code(reply().await), "TOUR_ARCHIVED");
        assert_eq!(code(delete(bob, &kept.id).await), "TOUR_ARCHIVED");
        resolve::MutationTourRestore::resolve(app, cx, &admin.lower(), tour.id.clone())
            .await
            .expect("restored");
        resolve::MutationCommentDelete::resolve(app, cx, &admin.lower(), comment.id.clone())
            .await
            .expect("deleted with its replies");
        assert_eq!(code(reply().await), "NOT_FOUND");
        assert_eq!(code(delete(bob, &kept.id).await), "NOT_FOUND");
    }
}
