use std::time::Duration;

use futures_util::{FutureExt, StreamExt};
use traitql::{Id, Viewer, with_batch};
use waypost_api::{
    CommentAddInput, Review, ReviewState, ReviewedContent, Revision, RevisionState, Role, Tour, TourOrder,
    TourReleaseInput, resolve, role,
};
use waypost_domain::{store::sql, workspace::store};

use super::access_tokens::token_account;
use crate::{
    App,
    testing::{TestApp, anonymous, code, save_input},
};

pub(super) async fn draft(app: &App, tour: &Tour) -> Revision {
    with_batch(std::slice::from_ref(tour), async |tours| {
        let column = resolve::TourDraft::resolve(app, &anonymous(), tours).await;
        column.expect("drafts").get(0).cloned().expect("a draft")
    })
    .await
}

async fn reviews(app: &App, revision: &Revision) -> Vec<Review> {
    with_batch(std::slice::from_ref(revision), async |revisions| {
        let column = resolve::RevisionReviews::resolve(app, &anonymous(), revisions).await;
        column.expect("reviews").get(0).to_vec()
    })
    .await
}

async fn content(app: &App, review: &Review) -> Option<ReviewedContent> {
    with_batch(std::slice::from_ref(review), async |reviews| {
        let column = resolve::ReviewContent::resolve(app, &anonymous(), reviews).await;
        column.expect("contents").get(0).cloned()
    })
    .await
}

pub(super) async fn waiting(app: &App, workspace: &Id) -> Vec<Review> {
    let workspaces = store::by_ids(app.store.reader(), std::slice::from_ref(workspace)).await;
    with_batch(&workspaces.expect("workspaces"), async |workspaces| {
        let column = resolve::WorkspaceReviewsWaiting::resolve(app, &anonymous(), workspaces).await;
        column.expect("reviews").get(0).to_vec()
    })
    .await
}

async fn submit(test: &TestApp, admin: &Viewer<role::Admin>, draft: &Revision, note: Option<&str>) -> Revision {
    let (id, note) = (draft.id.clone(), note.map(str::to_owned));
    let submitted = resolve::MutationRevisionSubmit::resolve(
        &test.app,
        &anonymous(),
        &admin.lower(),
        id,
        draft.version,
        note,
        None,
    )
    .await;
    submitted.expect("in review")
}

async fn require_review(test: &TestApp, admin: &Viewer<role::Admin>, version: i32, required: bool) {
    let workspace = admin.scope().clone();
    resolve::MutationWorkspaceReviewSet::resolve(&test.app, &anonymous(), admin, workspace, version, required)
        .await
        .expect("set");
}

#[tokio::test]
async fn a_revision_in_review_cannot_be_changed_until_it_is_returned() {
    let test = TestApp::new().await;
    let (app, cx) = (&test.app, &anonymous());
    let admin = test.workspace("team", "ada").await;
    let tour = test.tour(&admin, "first", &["a"]).await;
    let before = draft(app, &tour).await;
    let note = Some("  Look at the first step. ");
    assert_eq!(
        submit(&test, &admin, &before, note).await.state,
        RevisionState::InReview
    );
    let waiting = draft(app, &tour).await;
    assert_eq!(
        (waiting.state, waiting.version),
        (RevisionState::InReview, before.version)
    );

    let save = async |version| {
        let input = save_input(tour.id.as_str(), version);
        resolve::MutationTourSave::resolve(app, cx, &admin.lower(), input).await
    };
    assert_eq!(code(save(2).await), "REVISION_IN_REVIEW");
    assert_eq!(
        code(save(1).await),
        "REVISION_IN_REVIEW",
        "the review is reported before the version conflict"
    );
    let again =
        resolve::MutationRevisionSubmit::resolve(app, cx, &admin.lower(), before.id.clone(), 2, None, None).await;
    assert_eq!(code(again), "ILLEGAL_TRANSITION");

    test.advance(1000);
    let give_back = async |note: Option<&str>| {
        let (id, note) = (before.id.clone(), note.map(str::to_owned));
        resolve::MutationRevisionReturn::resolve(app, cx, &admin.lower(), id, note).await
    };
    assert_eq!(
        give_back(Some("Shorter, please.")).await.expect("returned").state,
        RevisionState::Draft
    );
    assert_eq!(code(give_back(None).await), "ILLEGAL_TRANSITION");
    assert!(save(2).await.is_ok());

    let of_draft = reviews(app, &before).await;
    assert_eq!(of_draft.len(), 1);
    assert_eq!(of_draft[0].note.as_deref(), Some("Look at the first step."));
    assert_eq!(of_draft[0].answer.as_deref(), Some("Shorter, please."));
    assert_eq!(of_draft[0].state, ReviewState::Returned);
    assert!(of_draft[0].ended_at > Some(of_draft[0].at));
}

#[tokio::test]
async fn a_reviewer_is_another_member_who_can_approve_the_revision() {
    for postgres in [None, Some(waypost_testkit::create_database())] {
        let test = TestApp::over(postgres, |_| {}).await;
        let (app, cx) = (&test.app, &anonymous());
        let admin = test.workspace("team", "ada").await;
        let bob = test.member(&admin, "bob", Role::Publisher).await;
        let carl = test.member(&admin, "carl", Role::Author).await;
        let tour = test.tour(&admin, "first", &["a"]).await;
        let draft = draft(app, &tour).await;
        let request = async |by: &Id, reviewer: &Id| {
            let by = Viewer::<role::Author>::for_test(by.clone(), admin.scope.clone());
            let (id, reviewer) = (draft.id.clone(), Some(reviewer.clone()));
            resolve::MutationRevisionSubmit::resolve(app, cx, &by, id, draft.version, None, reviewer).await
        };
        let (ada, bob_id, carl_id) = (&admin.account, &bob.account_id, &carl.account_id);
        let stranger = test.account("dora").await;
        let program = token_account(&test, &admin).await;
        for (by, reviewer, who) in [
            (carl_id, carl_id, "an author"),
            (ada, carl_id, "an author"),
            (ada, &stranger, "an account without membership"),
            (ada, &program, "an access token"),
            (ada, &Id::from("unknown"), "no account"),
            (bob_id, bob_id, "the caller"),
            (carl_id, ada, "the author of the draft"),
        ] {
            assert_eq!(code(request(by, reviewer).await), "REVIEWER_CANNOT_APPROVE", "{who}");
        }

        request(carl_id, bob_id).await.expect("in review");
        let log = resolve::QueryAudit::resolve(app, cx, &admin, admin.scope().clone(), None, 1, None).await;
        let log = format!("{:?}", log.expect("the log").nodes);
        assert!(log.contains("reviewer") && log.contains("bob"), "{log}");
        resolve::MutationRevisionReturn::resolve(app, cx, &admin.lower(), draft.id.clone(), None)
            .await
            .expect("returned");
        test.advance(1000);
        request(ada, bob_id).await.expect("in review again");
        let reviewers = async || {
            let reviews = reviews(app, &draft).await;
            reviews.into_iter().map(|review| review.reviewer_id).collect::<Vec<_>>()
        };
        assert_eq!(reviewers().await, [Some(bob_id.clone()), Some(bob_id.clone())]);
        resolve::MutationMemberRoleSet::resolve(app, cx, &admin, bob.id.clone(), Role::Admin)
            .await
            .expect("an administrator");
        assert_eq!(reviewers().await[0].as_ref(), Some(bob_id));
        resolve::MutationMemberRoleSet::resolve(app, cx, &admin, bob.id, Role::Author)
            .await
            .expect("an author");
        assert_eq!(
            reviewers().await,
            [None, Some(bob_id.clone())],
            "the waiting review needs another reviewer"
        );
    }
}

#[tokio::test]
async fn returned_reviews_are_listed_for_the_requester_until_the_next_request() {
    let test = TestApp::new().await;
    let (app, cx) = (&test.app, &anonymous());
    let admin = test.workspace("team", "ada").await;
    let bob = Viewer::<role::Author>::for_test(test.account("bob").await, admin.scope.clone());
    let site = test.site(&admin, "Shop").await;
    let returned = async |of: &Viewer<role::Viewer>| {
        let answer = resolve::QueryReviewsReturned::resolve(app, cx, of, admin.scope().clone()).await;
        let reviews = answer.expect("a result");
        reviews.into_iter().map(|review| review.tour_id).collect::<Vec<_>>()
    };
    let in_review = async || {
        let (workspace, state) = (admin.scope().clone(), Some(RevisionState::InReview));
        let viewer = admin.lower();
        let page = resolve::QueryTours::resolve(
            app,
            cx,
            &viewer,
            workspace,
            None,
            None,
            state,
            None,
            true,
            TourOrder::Changed,
            false,
            9,
            None,
        )
        .await;
        let page = page.expect("a page");
        (
            page.nodes.into_iter().map(|tour| tour.id).collect::<Vec<_>>(),
            page.total_count,
        )
    };
    let mut tours = Vec::new();
    for slug in ["own", "first", "second"] {
        tours.push(test.tour(&admin, slug, &["a"]).await);
    }
    let give_back = async |by: &Viewer<role::Author>, tour: &Tour| {
        let revision = submit(&test, &admin, &draft(app, tour).await, None).await;
        assert_eq!(in_review().await, (vec![tour.id.clone()], Some(1)));
        test.advance(1000);
        let answer = resolve::MutationRevisionReturn::resolve(app, cx, by, revision.id, None).await;
        answer.expect("returned");
    };
    give_back(&admin.lower(), &tours[0]).await;
    for tour in &tours[1..] {
        give_back(&bob, tour).await;
    }
    let ids = |places: &[usize]| places.iter().map(|at| tours[*at].id.clone()).collect::<Vec<_>>();
    assert_eq!(in_review().await, (vec![], Some(0)));
    assert_eq!(
        returned(&admin.lower()).await,
        ids(&[2, 1]),
        "newest first, without reviews that the requester ended"
    );
    assert_eq!(
        returned(&bob.lower()).await,
        [] as [Id; 0],
        "only the requester sees it"
    );

    submit(&test, &admin, &draft(app, &tours[1]).await, None).await;
    assert_eq!(returned(&admin.lower()).await, ids(&[2]));
    test.release(&admin, &tours[2], 2, &site).await;
    assert_eq!(returned(&admin.lower()).await, [] as [Id; 0]);
}

#[tokio::test]
async fn a_review_stores_the_reviewed_content_when_it_ends() {
    let test = TestApp::new().await;
    let (app, cx) = (&test.app, &anonymous());
    let admin = test.workspace("team", "ada").await;
    let tour = test.tour(&admin, "first", &["a"]).await;
    let looked_at = draft(app, &tour).await;
    let review = async || reviews(app, &looked_at).await.remove(0);
    submit(&test, &admin, &looked_at, None).await;
    assert_eq!(
        content(app, &review().await).await,
        None,
        "a waiting review has no stored content"
    );

    resolve::MutationRevisionReturn::resolve(app, cx, &admin.lower(), looked_at.id.clone(), None)
        .await
        .expect("returned");
    test.save(&admin, &tour, looked_at.version, &["a", "b"]).await;
    let returned = review().await;
    let kept = content(app, &returned).await.expect("kept");
    assert_eq!((&kept.steps, &kept.start), (&looked_at.steps, &looked_at.start));
    let found = resolve::QueryReview::resolve(app, cx, &admin.lower(), returned.id.clone()).await;
    assert_eq!(found.expect("a result"), Some(returned));

    test.advance(1000);
    let site = test.site(&admin, "Shop").await;
    let again = draft(app, &tour).await;
    submit(&test, &admin, &again, None).await;
    test.release(&admin, &tour, again.version, &site).await;
    let released = content(app, &review().await).await.expect("kept");
    assert_eq!((released.steps, released.start), (again.steps, again.start));
}

#[tokio::test]
async fn a_draft_with_blockers_cannot_be_submitted() {
    let test = TestApp::new().await;
    let (app, cx) = (&test.app, &anonymous());
    let admin = test.workspace("team", "ada").await;
    let tour = test.tour(&admin, "first", &[]).await;
    let id = draft(app, &tour).await.id;
    let submit = async |version| {
        resolve::MutationRevisionSubmit::resolve(app, cx, &admin.lower(), id.clone(), version, None, None).await
    };
    assert_eq!(code(submit(1).await), "VERSION_CONFLICT");
    assert_eq!(code(submit(2).await), "HAS_BLOCKERS");
    resolve::MutationTourArchive::resolve(app, cx, &admin.lower(), tour.id.clone())
        .await
        .expect("archived");
    assert_eq!(code(submit(2).await), "TOUR_ARCHIVED");
    let returned = resolve::MutationRevisionReturn::resolve(app, cx, &admin.lower(), id, None).await;
    assert_eq!(code(returned), "TOUR_ARCHIVED");
}

#[tokio::test]
async fn if_reviews_are_required_another_member_must_release_the_reviewed_revision() {
    let test = TestApp::new().await;
    let (app, cx) = (&test.app, &anonymous());
    let admin = test.workspace("team", "ada").await;
    let bob = Viewer::<role::Publisher>::for_test(test.account("bob").await, admin.scope.clone());
    let (shop, docs) = (test.site(&admin, "Shop").await, test.site(&admin, "Docs").await);
    let tour = test.tour(&admin, "first", &["a"]).await;
    let release = async |by: &Viewer<role::Publisher>, version, site: &waypost_api::Site| {
        let input = TourReleaseInput::new(tour.id.clone(), version, vec![site.id.clone()]);
        resolve::MutationTourRelease::resolve(app, cx, by, input).await
    };
    let ada = &admin.lower();
    require_review(&test, &admin, 1, true).await;
    assert_eq!(code(release(&bob, 2, &shop).await), "REVIEW_REQUIRED");
    let first = draft(app, &tour).await;
    submit(&test, &admin, &first, None).await;
    assert_eq!(code(release(ada, 2, &shop).await), "REVISION_IS_YOURS");
    let released = release(&bob, 2, &shop).await.expect("released").remove(0);
    assert_eq!(released.revision_id, first.id);
    let of_first = reviews(app, &first).await;
    assert_eq!(
        (of_first[0].state, &of_first[0].ended_by_id),
        (ReviewState::Released, &Some(bob.account.clone()))
    );
    assert_eq!(draft(app, &tour).await.state, RevisionState::Draft);

    // A revision that was released after a review can be released on another site without another review.
    let elsewhere = release(ada, 3, &docs).await.expect("released").remove(0);
    assert_eq!(elsewhere.revision_id, first.id);
    test.save(&admin, &tour, 3, &["a", "b"]).await;
    assert_eq!(
        code(release(&bob, 4, &docs).await),
        "REVIEW_REQUIRED",
        "a different content"
    );

    // Reviews are optional.
    require_review(&test, &admin, 2, false).await;
    let second = draft(app, &tour).await;
    submit(&test, &admin, &second, None).await;
    assert_eq!(
        release(ada, 4, &shop).await.expect("released")[0].revision_id,
        second.id
    );
}

#[tokio::test]
async fn a_revision_released_before_reviews_were_required_needs_a_review() {
    let test = TestApp::new().await;
    let (app, cx) = (&test.app, &anonymous());
    let admin = test.workspace("team", "ada").await;
    let bob = Viewer::<role::Publisher>::for_test(test.account("bob").await, admin.scope.clone());
    let site = test.site(&admin, "Shop").await;
    let tour = test.tour(&admin, "first", &["a"]).await;
    let first = test.release(&admin, &tour, 2, &site).await;
    require_review(&test, &admin, 1, true).await;
    let release = async || {
        let input = TourReleaseInput::new(tour.id.clone(), 3, vec![site.id.clone()]);
        resolve::MutationTourRelease::resolve(app, cx, &bob, input).await
    };
    assert_eq!(code(release().await), "REVIEW_REQUIRED");
    let unchanged = draft(app, &tour).await;
    submit(&test, &admin, &unchanged, None).await;
    let released = release().await.expect("released").remove(0);
    assert_eq!(released.revision_id, unchanged.id, "the reviewed revision is frozen");
    assert_ne!(released.revision_id, first.revision_id);
}

#[tokio::test]
async fn the_setting_is_protected_by_the_version() {
    let test = TestApp::new().await;
    let admin = test.workspace("team", "ada").await;
    let set = async |version| {
        let (app, workspace) = (&test.app, admin.scope().clone());
        resolve::MutationWorkspaceReviewSet::resolve(app, &anonymous(), &admin, workspace, version, true).await
    };
    let after = set(1).await.expect("set");
    assert_eq!((after.require_review, after.version), (true, 2));
    assert_eq!(code(set(1).await), "VERSION_CONFLICT");
}

#[tokio::test]
async fn a_trigger_prevents_changes_of_a_revision_in_review() {
    let test = TestApp::new().await;
    let admin = test.workspace("team", "ada").await;
    let tour = test.tour(&admin, "first", &["a"]).await;
    let before = draft(&test.app, &tour).await;
    submit(&test, &admin, &before, None).await;
    let mut tx = test.app.store.save().await.expect("a write");
    let changed = sql("update revisions set steps = '[]' where id = ?")
        .bind(before.id.as_str())
        .execute(tx.conn())
        .await;
    assert!(
        changed
            .expect_err("refused")
            .to_string()
            .contains("in review never changes")
    );
}

#[tokio::test]
async fn waiting_reviews_are_listed_until_they_end_or_the_tour_is_archived() {
    let test = TestApp::new().await;
    let (app, cx) = (&test.app, &anonymous());
    let admin = test.workspace("team", "ada").await;
    let other = test.workspace("other", "ada").await;
    let mut submitted = Vec::new();
    for slug in ["first", "second", "third"] {
        let tour = test.tour(&admin, slug, &["a"]).await;
        let draft = draft(app, &tour).await;
        test.advance(1000);
        submit(&test, &admin, &draft, None).await;
        submitted.push(draft);
    }
    let listed = async |admin: &Viewer<role::Admin>| {
        let workspace = admin.scope().clone();
        let ids = waiting(app, &workspace)
            .await
            .into_iter()
            .map(|review| review.revision_id);
        ids.collect::<Vec<_>>()
    };
    let [first, second, third] = submitted.as_slice() else {
        unreachable!("three were submitted")
    };
    assert_eq!(
        listed(&admin).await,
        [first.id.clone(), second.id.clone(), third.id.clone()]
    );
    assert!(listed(&other).await.is_empty());
    resolve::MutationRevisionReturn::resolve(app, cx, &admin.lower(), first.id.clone(), None)
        .await
        .expect("returned");
    resolve::MutationTourArchive::resolve(app, cx, &admin.lower(), second.tour_id.clone())
        .await
        .expect("archived");
    assert_eq!(listed(&admin).await, std::slice::from_ref(&third.id));
}

#[tokio::test]
async fn waiting_reviews_are_sent_in_all_processes_when_they_begin_and_end() {
    for postgres in [None, Some(waypost_testkit::create_database())] {
        let shared = postgres.is_some();
        let test = TestApp::over(postgres, |_| {}).await;
        let (app, cx) = (&test.app, &anonymous());
        let admin = test.workspace("team", "ada").await;
        let bob = test.member(&admin, "bob", Role::Publisher).await;
        let site = test.site(&admin, "Shop").await;
        let tour = test.tour(&admin, "first", &["a"]).await;
        let draft = draft(app, &tour).await;
        let other = if shared { test.another().await } else { app.clone() };
        let changes =
            resolve::SubscriptionReviewsChanged::resolve(&other, cx, &admin.lower(), admin.scope().clone()).await;
        let mut changes = changes.expect("a stream");
        let mut next = async || {
            let event = tokio::time::timeout(Duration::from_secs(10), changes.next()).await;
            let workspace = event
                .expect("an event in time")
                .expect("an event")
                .expect("a workspace");
            let reviews = waiting(&other, &workspace.id).await;
            reviews.into_iter().map(|review| review.reviewer_id).collect::<Vec<_>>()
        };
        assert!(next().await.is_empty());
        let (id, reviewer) = (draft.id.clone(), Some(bob.account_id.clone()));
        resolve::MutationRevisionSubmit::resolve(app, cx, &admin.lower(), id, draft.version, None, reviewer)
            .await
            .expect("in review");
        assert_eq!(next().await, [Some(bob.account_id.clone())]);
        resolve::MutationMemberRoleSet::resolve(app, cx, &admin, bob.id, Role::Viewer)
            .await
            .expect("a viewer");
        assert_eq!(next().await, [None], "the reviewer cannot approve it anymore");
        resolve::MutationTourArchive::resolve(app, cx, &admin.lower(), tour.id.clone())
            .await
            .expect("archived");
        assert!(next().await.is_empty());
        resolve::MutationTourRestore::resolve(app, cx, &admin.lower(), tour.id.clone())
            .await
            .expect("restored");
        assert_eq!(next().await, [None]);
        test.release(&admin, &tour, draft.version, &site).await;
        assert!(next().await.is_empty());
    }
}

#[tokio::test]
async fn reviews_and_comments_are_announced_as_changes_of_the_tour() {
    let test = TestApp::new().await;
    let (app, cx) = (&test.app, &anonymous());
    let admin = test.workspace("team", "ada").await;
    let tour = test.tour(&admin, "first", &["a"]).await;
    let draft = draft(app, &tour).await;
    let mut changes = resolve::SubscriptionTourChanged::resolve(app, cx, &admin.lower(), tour.id.clone())
        .await
        .expect("a stream");
    assert!(changes.next().await.is_some(), "the initial state");
    submit(&test, &admin, &draft, None).await;
    assert!(changes.next().await.is_some());
    let input = CommentAddInput::new(draft.id.clone(), "Good.".into());
    let comment = resolve::MutationCommentAdd::resolve(app, cx, &admin.lower(), input)
        .await
        .expect("a comment");
    assert!(changes.next().await.is_some());
    resolve::MutationCommentResolve::resolve(app, cx, &admin.lower(), comment.id)
        .await
        .expect("closed");
    assert!(changes.next().await.is_some());
    resolve::MutationRevisionReturn::resolve(app, cx, &admin.lower(), draft.id, None)
        .await
        .expect("returned");
    assert!(changes.next().await.is_some());
    assert!(changes.next().now_or_never().is_none());
}
