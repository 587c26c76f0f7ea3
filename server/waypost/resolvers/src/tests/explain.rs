use fastrand::Rng;
use traitql::{Id, Patch, Viewer};
use waypost_api::{
    EligibilityCheck, Explanation, Frequency, IneligibleReason, Release, Site, StartRuleInput, Tour, Trigger, resolve,
    role,
};
use waypost_domain::{
    change::Changed,
    offer::page,
    store::{new_id, sql},
};

use super::runs::{event, record, stored_visitor, visit, visitor, whole};
use crate::testing::{NOW, TestApp, anonymous, code, save_input, step};

const DAY: i64 = 24 * 60 * 60 * 1000;

async fn explain(test: &TestApp, viewer: &Viewer<role::Viewer>, visitor: &Id, tour: &Tour, path: &str) -> Explanation {
    let url = format!("https://shop.example{path}").parse().expect("a URL");
    let (cx, visitor, tour) = (&anonymous(), visitor.clone(), tour.id.clone());
    let result = resolve::QueryExplain::resolve(&test.app, cx, viewer, visitor, tour, url).await;
    result.expect("an explanation")
}

async fn tour(test: &TestApp, admin: &Viewer<role::Admin>, slug: &str, start: StartRuleInput) -> Tour {
    let tour = test.tour(admin, slug, &["a", "b"]).await;
    let mut input = save_input(tour.id.as_str(), 2);
    input.steps = Patch::Set(vec![step("a"), step("b")]);
    input.start = Patch::Set(start);
    let saved = resolve::MutationTourSave::resolve(&test.app, &anonymous(), &admin.lower(), input).await;
    saved.expect("saved");
    tour
}

async fn set_columns(test: &TestApp, release: &Release, values: [Option<i64>; 5]) {
    let mut tx = test.app.store.save().await.expect("the writer");
    let mut statement = sql(
        "update releases set rollout_percent = coalesce(?, 100), holdout_percent = coalesce(?, 0), starts_at = ?,
           ends_at = ?, paused_at = ? where id = ?",
    );
    for value in values {
        statement = statement.bind(value);
    }
    let shaped = statement.bind(release.id.as_str()).execute(tx.conn()).await;
    shaped.expect("shaped");
    tx.touch(Changed::Live);
    tx.commit().await.expect("committed");
}

fn reasons(explanation: &Explanation) -> Vec<IneligibleReason> {
    explanation.checks.iter().filter_map(|check| check.reason).collect()
}

#[tokio::test]
async fn explanations_agree_with_offers() {
    use waypost_api::EventKind::*;
    let test = TestApp::new().await;
    let admin = test.workspace("team", "ada").await;
    let shop = test.site(&admin, "Shop").await;
    let mut rng = Rng::with_seed(41);
    let mut tours: Vec<(Tour, Release)> = Vec::new();
    for number in 0..6 {
        let start = StartRuleInput {
            trigger: [Trigger::Auto, Trigger::Auto, Trigger::Manual][rng.usize(..3)],
            frequency: [Frequency::Once, Frequency::UntilCompleted, Frequency::Always][rng.usize(..3)],
            page: [Patch::Keep, Patch::Set("/shop/*".into()), Patch::Set("/cart".into())][rng.usize(..3)].clone(),
            ignore_cooldown: number < 4,
            ..StartRuleInput::default()
        };
        let tour = tour(&test, &admin, &format!("tour-{number}"), start).await;
        let release = test.release(&admin, &tour, 3, &shop).await;
        tours.push((tour, release));
    }
    let (mut played, mut withheld) = (0, 0);
    for index in 0..60 {
        for (_, release) in &tours {
            let mut maybe = |value: i64| (rng.usize(..4) == 0).then_some(value);
            let (schedule, over) = (maybe(NOW + DAY), maybe(NOW - 1));
            let values = [maybe(50), maybe(30), schedule, over, maybe(NOW)];
            set_columns(&test, release, values).await;
        }
        let browser = format!("browser-{index}");
        let id = visit(&test, &shop, &browser).await.visitor_id;
        for (_, release) in &tours {
            let end = [None, Some(RunCompleted), Some(RunDismissed), Some(RunFailed)][rng.usize(..4)];
            if rng.usize(..2) == 0 {
                let (run, at) = (new_id(), NOW - [0, 2 * DAY][rng.usize(..2)] - 10_000);
                let mut events = vec![event(&run, release, 0, StepSeen, Some("a"), at)];
                events.extend(end.map(|end| event(&run, release, 1, end, None, at + 1000)));
                record(&test, &shop, visitor(&browser, None), events).await;
            }
        }
        let boot = visit(&test, &shop, &browser).await;
        let path = ["/", "/shop/lamps", "/cart"][rng.usize(..3)];
        let first = page::first_to_start(&boot.tours, path).map(|tour| tour.tour_id.clone());
        for (tour, _) in &tours {
            let explanation = explain(&test, &admin.lower(), &id, tour, path).await;
            let offered = boot.tours.iter().find(|offer| offer.tour_id == tour.id);
            let page = [
                EligibilityCheck::Page,
                EligibilityCheck::Trigger,
                EligibilityCheck::OtherTour,
            ];
            let mut checks = explanation.checks.iter().filter(|check| !page.contains(&check.check));
            let passed = checks.all(|check| check.passed);
            assert_eq!(passed, offered.is_some(), "{browser} {tour:?} {explanation:?}");
            assert_eq!(
                explanation.would_play,
                first.as_ref() == Some(&tour.id),
                "{browser} {path} {tour:?} {explanation:?}"
            );
            if let Some(offered) = offered {
                assert_eq!(explanation.resumes, offered.resume.is_some());
            }
            assert!(
                explanation
                    .checks
                    .iter()
                    .all(|check| check.passed == check.reason.is_none())
            );
            if explanation.would_play {
                played += 1;
            } else {
                withheld += 1;
            }
        }
    }
    assert!(
        played > 20 && withheld > 20,
        "both outcomes must occur: {played} {withheld}"
    );
}

#[tokio::test]
async fn every_failed_check_has_a_reason() {
    let test = TestApp::new().await;
    let admin = test.workspace("team", "ada").await;
    let viewer = &admin.lower();
    let shop: Site = test.site(&admin, "Shop").await;
    let id = stored_visitor(&test, &shop, "browser-1").await;
    let start = StartRuleInput {
        page: Patch::Set("/shop/*".into()),
        ..StartRuleInput::default()
    };
    let tour = tour(&test, &admin, "first", start).await;
    let here = "/shop/lamps";
    let explanation = explain(&test, viewer, &id, &tour, here).await;
    assert_eq!(
        (reasons(&explanation), explanation.checks.len()),
        (vec![IneligibleReason::NotReleased], 2)
    );
    let release = test.release(&admin, &tour, 3, &shop).await;
    let explanation = explain(&test, viewer, &id, &tour, here).await;
    assert_eq!(
        (explanation.would_play, reasons(&explanation), explanation.checks.len()),
        (true, vec![], 13)
    );

    let explanation = explain(&test, viewer, &id, &tour, "/cart").await;
    assert_eq!(reasons(&explanation), [IneligibleReason::OtherPage]);
    let page = explanation
        .checks
        .iter()
        .find(|check| check.check == EligibilityCheck::Page)
        .expect("the check");
    assert_eq!(
        (page.expected.as_deref(), page.found.as_deref()),
        (Some("/shop/*"), Some("/cart"))
    );

    let closed = async |values: [Option<i64>; 5]| {
        set_columns(&test, &release, values).await;
        let explanation = explain(&test, viewer, &id, &tour, here).await;
        explanation
            .checks
            .into_iter()
            .find(|check| !check.passed)
            .expect("a failed check")
    };
    assert_eq!(
        closed([None, None, None, None, Some(NOW)]).await.reason,
        Some(IneligibleReason::Paused)
    );
    let later = closed([None, None, Some(NOW + 1), None, None]).await;
    assert_eq!(later.reason, Some(IneligibleReason::NotYet));
    assert_eq!(later.at.map(traitql::DateTime::as_millis), Some(NOW + 1));
    assert_eq!(
        closed([None, None, None, Some(NOW), None]).await.reason,
        Some(IneligibleReason::Over)
    );
    let beyond = closed([Some(0), None, None, None, None]).await;
    assert_eq!(beyond.reason, Some(IneligibleReason::BeyondRollout));
    let percent: i64 = beyond.expected.expect("a percentage").parse().expect("a number");
    set_columns(&test, &release, [Some(percent), None, None, None, None]).await;
    assert!(
        explain(&test, viewer, &id, &tour, here).await.would_play,
        "the smallest rollout that includes the visitor"
    );
    assert_eq!(
        closed([Some(percent - 1), None, None, None, None]).await.reason,
        Some(IneligibleReason::BeyondRollout)
    );
    set_columns(&test, &release, [None; 5]).await;

    let mut held = 0;
    set_columns(&test, &release, [None, Some(50), None, None, None]).await;
    for number in 0..40 {
        let id = stored_visitor(&test, &shop, &format!("browser-{number}-of-many")).await;
        held += usize::from(reasons(&explain(&test, viewer, &id, &tour, here).await) == [IneligibleReason::InHoldout]);
    }
    assert!((5..36).contains(&held), "{held} of 40");
    set_columns(&test, &release, [None; 5]).await;

    record(
        &test,
        &shop,
        visitor("browser-1", None),
        whole(&new_id(), &release, NOW),
    )
    .await;
    let explanation = explain(&test, viewer, &id, &tour, here).await;
    let seen = explanation
        .checks
        .iter()
        .find(|check| !check.passed)
        .expect("a failed check");
    assert_eq!(
        (seen.reason, seen.expected.as_deref()),
        (Some(IneligibleReason::Seen), Some("ONCE"))
    );
}

#[tokio::test]
async fn another_tour_or_origin_is_named() {
    let test = TestApp::new().await;
    let admin = test.workspace("team", "ada").await;
    let viewer = &admin.lower();
    let shop = test.site(&admin, "Shop").await;
    let id = stored_visitor(&test, &shop, "browser-1").await;
    let first = tour(&test, &admin, "first", StartRuleInput::default()).await;
    let second = tour(&test, &admin, "second", StartRuleInput::default()).await;
    let manual = StartRuleInput {
        trigger: Trigger::Manual,
        ..StartRuleInput::default()
    };
    let manual_tour = tour(&test, &admin, "manual", manual).await;
    test.release(&admin, &second, 3, &shop).await;
    test.advance(1);
    test.release(&admin, &first, 3, &shop).await;
    test.release(&admin, &manual_tour, 3, &shop).await;
    assert!(
        explain(&test, viewer, &id, &first, "/").await.would_play,
        "the newest release comes first"
    );
    let explanation = explain(&test, viewer, &id, &second, "/").await;
    assert_eq!(reasons(&explanation), [IneligibleReason::OtherTourFirst]);
    assert_eq!(explanation.checks[0].found.as_deref(), Some("Tour first"));
    let explanation = explain(&test, viewer, &id, &manual_tour, "/").await;
    assert_eq!(
        reasons(&explanation),
        [IneligibleReason::Manual, IneligibleReason::OtherTourFirst]
    );

    let elsewhere = "https://other.example/".parse().expect("a URL");
    let (cx, app) = (&anonymous(), &test.app);
    let explanation = resolve::QueryExplain::resolve(app, cx, viewer, id.clone(), first.id.clone(), elsewhere).await;
    let explanation = explanation.expect("an explanation");
    assert_eq!(reasons(&explanation), [IneligibleReason::OriginNotAllowed]);
    assert_eq!(explanation.checks[0].found.as_deref(), Some("https://other.example"));

    let url = || "https://shop.example/".parse().expect("a URL");
    let other = test.workspace("other", "mallory").await;
    let foreign = test.tour(&other, "theirs", &["a"]).await;
    let result = resolve::QueryExplain::resolve(app, cx, viewer, id, foreign.id, url()).await;
    assert_eq!(code(result), "NOT_FOUND");
    let result = resolve::QueryExplain::resolve(app, cx, viewer, new_id(), first.id, url()).await;
    assert_eq!(code(result), "NOT_FOUND");
}
