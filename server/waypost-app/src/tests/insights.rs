//! Insights over recorded runs.

use std::collections::BTreeMap;

use futures_util::{StreamExt, stream};
use traitql::Id;
use waypost_api::{DayRangeInput, EventInput, EventKind, RunState, TourInsights, resolve};
use waypost_domain::{
    run::{Facts, Happening},
    store::{Row, new_id, scalar, sql},
};
use waypost_testbed::Dice;

use super::runs::{event, record, visitor, whole};
use crate::testing::{Bench, NOW, code, nobody};

const DAY: i64 = 24 * 60 * 60 * 1000;

fn range(from: &str, to: &str) -> DayRangeInput {
    DayRangeInput::new(from.parse().expect("a day"), to.parse().expect("a day"))
}

#[tokio::test]
async fn runs_become_a_funnel_with_days() {
    use EventKind::*;
    let bench = Bench::new().await;
    let admin = bench.workspace("team", "ada").await;
    let (shop, docs) = (bench.site(&admin, "Shop").await, bench.site(&admin, "Docs").await);
    let tour = bench.tour(&admin, "first", &["a", "b"]).await;
    let release = bench.release(&admin, &tour, 2, &shop).await;
    let elsewhere = bench.release(&admin, &tour, 3, &docs).await;

    // Ada finishes twice, Bob leaves after the first step, Eve wanders off, and Dan's page has no element.
    for begin in [NOW - DAY, NOW] {
        record(
            &bench,
            &shop,
            visitor("browser-ada", None),
            whole(&new_id(), &release, begin),
        )
        .await;
    }
    let run = new_id();
    let told = [(RunStarted, None), (StepSeen, Some("a")), (RunDismissed, Some("a"))];
    let events = told
        .into_iter()
        .zip(0..)
        .map(|((kind, step), seq)| event(&run, &release, seq, kind, step, NOW));
    record(&bench, &shop, visitor("browser-bob", None), events.collect()).await;
    let eve = vec![event(&new_id(), &release, 0, StepSeen, Some("a"), NOW - 2 * DAY)];
    record(&bench, &shop, visitor("browser-eve", None), eve).await;
    let run = new_id();
    let told = [(TargetMissing, Some("a")), (RunFailed, None)];
    let events = told
        .into_iter()
        .zip(0..)
        .map(|((kind, step), seq)| event(&run, &release, seq, kind, step, NOW));
    record(&bench, &shop, visitor("browser-dan", None), events.collect()).await;
    record(
        &bench,
        &docs,
        visitor("browser-ada", None),
        whole(&new_id(), &elsewhere, NOW),
    )
    .await;

    let insights = async |site, range| -> TourInsights {
        let (app, tour) = (&bench.app, tour.id.clone());
        let answer = resolve::QueryTourInsights::resolve(app, &nobody(), &admin.lower(), tour, site, None, range).await;
        answer.expect("insights")
    };
    let shop_only = insights(Some(shop.id.clone()), range("2026-11-02", "2026-11-05")).await;
    assert_eq!(
        (
            shop_only.started,
            shop_only.completed,
            shop_only.dismissed,
            shop_only.abandoned,
            shop_only.failed
        ),
        (4, 2, 1, 1, 1)
    );
    let people = async |site: Option<Id>, range| {
        let (app, tour) = (&bench.app, tour.id.clone());
        let (cx, viewer) = (&nobody(), &admin.lower());
        let answer = resolve::QueryTourParticipants::resolve(app, cx, viewer, tour, site, None, range).await;
        answer.expect("a number")
    };
    assert_eq!(
        people(Some(shop.id.clone()), range("2026-11-02", "2026-11-05")).await,
        3
    );
    assert_eq!(people(None, range("2026-11-05", "2026-11-05")).await, 3);
    assert_eq!(shop_only.completion_rate, Some(0.5));
    assert_eq!(shop_only.median_active_ms, Some(496), "500 ms, to a sixteenth");
    let steps: Vec<_> = shop_only
        .steps
        .iter()
        .map(|s| (s.step_key.as_str(), s.seen, s.done, s.missing, s.under_way))
        .collect();
    assert_eq!(steps, [("a", 4, 2, 1, 0), ("b", 2, 2, 0, 0)]);
    assert_eq!(shop_only.steps[0].drop_off, Some(0.5));
    assert_eq!(
        (shop_only.steps[0].median_ms, shop_only.steps[1].median_ms),
        (Some(200), Some(100)),
        "from the first sight, which is the start, to the first end"
    );
    let revisions: Vec<_> = shop_only.by_revision.iter().map(|r| (r.number, r.started)).collect();
    assert_eq!(revisions, [(1, 4)]);
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
async fn a_range_that_is_none_is_refused() {
    let bench = Bench::new().await;
    let admin = bench.workspace("team", "ada").await;
    let tour = bench.tour(&admin, "first", &["a"]).await;
    let ask = async |range| {
        let (app, tour) = (&bench.app, tour.id.clone());
        code(resolve::QueryTourInsights::resolve(app, &nobody(), &admin.lower(), tour, None, None, range).await)
    };
    assert_eq!(ask(range("2024-01-01", "2025-01-01")).await, "RANGE_TOO_LONG");
    assert_eq!(ask(range("2026-11-05", "2026-11-04")).await, "INVALID_INPUT");
}

/// Rows of the database as texts, in their order.
async fn rows(bench: &Bench, query: &'static str) -> Vec<String> {
    let rows = scalar(query).fetch_all(bench.app.store.reader()).await;
    rows.expect("rows")
}

/// The numbers by day as they are kept: what is zero counts for nothing.
async fn kept(bench: &Bench) -> BTreeMap<String, i64> {
    let rows = sql(
        "with d as (select *, tour_id || ' ' || site_id || ' ' || revision_id || ' ' || day as place from tour_days)
         select place || ' started' as name, started as number from d
         union all select place || ' COMPLETED', completed from d
         union all select place || ' DISMISSED', dismissed from d
         union all select place || ' FAILED', failed from d
         union all select place || ' open', open from d
         union all select place || ' seen ' || step, seen from d join step_days s on s.tour_day_id = d.id
         union all select place || ' done ' || step, done from d join step_days s on s.tour_day_id = d.id
         union all select place || ' missing ' || step, missing from d join step_days s on s.tour_day_id = d.id
         union all select place || ' time ' || step || ' ' || bucket, runs from d join time_days s on s.tour_day_id = d.id",
    )
    .try_map(|row: Row| Ok((row.text("name")?, row.long("number")?)))
    .fetch_all(bench.app.store.reader())
    .await
    .expect("rows");
    rows.into_iter().filter(|(_, number)| *number != 0).collect()
}

/// The same numbers, counted anew from the raw events.
async fn recounted(bench: &Bench) -> BTreeMap<String, i64> {
    let events = sql(
        "select e.*, r.tour_id || ' ' || r.site_id || ' ' || r.revision_id as place,
           (select s.key from json_each(v.steps) s where s.value ->> 'key' = e.step_key) as step
         from events e join runs r on r.id = e.run_id join revisions v on v.id = r.revision_id",
    )
    .try_map(|row: Row| {
        let step = match row.text_opt("step_key")? {
            None => None,
            Some(_) => Some(u32::try_from(row.int("step")?).expect("a place")),
        };
        let happening = Happening {
            kind: row.choice("kind")?,
            seq: row.int("seq")?,
            step,
            at: row.time("at")?,
            active_ms: row.int("active_ms")?,
            reason: row.choice_opt("reason")?,
        };
        Ok((row.id("run_id")?, row.text("place")?, Facts::from(happening)))
    })
    .fetch_all(bench.app.store.reader())
    .await
    .expect("events");
    let mut runs: BTreeMap<Id, (String, Facts)> = BTreeMap::new();
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
            RunState::Active if facts.started => add("open".into()),
            RunState::Active => {}
            ended => add(ended.as_graphql().into()),
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
async fn numbers_are_those_of_the_raw_events_in_any_order_and_any_batches() {
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
    let bench = Bench::new().await;
    let admin = bench.workspace("team", "ada").await;
    let shop = bench.site(&admin, "Shop").await;
    let tour = bench.tour(&admin, "first", &["a", "b", "c"]).await;
    let old = bench.release(&admin, &tour, 2, &shop).await;
    bench.save(&admin, &tour, 3, &["c", "a"]).await;
    let new = bench.release(&admin, &tour, 4, &shop).await;
    let mut dice = Dice::new(23);
    let releases = [(&old, ["a", "b", "c"].as_slice()), (&new, ["c", "a"].as_slice())];
    for story in 0..3 {
        // Ten runs of anything, around midnight.
        let mut told: Vec<EventInput> = Vec::new();
        for _ in 0..10 {
            let ((release, keys), run) = (releases[dice.below(2)], new_id());
            for seq in 0..1 + dice.below(12) {
                let kind = KINDS[dice.below(7)];
                let about = matches!(kind, StepSeen | StepDone | TargetMissing) || dice.below(2) == 0;
                let step = about.then(|| keys[dice.below(keys.len())]);
                let at = NOW - 3 * DAY + i64::try_from(dice.below(36 * 3_600_000)).expect("small");
                let mut event = event(&run, release, i32::try_from(seq).expect("few"), kind, step, at);
                event.active_ms = i32::try_from(dice.below(90_000)).expect("small");
                told.push(event);
            }
        }
        let mut expected: Option<(BTreeMap<String, i64>, Vec<String>)> = None;
        for round in 0..4 {
            let mut events = [told.clone(), told.clone()].concat();
            if round > 0 {
                dice.shuffle(&mut events);
            }
            let mut reports = Vec::new();
            while !events.is_empty() {
                let size = (1 + dice.below(30)).min(events.len());
                let batch = events.drain(..size).collect();
                reports.push(record(&bench, &shop, visitor("browser-1", None), batch));
            }
            // One after the other, or all together.
            let at_once = if round % 2 == 0 { 1 } else { reports.len() };
            let answers = stream::iter(reports).buffered(at_once);
            answers.for_each(async |ack| assert_eq!(ack.rejected, [])).await;
            let numbers = kept(&bench).await;
            assert_eq!(numbers, recounted(&bench).await, "story {story}, round {round}");
            let state = rows(
                &bench,
                "select state || seen || done || coalesce(whereabouts, 0) || times || buckets from runs order by id",
            )
            .await;
            let found = (numbers, state);
            assert_eq!(
                &found,
                expected.get_or_insert_with(|| found.clone()),
                "story {story}, round {round}"
            );
            let mut tx = bench.app.store.save().await.expect("the writer");
            for table in ["events", "runs", "step_days", "time_days", "tour_days"] {
                let deleted = sql(sqlx::AssertSqlSafe(format!("delete from {table}")));
                deleted.execute(tx.conn()).await.expect("deleted");
            }
            tx.commit().await.expect("committed");
        }
    }
}

#[tokio::test]
async fn a_revision_can_be_looked_at_alone() {
    let bench = Bench::new().await;
    let admin = bench.workspace("team", "ada").await;
    let shop = bench.site(&admin, "Shop").await;
    let tour = bench.tour(&admin, "first", &["a", "b"]).await;
    let old = bench.release(&admin, &tour, 2, &shop).await;
    record(&bench, &shop, visitor("browser-ada", None), whole(&new_id(), &old, NOW)).await;
    bench.save(&admin, &tour, 3, &["b"]).await;
    let new = bench.release(&admin, &tour, 4, &shop).await;
    let left = event(&new_id(), &new, 0, EventKind::RunStarted, Some("b"), NOW);
    record(&bench, &shop, visitor("browser-bob", None), vec![left]).await;
    let ask = async |revision: Option<Id>| -> TourInsights {
        let (app, tour, range) = (&bench.app, tour.id.clone(), range("2026-11-05", "2026-11-05"));
        let (cx, viewer) = (&nobody(), &admin.lower());
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
    let lost = |insights: &TourInsights| (insights.steps[0].under_way, insights.steps[0].drop_off);
    assert_eq!((both.steps[0].seen, lost(&both)), (2, (1, Some(0.0))));
    let first = ask(Some(old.revision_id.clone())).await;
    assert_eq!((first.started, first.completed), (1, 1));
    let keys: Vec<_> = first.steps.iter().map(|s| s.step_key.as_str()).collect();
    assert_eq!(keys, ["a", "b"]);
    bench.pass(DAY + 1);
    let later = ask(None).await;
    assert_eq!((both.abandoned, later.abandoned), (0, 1));
    assert_eq!(lost(&later), (0, Some(0.5)), "who has not come back in a day is lost");
    assert_eq!(ask(Some(new_id())).await.started, 0);
}

#[tokio::test]
async fn runs_that_end_with_their_release_are_over() {
    let bench = Bench::new().await;
    let admin = bench.workspace("team", "ada").await;
    let site = bench.site(&admin, "Shop").await;
    let tour = bench.tour(&admin, "first", &["a", "b"]).await;
    let release = bench.release(&admin, &tour, 2, &site).await;
    for browser in ["browser-ada", "browser-bob"] {
        let begun = vec![event(&new_id(), &release, 0, EventKind::RunStarted, Some("a"), NOW)];
        record(&bench, &site, visitor(browser, None), begun).await;
    }
    let (app, cx, publisher) = (&bench.app, &nobody(), &admin.lower());
    let ended = resolve::MutationReleaseEnd::resolve(app, cx, publisher, release.id.clone(), true, None).await;
    ended.expect("ended");
    bench.pass(DAY + 1);
    let days = range("2026-11-02", "2026-11-05");
    let answer = resolve::QueryTourInsights::resolve(app, cx, &admin.lower(), tour.id, None, None, days).await;
    let insights = answer.expect("insights");
    assert_eq!((insights.started, insights.superseded, insights.abandoned), (2, 2, 0));
}
