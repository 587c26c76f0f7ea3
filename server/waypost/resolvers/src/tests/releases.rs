use traitql::with_batch;
use waypost_api::{Release, ReleaseState, Revision, RevisionState, Tour, TourReleaseInput, resolve};
use waypost_domain::tour::revisions;

use crate::{
    App,
    testing::{TestApp, anonymous, code, save_input},
};

async fn releases(app: &App, tour: &Tour) -> Vec<Release> {
    releases_of(app, tour, false).await
}

async fn releases_of(app: &App, tour: &Tour, open: bool) -> Vec<Release> {
    with_batch(std::slice::from_ref(tour), async |tours| {
        let column = resolve::TourReleases::resolve(app, &anonymous(), tours, None, open)
            .await
            .expect("releases");
        column.get(0).to_vec()
    })
    .await
}

async fn released(app: &App, tour: &Tour) -> Option<i32> {
    with_batch(std::slice::from_ref(tour), async |tours| {
        let column = resolve::TourReleased::resolve(app, &anonymous(), tours)
            .await
            .expect("revision");
        column.get(0).map(|revision| revision.number)
    })
    .await
}

async fn revision(app: &App, release: &Release) -> Revision {
    let ids = [release.revision_id.clone()];
    revisions::by_ids(app.store.reader(), &ids)
        .await
        .expect("revisions")
        .remove(0)
}

#[tokio::test]
async fn a_release_freezes_the_draft_and_creates_the_next() {
    let test = TestApp::new().await;
    let admin = test.workspace("team", "ada").await;
    let site = test.site(&admin, "Shop").await;
    let tour = test.tour(&admin, "first", &["a"]).await;
    let release = test.release(&admin, &tour, 2, &site).await;
    let frozen = revision(&test.app, &release).await;
    assert_eq!((frozen.number, frozen.state), (1, RevisionState::Frozen));
    let draft = test.save(&admin, &tour, 3, &["a", "b"]).await;
    assert_eq!(
        (draft.number, draft.version),
        (2, 4),
        "the version count of drafts continues"
    );
    let stale =
        resolve::MutationTourSave::resolve(&test.app, &anonymous(), &admin.lower(), save_input(tour.id.as_str(), 2))
            .await;
    assert_eq!(
        code(stale),
        "VERSION_CONFLICT",
        "the version of the frozen draft is outdated"
    );
}

#[tokio::test]
async fn a_new_release_ends_the_previous_one_on_the_same_site_only() {
    let test = TestApp::new().await;
    let admin = test.workspace("team", "ada").await;
    let (shop, docs) = (test.site(&admin, "Shop").await, test.site(&admin, "Docs").await);
    let tour = test.tour(&admin, "first", &["a"]).await;
    let input = TourReleaseInput::new(
        tour.id.clone(),
        2,
        vec![shop.id.clone(), docs.id.clone(), shop.id.clone()],
    );
    let both = resolve::MutationTourRelease::resolve(&test.app, &anonymous(), &admin.lower(), input).await;
    assert_eq!(both.expect("two releases").len(), 2, "duplicate sites get one release");
    test.advance(1000);
    let input = TourReleaseInput {
        rollout_percent: 50,
        ..TourReleaseInput::new(tour.id.clone(), 3, vec![shop.id.clone()])
    };
    let again = resolve::MutationTourRelease::resolve(&test.app, &anonymous(), &admin.lower(), input).await;
    let again = again.expect("a release").remove(0);
    assert_eq!(
        revision(&test.app, &again).await.number,
        1,
        "an unchanged draft releases the existing revision"
    );
    let all = releases(&test.app, &tour).await;
    let live: Vec<&Release> = all
        .iter()
        .filter(|release| release.state == ReleaseState::Live)
        .collect();
    assert_eq!(all.len(), 3);
    assert_eq!(
        live.iter().map(|release| &release.site_id).collect::<Vec<_>>(),
        [&shop.id, &docs.id]
    );
    assert_eq!(live[0].id, again.id);
}

#[tokio::test]
async fn invalid_releases_are_rejected() {
    let test = TestApp::new().await;
    let (app, cx) = (&test.app, &anonymous());
    let admin = test.workspace("team", "ada").await;
    let other = test.workspace("other", "ada").await;
    let (shop, foreign) = (test.site(&admin, "Shop").await, test.site(&other, "Shop").await);
    let tour = test.tour(&admin, "first", &["a"]).await;
    let release = async |version, sites| {
        let input = TourReleaseInput::new(tour.id.clone(), version, sites);
        resolve::MutationTourRelease::resolve(app, cx, &admin.lower(), input).await
    };
    assert_eq!(code(release(1, vec![shop.id.clone()]).await), "VERSION_CONFLICT");
    assert_eq!(code(release(2, vec![shop.id.clone(), foreign.id]).await), "NOT_FOUND");
    test.save(&admin, &tour, 2, &[]).await;
    let error = release(3, vec![shop.id.clone()])
        .await
        .expect_err("nothing to play")
        .into_error();
    assert_eq!(
        error.message,
        "Blocking problems: 1. Fix this one first: Add at least one step."
    );
    resolve::MutationTourArchive::resolve(app, cx, &admin.lower(), tour.id.clone())
        .await
        .expect("archived");
    assert_eq!(code(release(3, vec![shop.id]).await), "TOUR_ARCHIVED");
    assert_eq!(releases(app, &tour).await, []);
    assert_eq!(released(app, &tour).await, None);
}

#[tokio::test]
async fn a_rollback_is_a_new_release_with_a_reference() {
    let test = TestApp::new().await;
    let (app, cx) = (&test.app, &anonymous());
    let admin = test.workspace("team", "ada").await;
    let site = test.site(&admin, "Shop").await;
    let tour = test.tour(&admin, "first", &["a"]).await;
    let first = test.release(&admin, &tour, 2, &site).await;
    let roll_back =
        async |id| resolve::MutationReleaseRollback::resolve(app, cx, &admin.lower(), id, None, false, None).await;
    assert_eq!(code(roll_back(first.id.clone()).await), "NOTHING_TO_ROLL_BACK");
    test.advance(1000);
    test.save(&admin, &tour, 3, &["a", "b"]).await;
    let second = test.release(&admin, &tour, 4, &site).await;
    test.advance(1000);
    let back = roll_back(second.id.clone()).await.expect("rolled back");
    assert_eq!(back.revision_id, first.revision_id);
    assert_eq!(back.rollback_of_id, Some(first.id));
    let all = releases(app, &tour).await;
    assert_eq!(
        all.iter().map(|release| release.state).collect::<Vec<_>>(),
        [ReleaseState::Live, ReleaseState::Ended, ReleaseState::Ended]
    );
    let open = releases_of(app, &tour, true).await;
    assert_eq!(open.iter().map(|release| &release.id).collect::<Vec<_>>(), [&back.id]);
    assert_eq!(released(app, &tour).await, Some(2), "although revision 1 is live");
    let error = roll_back(second.id).await.expect_err("not live any more").into_error();
    assert_eq!(error.message, "This release is ended and cannot become ended.");
    assert_eq!(
        code(roll_back(back.id.clone()).await),
        "NOTHING_TO_ROLL_BACK",
        "not the release that the rollback replaced"
    );
    test.advance(1000);
    let forward = Some(all[1].id.clone());
    let forward =
        resolve::MutationReleaseRollback::resolve(app, cx, &admin.lower(), back.id, forward, false, None).await;
    assert_eq!(forward.expect("released again").revision_id, all[1].revision_id);
}

#[tokio::test]
async fn an_ended_release_cannot_end_again() {
    let test = TestApp::new().await;
    let admin = test.workspace("team", "ada").await;
    let site = test.site(&admin, "Shop").await;
    let tour = test.tour(&admin, "first", &["a"]).await;
    let release = test.release(&admin, &tour, 2, &site).await;
    let end = async || {
        let id = release.id.clone();
        resolve::MutationReleaseEnd::resolve(&test.app, &anonymous(), &admin.lower(), id, false, None).await
    };
    assert_eq!(releases_of(&test.app, &tour, true).await.len(), 1);
    let ended = end().await.expect("ended");
    assert_eq!(releases_of(&test.app, &tour, true).await, []);
    assert_eq!((ended.state, ended.ended_at.is_some()), (ReleaseState::Ended, true));
    assert_eq!(code(end().await), "ILLEGAL_TRANSITION");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unchanged_tour_that_is_released_several_times_at_once_is_released_once() {
    for postgres in [None, Some(waypost_testkit::create_database())] {
        let test = TestApp::over(postgres, |_| {}).await;
        let admin = test.workspace("team", "ada").await;
        let site = test.site(&admin, "Shop").await;
        let tour = test.tour(&admin, "first", &["a"]).await;
        let first = test.release(&admin, &tour, 2, &site).await;
        let (cx, publisher) = (anonymous(), admin.lower());
        let ended = resolve::MutationReleaseEnd::resolve(&test.app, &cx, &publisher, first.id, false, None).await;
        ended.expect("ended");
        // The draft has the content of the frozen revision.
        let input = || TourReleaseInput::new(tour.id.clone(), 3, vec![site.id.clone()]);
        let release =
            |input| async { code(resolve::MutationTourRelease::resolve(&test.app, &cx, &publisher, input).await) };
        let mut codes = futures_util::future::join_all((0..8).map(|_| release(input()))).await;
        codes.sort_unstable();
        assert_eq!(codes[..7], ["ALREADY_RELEASED"; 7]);
        assert_eq!(codes[7], "no error");
        assert_eq!(releases(&test.app, &tour).await.len(), 2);

        let other_terms = TourReleaseInput {
            rollout_percent: 50,
            ..input()
        };
        assert_eq!(release(other_terms).await, "no error");
        let ending = TourReleaseInput {
            rollout_percent: 50,
            end_active_runs: true,
            ..input()
        };
        assert_eq!(release(ending).await, "no error");
    }
}
