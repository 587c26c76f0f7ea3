//! Live tours of which a step misses its element: they are marked, and their drafts have a warning.

use traitql::{Id, Patch, with_batch};
use waypost_api::{AttemptInput, AttemptProblem, EventKind, Release, Revision, TargetInput, resolve};
use waypost_domain::{store::new_id, tour::revisions};

use super::runs::{SHOP, event, record, visit, visitor, whole};
use crate::testing::{NOW, TestApp, anonymous, page, save_input, step};

#[tokio::test]
async fn a_live_tour_is_broken_while_most_runs_miss_an_element() {
    use EventKind::*;
    let test = TestApp::new().await;
    let admin = test.workspace("team", "ada").await;
    let shop = test.site(&admin, "Shop").await;
    let tour = test.tour(&admin, "first", &["a", "b"]).await;
    let release = test.release(&admin, &tour, 2, &shop).await;
    let broken = async || -> Vec<Id> {
        let sites = std::slice::from_ref(&shop);
        let tours = with_batch(sites, async |sites| {
            let column = resolve::SiteBrokenTours::resolve(&test.app, &anonymous(), sites).await;
            column
                .expect("tours")
                .get(0)
                .iter()
                .map(|tour| tour.id.clone())
                .collect()
        });
        tours.await
    };
    let problems = async || -> Vec<String> {
        let drafts = revisions::drafts(test.app.store.reader(), std::slice::from_ref(&tour.id)).await;
        let both = [drafts.expect("a draft"), vec![release_revision(&test, &release).await]].concat();
        let problems = with_batch(&both, async |both| {
            let column = resolve::RevisionProblems::resolve(&test.app, &anonymous(), both).await;
            let column = column.expect("problems");
            assert!(column.get(1).is_empty(), "a released revision cannot be changed");
            column.get(0).iter().map(|problem| problem.message.clone()).collect()
        });
        problems.await
    };
    let run = new_id();
    let events = [(TargetMissing, Some("a")), (StepSeen, Some("b"))];
    let events = events.into_iter().zip(0..);
    let events = events.map(|((kind, step), seq)| event(&run, &release, seq, kind, step, NOW));
    record(&test, &shop, visitor("browser-dan", None), events.collect()).await;
    assert_eq!(broken().await, std::slice::from_ref(&tour.id));
    let warning = "The element of “Step a” was missing on Shop in the last 7 days. Runs and attempts without it: 1, \
                   runs that showed the step: 0. Check its target.";
    assert_eq!(problems().await, [warning]);
    let mut input = save_input(tour.id.as_str(), 3);
    let mut other = step("a");
    other.target = Patch::Set(TargetInput::new("elsewhere".to_owned()));
    input.steps = Patch::Set(vec![other, step("b")]);
    let saved = resolve::MutationTourSave::resolve(&test.app, &anonymous(), &admin.lower(), input).await;
    saved.expect("a saved draft");
    assert_eq!(broken().await, std::slice::from_ref(&tour.id), "the draft is not live");
    assert_eq!(problems().await, [""; 0], "the author has changed the target");
    test.save(&admin, &tour, 4, &["a", "b"]).await;
    assert_eq!(problems().await, [warning]);
    for begin in [NOW, NOW + 1] {
        let run = whole(&new_id(), &release, begin);
        record(&test, &shop, visitor("browser-ada", None), run).await;
    }
    assert_eq!(broken().await, [] as [Id; 0]);
    assert_eq!(problems().await, [""; 0]);
}

async fn release_revision(test: &TestApp, release: &Release) -> Revision {
    let ids = std::slice::from_ref(&release.revision_id);
    let revisions = revisions::by_ids(test.app.store.reader(), ids).await;
    revisions.expect("a revision").remove(0)
}

#[tokio::test]
async fn a_missing_element_does_not_prevent_a_release() {
    let test = TestApp::new().await;
    let admin = test.workspace("team", "ada").await;
    let shop = test.site(&admin, "Shop").await;
    let tour = test.tour(&admin, "first", &["a"]).await;
    let release = test.release(&admin, &tour, 2, &shop).await;
    let missing = event(&new_id(), &release, 0, EventKind::TargetMissing, Some("a"), NOW);
    record(&test, &shop, visitor("browser-dan", None), vec![missing]).await;
    test.save(&admin, &tour, 3, &["a", "b"]).await;
    test.release(&admin, &tour, 4, &shop).await;
}

#[tokio::test]
async fn a_tour_that_never_shows_is_broken() {
    let test = TestApp::new().await;
    let admin = test.workspace("team", "ada").await;
    let shop = test.site(&admin, "Shop").await;
    let tour = test.tour(&admin, "first", &["a", "b"]).await;
    let release = test.release(&admin, &tour, 2, &shop).await;
    visit(&test, &shop, "browser-dan").await;
    let at = traitql::DateTime::from_millis(NOW).expect("a time");
    let mut attempt = AttemptInput::new(release.id.clone(), AttemptProblem::ElementMissing, at);
    attempt.step_key = Patch::Set("a".to_owned());
    let (app, key, who) = (&test.app, shop.key.clone(), visitor("browser-dan", None));
    let stored = resolve::MutationAttemptRecord::resolve(app, &page(SHOP), key, who, vec![attempt]).await;
    assert_eq!(stored.expect("a number"), 1);
    let sites = std::slice::from_ref(&shop);
    let broken: Vec<Id> = with_batch(sites, async |sites| {
        let column = resolve::SiteBrokenTours::resolve(app, &anonymous(), sites).await;
        let column = column.expect("tours");
        column.get(0).iter().map(|tour| tour.id.clone()).collect()
    })
    .await;
    assert_eq!(broken, std::slice::from_ref(&tour.id));
}
