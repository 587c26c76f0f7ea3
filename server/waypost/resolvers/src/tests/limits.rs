use std::{net::IpAddr, sync::Arc, time::Instant};

use traitql::{Ctx, CtxParts, DateTime, Id, RateLimit, address_key};
use waypost_api::{ErrorCode, EventInput, EventKind, GoalInput, Release, Site, resolve};
use waypost_domain::{
    identity::MAX_KEYS,
    lift::store::MAX_GOALS,
    retention::capacity::{Capacity, MAX_SITE_VISITORS},
    run::record::{MAX_EVENT_AGE_MS, MAX_NEW_RUNS_PER_REPORT, MAX_RUNS_PER_WEEK},
    site::store::MAX_EVENT_NAMES,
    store::{StorageLimits, new_id, scalar, sql},
    visitor::{
        identity::{MAX_DECLARED_BYTES, MIN_PAGE_BYTES},
        traits,
        visitors::MAX_BROWSERS,
    },
    workspace::MAX_MEMBERS,
};

use super::runs::{event, record, report, stored_events, visit, visitor};
use crate::{
    caller,
    lift::NEW_EVENT_NAMES,
    run::resolvers::{NEW_RUNS, NEW_VISITORS},
    testing::{NOW, TestApp, code, principal},
};

pub(super) const SHOP: &str = "https://shop.example";
pub(super) const DAY_MS: i64 = 24 * 60 * 60 * 1000;

pub(super) struct Fixture {
    pub(super) test: TestApp,
    pub(super) site: Site,
    pub(super) release: Release,
}

async fn fixture() -> Fixture {
    fixture_on(TestApp::new().await).await
}

async fn fixture_on(test: TestApp) -> Fixture {
    let admin = test.workspace("team", "ada").await;
    let site = test.site(&admin, "Shop").await;
    let tour = test.tour(&admin, "first", &["a"]).await;
    let release = test.release(&admin, &tour, 2, &site).await;
    visit(&test, &site, "browser-1").await;
    Fixture { test, site, release }
}

pub(super) fn page_from(origin: &str, address: &str) -> Ctx {
    Ctx::from(CtxParts {
        origin: Some(origin.into()),
        address: Some(address.parse().expect("an address")),
        ..CtxParts::default()
    })
}

/// Returns the code of the error, or of the first rejection.
async fn report_starts(fixture: &Fixture, address: &str, browser: &str, count: usize, at: i64) -> &'static str {
    let events = (0..count)
        .map(|_| event(&new_id(), &fixture.release, 0, EventKind::RunStarted, Some("a"), at))
        .collect();
    report_from(fixture, address, browser, events).await
}

async fn report_from(fixture: &Fixture, address: &str, browser: &str, events: Vec<EventInput>) -> &'static str {
    let (key, who) = (fixture.site.key.clone(), visitor(browser, None));
    let cx = page_from(SHOP, address);
    match resolve::MutationRecord::resolve(&fixture.test.app, &cx, key, who, events).await {
        Ok(ack) => ack
            .rejected
            .first()
            .map_or("no error", |rejection| rejection.code.as_graphql()),
        error => code(error),
    }
}

async fn count_runs(fixture: &Fixture) -> i64 {
    number(&fixture.test, "select count(*) from runs").await
}

#[tokio::test]
async fn a_visitor_can_start_a_tour_a_limited_number_of_times_a_week() {
    let fixture = fixture().await;
    let start = async |browser, at| report_starts(&fixture, "192.0.2.1", browser, 1, at).await;
    for day in 0..7 {
        assert_eq!(start("browser-1", NOW - day * DAY_MS).await, "no error");
    }
    for at in [NOW, NOW - 6 * DAY_MS] {
        assert_eq!(
            start("browser-1", at).await,
            "TOO_MANY_RUNS",
            "regardless of the reported time"
        );
    }
    visit(&fixture.test, &fixture.site, "browser-2").await;
    assert_eq!(start("browser-2", NOW).await, "no error", "another visitor");
    fixture.test.advance(3 * DAY_MS + 1);
    assert_eq!(start("browser-1", NOW).await, "no error", "the first runs are old");
    assert_eq!(count_runs(&fixture).await, 9);
}

#[tokio::test]
async fn a_test_user_can_start_a_tour_more_often() {
    let fixture = fixture().await;
    let tester = fixture.test.account("ada").await;
    let mut tx = fixture.test.app.store.save().await.expect("the writer");
    let test_user = sql("update visitors set tester_id = ?").bind(tester.as_str());
    test_user.execute(tx.conn()).await.expect("a test user");
    tx.commit().await.expect("committed");
    for _ in 0..9 {
        let reported = report_starts(&fixture, "192.0.2.1", "browser-1", 1, NOW).await;
        assert_eq!(reported, "no error");
    }
}

#[tokio::test]
async fn a_report_that_is_repeated_until_it_is_accepted_stores_all_runs() {
    let fixture = fixture().await;
    let runs: Vec<Id> = (0..3).map(|_| new_id()).collect();
    let events = || {
        let of_run = |run: &Id| {
            let kinds = [(0, EventKind::RunStarted), (1, EventKind::StepDone)];
            kinds.map(|(seq, kind)| event(run, &fixture.release, seq, kind, Some("a"), NOW))
        };
        runs.iter().flat_map(of_run).collect()
    };
    let mut codes = Vec::new();
    for reports in 1..=4 {
        codes.push(report_from(&fixture, "192.0.2.1", "browser-1", events()).await);
        assert_eq!(count_runs(&fixture).await, reports.min(3));
    }
    assert_eq!(
        codes,
        ["REPORT_INCOMPLETE", "REPORT_INCOMPLETE", "no error", "no error"]
    );
    assert_eq!(stored_events(&fixture.test).await.len(), 6);
}

#[tokio::test]
async fn a_report_does_not_create_a_visitor() {
    let fixture = fixture().await;
    let run = new_id();
    let begin = || vec![event(&run, &fixture.release, 0, EventKind::RunStarted, Some("a"), NOW)];
    for who in [visitor("never-booted", None), visitor("never-booted", Some("grace"))] {
        let ack = report(&fixture.test, &fixture.site, who, begin()).await;
        assert_eq!((ack.accepted, ack.rejected[0].code), (0, ErrorCode::UnknownVisitor));
    }
    assert_eq!(number(&fixture.test, "select count(*) from visitors").await, 1);
    let ack = record(&fixture.test, &fixture.site, visitor("browser-1", None), begin()).await;
    assert_eq!(ack.accepted, 1, "this browser has booted");
}

pub(super) async fn number(test: &TestApp, query: &'static str) -> i64 {
    scalar(query)
        .fetch_one(test.app.store.reader())
        .await
        .expect("a number")
}

async fn boot_from(fixture: &Fixture, address: &str, browser: &str) -> &'static str {
    let url = format!("{SHOP}/cart").parse().expect("a URL");
    let (key, who) = (fixture.site.key.clone(), visitor(browser, None));
    code(resolve::MutationBoot::resolve(&fixture.test.app, &page_from(SHOP, address), key, who, url).await)
}

fn use_up(fixture: &Fixture, field: &'static str, calls: u32, address: &str) {
    let address: IpAddr = address.parse().expect("an address");
    for _ in 0..calls {
        let rate = RateLimit {
            field,
            limit: calls + 1,
            window_seconds: 3600,
        };
        let checked = fixture
            .test
            .app
            .rates()
            .check(rate, &address_key(address), Instant::now());
        assert_eq!(checked, Ok(()));
    }
}

#[tokio::test]
async fn an_address_starts_a_limited_number_of_runs() {
    let fixture = fixture().await;
    use_up(&fixture, "Visitor.runs", 1999, "192.0.2.1");
    let start = async |address| report_starts(&fixture, address, "browser-1", 1, NOW).await;
    assert_eq!(start("192.0.2.1").await, "no error");
    assert_eq!(start("192.0.2.1").await, "REPORT_INCOMPLETE", "the page tries again");
    assert_eq!(start("192.0.2.2").await, "no error", "another address");
}

#[tokio::test]
async fn an_address_brings_a_limited_number_of_new_visitors() {
    let fixture = fixture().await;
    use_up(&fixture, "Site.visitors", 999, "192.0.2.1");
    assert_eq!(boot_from(&fixture, "192.0.2.1", "invented-1").await, "no error");
    assert_eq!(
        boot_from(&fixture, "192.0.2.1", "invented-2").await,
        "TOO_MANY_VISITORS"
    );
    assert_eq!(number(&fixture.test, "select count(*) from visitors").await, 2);
    assert_eq!(
        boot_from(&fixture, "192.0.2.1", "browser-1").await,
        "no error",
        "a known visitor"
    );
    assert_eq!(
        boot_from(&fixture, "192.0.2.2", "browser-2").await,
        "no error",
        "another address"
    );
}

#[tokio::test]
async fn a_site_has_a_maximum_of_visitors() {
    let mut fixture = fixture().await;
    fixture.test.app.capacity = Arc::new(Capacity::new(StorageLimits::default(), None).max_site_visitors(2));
    assert_eq!(boot_from(&fixture, "192.0.2.1", "browser-2").await, "no error");
    fixture.test.advance(60_000);
    assert_eq!(boot_from(&fixture, "192.0.2.1", "browser-3").await, "SITE_FULL");
    assert_eq!(
        boot_from(&fixture, "192.0.2.1", "browser-2").await,
        "no error",
        "a known visitor"
    );
    assert_eq!(number(&fixture.test, "select count(*) from visitors").await, 2);
}

/// A search for room is a write transaction, so a full site must not cause one per refused request.
#[tokio::test]
async fn room_is_searched_once_per_count() {
    let mut fixture = fixture().await;
    fixture.test.app.capacity = Arc::new(Capacity::new(StorageLimits::default(), None).max_site_visitors(2));
    assert_eq!(boot_from(&fixture, "192.0.2.1", "browser-2").await, "no error");
    fixture.test.advance(60_000);
    assert_eq!(boot_from(&fixture, "192.0.2.1", "browser-3").await, "SITE_FULL");
    set(&fixture.test, "update visitors set last_seen_at = 0").await;
    assert_eq!(boot_from(&fixture, "192.0.2.1", "browser-3").await, "SITE_FULL");
    assert_eq!(browsers(&fixture).await, ["browser-1", "browser-2"]);

    fixture.test.advance(60_000);
    assert_eq!(boot_from(&fixture, "192.0.2.1", "browser-3").await, "no error");
    assert_eq!(browsers(&fixture).await, ["browser-3"]);
}

#[tokio::test]
async fn a_workspace_has_a_maximum_of_visitors_and_runs() {
    let mut fixture = fixture().await;
    let limits = StorageLimits {
        visitors: 2,
        runs: 2,
        ..StorageLimits::default()
    };
    fixture.test.app.capacity = Arc::new(Capacity::new(limits, None));
    assert_eq!(boot_from(&fixture, "192.0.2.1", "browser-2").await, "no error");
    let runs = [new_id(), new_id(), new_id()];
    let start = |run: &Id| event(run, &fixture.release, 0, EventKind::RunStarted, Some("a"), NOW);
    let end = |run: &Id| event(run, &fixture.release, 1, EventKind::RunCompleted, None, NOW);
    for run in &runs[..2] {
        assert_eq!(
            report_from(&fixture, "192.0.2.1", "browser-1", vec![start(run)]).await,
            "no error"
        );
    }
    assert_eq!(fixture.test.app.storage_problem().await.expect("a result"), None);
    fixture.test.advance(60_000);
    assert_eq!(boot_from(&fixture, "192.0.2.1", "browser-3").await, "UNAVAILABLE");
    let mixed = || vec![start(&runs[2]), end(&runs[0])];
    assert_eq!(
        report_from(&fixture, "192.0.2.1", "browser-1", mixed()).await,
        "UNAVAILABLE"
    );
    let completed = "select count(*) from runs where state = 'COMPLETED'";
    assert_eq!(number(&fixture.test, completed).await, 1, "a known run continues");
    let problem = fixture.test.app.storage_problem().await.expect("a result");
    assert!(
        problem.is_some_and(|problem| problem.contains("maximum")),
        "{problem:?}"
    );

    fixture.test.app.capacity = Arc::new(Capacity::new(StorageLimits::default(), None));
    assert_eq!(
        report_from(&fixture, "192.0.2.1", "browser-1", mixed()).await,
        "no error"
    );
    assert_eq!(count_runs(&fixture).await, 3, "the page has sent the report again");
}

async fn set(test: &TestApp, statement: &'static str) {
    let mut tx = test.app.store.save().await.expect("the writer");
    sql(statement).execute(tx.conn()).await.expect("changed");
    tx.commit().await.expect("committed");
}

/// The browsers of the stored visitors.
async fn browsers(fixture: &Fixture) -> Vec<String> {
    scalar("select anonymous_id from browsers order by anonymous_id")
        .fetch_all(fixture.test.app.store.reader())
        .await
        .expect("browsers")
}

#[tokio::test]
async fn visitors_who_were_not_seen_for_longest_make_room() {
    let mut fixture = fixture().await;
    for browser in ["browser-2", "browser-3", "browser-4"] {
        fixture.test.advance(DAY_MS);
        assert_eq!(boot_from(&fixture, "192.0.2.1", browser).await, "no error");
    }
    // The first one is identified, and the second one counts in the lift of a running release.
    for statement in [
        "update visitors set external_id = 'ada' where serial in (select visitor_serial from browsers where anonymous_id = 'browser-1')",
        "insert into exposures (visitor_serial, release_serial, holdout, at)
         select visitor_serial, (select max(serial) from releases), 0, 0 from browsers where anonymous_id = 'browser-2'",
    ] {
        set(&fixture.test, statement).await;
    }
    let capacity = || Arc::new(Capacity::new(StorageLimits::default(), None).max_site_visitors(4));
    fixture.test.app.capacity = capacity();
    fixture.test.advance(3 * DAY_MS);
    assert_eq!(
        boot_from(&fixture, "192.0.2.1", "browser-5").await,
        "SITE_FULL",
        "all were seen in the last week"
    );

    fixture.test.advance(5 * DAY_MS);
    let before = number(&fixture.test, "select visitors from lift_groups").await;
    fixture.test.app.capacity = capacity();
    assert_eq!(boot_from(&fixture, "192.0.2.1", "browser-5").await, "no error");
    assert_eq!(
        browsers(&fixture).await,
        ["browser-1", "browser-5"],
        "anonymous visitors make room first"
    );
    assert_eq!(number(&fixture.test, "select visitors from lift_groups").await, before);
    let deleted = fixture.test.app.deletions();
    assert!(deleted.contains(&("visitors", "limit", 3)), "{deleted:?}");
    assert_eq!(fixture.test.app.storage_problem().await.expect("a result"), None);

    // The others were just seen.
    fixture.test.app.capacity = Arc::new(Capacity::new(StorageLimits::default(), None).max_site_visitors(2));
    assert_eq!(boot_from(&fixture, "192.0.2.1", "browser-6").await, "no error");
    assert_eq!(
        browsers(&fixture).await,
        ["browser-5", "browser-6"],
        "identified visitors make room last"
    );
}

#[tokio::test]
async fn visitors_make_room_for_as_many_new_ones() {
    let mut fixture = fixture().await;
    for browser in ["browser-2", "browser-3"] {
        assert_eq!(boot_from(&fixture, "192.0.2.1", browser).await, "no error");
    }
    fixture.test.advance(8 * DAY_MS);
    let limits = StorageLimits {
        visitors: 3,
        ..StorageLimits::default()
    };
    fixture.test.app.capacity = Arc::new(Capacity::new(limits, None));
    for browser in ["new-1", "new-2", "new-3"] {
        assert_eq!(boot_from(&fixture, "192.0.2.1", browser).await, "no error");
    }
    assert_eq!(boot_from(&fixture, "192.0.2.1", "new-4").await, "UNAVAILABLE");
    assert_eq!(browsers(&fixture).await, ["new-1", "new-2", "new-3"]);
}

#[tokio::test]
async fn visitors_with_runs_make_room_for_new_runs() {
    let mut fixture = fixture().await;
    assert_eq!(boot_from(&fixture, "192.0.2.1", "browser-2").await, "no error");
    fixture.test.advance(1000);
    for browser in ["browser-3", "browser-4"] {
        assert_eq!(boot_from(&fixture, "192.0.2.1", browser).await, "no error");
        assert_eq!(report_starts(&fixture, "192.0.2.1", browser, 1, NOW).await, "no error");
    }
    fixture.test.advance(8 * DAY_MS);
    let now = NOW + 8 * DAY_MS;
    assert_eq!(boot_from(&fixture, "192.0.2.1", "browser-4").await, "no error");
    fixture.test.app.presence.write_or_log(&fixture.test.app.store).await;
    let limits = StorageLimits {
        runs: 2,
        ..StorageLimits::default()
    };
    fixture.test.app.capacity = Arc::new(Capacity::new(limits, None));
    let goal = report_events(&fixture, &page_from(SHOP, "192.0.2.1"), &["bought".to_owned()]).await;
    assert_eq!(
        (goal, count_runs(&fixture).await),
        ("no error", 2),
        "only new runs need room"
    );
    assert_eq!(
        report_starts(&fixture, "192.0.2.1", "browser-4", 1, now).await,
        "no error"
    );
    assert_eq!(browsers(&fixture).await, ["browser-4"]);
    assert_eq!(count_runs(&fixture).await, 2);
    let started = report_starts(&fixture, "192.0.2.1", "browser-4", 1, now).await;
    assert_eq!(
        (started, count_runs(&fixture).await),
        ("UNAVAILABLE", 2),
        "the others were seen in the last week"
    );
}

#[tokio::test]
async fn visits_are_not_stored_while_the_disk_is_almost_full() {
    let mut fixture = fixture_on(TestApp::over(None, |_| {}).await).await;
    let limits = StorageLimits {
        min_free_disk: u32::MAX,
        ..StorageLimits::default()
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    fixture.test.app.capacity = Arc::new(Capacity::new(limits, Some(folder.path().into())));
    assert_eq!(boot_from(&fixture, "192.0.2.1", "browser-2").await, "UNAVAILABLE");
    assert_eq!(
        boot_from(&fixture, "192.0.2.1", "browser-1").await,
        "no error",
        "a known visitor"
    );
    let reported = report_starts(&fixture, "192.0.2.1", "browser-1", 1, NOW).await;
    assert_eq!(reported, "UNAVAILABLE");
    let cx = page_from(SHOP, "192.0.2.1");
    assert_eq!(
        report_events(&fixture, &cx, &["bought".to_owned()]).await,
        "UNAVAILABLE"
    );
    assert_eq!(number(&fixture.test, "select count(*) from visitors").await, 1);
    assert_eq!(count_runs(&fixture).await, 0);
    let problem = fixture.test.app.storage_problem().await.expect("a result");
    assert!(problem.is_some_and(|problem| problem.contains("disk")), "{problem:?}");
    let admin = fixture.test.workspace("another", "grace").await;
    fixture.test.site(&admin, "Members can still work").await;
}

#[tokio::test]
async fn the_kept_events_of_a_run_are_limited() {
    let fixture = fixture().await;
    let run = new_id();
    for first in (0..1000).step_by(100) {
        let events =
            (first..first + 100).map(|seq| event(&run, &fixture.release, seq, EventKind::StepSeen, Some("a"), NOW));
        let ack = record(
            &fixture.test,
            &fixture.site,
            visitor("browser-1", None),
            events.collect(),
        )
        .await;
        assert_eq!(ack.accepted, 100);
    }
    let kept: Vec<i32> = stored_events(&fixture.test)
        .await
        .iter()
        .map(|(_, event)| event.seq)
        .collect();
    assert!((20..100).contains(&kept.len()), "{kept:?}");
    assert!((0..).zip(&kept).all(|(first, seq)| first == *seq), "the first ones");
    let last = number(&fixture.test, "select last_seq from runs").await;
    assert_eq!(last, 999, "later events count");
}

#[tokio::test]
async fn known_runs_are_continued_after_the_limit() {
    let fixture = fixture().await;
    let first = new_id();
    let begin = vec![event(
        &first,
        &fixture.release,
        0,
        EventKind::RunStarted,
        Some("a"),
        NOW,
    )];
    record(&fixture.test, &fixture.site, visitor("browser-1", None), begin).await;
    while report_starts(&fixture, "192.0.2.1", "browser-1", 1, NOW).await == "no error" {}
    let end = vec![event(&first, &fixture.release, 1, EventKind::RunCompleted, None, NOW)];
    let ack = record(&fixture.test, &fixture.site, visitor("browser-1", None), end).await;
    assert_eq!((ack.accepted, ack.rejected.len()), (1, 0));
}

async fn report_events(fixture: &Fixture, cx: &Ctx, names: &[String]) -> &'static str {
    let at = fixture.test.app.now();
    let goals = names.iter().map(|name| GoalInput::new(name.clone(), at)).collect();
    let (key, who) = (fixture.site.key.clone(), visitor("browser-1", None));
    code(resolve::MutationGoalRecord::resolve(&fixture.test.app, cx, key, who, goals).await)
}

async fn event_names(fixture: &Fixture) -> Vec<String> {
    scalar("select name from site_events order by name")
        .fetch_all(fixture.test.app.store.reader())
        .await
        .expect("the names")
}

#[tokio::test]
async fn one_address_cannot_fill_the_event_names_of_a_site() {
    let fixture = fixture().await;
    let invented: Vec<String> = (0..100).map(|number| format!("invented-{number}")).collect();
    let attacker = page_from(SHOP, "192.0.2.1");
    for _ in 0..3 {
        assert_eq!(report_events(&fixture, &attacker, &invented).await, "no error");
    }
    assert_eq!(event_names(&fixture).await.len(), 20);
    let honest = page_from(SHOP, "192.0.2.2");
    report_events(&fixture, &honest, &["order-placed".to_owned()]).await;
    assert!(event_names(&fixture).await.contains(&"order-placed".to_owned()));
}

#[tokio::test]
async fn a_new_event_replaces_a_stale_one_if_the_list_is_full() {
    let fixture = fixture().await;
    for network in 0..10 {
        let names: Vec<String> = (0..20).map(|number| format!("invented-{network}-{number}")).collect();
        report_events(&fixture, &page_from(SHOP, &format!("192.0.2.{network}")), &names).await;
    }
    assert_eq!(event_names(&fixture).await.len(), 200);
    let honest = page_from(SHOP, "192.0.2.100");
    report_events(&fixture, &honest, &["order-placed".to_owned()]).await;
    assert!(
        !event_names(&fixture).await.contains(&"order-placed".to_owned()),
        "all are recent"
    );
    fixture.test.advance(DAY_MS + 1);
    report_events(&fixture, &honest, &["order-placed".to_owned()]).await;
    let names = event_names(&fixture).await;
    assert!(names.len() == 200 && names.contains(&"order-placed".to_owned()));
}

#[tokio::test]
async fn rejected_calls_of_pages_do_not_count() {
    const FIELDS: [&str; 3] = ["Mutation.boot", "Mutation.record", "Mutation.goalRecord"];
    let fixture = fixture().await;
    let app = &fixture.test.app;
    let proxy: IpAddr = "192.0.2.1".parse().expect("an address");
    let rate = |field| RateLimit {
        field,
        limit: 1,
        window_seconds: 3600,
    };
    for (key, origin) in [("unknown", SHOP), (fixture.site.key.as_str(), "https://evil.example")] {
        let cx = page_from(origin, "192.0.2.1");
        for field in FIELDS {
            // The engine counts a call before the resolver runs.
            assert_eq!(
                app.rates().check(rate(field), &address_key(proxy), Instant::now()),
                Ok(())
            );
        }
        let who = || visitor("browser-1", None);
        let url = format!("{SHOP}/cart").parse().expect("a URL");
        let at = DateTime::from_millis(NOW).expect("a time");
        let events = vec![event(
            &new_id(),
            &fixture.release,
            0,
            EventKind::RunStarted,
            Some("a"),
            NOW,
        )];
        let goals = vec![GoalInput::new("bought".into(), at)];
        let rejected = [
            code(resolve::MutationBoot::resolve(app, &cx, key.into(), who(), url).await),
            code(resolve::MutationRecord::resolve(app, &cx, key.into(), who(), events).await),
            code(resolve::MutationGoalRecord::resolve(app, &cx, key.into(), who(), goals).await),
        ];
        assert!(rejected.iter().all(|code| *code != "no error"), "{rejected:?}");
    }
    for field in FIELDS {
        assert_eq!(
            app.rates().check(rate(field), &address_key(proxy), Instant::now()),
            Ok(())
        );
        assert!(
            app.rates()
                .check(rate(field), &address_key(proxy), Instant::now())
                .is_err()
        );
    }
}

#[tokio::test]
async fn a_flood_of_rejected_calls_counts() {
    let TestApp { app, .. } = &TestApp::new().await;
    let cx = page_from(SHOP, "192.0.2.1");
    let rate = RateLimit {
        field: "Mutation.boot",
        limit: 1000,
        window_seconds: 86_400,
    };
    let mut rejected = 0;
    while app.rates().check(rate, &caller(&cx), Instant::now()).is_ok() {
        app.uncount("Mutation.boot", &cx);
        rejected += 1;
        assert!(rejected < 10_000, "no call counts");
    }
    assert!(rejected >= 1600, "{rejected}");
}

#[tokio::test]
async fn claims_do_not_exceed_the_members_of_a_workspace() {
    let test = TestApp::with(|config| config.claims_workspace = Some("team".into())).await;
    let admin = test.workspace("team", "ada").await;
    for number in 1..=200 {
        let mut member = principal(&format!("member-{number}"));
        member.roles = vec!["viewer".into()];
        test.app.account_of(&member).await.expect("an account");
    }
    let members: i64 = scalar("select count(*) from members where workspace_id = ?")
        .bind(admin.scope().as_str())
        .fetch_one(test.app.store.reader())
        .await
        .expect("a count");
    assert_eq!(members, 200);
}

/// Thousands are separated by commas.
fn grouped(number: impl ToString) -> String {
    let digits = number.to_string();
    let groups: Vec<&[u8]> = digits.as_bytes().rchunks(3).rev().collect();
    String::from_utf8(groups.join(&b',')).expect("digits")
}

#[test]
fn the_documented_limits_are_those_of_the_code() {
    const DOCUMENT: &str = include_str!("../../../../docs/operating.md");
    let limits = StorageLimits::default();
    let documented = |row: &str, value: String| {
        let found = DOCUMENT
            .lines()
            .find(|line| line.starts_with(&format!("| {row}")) && line.contains(&format!("| {value}")));
        assert!(found.is_some(), "the row `{row}` must begin with {value}");
    };
    documented("new visitors", format!("{} an hour", grouped(NEW_VISITORS.limit)));
    documented("visitors", format!("{} | site", grouped(MAX_SITE_VISITORS)));
    documented("visitors (`WAYPOST_MAX_VISITORS`)", grouped(limits.visitors));
    documented("runs (`WAYPOST_MAX_RUNS`)", grouped(limits.runs));
    documented("runs that started", format!("{MAX_RUNS_PER_WEEK} | visitor and tour"));
    documented("new runs", format!("{MAX_NEW_RUNS_PER_REPORT} | report"));
    documented("new runs", format!("{} an hour", grouped(NEW_RUNS.limit)));
    documented("age of a reported event", format!("{} days", MAX_EVENT_AGE_MS / DAY_MS));
    documented("browsers", format!("{MAX_BROWSERS} | visitor"));
    documented("stored goals", format!("{MAX_GOALS} | visitor"));
    let (traits, bytes) = (traits::MAX_TRAITS, grouped(traits::MAX_BYTES));
    documented("traits", format!("{traits}, with {bytes} bytes in total | visitor"));
    let declared = format!("{MAX_DECLARED_BYTES} bytes, of which at least {MIN_PAGE_BYTES}");
    documented("external id, traits without a signature", declared);
    documented("identity keys", format!("{MAX_KEYS} | site"));
    documented("event names", format!("{MAX_EVENT_NAMES};"));
    documented("new event names", format!("{} an hour", NEW_EVENT_NAMES.limit));
    documented("members", format!("{MAX_MEMBERS} | workspace"));
    let free = format!("less than {} MB of free space", limits.min_free_disk);
    assert!(DOCUMENT.contains(&free), "{free}");
}
