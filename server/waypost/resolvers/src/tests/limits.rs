use std::{net::IpAddr, sync::Arc, time::Instant};

use fastrand::Rng;
use traitql::{Ctx, CtxParts, DateTime, Id, Patch, RateLimit, Url, address_key};
use waypost_api::{
    EndReason, ErrorCode, EventInput, EventKind, GoalInput, Release, Site, TraitInput, VisitorInput, resolve,
};
use waypost_domain::{
    run::capacity::Capacity,
    store::{StorageLimits, new_id, scalar, sql},
};

use super::runs::{event, record, report, stored_events, visit, visitor};
use crate::{
    caller,
    testing::{NOW, TestApp, code, principal},
};

const SHOP: &str = "https://shop.example";
const DAY_MS: i64 = 24 * 60 * 60 * 1000;
const MAX_BYTES_OF_BOOT: i64 = 2100;
const MAX_BYTES_OF_REPORT: i64 = 1000;
const MAX_BYTES_OF_VISITOR: i64 = 7000;

struct Fixture {
    test: TestApp,
    site: Site,
    release: Release,
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

fn page_from(origin: &str, address: &str) -> Ctx {
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
    for day in 0..5 {
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
    assert_eq!(count_runs(&fixture).await, 7);
}

#[tokio::test]
async fn a_test_user_can_start_a_tour_more_often() {
    let fixture = fixture().await;
    let tester = fixture.test.account("ada").await;
    let mut tx = fixture.test.app.store.save().await.expect("the writer");
    let test_user = sql("update visitors set tester_id = ?").bind(tester.as_str());
    test_user.execute(tx.conn()).await.expect("a test user");
    tx.commit().await.expect("committed");
    for _ in 0..6 {
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

async fn number(test: &TestApp, query: &'static str) -> i64 {
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

/// Returns the size of the database.
async fn bytes(test: &TestApp) -> i64 {
    number(
        test,
        "select page_count * page_size from pragma_page_count(), pragma_page_size()",
    )
    .await
}

fn completed_run(release: &Release, keys: &[&str], rng: &mut Rng) -> Vec<EventInput> {
    use EventKind::{RunCompleted, RunStarted, StepDone, StepSeen};
    let run = new_id();
    let steps = keys
        .iter()
        .flat_map(|key| [(StepSeen, Some(*key)), (StepDone, Some(*key))]);
    let events = [(RunStarted, keys.first().copied())]
        .into_iter()
        .chain(steps)
        .chain([(RunCompleted, None)]);
    let mut active_ms = 0;
    let events = (0..).zip(events).map(|(seq, (kind, key))| {
        active_ms += rng.i32(0..9000);
        let mut event = event(&run, release, seq, kind, key, NOW - 1_000_000 + i64::from(active_ms));
        event.active_ms = active_ms;
        event
    });
    events.collect()
}

#[tokio::test]
async fn a_report_stores_at_most_1_kilobyte_and_a_visitor_4() {
    const KEYS: [&str; 10] = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
    const VISITORS: i64 = 200;
    const RUNS: i64 = 3;
    let test = TestApp::over(None, |_| {}).await;
    let admin = test.workspace("team", "ada").await;
    let site = test.site(&admin, "Shop").await;
    let tour = test.tour(&admin, "first", &KEYS).await;
    let release = test.release(&admin, &tour, 2, &site).await;
    let empty = bytes(&test).await;
    for browser in 0..VISITORS {
        visit(&test, &site, &format!("browser-{browser}")).await;
    }
    let visited = bytes(&test).await;
    let mut rng = Rng::with_seed(9);
    for browser in 0..VISITORS {
        for _ in 0..RUNS {
            let events = completed_run(&release, &KEYS, &mut rng);
            let ack = record(&test, &site, visitor(&format!("browser-{browser}"), None), events).await;
            assert_eq!((ack.accepted, ack.rejected), (22, vec![]));
        }
    }
    let reported = bytes(&test).await;
    let (per_report, per_visitor) = ((reported - visited) / (VISITORS * RUNS), (reported - empty) / VISITORS);
    assert!(
        per_report <= 1000,
        "{per_report} bytes per report with a run of ten steps"
    );
    assert!(per_visitor <= 4000, "{per_visitor} bytes per visitor with {RUNS} runs");
}

/// Sends as much as possible, with identifiers and values of the maximum length.
struct WorstClient<'f> {
    fixture: &'f Fixture,
    number: usize,
}

impl WorstClient<'_> {
    const BROWSERS: usize = 6;
    const RUNS: usize = 8;

    fn page(&self) -> Ctx {
        page_from(SHOP, &format!("10.0.0.{}", self.number))
    }

    fn visitor(&self, browser: usize) -> VisitorInput {
        let Self { number, .. } = self;
        let mut who = visitor(&format!("{number:018}{browser:018}"), Some(&format!("{number:0200}")));
        let traits = (0..60).map(|index| TraitInput::new(format!("key-{index}"), "x".repeat(200)));
        who.traits = Patch::Set(traits.collect());
        who
    }

    async fn boot(&self, browser: usize) {
        let url: Url = format!("{SHOP}/{}", "x".repeat(400)).parse().expect("a URL");
        let (app, key) = (&self.fixture.test.app, self.fixture.site.key.clone());
        let booted = resolve::MutationBoot::resolve(app, &self.page(), key, self.visitor(browser), url).await;
        booted.expect("a boot");
    }

    async fn run(&self, keys: &[&str], rng: &mut Rng) {
        use EventKind::{StepDone, StepSeen};
        let run = new_id();
        let mut active_ms = 0;
        let events = (0..100).map(|seq| {
            active_ms += rng.i32(0..800_000);
            let kind = if rng.bool() { StepSeen } else { StepDone };
            let at = NOW - rng.i64(0..6 * DAY_MS);
            let key = rng.choice(keys).copied();
            let mut event = event(&run, &self.fixture.release, seq * 20, kind, key, at);
            event.active_ms = active_ms;
            event.reason = EndReason::Program.into();
            event
        });
        let (app, key, events) = (&self.fixture.test.app, self.fixture.site.key.clone(), events.collect());
        let recorded = resolve::MutationRecord::resolve(app, &self.page(), key, self.visitor(0), events).await;
        recorded.expect("a result");
    }

    async fn goals(&self) {
        let at = |number: i64| DateTime::from_millis(NOW - number).expect("a time");
        let goals = (0..100).map(|number| GoalInput::new("bought".into(), at(number)));
        let (app, key, goals) = (&self.fixture.test.app, self.fixture.site.key.clone(), goals.collect());
        let reported = resolve::MutationGoalRecord::resolve(app, &self.page(), key, self.visitor(0), goals).await;
        assert_eq!(reported.expect("a number"), 100);
    }
}

#[tokio::test]
async fn the_worst_client_stores_a_limited_number_of_bytes() {
    const KEYS: [&str; 5] = ["a", "b", "c", "d", "e"];
    const VISITORS: usize = 60;
    let test = TestApp::over(None, |_| {}).await;
    let admin = test.workspace("team", "ada").await;
    let site = test.site(&admin, "Shop").await;
    let tour = test.tour(&admin, "first", &KEYS).await;
    let release = test.release(&admin, &tour, 2, &site).await;
    let mut tx = test.app.store.save().await.expect("the writer");
    let goal = sql("update releases set goal = 'bought'");
    goal.execute(tx.conn()).await.expect("a goal");
    tx.commit().await.expect("committed");
    let fixture = &Fixture { test, site, release };
    let mut rng = Rng::with_seed(3);
    let clients: Vec<WorstClient<'_>> = (0..VISITORS).map(|number| WorstClient { fixture, number }).collect();
    let each = |bytes: i64| bytes / i64::try_from(VISITORS).expect("a count");

    let empty = bytes(&fixture.test).await;
    for client in &clients {
        client.boot(0).await;
    }
    let booted = bytes(&fixture.test).await;
    for client in &clients {
        client.run(&KEYS, &mut rng).await;
    }
    let reported = bytes(&fixture.test).await;
    for client in &clients {
        for browser in 1..WorstClient::BROWSERS {
            client.boot(browser).await;
        }
        client.boot(0).await;
        for _ in 1..WorstClient::RUNS {
            client.run(&KEYS, &mut rng).await;
        }
        client.goals().await;
    }
    let sizes = [booted - empty, reported - booted, bytes(&fixture.test).await - empty].map(each);
    let limits = [MAX_BYTES_OF_BOOT, MAX_BYTES_OF_REPORT, MAX_BYTES_OF_VISITOR];
    assert!(
        sizes.iter().zip(limits).all(|(size, limit)| *size <= limit),
        "{sizes:?} bytes per first boot, report and visitor"
    );
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
