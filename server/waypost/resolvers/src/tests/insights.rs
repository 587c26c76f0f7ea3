use std::collections::BTreeMap;

use fastrand::Rng;
use futures_util::{StreamExt, stream};
use traitql::{Id, Patch};
use waypost_api::{DayRangeInput, EndReason, EventInput, EventKind, RunFilterInput, RunState, TourInsights, resolve};
use waypost_domain::{
    run::{RunProgress, ValidatedEvent},
    store::{Db, Row, new_id, sql},
};

use super::runs::{event, record, stored_events, visitor, whole};
use crate::testing::{NOW, TestApp, anonymous, code};

const DAY: i64 = 24 * 60 * 60 * 1000;

fn range(from: &str, to: &str) -> DayRangeInput {
    DayRangeInput::new(from.parse().expect("a day"), to.parse().expect("a day"))
}

#[tokio::test]
async fn runs_are_counted_by_step_and_day() {
    use EventKind::*;
    let test = TestApp::new().await;
    let admin = test.workspace("team", "ada").await;
    let (shop, docs) = (test.site(&admin, "Shop").await, test.site(&admin, "Docs").await);
    let tour = test.tour(&admin, "first", &["a", "b"]).await;
    let release = test.release(&admin, &tour, 2, &shop).await;
    let elsewhere = test.release(&admin, &tour, 3, &docs).await;

    // Ada completes, Bob dismisses, Eve abandons, and Dan's page lacks the target.
    for begin in [NOW - DAY, NOW] {
        record(
            &test,
            &shop,
            visitor("browser-ada", None),
            whole(&new_id(), &release, begin),
        )
        .await;
    }
    let run = new_id();
    let events_of_run = [(RunStarted, None), (StepSeen, Some("a")), (RunDismissed, Some("a"))];
    let events = events_of_run
        .into_iter()
        .zip(0..)
        .map(|((kind, step), seq)| event(&run, &release, seq, kind, step, NOW));
    record(&test, &shop, visitor("browser-bob", None), events.collect()).await;
    let eve = vec![event(&new_id(), &release, 0, StepSeen, Some("a"), NOW - 2 * DAY)];
    record(&test, &shop, visitor("browser-eve", None), eve).await;
    let run = new_id();
    let events_of_run = [(TargetMissing, Some("a")), (RunFailed, None)];
    let events = events_of_run
        .into_iter()
        .zip(0..)
        .map(|((kind, step), seq)| event(&run, &release, seq, kind, step, NOW));
    record(&test, &shop, visitor("browser-dan", None), events.collect()).await;
    record(
        &test,
        &docs,
        visitor("browser-ada", None),
        whole(&new_id(), &elsewhere, NOW),
    )
    .await;

    let insights = async |site, range| -> TourInsights {
        let (app, tour) = (&test.app, tour.id.clone());
        let answer =
            resolve::QueryTourInsights::resolve(app, &anonymous(), &admin.lower(), tour, site, None, range).await;
        answer.expect("insights")
    };
    let shop_only = insights(Some(shop.id.clone()), range("2026-11-02", "2026-11-05")).await;
    assert_eq!(
        (
            shop_only.started,
            shop_only.completed,
            shop_only.dismissed,
            shop_only.abandoned,
            shop_only.failed,
            shop_only.attempts_without_element
        ),
        (4, 2, 1, 1, 0, 1),
        "a run that showed no step is an attempt"
    );
    let visitors = async |site: Option<Id>, range| {
        let (app, tour) = (&test.app, tour.id.clone());
        let (cx, viewer) = (&anonymous(), &admin.lower());
        let answer = resolve::QueryTourVisitors::resolve(app, cx, viewer, tour, site, None, range).await;
        answer.expect("a number")
    };
    assert_eq!(
        visitors(Some(shop.id.clone()), range("2026-11-02", "2026-11-05")).await,
        3
    );
    assert_eq!(visitors(None, range("2026-11-05", "2026-11-05")).await, 3);
    assert_eq!(shop_only.completion_rate, Some(0.5));
    assert_eq!(shop_only.median_active_ms, Some(496), "500 ms, to a sixteenth");
    let steps: Vec<_> = shop_only
        .steps
        .iter()
        .map(|s| (s.step_key.as_str(), s.seen, s.done, s.missing, s.active))
        .collect();
    assert_eq!(steps, [("a", 4, 2, 1, 0), ("b", 2, 2, 0, 0)]);
    assert_eq!(shop_only.steps[0].drop_off, Some(0.5));
    assert_eq!(
        (shop_only.steps[0].median_ms, shop_only.steps[1].median_ms),
        (Some(200), Some(100)),
        "from the first sight, which is the start, to the first end"
    );
    let runs = async |select: fn(&mut RunFilterInput)| -> Vec<RunState> {
        let mut filter = RunFilterInput {
            site_id: Patch::Set(shop.id.clone()),
            ..RunFilterInput::default()
        };
        select(&mut filter);
        let (app, cx, tour) = (&test.app, &anonymous(), tour.id.clone());
        let page = resolve::QueryRuns::resolve(app, cx, &admin.lower(), tour, Some(filter), 100, None).await;
        page.expect("runs").nodes.iter().map(|run| run.state).collect()
    };
    let (abandoned, dismissed) = (RunState::Abandoned, RunState::Dismissed);
    let at_a = runs(|filter| filter.ended_at_step = Patch::Set("a".to_owned())).await;
    assert_eq!(at_a, [dismissed, abandoned], "the drop-off of half of four");
    assert_eq!(
        runs(|filter| filter.ended_at_step = Patch::Set("b".to_owned())).await,
        []
    );
    assert_eq!(
        runs(|filter| filter.ended_at_step = Patch::Set("x".to_owned())).await,
        []
    );
    assert_eq!(
        runs(|filter| filter.state = Patch::Set(RunState::Abandoned)).await,
        [abandoned]
    );
    assert_eq!(runs(|filter| filter.state = Patch::Set(RunState::Active)).await, []);
    let completed = [RunState::Completed; 2];
    assert_eq!(
        runs(|filter| filter.state = Patch::Set(RunState::Completed)).await,
        completed
    );
    let in_time = runs(|filter| filter.range = Patch::Set(range("2026-11-03", "2026-11-04"))).await;
    assert_eq!(in_time, [RunState::Completed, abandoned]);
    assert_eq!(
        runs(|filter| filter.revision_id = Patch::Set("another".into())).await,
        []
    );
    assert_eq!(runs(|filter| filter.site_id = Patch::Keep).await.len(), 6);
    let revisions: Vec<_> = shop_only
        .by_revision
        .iter()
        .map(|r| {
            (
                r.number,
                r.started,
                [
                    r.completed,
                    r.dismissed,
                    r.stopped,
                    r.abandoned,
                    r.failed,
                    r.superseded,
                    r.active,
                ],
            )
        })
        .collect();
    assert_eq!(revisions, [(1, 4, [2, 1, 0, 1, 0, 0, 0])], "the ends add up");
    let days: Vec<_> = shop_only
        .by_day
        .iter()
        .map(|d| (d.day.to_string(), d.started, d.completed, d.dismissed))
        .collect();
    let expected = [
        ("2026-11-02", 0, 0, 0),
        ("2026-11-03", 1, 0, 0),
        ("2026-11-04", 1, 1, 0),
        ("2026-11-05", 2, 1, 1),
    ];
    assert_eq!(days, expected.map(|(day, s, c, d)| (day.to_owned(), s, c, d)));

    let everywhere = insights(None, range("2026-11-05", "2026-11-05")).await;
    assert_eq!((everywhere.started, everywhere.completed), (3, 2));
    let nothing = insights(None, range("2025-01-01", "2025-01-02")).await;
    assert_eq!(
        (nothing.started, nothing.completion_rate, nothing.median_active_ms),
        (0, None, None)
    );
    assert_eq!((nothing.steps.len(), nothing.by_day.len()), (0, 2));
}

#[tokio::test]
async fn invalid_ranges_are_rejected() {
    let test = TestApp::new().await;
    let admin = test.workspace("team", "ada").await;
    let tour = test.tour(&admin, "first", &["a"]).await;
    let ask = async |range| {
        let (app, tour) = (&test.app, tour.id.clone());
        code(resolve::QueryTourInsights::resolve(app, &anonymous(), &admin.lower(), tour, None, None, range).await)
    };
    let filter = RunFilterInput {
        range: Patch::Set(range("2024-01-01", "2025-01-01")),
        ..RunFilterInput::default()
    };
    let (cx, tour_id) = (&anonymous(), tour.id.clone());
    let refused = resolve::QueryRuns::resolve(&test.app, cx, &admin.lower(), tour_id, Some(filter), 100, None).await;
    assert_eq!(code(refused), "RANGE_TOO_LONG");
    assert_eq!(ask(range("2024-01-01", "2025-01-01")).await, "RANGE_TOO_LONG");
    assert_eq!(ask(range("2026-11-05", "2026-11-04")).await, "INVALID_INPUT");
}

async fn stored_counts(test: &TestApp) -> BTreeMap<String, i64> {
    counts(test.app.store.reader()).await
}

async fn counts(db: Db<'_>) -> BTreeMap<String, i64> {
    let rows = sql(
        "with d as (select *, tour_id || ' ' || site_id || ' ' || revision_id || ' ' || day as place from tour_days)
         select place || ' started' as name, started as number from d
         union all select place || ' COMPLETED', completed from d
         union all select place || ' DISMISSED', dismissed from d
         union all select place || ' FAILED', failed from d
         union all select place || ' SUPERSEDED', superseded from d
         union all select place || ' STOPPED', stopped from d
         union all select place || ' open', open from d
         union all select place || ' with gaps', with_gaps from d
         union all select place || ' without element', not_found from d
         union all select place || ' seen ' || step, seen from d join step_days s on s.tour_day_id = d.id
         union all select place || ' done ' || step, done from d join step_days s on s.tour_day_id = d.id
         union all select place || ' missing ' || step, missing from d join step_days s on s.tour_day_id = d.id
         union all select place || ' time ' || step || ' ' || bucket, runs from d join time_days s on s.tour_day_id = d.id",
    )
    .try_map(|row: Row| Ok((row.text("name")?, row.long("number")?)))
    .fetch_all(db)
    .await
    .expect("rows");
    rows.into_iter().filter(|(_, number)| *number != 0).collect()
}

async fn recounted(test: &TestApp) -> BTreeMap<String, i64> {
    let places = sql(
        "select n.id, n.tour_id || ' ' || n.site_id || ' ' || n.revision_id as place,
           (select json_group_array(value ->> 'key') from json_each(v.steps)) as keys
         from runs_of_releases n join revisions v on v.id = n.revision_id",
    )
    .try_map(|row: Row| Ok((row.id("id")?, (row.text("place")?, row.json::<Vec<String>>("keys")?))))
    .fetch_all(test.app.store.reader())
    .await;
    let places: BTreeMap<Id, (String, Vec<String>)> = places.expect("runs").into_iter().collect();
    let events = stored_events(test).await.into_iter().map(|(run, event)| {
        let (place, keys) = &places[&run];
        let step = event
            .step_key
            .and_then(|key| (0..).zip(keys).find(|(_, known)| **known == key));
        let validated = ValidatedEvent {
            kind: event.kind,
            seq: event.seq,
            step: step.map(|(index, _)| index),
            at: event.at,
            active_ms: event.active_ms,
            reason: event.reason,
        };
        (run, place.clone(), RunProgress::from(validated))
    });
    let mut runs: BTreeMap<Id, (String, RunProgress)> = BTreeMap::new();
    for (run, place, facts) in events {
        let known = runs.entry(run).or_insert((place, facts));
        known.1 = known.1.join(facts);
    }
    let mut numbers = BTreeMap::new();
    for (place, facts) in runs.into_values() {
        let place = format!("{place} {}", facts.started_at.as_millis().div_euclid(DAY));
        let mut add = |name: String| *numbers.entry(format!("{place} {name}")).or_insert(0) += 1;
        if facts.started {
            add("started".into());
        }
        match facts.state {
            _ if !facts.started => add("without element".into()),
            RunState::Active => add("open".into()),
            RunState::Dismissed if facts.end_reason == Some(EndReason::Program) => add("STOPPED".into()),
            ended => add(ended.as_graphql().into()),
        }
        if facts.state == RunState::Completed && facts.missing & !facts.seen != 0 {
            add("with gaps".into());
        }
        for (name, bits) in [("seen", facts.seen), ("done", facts.done), ("missing", facts.missing)] {
            for step in (0..63).filter(|step| bits >> step & 1 == 1) {
                add(format!("{name} {step}"));
            }
        }
        for (step, bucket) in (-1..).zip(facts.buckets()) {
            if let Some(bucket) = bucket {
                add(format!("time {step} {bucket}"));
            }
        }
    }
    numbers
}

#[tokio::test]
async fn stored_counts_match_the_raw_events_in_any_order_and_batching() {
    use EventKind::*;
    const KINDS: [EventKind; 7] = [
        RunStarted,
        StepSeen,
        StepDone,
        TargetMissing,
        RunCompleted,
        RunDismissed,
        RunFailed,
    ];
    let test = TestApp::new().await;
    let admin = test.workspace("team", "ada").await;
    let shop = test.site(&admin, "Shop").await;
    let tour = test.tour(&admin, "first", &["a", "b", "c"]).await;
    let old = test.release(&admin, &tour, 2, &shop).await;
    test.save(&admin, &tour, 3, &["c", "a"]).await;
    let new = test.release(&admin, &tour, 4, &shop).await;
    let mut rng = Rng::with_seed(23);
    let releases = [(&old, ["a", "b", "c"].as_slice()), (&new, ["c", "a"].as_slice())];
    for story in 0..3 {
        // Ten runs with random events around midnight.
        let mut events_of_run: Vec<EventInput> = Vec::new();
        for _ in 0..10 {
            let ((release, keys), run) = (releases[rng.usize(..2)], new_id());
            for seq in 0..1 + rng.usize(..12) {
                let kind = KINDS[rng.usize(..7)];
                let about = matches!(kind, StepSeen | StepDone | TargetMissing) || rng.usize(..2) == 0;
                let step = about.then(|| keys[rng.usize(..keys.len())]);
                let at = NOW - 3 * DAY + i64::try_from(rng.usize(..36 * 3_600_000)).expect("small");
                let mut event = event(&run, release, i32::try_from(seq).expect("few"), kind, step, at);
                event.active_ms = i32::try_from(rng.usize(..90_000)).expect("small");
                if rng.usize(..3) == 0 {
                    event.reason = Patch::Set(EndReason::Program);
                }
                events_of_run.push(event);
            }
        }
        let mut expected: Option<(BTreeMap<String, i64>, Vec<String>)> = None;
        for round in 0..4 {
            let mut events = [events_of_run.clone(), events_of_run.clone()].concat();
            if round > 0 {
                rng.shuffle(&mut events);
            }
            let mut reports = Vec::new();
            while !events.is_empty() {
                let size = (1 + rng.usize(..5)).min(events.len());
                let mut batch: Vec<EventInput> = events.drain(..size).collect();
                batch.sort_by(|a, b| a.run_id.cmp(&b.run_id));
                // A visitor can start few runs, so that each run belongs to another one.
                for run in batch.chunk_by(|a, b| a.run_id == b.run_id) {
                    let who = visitor(run[0].run_id.as_str(), None);
                    reports.push(record(&test, &shop, who, run.to_vec()));
                }
            }
            // One event per report, or all in one.
            let at_once = if round % 2 == 0 { 1 } else { reports.len() };
            let answers = stream::iter(reports).buffered(at_once);
            answers.for_each(async |ack| assert_eq!(ack.rejected, [])).await;
            let numbers = stored_counts(&test).await;
            assert_eq!(numbers, recounted(&test).await, "scenario {story}, round {round}");
            let state = sql(
                "select state || seen || done || coalesce(position, 0) || buckets as line, times from runs order by id",
            )
            .try_map(|row: Row| Ok(format!("{} {:?}", row.text("line")?, row.bytes("times")?)))
            .fetch_all(test.app.store.reader())
            .await
            .expect("the runs");
            assert_eq!(
                stored_counts_of_a_migration(&test).await,
                numbers,
                "scenario {story}, round {round}: the migration counts as the triggers"
            );
            let found = (numbers, state);
            assert_eq!(
                &found,
                expected.get_or_insert_with(|| found.clone()),
                "scenario {story}, round {round}"
            );
            let mut tx = test.app.store.save().await.expect("the writer");
            for table in ["runs", "step_days", "time_days", "tour_days"] {
                let deleted = sql(sqlx::AssertSqlSafe(format!("delete from {table}")));
                deleted.execute(tx.conn()).await.expect("deleted");
            }
            tx.commit().await.expect("committed");
        }
    }
}

/// Returns what the migration computes from the counts of the version before, and changes nothing.
async fn stored_counts_of_a_migration(test: &TestApp) -> BTreeMap<String, i64> {
    const FORMER: &str = "update tour_days set with_gaps = 0, stopped = 0, not_found = 0,
      dismissed = dismissed + stopped, failed = failed + (
        select count(*) from runs_of_releases n where n.started = 0 and n.state = 'FAILED'
          and (n.tour_id, n.site_id, n.revision_id, n.started_at / 86400000)
            = (tour_days.tour_id, tour_days.site_id, tour_days.revision_id, tour_days.day))";
    let migration = if std::env::var("WAYPOST_TEST_DATABASE").as_deref() == Ok("postgres") {
        include_str!("../../../domain/migrations-postgres/0002_attempts.sql")
    } else {
        include_str!("../../../domain/migrations/0002_attempts.sql")
    };
    let statement = migration
        .split(";\n")
        .find(|statement| statement.contains("update tour_days set with_gaps"));
    let mut tx = test.app.store.save().await.expect("the writer");
    sql(FORMER).execute(tx.conn()).await.expect("former counts");
    let statement = sqlx::AssertSqlSafe(statement.expect("the statement").to_owned());
    sql(statement).execute(tx.conn()).await.expect("migrated");
    counts(tx.conn().db()).await
}

#[tokio::test]
async fn insights_can_be_limited_to_a_revision() {
    let test = TestApp::new().await;
    let admin = test.workspace("team", "ada").await;
    let shop = test.site(&admin, "Shop").await;
    let tour = test.tour(&admin, "first", &["a", "b"]).await;
    let old = test.release(&admin, &tour, 2, &shop).await;
    record(&test, &shop, visitor("browser-ada", None), whole(&new_id(), &old, NOW)).await;
    test.save(&admin, &tour, 3, &["b"]).await;
    let new = test.release(&admin, &tour, 4, &shop).await;
    let left = event(&new_id(), &new, 0, EventKind::RunStarted, Some("b"), NOW);
    record(&test, &shop, visitor("browser-bob", None), vec![left]).await;
    let ask = async |revision: Option<Id>| -> TourInsights {
        let (app, tour, range) = (&test.app, tour.id.clone(), range("2026-11-05", "2026-11-05"));
        let (cx, viewer) = (&anonymous(), &admin.lower());
        let answer = resolve::QueryTourInsights::resolve(app, cx, viewer, tour, None, revision, range).await;
        answer.expect("insights")
    };
    let both = ask(None).await;
    let by_revision: Vec<_> = both
        .by_revision
        .iter()
        .map(|r| (r.number, r.started, r.completion_rate))
        .collect();
    assert_eq!(by_revision, [(2, 1, Some(0.0)), (1, 1, Some(1.0))]);
    let abandoned = |insights: &TourInsights| (insights.steps[0].active, insights.steps[0].drop_off);
    assert_eq!((both.steps[0].seen, abandoned(&both)), (2, (1, Some(0.0))));
    let first = ask(Some(old.revision_id.clone())).await;
    assert_eq!((first.started, first.completed), (1, 1));
    let keys: Vec<_> = first.steps.iter().map(|s| s.step_key.as_str()).collect();
    assert_eq!(keys, ["a", "b"]);
    let ended_at_b = async || -> Vec<RunState> {
        let filter = RunFilterInput {
            ended_at_step: Patch::Set("b".to_owned()),
            ..RunFilterInput::default()
        };
        let (app, cx, tour) = (&test.app, &anonymous(), tour.id.clone());
        let page = resolve::QueryRuns::resolve(app, cx, &admin.lower(), tour, Some(filter), 100, None).await;
        page.expect("runs").nodes.iter().map(|run| run.state).collect()
    };
    assert_eq!(ended_at_b().await, [], "an active run has not ended");
    test.advance(DAY + 1);
    assert_eq!(ended_at_b().await, [RunState::Abandoned]);
    let later = ask(None).await;
    assert_eq!((both.abandoned, later.abandoned), (0, 1));
    assert_eq!(
        abandoned(&later),
        (0, Some(0.5)),
        "inactive runs are abandoned after a day"
    );
    assert_eq!(ask(Some(new_id())).await.started, 0);
}

#[tokio::test]
async fn runs_that_end_with_their_release_are_counted_as_superseded() {
    let test = TestApp::new().await;
    let admin = test.workspace("team", "ada").await;
    let site = test.site(&admin, "Shop").await;
    let tour = test.tour(&admin, "first", &["a", "b"]).await;
    let release = test.release(&admin, &tour, 2, &site).await;
    for browser in ["browser-ada", "browser-bob"] {
        let begun = vec![event(&new_id(), &release, 0, EventKind::RunStarted, Some("a"), NOW)];
        record(&test, &site, visitor(browser, None), begun).await;
    }
    let (app, cx, publisher) = (&test.app, &anonymous(), &admin.lower());
    let ended = resolve::MutationReleaseEnd::resolve(app, cx, publisher, release.id.clone(), true, None).await;
    ended.expect("ended");
    test.advance(DAY + 1);
    let days = range("2026-11-02", "2026-11-05");
    let answer = resolve::QueryTourInsights::resolve(app, cx, &admin.lower(), tour.id, None, None, days).await;
    let insights = answer.expect("insights");
    assert_eq!((insights.started, insights.superseded, insights.abandoned), (2, 2, 0));
}

#[tokio::test]
async fn gaps_and_stopped_runs_are_counted_separately() {
    use EventKind::*;
    let test = TestApp::new().await;
    let admin = test.workspace("team", "ada").await;
    let shop = test.site(&admin, "Shop").await;
    let tour = test.tour(&admin, "first", &["a", "b", "c"]).await;
    let release = test.release(&admin, &tour, 2, &shop).await;
    let report = async |browser: &str, events: &[(EventKind, Option<&str>)], reason: Option<EndReason>| {
        let run = new_id();
        let events = (0..).zip(events).map(|(seq, (kind, step))| {
            let mut event = event(&run, &release, seq, *kind, *step, NOW);
            event.reason = reason.map_or(Patch::Keep, Patch::Set);
            event
        });
        record(&test, &shop, visitor(browser, None), events.collect()).await;
    };
    let skipped = [
        (StepSeen, Some("a")),
        (TargetMissing, Some("b")),
        (StepSeen, Some("c")),
        (RunCompleted, None),
    ];
    report("browser-ada", &skipped, None).await;
    let centered = [
        (TargetMissing, Some("a")),
        (StepSeen, Some("a")),
        (StepDone, Some("a")),
        (RunCompleted, None),
    ];
    report("browser-bob", &centered, None).await;
    let left = [(StepSeen, Some("a")), (RunDismissed, Some("a"))];
    report("browser-eve", &left, Some(EndReason::Program)).await;
    report("browser-dan", &left, Some(EndReason::Escape)).await;
    let (app, cx, viewer) = (&test.app, &anonymous(), &admin.lower());
    let day = range("2026-11-05", "2026-11-05");
    let answer = resolve::QueryTourInsights::resolve(app, cx, viewer, tour.id.clone(), None, None, day).await;
    let insights = answer.expect("insights");
    assert_eq!(
        (insights.started, insights.completed, insights.completed_with_gaps),
        (4, 2, 1),
        "a step that was shown in the center is no gap"
    );
    assert_eq!((insights.dismissed, insights.stopped), (1, 1));
    let day = &insights.by_day[0];
    assert_eq!((day.completed_with_gaps, day.dismissed, day.stopped), (1, 1, 1));
    let runs = async |state| {
        let filter = RunFilterInput {
            state: Patch::Set(state),
            ..RunFilterInput::default()
        };
        let page = resolve::QueryRuns::resolve(app, cx, viewer, tour.id.clone(), Some(filter), 100, None).await;
        let runs = page.expect("runs").nodes;
        runs.into_iter()
            .map(|run| (run.state, run.missing_steps))
            .collect::<Vec<_>>()
    };
    assert_eq!(runs(RunState::Stopped).await, [(RunState::Stopped, vec![])]);
    assert_eq!(runs(RunState::Dismissed).await, [(RunState::Dismissed, vec![])]);
    let mut gaps: Vec<_> = runs(RunState::Completed)
        .await
        .into_iter()
        .map(|(_, gaps)| gaps)
        .collect();
    gaps.sort();
    assert_eq!(gaps, [vec![], vec!["b".to_owned()]]);
}
