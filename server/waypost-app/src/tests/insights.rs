//! Insights over recorded runs.

use waypost_api::{DayRangeInput, EventKind, TourInsights, resolve};

use super::runs::{event, record, visitor, whole};
use crate::{
    store::new_id,
    testing::{Bench, NOW, code, nobody},
};

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
        let answer = resolve::QueryTourInsights::resolve(app, &nobody(), &admin.lower(), tour, site, range).await;
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
    assert_eq!(shop_only.participants, 3);
    assert_eq!(shop_only.completion_rate, Some(0.5));
    assert_eq!(shop_only.median_active_ms, Some(500));
    let steps: Vec<_> = shop_only
        .steps
        .iter()
        .map(|s| (s.step_key.as_str(), s.seen, s.done, s.missing))
        .collect();
    assert_eq!(steps, [("a", 4, 2, 1), ("b", 2, 2, 0)]);
    assert_eq!(shop_only.steps[0].drop_off, Some(0.5));
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
    assert_eq!(
        (everywhere.started, everywhere.completed, everywhere.participants),
        (3, 2, 3)
    );
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
        code(resolve::QueryTourInsights::resolve(app, &nobody(), &admin.lower(), tour, None, range).await)
    };
    assert_eq!(ask(range("2024-01-01", "2025-01-01")).await, "RANGE_TOO_LONG");
    assert_eq!(ask(range("2026-11-05", "2026-11-04")).await, "INVALID_INPUT");
}
