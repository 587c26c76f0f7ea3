//! `explain` says what plays: it is held against `boot`.

use traitql::{Id, Patch, Viewer};
use waypost_api::{
    Explanation, Frequency, Gate, GateReason, Release, Site, StartRuleInput, Tour, Trigger, resolve, role,
};
use waypost_domain::{
    run::page,
    store::{new_id, sql},
};
use waypost_testbed::Dice;

use super::runs::{event, record, visit, visitor, whole};
use crate::testing::{Bench, NOW, code, nobody, save_input, step};

const DAY: i64 = 24 * 60 * 60 * 1000;

async fn ask(bench: &Bench, viewer: &Viewer<role::Viewer>, person: &Id, tour: &Tour, path: &str) -> Explanation {
    let url = format!("https://shop.example{path}").parse().expect("a URL");
    let (cx, person, tour) = (&nobody(), person.clone(), tour.id.clone());
    let answer = resolve::QueryExplain::resolve(&bench.app, cx, viewer, person, tour, url).await;
    answer.expect("an explanation")
}

/// A tour with two steps and a start rule.
async fn tour(bench: &Bench, admin: &Viewer<role::Admin>, slug: &str, start: StartRuleInput) -> Tour {
    let tour = bench.tour(admin, slug, &["a", "b"]).await;
    let mut input = save_input(tour.id.as_str(), 2);
    input.steps = Patch::Set(vec![step("a"), step("b")]);
    input.start = Patch::Set(start);
    let saved = resolve::MutationTourSave::resolve(&bench.app, &nobody(), &admin.lower(), input).await;
    saved.expect("saved");
    tour
}

/// Sets what a release is like, as no mutation does: any combination.
async fn shape(bench: &Bench, release: &Release, values: [Option<i64>; 5]) {
    let mut tx = bench.app.store.save().await.expect("the writer");
    let mut statement = sql(
        "update releases set rollout_percent = coalesce(?, 100), holdout_percent = coalesce(?, 0), starts_at = ?,
           ends_at = ?, paused_at = ? where id = ?",
    );
    for value in values {
        statement = statement.bind(value);
    }
    let shaped = statement.bind(release.id.as_str()).execute(tx.conn()).await;
    shaped.expect("shaped");
    tx.commit().await.expect("committed");
}

fn reasons(explanation: &Explanation) -> Vec<GateReason> {
    explanation.gates.iter().filter_map(|gate| gate.reason).collect()
}

#[tokio::test]
async fn what_is_explained_is_what_plays() {
    use waypost_api::EventKind::*;
    let bench = Bench::new().await;
    let admin = bench.workspace("team", "ada").await;
    let shop = bench.site(&admin, "Shop").await;
    let mut dice = Dice::new(41);
    let mut tours: Vec<(Tour, Release)> = Vec::new();
    for number in 0..6 {
        let start = StartRuleInput {
            trigger: [Trigger::Auto, Trigger::Auto, Trigger::Manual][dice.below(3)],
            frequency: [Frequency::Once, Frequency::UntilCompleted, Frequency::Always][dice.below(3)],
            page: [Patch::Keep, Patch::Set("/shop/*".into()), Patch::Set("/cart".into())][dice.below(3)].clone(),
            ignore_quiet_hours: number < 4,
            ..StartRuleInput::default()
        };
        let tour = tour(&bench, &admin, &format!("tour-{number}"), start).await;
        let release = bench.release(&admin, &tour, 3, &shop).await;
        tours.push((tour, release));
    }
    let (mut played, mut withheld) = (0, 0);
    for person in 0..60 {
        for (_, release) in &tours {
            let mut maybe = |value: i64| (dice.below(4) == 0).then_some(value);
            let (schedule, over) = (maybe(NOW + DAY), maybe(NOW - 1));
            let values = [maybe(50), maybe(30), schedule, over, maybe(NOW)];
            shape(&bench, release, values).await;
        }
        let browser = format!("browser-{person}");
        let id = visit(&bench, &shop, &browser).await.participant_id;
        for (_, release) in &tours {
            let end = [None, Some(RunCompleted), Some(RunDismissed), Some(RunFailed)][dice.below(4)];
            if dice.below(2) == 0 {
                let (run, at) = (new_id(), NOW - [0, 2 * DAY][dice.below(2)] - 10_000);
                let mut told = vec![event(&run, release, 0, StepSeen, Some("a"), at)];
                told.extend(end.map(|end| event(&run, release, 1, end, None, at + 1000)));
                record(&bench, &shop, visitor(&browser, None), told).await;
            }
        }
        let boot = visit(&bench, &shop, &browser).await;
        let path = ["/", "/shop/lamps", "/cart"][dice.below(3)];
        let first = page::first(&boot.tours, path).map(|tour| tour.tour_id.clone());
        for (tour, _) in &tours {
            let said = ask(&bench, &admin.lower(), &id, tour, path).await;
            let offered = boot.tours.iter().find(|offer| offer.tour_id == tour.id);
            let page = [Gate::Page, Gate::Trigger, Gate::OtherTour];
            let mut gates = said.gates.iter().filter(|gate| !page.contains(&gate.gate));
            let passed = gates.all(|gate| gate.passed);
            assert_eq!(passed, offered.is_some(), "{browser} {tour:?} {said:?}");
            assert_eq!(
                said.would_play,
                first.as_ref() == Some(&tour.id),
                "{browser} {path} {tour:?} {said:?}"
            );
            if let Some(offered) = offered {
                assert_eq!(said.resumes, offered.resume.is_some());
            }
            assert!(said.gates.iter().all(|gate| gate.passed == gate.reason.is_none()));
            match said.would_play {
                true => played += 1,
                false => withheld += 1,
            }
        }
    }
    assert!(played > 20 && withheld > 20, "both are tried: {played} {withheld}");
}

#[tokio::test]
async fn every_closed_gate_says_why() {
    let bench = Bench::new().await;
    let admin = bench.workspace("team", "ada").await;
    let viewer = &admin.lower();
    let shop: Site = bench.site(&admin, "Shop").await;
    let id = visit(&bench, &shop, "browser-1").await.participant_id;
    let start = StartRuleInput {
        page: Patch::Set("/shop/*".into()),
        ..StartRuleInput::default()
    };
    let tour = tour(&bench, &admin, "first", start).await;
    let here = "/shop/lamps";
    let said = ask(&bench, viewer, &id, &tour, here).await;
    assert_eq!((reasons(&said), said.gates.len()), (vec![GateReason::NotReleased], 2));
    let release = bench.release(&admin, &tour, 3, &shop).await;
    let said = ask(&bench, viewer, &id, &tour, here).await;
    assert_eq!((said.would_play, reasons(&said), said.gates.len()), (true, vec![], 11));

    let said = ask(&bench, viewer, &id, &tour, "/cart").await;
    assert_eq!(reasons(&said), [GateReason::OtherPage]);
    let page = said
        .gates
        .iter()
        .find(|gate| gate.gate == Gate::Page)
        .expect("the gate");
    assert_eq!(
        (page.expected.as_deref(), page.found.as_deref()),
        (Some("/shop/*"), Some("/cart"))
    );

    let closed = async |values: [Option<i64>; 5]| {
        shape(&bench, &release, values).await;
        let said = ask(&bench, viewer, &id, &tour, here).await;
        said.gates.into_iter().find(|gate| !gate.passed).expect("a closed gate")
    };
    assert_eq!(
        closed([None, None, None, None, Some(NOW)]).await.reason,
        Some(GateReason::Paused)
    );
    let later = closed([None, None, Some(NOW + 1), None, None]).await;
    assert_eq!(later.reason, Some(GateReason::NotYet));
    assert_eq!(later.at.map(traitql::DateTime::as_millis), Some(NOW + 1));
    assert_eq!(
        closed([None, None, None, Some(NOW), None]).await.reason,
        Some(GateReason::Over)
    );
    let beyond = closed([Some(0), None, None, None, None]).await;
    assert_eq!(beyond.reason, Some(GateReason::BeyondRollout));
    let percent: i64 = beyond.expected.expect("a percentage").parse().expect("a number");
    shape(&bench, &release, [Some(percent), None, None, None, None]).await;
    assert!(
        ask(&bench, viewer, &id, &tour, here).await.would_play,
        "so many percent reach them"
    );
    assert_eq!(
        closed([Some(percent - 1), None, None, None, None]).await.reason,
        Some(GateReason::BeyondRollout)
    );
    shape(&bench, &release, [None; 5]).await;

    let mut held = 0;
    shape(&bench, &release, [None, Some(50), None, None, None]).await;
    for number in 0..40 {
        let id = visit(&bench, &shop, &format!("browser-{number}-of-many"))
            .await
            .participant_id;
        held += usize::from(reasons(&ask(&bench, viewer, &id, &tour, here).await) == [GateReason::HeldOut]);
    }
    assert!((5..36).contains(&held), "{held} of 40");
    shape(&bench, &release, [None; 5]).await;

    record(
        &bench,
        &shop,
        visitor("browser-1", None),
        whole(&new_id(), &release, NOW),
    )
    .await;
    let said = ask(&bench, viewer, &id, &tour, here).await;
    let seen = said.gates.iter().find(|gate| !gate.passed).expect("a closed gate");
    assert_eq!(
        (seen.reason, seen.expected.as_deref()),
        (Some(GateReason::Seen), Some("ONCE"))
    );
}

#[tokio::test]
async fn another_tour_or_another_site_is_named() {
    let bench = Bench::new().await;
    let admin = bench.workspace("team", "ada").await;
    let viewer = &admin.lower();
    let shop = bench.site(&admin, "Shop").await;
    let id = visit(&bench, &shop, "browser-1").await.participant_id;
    let first = tour(&bench, &admin, "first", StartRuleInput::default()).await;
    let second = tour(&bench, &admin, "second", StartRuleInput::default()).await;
    let manual = StartRuleInput {
        trigger: Trigger::Manual,
        ..StartRuleInput::default()
    };
    let asked = tour(&bench, &admin, "asked", manual).await;
    bench.release(&admin, &second, 3, &shop).await;
    bench.pass(1);
    bench.release(&admin, &first, 3, &shop).await;
    bench.release(&admin, &asked, 3, &shop).await;
    assert!(
        ask(&bench, viewer, &id, &first, "/").await.would_play,
        "the newest release first"
    );
    let said = ask(&bench, viewer, &id, &second, "/").await;
    assert_eq!(reasons(&said), [GateReason::OtherTourFirst]);
    assert_eq!(said.gates[10].found.as_deref(), Some("Tour first"));
    let said = ask(&bench, viewer, &id, &asked, "/").await;
    assert_eq!(reasons(&said), [GateReason::Manual, GateReason::OtherTourFirst]);

    let elsewhere = "https://other.example/".parse().expect("a URL");
    let (cx, app) = (&nobody(), &bench.app);
    let said = resolve::QueryExplain::resolve(app, cx, viewer, id.clone(), first.id.clone(), elsewhere).await;
    let said = said.expect("an explanation");
    assert_eq!(reasons(&said), [GateReason::OriginNotAllowed]);
    assert_eq!(said.gates[0].found.as_deref(), Some("https://other.example"));

    let url = || "https://shop.example/".parse().expect("a URL");
    let other = bench.workspace("other", "mallory").await;
    let foreign = bench.tour(&other, "theirs", &["a"]).await;
    let answer = resolve::QueryExplain::resolve(app, cx, viewer, id, foreign.id, url()).await;
    assert_eq!(code(answer), "NOT_FOUND");
    let answer = resolve::QueryExplain::resolve(app, cx, viewer, new_id(), first.id, url()).await;
    assert_eq!(code(answer), "NOT_FOUND");
}
