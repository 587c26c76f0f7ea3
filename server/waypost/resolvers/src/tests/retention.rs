//! Retention deletes rows, and changes no number of the insights.

use fastrand::Rng;
use traitql::{Date, DateTime, Id, Patch};
use waypost_api::{
    AttemptInput, AttemptProblem, DayRangeInput, EndReason, ErrorCode, EventKind, GoalInput, Release, RetentionInput,
    Site, Tour, TourReleaseInput, Workspace, resolve,
};
use waypost_domain::{
    retention::{Swept, sweep},
    store::{new_id, sql},
};

use super::{
    limits::{DAY_MS, number},
    runs::{SHOP, boot, event, report, visitor, whole},
};
use crate::testing::{NOW, TestApp, anonymous, code, page};

const HOUR_MS: i64 = 60 * 60 * 1000;

type Admin = traitql::Viewer<waypost_api::role::Admin>;

struct Fixture {
    test: TestApp,
    admin: Admin,
    sites: [Site; 2],
    tour: Tour,
    /// The first two are of the earlier revision.
    releases: Vec<Release>,
}

fn databases() -> [Option<String>; 2] {
    [None, Some(waypost_testkit::create_database())]
}

async fn fixture(postgres: Option<String>) -> Fixture {
    let test = TestApp::over(postgres, |_| {}).await;
    let admin = test.workspace("team", "ada").await;
    let sites = [test.site(&admin, "Shop").await, test.site(&admin, "Docs").await];
    let tour = test.tour(&admin, "first", &["a", "b"]).await;
    let mut fixture = Fixture {
        test,
        admin,
        sites,
        tour,
        releases: Vec::new(),
    };
    fixture.release(2).await;
    fixture
}

impl Fixture {
    /// Releases the draft on both sites, with a goal and a holdout.
    async fn release(&mut self, version: i32) {
        let sites = self.sites.each_ref().map(|site| site.id.clone());
        let mut input = TourReleaseInput::new(self.tour.id.clone(), version, sites.into());
        input.holdout_percent = 30;
        input.goal = Patch::Set("bought".into());
        let (app, publisher) = (&self.test.app, self.admin.lower());
        let released = resolve::MutationTourRelease::resolve(app, &anonymous(), &publisher, input).await;
        self.releases.extend(released.expect("releases"));
    }

    /// The newest release on a site.
    fn current(&self, site: usize) -> &Release {
        &self.releases[self.releases.len() - 2 + site]
    }

    fn now(&self) -> i64 {
        self.test.app.now().as_millis()
    }

    async fn retain(&self, retention: RetentionInput) -> Workspace {
        let (app, id) = (&self.test.app, self.admin.scope().clone());
        let version = number(&self.test, "select max(version) from workspaces").await;
        let version = i32::try_from(version).expect("small");
        let cx = &anonymous();
        let set = resolve::MutationWorkspaceRetentionSet::resolve(app, cx, &self.admin, id, version, retention);
        set.await.expect("the workspace")
    }

    async fn sweep(&self) -> Swept {
        sweep(&self.test.app.store).await.expect("a sweep")
    }

    /// All numbers of the insights: on each site, of each revision, in many ranges of days.
    async fn numbers(&self) -> Vec<String> {
        let (app, cx, viewer) = (&self.test.app, &anonymous(), &self.admin.lower());
        let tour = || self.tour.id.clone();
        let day = |days: i64| Date::of(DateTime::from_millis(NOW + days * DAY_MS).expect("a time"));
        let revision = |release: usize| self.releases.get(release).map(|release| release.revision_id.clone());
        let site = |index: usize| self.sites.get(index).map(|site| site.id.clone());
        let mut numbers = Vec::new();
        for (from, to) in [(0, 80), (0, 0), (1, 9), (5, 40), (20, 33), (34, 35), (36, 70), (0, 50)] {
            for site in [None, site(0), site(1)] {
                for revision in [None, revision(0), revision(2)] {
                    let range = || DayRangeInput::new(day(from), day(to));
                    let (place, of) = (site.clone(), revision.clone());
                    let insights =
                        resolve::QueryTourInsights::resolve(app, cx, viewer, tour(), place, of, range()).await;
                    let (place, of) = (site.clone(), revision.clone());
                    let visitors =
                        resolve::QueryTourVisitors::resolve(app, cx, viewer, tour(), place, of, range()).await;
                    numbers.push(format!(
                        "{from} to {to}, {site:?}, {revision:?}: {:?}, {:?}",
                        visitors.expect("a number"),
                        insights.expect("insights")
                    ));
                }
            }
        }
        let lifts = resolve::QueryTourLift::resolve(app, cx, viewer, tour(), None, 10).await;
        numbers.push(format!("{:?}", lifts.expect("lifts")));
        numbers
    }

    /// A visit with a run, an attempt or a goal at random. Returns the id of the run.
    async fn visit(&self, rng: &mut Rng, site: usize, name: &str) -> Option<Id> {
        use EventKind::*;
        let (app, now, release, run) = (&self.test.app, self.now(), self.current(site), new_id());
        let (site, who, cx) = (&self.sites[site], || visitor(name, None), &page(SHOP));
        boot(&self.test, site, who()).await;
        let at = DateTime::from_millis(now).expect("a time");
        let events = match rng.usize(..8) {
            0 => {
                let problem = [AttemptProblem::ElementMissing, AttemptProblem::PlayerFailed][rng.usize(..2)];
                let mut attempt = AttemptInput::new(release.id.clone(), problem, at);
                attempt.step_key = Patch::Set("a".into());
                let stored = resolve::MutationAttemptRecord::resolve(app, cx, site.key.clone(), who(), vec![attempt]);
                stored.await.expect("an attempt");
                return None;
            }
            1 => {
                let goals = vec![GoalInput::new("bought".into(), at)];
                let stored = resolve::MutationGoalRecord::resolve(app, cx, site.key.clone(), who(), goals);
                stored.await.expect("a goal");
                return None;
            }
            2 => whole(&run, release, now - HOUR_MS),
            3 => vec![
                event(&run, release, 0, TargetMissing, Some("a"), now),
                event(&run, release, 1, RunFailed, None, now),
            ],
            4 => {
                let mut end = event(&run, release, 1, RunDismissed, Some("a"), now);
                end.reason = Patch::Set([EndReason::Escape, EndReason::Program][rng.usize(..2)]);
                vec![event(&run, release, 0, RunStarted, Some("a"), now), end]
            }
            5 => vec![
                event(&run, release, 0, StepSeen, Some("a"), now),
                event(&run, release, 1, RunFailed, None, now),
            ],
            _ => vec![event(&run, release, 0, RunStarted, Some("a"), now)],
        };
        let ack = report(&self.test, site, who(), events).await;
        assert!(
            ack.rejected.iter().all(|each| each.code == ErrorCode::TooManyRuns),
            "{ack:?}"
        );
        ack.rejected.is_empty().then_some(run)
    }
}

#[tokio::test]
async fn every_number_of_the_insights_survives() {
    for postgres in databases() {
        let mut fixture = fixture(postgres).await;
        fixture
            .retain(RetentionInput {
                visitor_days: 45,
                run_days: 30,
                ..RetentionInput::default()
            })
            .await;
        let mut rng = Rng::with_seed(38);
        let mut total = Swept::default();
        let mut runs: Vec<(usize, String, Id)> = Vec::new();
        for day in 0..80_usize {
            if day == 35 {
                fixture.test.save(&fixture.admin, &fixture.tour, 3, &["b", "a"]).await;
                fixture.release(4).await;
            }
            for _ in 0..4 {
                // Most visitors return for two weeks, and some for longer.
                let number = if rng.usize(..4) == 0 {
                    rng.usize(..8)
                } else {
                    8 + day / 2 + rng.usize(..7)
                };
                let (site, name) = (number % 2, format!("browser-{number}"));
                if let Some(run) = fixture.visit(&mut rng, site, &name).await {
                    runs.push((site, name, run));
                }
            }
            if day > 30 && day % 8 == 7 {
                let before = fixture.numbers().await;
                let swept = fixture.sweep().await;
                let after = fixture.numbers().await;
                for (before, after) in before.iter().zip(&after) {
                    assert_eq!(before, after, "day {day}, {swept:?}");
                }
                total = Swept {
                    visitors: total.visitors + swept.visitors,
                    runs: total.runs + swept.runs,
                    run_events: total.run_events + swept.run_events,
                    audit_entries: total.audit_entries + swept.audit_entries,
                };
            }
            fixture.test.advance(DAY_MS);
        }
        let Swept {
            visitors,
            runs: deleted,
            run_events,
            audit_entries,
        } = total;
        assert!(
            visitors > 10 && deleted > 30 && run_events > 30 && audit_entries == 0,
            "{total:?}"
        );
        fixture.sweep().await;
        assert_eq!(fixture.sweep().await, Swept::default(), "nothing is left");
        continue_runs(&fixture, &runs).await;
    }
}

/// Pages that stayed open report events of old runs, which are rejected and count nowhere.
async fn continue_runs(fixture: &Fixture, runs: &[(usize, String, Id)]) {
    let (old, _) = runs.split_at(runs.len() / 3);
    for (site, name, _) in old {
        boot(&fixture.test, &fixture.sites[*site], visitor(name, None)).await;
    }
    let before = fixture.numbers().await;
    for (site, name, run) in old {
        let end = event(
            run,
            fixture.current(*site),
            9,
            EventKind::RunCompleted,
            None,
            fixture.now(),
        );
        let ack = report(&fixture.test, &fixture.sites[*site], visitor(name, None), vec![end]).await;
        let codes: Vec<ErrorCode> = ack.rejected.iter().map(|each| each.code).collect();
        assert_eq!(codes, [ErrorCode::RunNotYours]);
    }
    assert_eq!(before, fixture.numbers().await);
}

#[tokio::test]
async fn a_visitor_is_not_offered_a_tour_again_because_a_run_is_old() {
    let fixture = fixture(waypost_testkit::default_database()).await;
    fixture
        .retain(RetentionInput {
            run_days: 30,
            ..RetentionInput::default()
        })
        .await;
    let (test, site, release) = (&fixture.test, &fixture.sites[0], fixture.current(0));
    let offered = async |name: &str| !boot(test, site, visitor(name, None)).await.tours.is_empty();
    let mut name = String::new();
    for number in 0..100 {
        name = format!("browser-{number}");
        if offered(&name).await {
            break;
        }
    }
    for day in 0..3 {
        let ack = report(
            test,
            site,
            visitor(&name, None),
            whole(&new_id(), release, fixture.now()),
        )
        .await;
        assert_eq!(ack.accepted, 6, "{day}");
        test.advance(DAY_MS);
    }
    test.advance(40 * DAY_MS);
    assert!(!offered(&name).await);
    let swept = fixture.sweep().await;
    assert_eq!((swept.runs, swept.run_events, swept.visitors), (2, 1, 0));
    assert!(!offered(&name).await, "the last run stays");
    assert_eq!(
        number(
            test,
            "select count(*) from runs where length(events) > 0 or length(times) > 0"
        )
        .await,
        0
    );
    assert_eq!(fixture.sweep().await, Swept::default(), "nothing is left");
}

#[tokio::test]
async fn a_run_without_events_is_deleted_once_a_later_one_is_old() {
    for postgres in databases() {
        let fixture = fixture(postgres).await;
        fixture
            .retain(RetentionInput {
                run_days: 30,
                ..RetentionInput::default()
            })
            .await;
        let (test, site, release) = (&fixture.test, &fixture.sites[0], fixture.current(0));
        let who = || visitor("browser-1", None);
        boot(test, site, who()).await;
        for _ in 0..2 {
            report(test, site, who(), whole(&new_id(), release, fixture.now())).await;
            test.advance(10 * DAY_MS);
        }
        test.advance(15 * DAY_MS);
        for (deleted, emptied) in [(0, 1), (0, 0)] {
            let swept = fixture.sweep().await;
            assert_eq!(
                (swept.runs, swept.run_events),
                (deleted, emptied),
                "the later run is not old"
            );
        }
        test.advance(10 * DAY_MS);
        let swept = fixture.sweep().await;
        assert_eq!((swept.runs, swept.run_events), (1, 1));
        assert_eq!(number(test, "select count(*) from runs").await, 1);
    }
}

#[tokio::test]
async fn old_audit_entries_are_deleted_and_later_ones_stay_protected() {
    for postgres in databases() {
        let fixture = fixture(postgres).await;
        let test = &fixture.test;
        let old = number(test, "select count(*) from audit_entries").await.unsigned_abs();
        test.advance(100 * DAY_MS);
        fixture
            .retain(RetentionInput {
                audit_days: 90,
                ..RetentionInput::default()
            })
            .await;
        assert_eq!(
            fixture.sweep().await,
            Swept {
                audit_entries: old,
                ..Swept::default()
            }
        );
        let actions = "select count(*) from audit_entries where action = 'workspace.retention'";
        assert_eq!(number(test, actions).await, 1);
        let mut tx = test.app.store.save().await.expect("the writer");
        let refused = sql("delete from audit_entries")
            .execute(tx.conn())
            .await
            .expect_err("refused");
        assert!(refused.to_string().contains("never changes"), "{refused}");
    }
}

#[tokio::test]
async fn a_preview_counts_what_the_next_sweep_deletes() {
    let fixture = fixture(waypost_testkit::default_database()).await;
    let (test, app) = (&fixture.test, &fixture.test.app);
    for name in ["browser-a", "browser-b"] {
        boot(test, &fixture.sites[0], visitor(name, None)).await;
        report(
            test,
            &fixture.sites[0],
            visitor(name, None),
            whole(&new_id(), fixture.current(0), fixture.now()),
        )
        .await;
    }
    test.advance(100 * DAY_MS);
    let preview = async |days| {
        let retention = RetentionInput {
            visitor_days: days,
            run_days: days,
            audit_days: days,
        };
        let id = fixture.admin.scope().clone();
        let counts = resolve::QueryRetentionPreview::resolve(app, &anonymous(), &fixture.admin, id, retention).await;
        let counts = counts.expect("counts");
        (counts.visitors, counts.runs, counts.audit_entries > 0)
    };
    assert_eq!(preview(99).await, (2, 2, true));
    assert_eq!(preview(101).await, (0, 0, false));
    fixture
        .retain(RetentionInput {
            visitor_days: 99,
            run_days: 99,
            audit_days: 99,
        })
        .await;
    let swept = fixture.sweep().await;
    assert_eq!((swept.visitors, swept.runs), (2, 2));
    assert_eq!(number(test, "select count(*) from visitors").await, 0);
    let counts = app.deletions();
    assert!(counts.contains(&("visitors", "retention", 2)), "{counts:?}");
}

#[tokio::test]
async fn one_process_deletes_at_a_time() {
    let fixture = fixture(Some(waypost_testkit::create_database())).await;
    let test = &fixture.test;
    boot(test, &fixture.sites[0], visitor("browser-1", None)).await;
    test.advance(500 * DAY_MS);
    let mut tx = test.app.store.save().await.expect("the writer");
    let lease = sql("insert into leases (work, process, ends_at) values ('retention', 'another', ?)");
    lease
        .bind(fixture.now() + 1000)
        .execute(tx.conn())
        .await
        .expect("a lease");
    tx.commit().await.expect("committed");
    assert_eq!(fixture.sweep().await, Swept::default(), "another process has the lease");
    test.advance(1000);
    let other = test.another().await;
    let swept = sweep(&other.store).await.expect("a sweep");
    assert_eq!(swept.visitors, 1, "the lease has ended");
}

#[tokio::test]
async fn a_retention_with_an_old_version_is_refused() {
    let fixture = fixture(waypost_testkit::default_database()).await;
    let (app, id) = (&fixture.test.app, fixture.admin.scope().clone());
    let (cx, retention) = (&anonymous(), RetentionInput::default());
    let set = resolve::MutationWorkspaceRetentionSet::resolve(app, cx, &fixture.admin, id, 7, retention).await;
    assert_eq!(code(set), "VERSION_CONFLICT");
}
