use traitql::{DateTime, Id, Patch, with_batch};
use waypost_api::{
    EventInput, EventKind, Release, ReleaseAdjustInput, ReleaseState, ResumePoint, Run, RunState, Site, Tour,
    TourReleaseInput, resolve,
};
use waypost_domain::{
    release::allocation::{Allocation, TrafficSplit, bucket},
    store::{new_id, scalar},
};

use super::runs::{event, record, visit, visitor};
use crate::testing::{NOW, TestApp, anonymous, code};

type Admin = traitql::Viewer<waypost_api::role::Admin>;

fn instant(millis: i64) -> DateTime {
    DateTime::from_millis(millis).expect("a valid time")
}

pub(super) struct Fixture {
    pub(super) test: TestApp,
    pub(super) admin: Admin,
    pub(super) site: Site,
    pub(super) tour: Tour,
    pub(super) release: Release,
}

pub(super) async fn fixture() -> Fixture {
    let test = TestApp::new().await;
    let admin = test.workspace("team", "ada").await;
    let site = test.site(&admin, "Shop").await;
    let tour = test.tour(&admin, "first", &["a", "b", "c"]).await;
    let release = test.release(&admin, &tour, 2, &site).await;
    test.advance(1000);
    Fixture {
        test,
        admin,
        site,
        tour,
        release,
    }
}

impl Fixture {
    async fn adjust(&self, release: &Release, change: impl FnOnce(&mut ReleaseAdjustInput)) -> Release {
        let mut input = ReleaseAdjustInput::new(release.id.clone());
        change(&mut input);
        let (app, publisher) = (&self.test.app, self.admin.lower());
        let adjusted = resolve::MutationReleaseAdjust::resolve(app, &anonymous(), &publisher, input).await;
        self.test.advance(1000);
        adjusted.expect("adjusted")
    }

    pub(super) async fn release(&self, version: i32, keys: &[&str], end_runs: bool) -> Release {
        self.test.save(&self.admin, &self.tour, version, keys).await;
        let mut input = TourReleaseInput::new(self.tour.id.clone(), version + 1, vec![self.site.id.clone()]);
        input.end_active_runs = end_runs;
        let (app, publisher) = (&self.test.app, self.admin.lower());
        let released = resolve::MutationTourRelease::resolve(app, &anonymous(), &publisher, input).await;
        self.test.advance(1000);
        released.expect("a release").remove(0)
    }

    async fn roll_back(&self, release: &Release) -> Release {
        let (app, id) = (&self.test.app, release.id.clone());
        let back =
            resolve::MutationReleaseRollback::resolve(app, &anonymous(), &self.admin.lower(), id, None, false, None)
                .await;
        self.test.advance(1000);
        back.expect("rolled back")
    }

    async fn offered(&self, browser: &str) -> Option<(Id, Option<ResumePoint>)> {
        let tour = visit(&self.test, &self.site, browser).await.tours.pop()?;
        Some((tour.release_id, tour.resume))
    }

    pub(super) async fn report(&self, browser: &str, events: Vec<EventInput>) {
        let count = events.len();
        let ack = record(&self.test, &self.site, visitor(browser, None), events).await;
        assert_eq!(
            (usize::try_from(ack.accepted).ok(), ack.rejected),
            (Some(count), vec![])
        );
    }

    pub(super) async fn start_run(&self, browser: &str) -> Id {
        use EventKind::*;
        let run = new_id();
        let events = [(RunStarted, "a"), (StepDone, "a"), (StepSeen, "b")];
        let events = events.iter().zip(0..);
        let events = events.map(|((kind, step), seq)| event(&run, &self.release, seq, *kind, Some(step), NOW));
        self.report(browser, events.collect()).await;
        run
    }

    async fn runs(&self) -> Vec<Run> {
        let (app, tour) = (&self.test.app, self.tour.id.clone());
        let page = resolve::QueryRuns::resolve(app, &anonymous(), &self.admin.lower(), tour, None, 100, None).await;
        page.expect("runs").nodes
    }
}

fn resumed(point: Option<(Id, Option<ResumePoint>)>) -> (Id, Id, String) {
    let (release, resume) = point.expect("an offer");
    let resume = resume.expect("an unfinished run");
    (release, resume.run_id, resume.step_key)
}

#[tokio::test]
async fn a_rollout_includes_its_percentage_and_raising_it_excludes_no_visitor() {
    let fixture = fixture().await;
    let browsers: Vec<String> = (0..40).map(|number| format!("browser-{number}")).collect();
    let mut met: Vec<bool> = vec![false; browsers.len()];
    let mut release = fixture.release.clone();
    for percent in [0, 20, 60, 100] {
        let split = TrafficSplit {
            rollout_percent: percent,
            holdout_percent: 20,
        };
        release = fixture
            .adjust(&release, |input| {
                input.rollout_percent = Patch::Set(percent);
                input.holdout_percent = Patch::Set(20);
            })
            .await;
        for (browser, met) in browsers.iter().zip(&mut met) {
            let boot = visit(&fixture.test, &fixture.site, browser).await;
            let place = bucket(&fixture.site.id, &fixture.tour.id, &boot.visitor_id);
            let exposed = split.allocate(place) == Allocation::Rollout;
            assert_eq!(boot.tours.len() == 1, exposed, "bucket {place} at {percent} %");
            assert!(!*met || exposed);
            *met = exposed;
        }
    }
    assert!(
        met.iter().any(|met| *met) && met.iter().any(|met| !*met),
        "some visitors are in the holdout"
    );
}

#[tokio::test]
async fn an_adjustment_replaces_the_live_release() {
    let fixture = fixture().await;
    let half = fixture
        .adjust(&fixture.release, |input| input.rollout_percent = Patch::Set(50))
        .await;
    assert_ne!(half.id, fixture.release.id);
    assert_eq!(
        (half.rollout_percent, &half.revision_id),
        (50, &fixture.release.revision_id)
    );
    let same = fixture
        .adjust(&half, |input| input.rollout_percent = Patch::Set(50))
        .await;
    assert_eq!(same, half, "nothing changed");
    let mut input = ReleaseAdjustInput::new(fixture.release.id.clone());
    input.rollout_percent = Patch::Set(10);
    let stale =
        resolve::MutationReleaseAdjust::resolve(&fixture.test.app, &anonymous(), &fixture.admin.lower(), input).await;
    assert_eq!(code(stale), "ILLEGAL_TRANSITION", "it was adjusted in the meantime");
    let live: i64 = scalar("select count(*) from releases where ended_at is null and tour_id = ?")
        .bind(fixture.tour.id.as_str())
        .fetch_one(fixture.test.app.store.reader())
        .await
        .expect("a count");
    assert_eq!(live, 1);
}

#[tokio::test]
async fn a_rollback_of_an_adjusted_rollback_goes_further_back() {
    let fixture = fixture().await;
    let second = fixture.release(3, &["a", "x"], false).await;
    let third = fixture.release(5, &["a", "y"], false).await;
    let back = fixture.roll_back(&third).await;
    assert_eq!(back.revision_id, second.revision_id);
    let half = fixture
        .adjust(&back, |input| input.rollout_percent = Patch::Set(50))
        .await;
    let further = fixture.roll_back(&half).await;
    assert_eq!(further.revision_id, fixture.release.revision_id);
    assert_eq!(further.rollout_percent, 100, "the rollout of the original release");
}

#[tokio::test]
async fn a_schedule_starts_and_ends_the_release_automatically() {
    let fixture = fixture().await;
    let adjusted = fixture
        .adjust(&fixture.release, |input| {
            input.starts_at = Patch::Set(instant(NOW + 10_000));
            input.ends_at = Patch::Set(instant(NOW + 20_000));
        })
        .await;
    assert_eq!(fixture.offered("browser-1").await, None, "not yet");
    fixture.test.advance(10_000);
    assert!(fixture.offered("browser-1").await.is_some());
    fixture.test.advance(10_000);
    assert_eq!(fixture.offered("browser-1").await, None, "over");
    let (app, publisher, id) = (&fixture.test.app, fixture.admin.lower(), adjusted.id.clone());
    let end = resolve::MutationReleaseEnd::resolve(app, &anonymous(), &publisher, id, false, None).await;
    assert_eq!(code(end), "ILLEGAL_TRANSITION", "it has ended");
    let again = fixture.release(3, &["a"], false).await;
    assert_eq!(again.state, ReleaseState::Live);
    let ended: i64 = scalar("select ended_at from releases where id = ?")
        .bind(adjusted.id.as_str())
        .fetch_one(fixture.test.app.store.reader())
        .await
        .expect("the release");
    assert_eq!(
        ended,
        NOW + 20_000,
        "at the end of the schedule, not when it was replaced"
    );
}

#[tokio::test]
async fn an_empty_schedule_is_rejected() {
    let fixture = fixture().await;
    let (app, cx) = (&fixture.test.app, &anonymous());
    let mut input = ReleaseAdjustInput::new(fixture.release.id.clone());
    input.starts_at = Patch::Set(instant(NOW + 9_000));
    input.ends_at = Patch::Set(instant(NOW + 9_000));
    let adjusted = resolve::MutationReleaseAdjust::resolve(app, cx, &fixture.admin.lower(), input).await;
    assert_eq!(code(adjusted), "SCHEDULE_EMPTY");
    let mut input = TourReleaseInput::new(fixture.tour.id.clone(), 3, vec![fixture.site.id.clone()]);
    input.ends_at = Patch::Set(instant(NOW));
    let released = resolve::MutationTourRelease::resolve(app, cx, &fixture.admin.lower(), input).await;
    assert_eq!(code(released), "SCHEDULE_EMPTY");
}

#[tokio::test]
async fn active_runs_resume_after_a_pause() {
    let fixture = fixture().await;
    let run = fixture.start_run("browser-1").await;
    let (app, cx, publisher) = (&fixture.test.app, &anonymous(), fixture.admin.lower());
    let id = || fixture.release.id.clone();
    let resume = async || resolve::MutationReleaseResume::resolve(app, cx, &publisher, id(), None).await;
    assert_eq!(code(resume().await), "ILLEGAL_TRANSITION");
    let note = Some("a typing error".to_owned());
    let paused = resolve::MutationReleasePause::resolve(app, cx, &publisher, id(), note).await;
    assert_eq!(paused.expect("paused").state, ReleaseState::Paused);
    let again = resolve::MutationReleasePause::resolve(app, cx, &publisher, id(), None).await;
    assert_eq!(code(again), "ILLEGAL_TRANSITION");
    assert_eq!(fixture.offered("browser-1").await, None);
    assert_eq!(fixture.offered("browser-2").await, None);
    let half = fixture
        .adjust(&fixture.release, |input| input.rollout_percent = Patch::Set(99))
        .await;
    assert_eq!(half.state, ReleaseState::Paused, "an adjusted release stays paused");
    let resumed_release = resolve::MutationReleaseResume::resolve(app, cx, &publisher, half.id.clone(), None).await;
    assert_eq!(resumed_release.expect("resumed").state, ReleaseState::Live);
    assert_eq!(resumed(fixture.offered("browser-1").await), (half.id, run, "b".into()));
    let changes = with_batch(std::slice::from_ref(&fixture.release), async |releases| {
        let changes = resolve::ReleaseChanges::resolve(app, cx, releases)
            .await
            .expect("changes");
        let changes = changes.get(0).iter();
        changes
            .map(|change| (change.state, change.note.clone()))
            .collect::<Vec<_>>()
    });
    assert_eq!(
        changes.await,
        [
            (ReleaseState::Ended, None),
            (ReleaseState::Paused, Some("a typing error".into()))
        ]
    );
}

#[tokio::test]
async fn a_release_moves_active_runs_and_counts_them_once() {
    let fixture = fixture().await;
    let run = fixture.start_run("browser-1").await;
    let second = fixture.release(3, &["x", "b", "d"], false).await;
    let point = resumed(fixture.offered("browser-1").await);
    assert_eq!(
        point,
        (second.id.clone(), run.clone(), "b".into()),
        "at the step of the run"
    );
    let third = fixture.release(5, &["a", "y", "d"], false).await;
    let point = resumed(fixture.offered("browser-1").await);
    assert_eq!(
        point,
        (third.id.clone(), run.clone(), "y".into()),
        "step b was removed: the first unseen step"
    );
    let ahead = |seq, kind, step| event(&run, &third, seq, kind, step, NOW + 3000);
    fixture
        .report("browser-1", vec![ahead(3, EventKind::StepSeen, Some("y"))])
        .await;
    let runs = fixture.runs().await;
    assert_eq!(runs.len(), 1);
    assert_eq!(
        (&runs[0].revision_id, runs[0].state),
        (&third.revision_id, RunState::Active)
    );
    assert_eq!(
        (runs[0].seen_steps.join(" "), runs[0].done_steps.join(" ")),
        ("a y".into(), "a".into())
    );
    fixture
        .report(
            "browser-1",
            vec![
                ahead(4, EventKind::StepDone, Some("d")),
                ahead(5, EventKind::RunCompleted, None),
            ],
        )
        .await;
    let runs = fixture.runs().await;
    assert_eq!((runs.len(), runs[0].state), (1, RunState::Completed));
    assert_eq!(fixture.offered("browser-1").await, None);
}

/// A page continues with the release until it is loaded again.
#[tokio::test]
async fn a_page_that_is_open_during_a_release_continues_with_the_previous_one() {
    let fixture = fixture().await;
    let run = fixture.start_run("browser-1").await;
    let second = fixture.release(3, &["b", "c"], false).await;
    let old = |seq, kind, step| event(&run, &fixture.release, seq, kind, step, NOW + 2000);
    fixture
        .report("browser-1", vec![old(3, EventKind::StepDone, Some("b"))])
        .await;
    let runs = fixture.runs().await;
    assert_eq!(
        runs[0].revision_id, fixture.release.revision_id,
        "no run has continued under the new release yet"
    );
    assert_eq!(
        resumed(fixture.offered("browser-1").await),
        (second.id.clone(), run.clone(), "c".into())
    );
    let new = event(&run, &second, 4, EventKind::StepSeen, Some("c"), NOW + 3000);
    let late = old(5, EventKind::StepSeen, Some("a"));
    fixture.report("browser-1", vec![new, late]).await;
    let runs = fixture.runs().await;
    assert_eq!(
        (runs.len(), &runs[0].revision_id),
        (1, &second.revision_id),
        "a late event does not move the run back"
    );
    assert_eq!(runs[0].seen_steps, ["b", "c"]);
}

#[tokio::test]
async fn moved_runs_do_not_depend_on_the_order_of_events() {
    let fixture = fixture().await;
    let second = fixture.release(3, &["b", "c"], false).await;
    let third = fixture.release(5, &["c", "b", "a"], false).await;
    let all = |run: &Id| {
        let seen = |seq, release, step| event(run, release, seq, EventKind::StepSeen, Some(step), NOW + i64::from(seq));
        [
            seen(0, &fixture.release, "a"),
            seen(1, &second, "b"),
            seen(2, &third, "c"),
            seen(3, &second, "c"),
        ]
    };
    for order in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1], [0, 2, 1, 3]] {
        for together in [true, false] {
            let run = new_id();
            let events: Vec<EventInput> = order.iter().map(|place| all(&run)[*place].clone()).collect();
            // A visitor can start few runs, so that each run belongs to another one.
            if together {
                fixture.report(run.as_str(), events).await;
            } else {
                for event in events {
                    fixture.report(run.as_str(), vec![event]).await;
                }
            }
            let runs = fixture.runs().await;
            let run = runs.iter().find(|row| row.id == run).expect("the run");
            assert_eq!(run.revision_id, third.revision_id);
            assert_eq!(
                run.seen_steps,
                ["c", "b", "a"],
                "{order:?}: a is there again, and was seen"
            );
        }
    }
}

#[tokio::test]
async fn a_rollback_moves_active_runs() {
    let fixture = fixture().await;
    let run = fixture.start_run("browser-1").await;
    let second = fixture.release(3, &["a", "x"], false).await;
    let seen = event(&run, &second, 3, EventKind::StepSeen, Some("x"), NOW + 2000);
    fixture.report("browser-1", vec![seen]).await;
    let back = fixture.roll_back(&second).await;
    assert_eq!(
        resumed(fixture.offered("browser-1").await),
        (back.id, run, "b".into()),
        "step x was removed: the first unseen step of the last revision"
    );
}

#[tokio::test]
async fn a_release_can_end_active_runs_so_that_visitors_start_again() {
    let fixture = fixture().await;
    let run = fixture.start_run("browser-1").await;
    let second = fixture.release(3, &["b", "c"], true).await;
    assert_eq!(fixture.offered("browser-1").await, Some((second.id.clone(), None)));
    assert_eq!(fixture.runs().await[0].state, RunState::Superseded);
    let late = new_id();
    fixture
        .report(
            "browser-2",
            vec![event(&late, &fixture.release, 0, EventKind::StepSeen, Some("a"), NOW)],
        )
        .await;
    let runs = fixture.runs().await;
    let late = runs.iter().find(|row| row.id == late).expect("the late run");
    assert_eq!(
        late.state,
        RunState::Superseded,
        "a run that is reported later ends too"
    );
    fixture
        .report(
            "browser-1",
            vec![event(
                &run,
                &fixture.release,
                3,
                EventKind::RunCompleted,
                None,
                NOW + 5000,
            )],
        )
        .await;
    let runs = fixture.runs().await;
    let run = runs.iter().find(|row| row.id == run).expect("the run");
    assert_eq!(run.state, RunState::Completed, "the run was completed on the open page");
    let fresh = event(&new_id(), &second, 0, EventKind::StepSeen, Some("b"), NOW + 6000);
    fixture.report("browser-3", vec![fresh]).await;
    assert!(
        fixture.runs().await.iter().any(|run| run.state == RunState::Active),
        "runs of the new release continue"
    );
}
