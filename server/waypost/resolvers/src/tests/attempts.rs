//! Attempts to start a tour that showed no step.

use std::collections::BTreeMap;

use fastrand::Rng;
use traitql::{DateTime, Id, Patch};
use waypost_api::{
    AttemptInput, AttemptProblem, EligibilityCheck, EventKind, Explanation, IneligibleReason, Release, Site, Tour,
    TourInsights, VisitorFilterInput, VisitorInput, resolve,
};
use waypost_domain::{
    run::attempts::MAX_ATTEMPTS,
    store::{Row, new_id, sql},
};

use super::{
    limits::{DAY_MS, SHOP, page_from},
    runs::{boot, event, record, visit, visitor},
};
use crate::{
    run::resolvers::NEW_ATTEMPTS,
    testing::{NOW, TestApp, anonymous, code, page},
};

struct Fixture {
    test: TestApp,
    admin: traitql::Viewer<waypost_api::role::Admin>,
    site: Site,
    tour: Tour,
    release: Release,
}

async fn fixture() -> Fixture {
    let test = TestApp::new().await;
    let admin = test.workspace("team", "ada").await;
    let site = test.site(&admin, "Shop").await;
    let tour = test.tour(&admin, "first", &["a", "b"]).await;
    let release = test.release(&admin, &tour, 2, &site).await;
    Fixture {
        test,
        admin,
        site,
        tour,
        release,
    }
}

fn attempt(release: &Release, problem: AttemptProblem, step: Option<&str>, at: i64) -> AttemptInput {
    let at = DateTime::from_millis(at).expect("a time");
    let mut attempt = AttemptInput::new(release.id.clone(), problem, at);
    if let Some(step) = step {
        attempt.step_key = Patch::Set(step.into());
    }
    attempt
}

fn missing(release: &Release, step: &str, at: i64) -> AttemptInput {
    attempt(release, AttemptProblem::ElementMissing, Some(step), at)
}

impl Fixture {
    async fn report(&self, who: VisitorInput, attempts: Vec<AttemptInput>) -> i32 {
        let (app, key) = (&self.test.app, self.site.key.clone());
        let stored = resolve::MutationAttemptRecord::resolve(app, &page(SHOP), key, who, attempts).await;
        stored.expect("a number")
    }

    async fn insights(&self) -> TourInsights {
        let (app, tour) = (&self.test.app, self.tour.id.clone());
        let (from, to) = (
            "2026-10-01".parse().expect("a day"),
            "2026-12-01".parse().expect("a day"),
        );
        let range = waypost_api::DayRangeInput::new(from, to);
        let (cx, viewer) = (&anonymous(), &self.admin.lower());
        let answer = resolve::QueryTourInsights::resolve(app, cx, viewer, tour, None, None, range).await;
        answer.expect("insights")
    }

    async fn explain(&self, visitor: &Id) -> Explanation {
        let (app, cx, viewer) = (&self.test.app, &anonymous(), &self.admin.lower());
        let url = format!("{SHOP}/cart").parse().expect("a URL");
        let answer = resolve::QueryExplain::resolve(app, cx, viewer, visitor.clone(), self.tour.id.clone(), url).await;
        answer.expect("an explanation")
    }

    /// The counts by revision, day and number, without zeros.
    async fn counts(&self) -> BTreeMap<String, i64> {
        self.numbers(
            "select revision_id || ' ' || day || ' found' as name, not_found as number from tour_days
             union all select revision_id || ' ' || day || ' loaded', not_loaded from tour_days
             union all select revision_id || ' ' || day || ' ' || step, s.not_found
               from tour_days d join step_days s on s.tour_day_id = d.id",
        )
        .await
    }

    async fn recounted(&self) -> BTreeMap<String, i64> {
        self.numbers(
            "select l.revision_id || ' ' || a.day || case a.problem when 0 then ' found' else ' loaded' end as name,
               count(*) as number
             from attempts a join releases l on l.serial = a.release_serial group by 1
             union all select l.revision_id || ' ' || a.day || ' ' || a.step, count(*)
             from attempts a join releases l on l.serial = a.release_serial
             where a.problem = 0 and a.step is not null group by 1",
        )
        .await
    }

    async fn numbers(&self, statement: &'static str) -> BTreeMap<String, i64> {
        let rows = sql(statement)
            .try_map(|row: Row| Ok((row.text("name")?, row.long("number")?)))
            .fetch_all(self.test.app.store.reader())
            .await;
        let rows = rows.expect("rows").into_iter();
        rows.filter(|(_, number)| *number != 0).collect()
    }
}

#[tokio::test]
async fn a_visitor_counts_once_a_day_for_each_problem() {
    let fixture = fixture().await;
    let Fixture {
        test, site, release, ..
    } = &fixture;
    let ada = || visitor("browser-ada", None);
    assert_eq!(
        fixture.report(ada(), vec![missing(release, "a", NOW)]).await,
        0,
        "a report does not create a visitor"
    );
    visit(test, site, "browser-ada").await;
    visit(test, site, "browser-bob").await;
    let twice = vec![missing(release, "a", NOW), missing(release, "a", NOW - 1)];
    assert_eq!(fixture.report(ada(), twice).await, 2);
    fixture.report(ada(), vec![missing(release, "a", NOW)]).await;
    fixture.report(ada(), vec![missing(release, "a", NOW - DAY_MS)]).await;
    fixture
        .report(visitor("browser-bob", None), vec![missing(release, "a", NOW)])
        .await;
    let unloaded = attempt(release, AttemptProblem::PlayerFailed, None, NOW);
    fixture.report(ada(), vec![unloaded]).await;
    let foreign = AttemptInput {
        release_id: new_id(),
        ..missing(release, "a", NOW)
    };
    let old = missing(release, "a", NOW - 8 * DAY_MS);
    assert_eq!(fixture.report(ada(), vec![foreign, old]).await, 0);
    let insights = fixture.insights().await;
    assert_eq!(
        (
            insights.attempts_without_element,
            insights.attempts_without_player,
            insights.started
        ),
        (3, 1, 0)
    );
    let steps: Vec<_> = insights
        .steps
        .iter()
        .map(|step| (step.attempts, step.missing))
        .collect();
    assert_eq!(steps, [(3, 0), (0, 0)]);
    assert_eq!(insights.by_day.iter().map(|day| day.attempts).sum::<i32>(), 4);
    assert_eq!(fixture.counts().await, fixture.recounted().await);
}

#[tokio::test]
async fn only_pages_of_the_site_report_attempts() {
    let Fixture {
        test, site, release, ..
    } = &fixture().await;
    visit(test, site, "browser-ada").await;
    let ask = async |cx, key: &str| {
        let attempts = vec![missing(release, "a", NOW)];
        let who = visitor("browser-ada", None);
        code(resolve::MutationAttemptRecord::resolve(&test.app, &cx, key.into(), who, attempts).await)
    };
    assert_eq!(ask(page(SHOP), &site.key).await, "no error");
    assert_eq!(ask(page(SHOP), "wp_pub_unknown").await, "UNKNOWN_SITE");
    assert_eq!(ask(page("https://evil.example"), &site.key).await, "ORIGIN_NOT_ALLOWED");
    assert_eq!(ask(anonymous(), &site.key).await, "ORIGIN_NOT_ALLOWED");
}

#[tokio::test]
async fn the_new_attempts_of_an_address_are_limited() {
    let fixture = fixture().await;
    let Fixture {
        test, site, release, ..
    } = &fixture;
    visit(test, site, "browser-ada").await;
    let cx = page_from(SHOP, "203.0.113.7");
    let caller = crate::caller(&cx);
    for _ in 1..NEW_ATTEMPTS.limit {
        let admitted = test.app.rates.check(NEW_ATTEMPTS, &caller, std::time::Instant::now());
        admitted.expect("below the limit");
    }
    let report = async |at| {
        let (app, key, who) = (&test.app, site.key.clone(), visitor("browser-ada", None));
        let stored = resolve::MutationAttemptRecord::resolve(app, &cx, key, who, vec![missing(release, "a", at)]).await;
        stored.expect("a number")
    };
    assert_eq!(report(NOW - 1).await, 1);
    assert_eq!(report(NOW - DAY_MS).await, 0);
    assert_eq!(report(NOW).await, 1, "a known attempt is replaced");
}

#[tokio::test]
async fn the_attempts_of_a_visitor_are_limited_and_count_once() {
    let fixture = fixture().await;
    let Fixture {
        test, site, release, ..
    } = &fixture;
    visit(test, site, "browser-ada").await;
    let both = |day| {
        let at = NOW - day * DAY_MS;
        vec![
            missing(release, "a", at),
            attempt(release, AttemptProblem::PlayerFailed, None, at),
        ]
    };
    for round in 0..2 {
        for day in (0..7).rev() {
            fixture.report(visitor("browser-ada", None), both(day)).await;
        }
        let insights = fixture.insights().await;
        assert_eq!(
            insights.attempts_without_element + insights.attempts_without_player,
            14,
            "round {round}"
        );
        let stored: i64 = fixture
            .recounted()
            .await
            .iter()
            .filter(|(name, _)| !name.ends_with(" 0"))
            .map(|(_, n)| n)
            .sum();
        assert_eq!(usize::try_from(stored), Ok(MAX_ATTEMPTS));
    }
}

#[tokio::test]
async fn counts_follow_random_attempts_and_merged_visitors() {
    let fixture = fixture().await;
    let Fixture {
        test,
        admin,
        site,
        tour,
        release,
        ..
    } = &fixture;
    test.save(admin, tour, 3, &["b"]).await;
    let new = test.release(admin, tour, 4, site).await;
    let mut rng = Rng::with_seed(31);
    for round in 0..30 {
        let browser = format!("browser-{}", rng.usize(..4));
        let name = (rng.usize(..3) == 0).then_some("ada");
        boot(test, site, visitor(&browser, name)).await;
        let attempts = (0..1 + rng.usize(..4)).map(|_| {
            let problem = [AttemptProblem::ElementMissing, AttemptProblem::PlayerFailed][rng.usize(..2)];
            let step = [None, Some("a"), Some("b"), Some("unknown")][rng.usize(..4)];
            attempt(
                [release, &new][rng.usize(..2)],
                problem,
                step,
                NOW - rng.i64(0..3 * DAY_MS),
            )
        });
        let attempts = attempts.collect();
        fixture.report(visitor(&browser, name), attempts).await;
        assert_eq!(fixture.counts().await, fixture.recounted().await, "round {round}");
    }
    assert!(!fixture.counts().await.is_empty());
}

#[tokio::test]
async fn an_erased_visitor_stays_counted_and_an_invented_one_does_not() {
    let fixture = fixture().await;
    let Fixture {
        test,
        admin,
        site,
        release,
        ..
    } = &fixture;
    let mut ids = Vec::new();
    for browser in ["browser-ada", "browser-bob"] {
        ids.push(visit(test, site, browser).await.visitor_id);
        fixture
            .report(visitor(browser, None), vec![missing(release, "a", NOW)])
            .await;
    }
    let erased = resolve::MutationVisitorErase::resolve(&test.app, &anonymous(), admin, ids[0].clone()).await;
    erased.expect("erased");
    assert_eq!(fixture.insights().await.attempts_without_element, 2);
    let at = |millis| DateTime::from_millis(millis).expect("a time");
    let filter = VisitorFilterInput::new(at(NOW - DAY_MS), at(NOW + DAY_MS));
    let purged = resolve::MutationVisitorsErase::resolve(&test.app, &anonymous(), admin, site.id.clone(), filter).await;
    purged.expect("purged");
    assert_eq!(fixture.insights().await.attempts_without_element, 1);
    assert!(fixture.recounted().await.is_empty());
}

#[tokio::test]
async fn explain_puts_the_missing_element_first_until_the_tour_is_shown() {
    let fixture = fixture().await;
    let Fixture {
        test,
        admin,
        site,
        tour,
        release,
    } = &fixture;
    let id = visit(test, site, "browser-ada").await.visitor_id;
    assert!(fixture.explain(&id).await.would_play);
    fixture
        .report(visitor("browser-ada", None), vec![missing(release, "a", NOW - 5)])
        .await;
    let explanation = fixture.explain(&id).await;
    let first = &explanation.checks[0];
    assert!(!explanation.would_play);
    assert_eq!(
        (
            first.check,
            first.reason,
            first.expected.as_deref(),
            first.at.map(DateTime::as_millis)
        ),
        (
            EligibilityCheck::Element,
            Some(IneligibleReason::ElementMissing),
            Some("Step a"),
            Some(NOW - 5)
        )
    );
    assert_eq!(explanation.checks.len(), 13);

    let unloaded = attempt(release, AttemptProblem::PlayerFailed, None, NOW - 4);
    fixture.report(visitor("browser-ada", None), vec![unloaded]).await;
    let failed: Vec<_> = fixture
        .explain(&id)
        .await
        .checks
        .into_iter()
        .filter_map(|check| check.reason)
        .collect();
    assert_eq!(
        failed,
        [IneligibleReason::PlayerFailed, IneligibleReason::ElementMissing]
    );

    let shown = event(&new_id(), release, 0, EventKind::StepSeen, Some("a"), NOW - 3);
    record(test, site, visitor("browser-ada", None), vec![shown]).await;
    assert!(fixture.explain(&id).await.would_play, "the run resumes");
    fixture
        .report(visitor("browser-ada", None), vec![missing(release, "a", NOW - 2)])
        .await;
    assert_eq!(fixture.explain(&id).await.checks[0].check, EligibilityCheck::Element);

    test.save(admin, tour, 3, &["c"]).await;
    test.release(admin, tour, 4, site).await;
    assert!(
        fixture.explain(&id).await.would_play,
        "the attempts were of another revision"
    );
}
