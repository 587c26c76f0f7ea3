use std::sync::Arc;

use fastrand::Rng;
use traitql::{DateTime, Id, Patch};
use waypost_api::{
    Ack, Boot, EndReason, ErrorCode, EventInput, EventKind, Rejection, Release, Run, RunEvent, RunState, Site, Tour,
    VisitorInput, resolve,
};
use waypost_domain::{
    run::store,
    store::{Row, new_id, scalar, sql},
    visitor::visitors,
};

use crate::testing::{NOW, TestApp, anonymous, code, page};

pub(super) const SHOP: &str = "https://shop.example";

pub(super) fn visitor(browser: &str, name: Option<&str>) -> VisitorInput {
    let mut input = VisitorInput::new(browser.into());
    if let Some(name) = name {
        input.external_id = Patch::Set(name.into());
    }
    input
}

pub(super) async fn boot(test: &TestApp, site: &Site, visitor: VisitorInput) -> Boot {
    let url = format!("{SHOP}/cart").parse().expect("a URL");
    let boot = resolve::MutationBoot::resolve(&test.app, &page(SHOP), site.key.clone(), visitor, url).await;
    boot.expect("a boot")
}

pub(super) async fn visit(test: &TestApp, site: &Site, browser: &str) -> Boot {
    boot(test, site, visitor(browser, None)).await
}

/// A boot request would not store a visitor of a site without live tours.
pub(super) async fn stored_visitor(test: &TestApp, site: &Site, browser: &str) -> Id {
    store_visitor(test, site, &visitor(browser, None)).await
}

async fn store_visitor(test: &TestApp, site: &Site, input: &VisitorInput) -> Id {
    let live = test
        .app
        .boot_cache
        .site(&test.app.store, &site.key)
        .await
        .expect("a result");
    let mut tx = test.app.store.save().await.expect("the writer");
    let now = tx.now;
    let input = live.expect("a site").check(input.clone(), now).visitor;
    let id = visitors::upsert(tx.conn(), site, &input, SHOP, now)
        .await
        .expect("a visitor");
    tx.commit().await.expect("committed");
    id
}

/// Stores an unknown visitor first.
pub(super) async fn record(test: &TestApp, site: &Site, visitor: VisitorInput, events: Vec<EventInput>) -> Ack {
    let ack = report(test, site, visitor.clone(), events.clone()).await;
    let is_unknown = |rejection: &Rejection| rejection.code == ErrorCode::UnknownVisitor;
    if !ack.rejected.iter().any(is_unknown) {
        return ack;
    }
    store_visitor(test, site, &visitor).await;
    report(test, site, visitor, events).await
}

/// Repeats an incomplete report, like a page.
pub(super) async fn report(test: &TestApp, site: &Site, visitor: VisitorInput, events: Vec<EventInput>) -> Ack {
    let (cx, key) = (page(SHOP), &site.key);
    loop {
        let ack = resolve::MutationRecord::resolve(&test.app, &cx, key.clone(), visitor.clone(), events.clone()).await;
        match ack {
            Err(error) if error.error().code == "REPORT_INCOMPLETE" => {}
            ack => return ack.expect("a result"),
        }
    }
}

pub(super) fn event(run: &Id, release: &Release, seq: i32, kind: EventKind, step: Option<&str>, at: i64) -> EventInput {
    let at = DateTime::from_millis(at).expect("a valid time");
    let mut event = EventInput::new(run.clone(), release.id.clone(), seq, kind, at);
    event.active_ms = seq * 100;
    if let Some(step) = step {
        event.step_key = Patch::Set(step.into());
    }
    event
}

pub(super) fn whole(run: &Id, release: &Release, begin: i64) -> Vec<EventInput> {
    use EventKind::*;
    let events = [
        (RunStarted, Some("a")),
        (StepSeen, Some("a")),
        (StepDone, Some("a")),
        (StepSeen, Some("b")),
        (StepDone, Some("b")),
        (RunCompleted, None),
    ];
    let events = events.into_iter().zip(0..);
    events
        .map(|((kind, step), seq)| event(run, release, seq, kind, step, begin + i64::from(seq) * 1000))
        .collect()
}

async fn runs(test: &TestApp, tour: &Tour, admin: &traitql::Viewer<waypost_api::role::Admin>) -> Vec<Run> {
    let page = resolve::QueryRuns::resolve(
        &test.app,
        &anonymous(),
        &admin.lower(),
        tour.id.clone(),
        None,
        100,
        None,
    )
    .await;
    page.expect("a page").nodes
}

async fn rows(test: &TestApp) -> Vec<String> {
    sql(
        "select id, state || started || ' ' || seen || ' ' || done || ' ' || missing || ' ' || started_at
           || ' ' || last_at || ' ' || coalesce(cast(ended_at as text), '-') || coalesce(end_reason, '-') || active_ms || ' ' || last_seq as line
         from runs order by id",
    )
    .try_map(|row: Row| Ok(format!("{} {}", row.id("id")?, row.text("line")?)))
    .fetch_all(test.app.store.reader())
    .await
    .expect("rows")
}

pub(super) struct Fixture {
    pub(super) test: TestApp,
    admin: traitql::Viewer<waypost_api::role::Admin>,
    pub(super) site: Site,
    tour: Tour,
    release: Release,
}

pub(super) async fn fixture() -> Fixture {
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

#[tokio::test]
async fn revisions_are_cached_and_a_new_release_is_offered_immediately() {
    let Fixture {
        test,
        admin,
        site,
        tour,
        ..
    } = fixture().await;
    let shown = async |browser| visit(&test, &site, browser).await.tours.remove(0).steps;
    let (first, second) = (shown("b-first-00").await, shown("b-second-0").await);
    assert!(
        first
            .iter()
            .zip(&second)
            .all(|(first, second)| Arc::ptr_eq(first, second))
    );
    test.save(&admin, &tour, 3, &["c"]).await;
    test.release(&admin, &tour, 4, &site).await;
    let third = shown("b-third-00").await;
    assert_eq!(third.iter().map(|step| step.key.as_str()).collect::<Vec<_>>(), ["c"]);
}

#[tokio::test]
async fn pages_of_other_origins_or_without_origin_are_rejected() {
    let Fixture { test, site, .. } = fixture().await;
    let ask = async |cx, key: &str, url: &str| {
        let url = url.parse().expect("a URL");
        code(resolve::MutationBoot::resolve(&test.app, &cx, key.into(), visitor("browser-1", None), url).await)
    };
    let url = "https://shop.example/";
    assert_eq!(ask(page(SHOP), &site.key, url).await, "no error");
    assert_eq!(ask(page(SHOP), "wp_pub_unknown", url).await, "UNKNOWN_SITE");
    assert_eq!(
        ask(page("https://evil.example"), &site.key, url).await,
        "ORIGIN_NOT_ALLOWED"
    );
    assert_eq!(ask(anonymous(), &site.key, url).await, "ORIGIN_NOT_ALLOWED");
    assert_eq!(
        ask(page(SHOP), &site.key, "https://evil.example/").await,
        "ORIGIN_NOT_ALLOWED"
    );
    let visitor = visitor("browser-1", None);
    let record = resolve::MutationRecord::resolve(&test.app, &anonymous(), site.key.clone(), visitor, Vec::new()).await;
    assert_eq!(code(record), "ORIGIN_NOT_ALLOWED");
}

#[tokio::test]
async fn a_tour_is_offered_resumed_and_then_no_longer_offered() {
    let Fixture {
        test,
        admin,
        site,
        tour,
        release,
    } = fixture().await;
    let first = visit(&test, &site, "browser-1").await;
    assert_eq!(first.tours.len(), 1);
    assert_eq!(
        (first.tours[0].release_id.clone(), first.tours[0].resume.clone()),
        (release.id.clone(), None)
    );
    let run = new_id();
    let events = whole(&run, &release, NOW);
    record(&test, &site, visitor("browser-1", None), events[..3].to_vec()).await;
    let resume = visit(&test, &site, "browser-1")
        .await
        .tours
        .remove(0)
        .resume
        .expect("an unfinished run");
    assert_eq!((resume.run_id, resume.step_key.as_str(), resume.seq), (run, "b", 3));
    assert_eq!(
        visit(&test, &site, "browser-2").await.tours[0].resume,
        None,
        "another visitor can start"
    );
    let ack = record(&test, &site, visitor("browser-1", None), events[3..].to_vec()).await;
    assert_eq!((ack.accepted, ack.rejected), (3, vec![]));
    assert_eq!(visit(&test, &site, "browser-1").await.tours, []);
    let run = runs(&test, &tour, &admin).await.remove(0);
    assert_eq!(
        (run.state, run.end_reason),
        (RunState::Completed, Some(EndReason::Finished))
    );
    assert_eq!(
        (run.seen_steps.join(" "), run.done_steps.join(" "), run.active_ms),
        ("a b".into(), "a b".into(), 500)
    );
}

pub(super) async fn stored_events(test: &TestApp) -> Vec<(Id, RunEvent)> {
    let ids = sql("select id from runs").try_map(|row: Row| row.id("id"));
    let runs = ids.fetch_all(test.app.store.reader()).await.expect("ids");
    let events = store::events(test.app.store.reader(), &runs, i32::MAX).await;
    events.expect("events")
}

#[tokio::test]
async fn events_may_arrive_twice_late_and_in_any_order() {
    let Fixture {
        test, site, release, ..
    } = fixture().await;
    let mut rng = Rng::with_seed(11);
    let mut expected: Option<Vec<String>> = None;
    let ids: Vec<Id> = (0..4).map(|_| new_id()).collect();
    for round in 0..12 {
        let mut events: Vec<EventInput> = ids.iter().flat_map(|run| whole(run, &release, NOW - 60_000)).collect();
        events.extend(events.clone());
        if round > 0 {
            rng.shuffle(&mut events);
        }
        while !events.is_empty() {
            let size = (1 + rng.usize(..9)).min(events.len());
            let batch: Vec<EventInput> = events.drain(..size).collect();
            let ack = record(&test, &site, visitor("browser-1", None), batch).await;
            assert_eq!(
                (usize::try_from(ack.accepted).expect("a count"), ack.rejected),
                (size, vec![])
            );
        }
        let found = rows(&test).await;
        assert_eq!(&found, expected.get_or_insert_with(|| found.clone()), "round {round}");
        assert_eq!(
            stored_events(&test).await.len(),
            24,
            "known events are not stored again"
        );
        let mut tx = test.app.store.save().await.expect("the writer");
        sql("delete from runs").execute(tx.conn()).await.expect("deleted");
        tx.commit().await.expect("committed");
    }
}

#[tokio::test]
async fn a_report_without_valid_events_stores_nothing() {
    let Fixture {
        test, site, release, ..
    } = fixture().await;
    let mut event = event(&new_id(), &release, 0, EventKind::RunStarted, Some("a"), NOW);
    event.release_id = new_id();
    let ack = report(&test, &site, visitor("browser-9", None), vec![event]).await;
    assert_eq!((ack.accepted, ack.rejected.len()), (0, 1));
    let visitors: i64 = scalar("select count(*) from visitors")
        .fetch_one(test.app.store.reader())
        .await
        .expect("a count");
    assert_eq!(visitors, 0);
}

#[tokio::test]
async fn invalid_events_are_rejected_and_valid_ones_are_stored() {
    let Fixture {
        test,
        admin,
        site,
        tour,
        release,
    } = fixture().await;
    use EventKind::*;
    let (own, foreign) = (new_id(), new_id());
    record(&test, &site, visitor("browser-2", None), whole(&foreign, &release, NOW)).await;
    let stranger = Release {
        id: new_id(),
        ..release.clone()
    };
    let week = 7 * 24 * 60 * 60 * 1000;
    let uuid4 = Id::from(uuid::Uuid::new_v4());
    let events = vec![
        event(&own, &release, 0, RunStarted, None, NOW),
        event(&foreign, &release, 9, RunDismissed, None, NOW),
        event(&new_id(), &stranger, 1, RunStarted, None, NOW),
        event(&own, &release, 2, StepSeen, Some("nowhere"), NOW),
        event(&own, &release, 3, StepSeen, None, NOW),
        event(&own, &release, 4, StepSeen, Some("a"), NOW - week - 1),
        event(&uuid4, &release, 5, RunStarted, None, NOW),
        event(&own, &release, 6, StepSeen, Some("a"), NOW - week),
        event(&own, &release, 7, StepSeen, Some("b"), NOW + 3_600_000),
    ];
    let ack = record(&test, &site, visitor("browser-1", None), events).await;
    let rejected: Vec<(i32, ErrorCode)> = ack.rejected.iter().map(|r| (r.seq, r.code)).collect();
    assert_eq!(ack.accepted, 3);
    assert_eq!(
        rejected,
        [
            (9, ErrorCode::RunNotYours),
            (1, ErrorCode::UnknownRelease),
            (2, ErrorCode::UnknownStep),
            (3, ErrorCode::InvalidInput),
            (4, ErrorCode::EventTooOld),
            (5, ErrorCode::InvalidInput),
        ]
    );
    assert_eq!(ack.rejected[2].message, "This tour has no step “nowhere”.");
    let all = runs(&test, &tour, &admin).await;
    let run = all.iter().find(|run| run.id == own).expect("the own run");
    assert_eq!(run.seen_steps, ["a", "b"]);
    let foreign = all.iter().find(|run| run.id == foreign).expect("the other's run");
    assert_eq!(foreign.state, RunState::Completed, "a foreign event changes nothing");
}

#[tokio::test]
async fn events_of_a_release_on_another_site_are_rejected() {
    let Fixture { test, admin, tour, .. } = fixture().await;
    let docs = test.site(&admin, "Docs").await;
    let shop_release = test.release(&admin, &tour, 3, &docs).await;
    let other = test.site(&admin, "Blog").await;
    let events = vec![event(&new_id(), &shop_release, 0, EventKind::RunStarted, None, NOW)];
    let ack = record(&test, &other, visitor("browser-1", None), events).await;
    assert_eq!(ack.rejected[0].code, ErrorCode::UnknownRelease);
}

#[tokio::test]
async fn late_events_of_an_ended_release_still_count() {
    let Fixture {
        test,
        admin,
        site,
        tour,
        release,
    } = fixture().await;
    resolve::MutationReleaseEnd::resolve(&test.app, &anonymous(), &admin.lower(), release.id.clone(), false, None)
        .await
        .expect("ended");
    assert_eq!(visit(&test, &site, "browser-1").await.tours, []);
    let ack = record(
        &test,
        &site,
        visitor("browser-1", None),
        whole(&new_id(), &release, NOW),
    )
    .await;
    assert_eq!((ack.accepted, runs(&test, &tour, &admin).await.len()), (6, 1));
}

#[tokio::test]
async fn an_identified_visitor_keeps_their_runs() {
    let Fixture {
        test, site, release, ..
    } = fixture().await;
    let anonymous = visit(&test, &site, "browser-1").await;
    record(
        &test,
        &site,
        visitor("browser-1", None),
        whole(&new_id(), &release, NOW),
    )
    .await;
    let named = boot(&test, &site, visitor("browser-1", Some("ada"))).await;
    assert_eq!(
        named.visitor_id, anonymous.visitor_id,
        "the anonymous visitor has an external id"
    );
    assert_eq!(named.tours, []);

    let other = visit(&test, &site, "browser-2").await;
    let run = new_id();
    record(
        &test,
        &site,
        visitor("browser-2", None),
        whole(&run, &release, NOW)[..3].to_vec(),
    )
    .await;
    let merged = boot(&test, &site, visitor("browser-2", Some("ada"))).await;
    assert_ne!(merged.visitor_id, other.visitor_id);
    assert_eq!(merged.visitor_id, named.visitor_id, "two browsers, one visitor");
    let rest = whole(&run, &release, NOW)[3..].to_vec();
    let ack = record(&test, &site, visitor("browser-2", Some("ada")), rest).await;
    assert_eq!(
        ack.accepted, 3,
        "a run that started without an external id continues with it"
    );

    let bob = boot(&test, &site, visitor("browser-2", Some("bob"))).await;
    assert_ne!(bob.visitor_id, named.visitor_id, "a shared browser");
    assert_eq!(bob.tours.len(), 1);
}
