use std::collections::BTreeMap;

use fastrand::Rng;
use traitql::{DateTime, Id, Patch, with_batch};
use waypost_api::{
    EventKind, GoalInput, Release, ReleaseAdjustInput, ReleaseLift, Site, SiteEvent, Tour, TourReleaseInput,
    VisitorInput, resolve,
};
use waypost_domain::{
    release::allocation::bucket,
    store::{Row, new_id, scalar, sql},
};

use super::runs::{boot, event, record, visit, visitor, whole};
use crate::testing::{NOW, TestApp, anonymous, code, page};

type Admin = traitql::Viewer<waypost_api::role::Admin>;

const HOUR: i64 = 3_600_000;

struct Fixture {
    test: TestApp,
    admin: Admin,
    site: Site,
    tour: Tour,
    release: Release,
}

/// Creates a release with the goal "bought", a rollout of 50 % and a holdout of 50 %.
async fn fixture() -> Fixture {
    let test = TestApp::new().await;
    let admin = test.workspace("team", "ada").await;
    let site = test.site(&admin, "Shop").await;
    let tour = test.tour(&admin, "first", &["a", "b"]).await;
    let mut input = TourReleaseInput::new(tour.id.clone(), 2, vec![site.id.clone()]);
    input.holdout_percent = 50;
    input.goal = Patch::Set("bought".into());
    let released = resolve::MutationTourRelease::resolve(&test.app, &anonymous(), &admin.lower(), input).await;
    let release = released.expect("a release").remove(0);
    test.advance(HOUR);
    Fixture {
        test,
        admin,
        site,
        tour,
        release,
    }
}

fn goal(name: &str, at: i64) -> GoalInput {
    GoalInput::new(name.into(), DateTime::from_millis(at).expect("a valid time"))
}

impl Fixture {
    async fn report(&self, who: VisitorInput, goals: Vec<GoalInput>) -> i32 {
        let (app, key) = (&self.test.app, self.site.key.clone());
        let stored = resolve::MutationGoalRecord::resolve(app, &page("https://shop.example"), key, who, goals).await;
        stored.expect("a result")
    }

    async fn lifts(&self, site: Option<Id>) -> Vec<ReleaseLift> {
        let (app, tour) = (&self.test.app, self.tour.id.clone());
        let lifts = resolve::QueryTourLift::resolve(app, &anonymous(), &self.admin.lower(), tour, site, 10).await;
        lifts.expect("lifts")
    }

    async fn groups(&self) -> [(i32, i32); 2] {
        let lift = self.lifts(None).await.remove(0);
        [lift.offered, lift.holdout].map(|group| (group.visitors, group.reached))
    }

    async fn browser(&self, holdout: bool, beginning: &str) -> String {
        for number in 0..100 {
            let browser = format!("{beginning}-browser-{number}");
            let id = visit(&self.test, &self.site, &browser).await.visitor_id;
            if (bucket(&self.site.id, &self.tour.id, &id) >= 5000) == holdout {
                return browser;
            }
        }
        panic!("half of the visitors should be in each group");
    }

    async fn adjust(&self, release: &Release, change: impl FnOnce(&mut ReleaseAdjustInput)) -> Release {
        let mut input = ReleaseAdjustInput::new(release.id.clone());
        change(&mut input);
        let (app, publisher) = (&self.test.app, self.admin.lower());
        let adjusted = resolve::MutationReleaseAdjust::resolve(app, &anonymous(), &publisher, input).await;
        self.test.advance(HOUR);
        adjusted.expect("adjusted")
    }

    async fn stored_groups(&self) -> BTreeMap<(Id, bool), (i64, i64)> {
        let rows = sql(
            "select l.id as release_id, g.* from lift_groups g join releases l on l.serial = g.release_serial
             where visitors <> 0 or reached <> 0",
        )
        .try_map(|row: Row| {
            let group = (row.id("release_id")?, row.bool("holdout")?);
            Ok((group, (row.long("visitors")?, row.long("reached")?)))
        })
        .fetch_all(self.test.app.store.reader());
        rows.await.expect("rows").into_iter().collect()
    }

    async fn count(&self, statement: &'static str) -> i64 {
        let count = scalar(statement).fetch_one(self.test.app.store.reader());
        count.await.expect("a number")
    }
}

/// Both groups have at least 30.
const VISITORS: i32 = 160;

#[tokio::test]
async fn offered_visitors_are_compared_with_the_holdout() {
    let fixture = fixture().await;
    let (test, site) = (&fixture.test, &fixture.site);
    let first = visit(test, site, "browser-0").await;
    assert_eq!(first.goals, ["bought"], "goals are independent of the group");
    for number in 1..VISITORS {
        visit(test, site, &format!("browser-{number}")).await;
    }
    let [offered, holdout] = fixture.groups().await;
    assert_eq!((offered.0 + holdout.0, offered.1 + holdout.1), (VISITORS, 0));
    assert!(offered.0 >= 30 && holdout.0 >= 30, "{offered:?} {holdout:?}");
    test.advance(HOUR);
    let now = NOW + 2 * HOUR;
    for number in 0..VISITORS {
        let browser = format!("browser-{number}");
        let boot = visit(test, site, &browser).await;
        let holdout = bucket(&site.id, &fixture.tour.id, &boot.visitor_id) >= 5000;
        if !holdout || number % 8 == 0 {
            let reported = vec![goal("bought", now), goal("bought", now - 1000), goal("other", now)];
            assert_eq!(
                fixture.report(visitor(&browser, None), reported).await,
                2,
                "no release has the other goal"
            );
        }
    }
    let lift = fixture.lifts(Some(site.id.clone())).await.remove(0);
    assert_eq!(lift.offered.reached, lift.offered.visitors);
    let compared = lift.lift.expect("large enough groups");
    assert!(compared.low > 0.5 && compared.high <= 1.0 && compared.relative.is_some());
    assert_eq!(fixture.lifts(Some(new_id())).await.len(), 0);
}

#[tokio::test]
async fn reported_event_names_are_recorded() {
    let fixture = fixture().await;
    let test = &fixture.test;
    let docs = test.site(&fixture.admin, "Docs").await;
    let sites = [fixture.site.clone(), docs];
    let events = async || {
        with_batch(&sites, async |sites| {
            let column = resolve::SiteEvents::resolve(&test.app, &anonymous(), sites).await;
            let column = column.expect("events");
            assert_eq!(column.get(1), [], "the other site has no events");
            let events = column.get(0).iter();
            let of = |event: &SiteEvent| (event.name.clone(), event.last_at.as_millis() - NOW);
            events.map(of).collect::<Vec<_>>()
        })
        .await
    };
    let at = |name: &str, millis: i64| (name.to_owned(), millis);
    let report = async |names: &[&str]| {
        let reported = names.iter().map(|name| goal(name, NOW)).collect();
        fixture.report(visitor("never-seen", None), reported).await
    };
    assert_eq!(
        report(&["search", "bought", "search"]).await,
        0,
        "the visitor is unknown"
    );
    assert_eq!(events().await, [at("bought", HOUR), at("search", HOUR)]);
    test.advance(HOUR - 1);
    report(&["search"]).await;
    assert_eq!(events().await[1], at("search", HOUR), "written once an hour");
    test.advance(1);
    report(&["search"]).await;
    assert_eq!(events().await, [at("bought", HOUR), at("search", 2 * HOUR)]);

    // Names are deleted when they are no longer reported.
    let made_up: Vec<String> = (0..10).map(|number| format!("made-up-{number:03}")).collect();
    report(&made_up.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let all = events().await;
    assert_eq!(
        (all.len(), &all[0], &all[11]),
        (12, &at("bought", HOUR), &at("search", 2 * HOUR))
    );
    test.advance(90 * 24 * HOUR);
    assert_eq!(events().await, []);
    report(&["search"]).await;
    assert_eq!(events().await.len(), 1);
    assert_eq!(fixture.count("select count(*) from site_events").await, 1);
}

#[tokio::test]
async fn a_goal_counts_between_exposure_and_end_of_the_release() {
    let fixture = fixture().await;
    let (test, now) = (&fixture.test, NOW + HOUR);
    let browser = fixture.browser(false, "x").await;
    let report = async |at| fixture.report(visitor(&browser, None), vec![goal("bought", at)]).await;
    let reached = async || fixture.groups().await[0].1;
    report(now - 1).await;
    assert_eq!(reached().await, 0, "before the visit");
    let adjusted = fixture
        .adjust(&fixture.release, |input| input.rollout_percent = Patch::Set(90))
        .await;
    report(now + HOUR).await;
    let both: Vec<i32> = fixture
        .lifts(None)
        .await
        .iter()
        .map(|lift| lift.offered.reached)
        .collect();
    assert_eq!(
        both,
        [0, 0],
        "the release has ended, and the visitor has no exposure to the next one"
    );
    visit(test, &fixture.site, &browser).await;
    test.advance(9 * 24 * HOUR);
    assert_eq!(report(now + HOUR).await, 0, "older than a week");
    report(i64::MAX / 1_000_000).await;
    assert_eq!(
        reached().await,
        1,
        "a time in the future is replaced with the current time"
    );
    assert_eq!(fixture.groups().await[0].0, 1);
    fixture.adjust(&adjusted, |input| input.goal = Patch::Clear).await;
    assert_eq!(visit(test, &fixture.site, &browser).await.goals, [""; 0]);
    assert_eq!(
        fixture.lifts(None).await.len(),
        2,
        "releases without a goal are not compared"
    );
    assert_eq!(
        fixture
            .report(visitor("never-seen", None), vec![goal("bought", now)])
            .await,
        0
    );
}

#[tokio::test]
async fn a_visitor_who_has_seen_the_tour_counts_in_a_later_release() {
    let fixture = fixture().await;
    let browser = fixture.browser(false, "x").await;
    let run = whole(&new_id(), &fixture.release, NOW + HOUR);
    record(&fixture.test, &fixture.site, visitor(&browser, None), run).await;
    assert_eq!(
        visit(&fixture.test, &fixture.site, &browser).await.tours.len(),
        0,
        "the frequency limits starts, not the comparison"
    );
    fixture
        .adjust(&fixture.release, |input| input.note = Patch::Set("no change".into()))
        .await;
    let later = fixture
        .adjust(&fixture.release, |input| input.goal = Patch::Set("stayed".into()))
        .await;
    visit(&fixture.test, &fixture.site, &browser).await;
    assert_eq!(
        fixture.groups().await[0],
        (1, 0),
        "otherwise the groups would not be comparable"
    );
    fixture
        .adjust(&later, |input| {
            input.starts_at = Patch::Set(DateTime::from_millis(NOW + 900 * HOUR).expect("later"))
        })
        .await;
    visit(&fixture.test, &fixture.site, &browser).await;
    assert_eq!(fixture.groups().await[0], (0, 0), "the schedule has not started");
}

/// Reports arrive in random order from browsers that are merged before or after. The stored groups must match a
/// recount of the raw rows.
#[tokio::test]
async fn stored_groups_match_the_raw_rows_in_any_order() {
    const BROWSERS: usize = 12;
    let mut rng = Rng::with_seed(41);
    for story in 0..3 {
        let mut expected = None;
        let whens: Vec<(usize, i64)> = (0..40)
            .map(|_| (rng.usize(..BROWSERS), i64::try_from(rng.usize(..6)).expect("small")))
            .collect();
        let names = (rng.usize(..2) == 0).then_some(["Ada", "Bob"]);
        for round in 0..3 {
            let fixture = fixture().await;
            // Two releases, and two groups of browsers that visit one hour apart.
            let begin = NOW + HOUR;
            let holdout: Vec<bool> = (0..BROWSERS).map(|browser| browser % 2 == 0).collect();
            let mut browsers = Vec::new();
            for (number, holdout) in holdout.iter().enumerate() {
                browsers.push(fixture.browser(*holdout, &format!("b{number}")).await);
                if number == BROWSERS / 2 {
                    fixture.test.advance(HOUR);
                }
            }
            let adjusted = fixture
                .adjust(&fixture.release, |input| input.rollout_percent = Patch::Set(80))
                .await;
            for browser in &browsers[..BROWSERS - 2] {
                visit(&fixture.test, &fixture.site, browser).await;
            }
            fixture.test.advance(2 * HOUR);
            let mut reported: Vec<_> = [whens.clone(), whens.clone()].concat();
            rng.shuffle(&mut reported);
            let middle = rng.usize(..reported.len());
            for (place, (browser, hours)) in reported.into_iter().enumerate() {
                if place == middle
                    && let Some([ada, bob]) = names
                {
                    for (name, browser) in [(ada, 0), (ada, 1), (bob, 2), (bob, 3), (bob, 5)] {
                        boot(&fixture.test, &fixture.site, visitor(&browsers[browser], Some(name))).await;
                    }
                }
                let reported = vec![goal("bought", begin + hours * HOUR - HOUR / 2)];
                fixture.report(visitor(&browsers[browser], None), reported).await;
            }
            let kept = fixture.stored_groups().await;
            assert_eq!(kept, recounted(&fixture).await, "scenario {story}, round {round}");
            let is_adjusted = |id: &Id| *id == adjusted.id;
            let kept: Vec<_> = kept
                .into_iter()
                .filter(|((release, _), _)| is_adjusted(release) || *release == fixture.release.id)
                .map(|((release, holdout), counts)| ((is_adjusted(&release), holdout), counts))
                .collect();
            if names.is_none() {
                // Additional visitors have no goals.
                let reached: Vec<_> = kept
                    .into_iter()
                    .map(|(group, (_, reached))| (group, (0, reached)))
                    .collect();
                assert_eq!(
                    &reached,
                    expected.get_or_insert_with(|| reached.clone()),
                    "scenario {story}, round {round}"
                );
            }
        }
    }
}

async fn recounted(fixture: &Fixture) -> BTreeMap<(Id, bool), (i64, i64)> {
    let db = || fixture.test.app.store.reader();
    let goals = sql("select visitor_serial, event, at from goals")
        .try_map(|row: Row| Ok((row.long("visitor_serial")?, row.text("event")?, row.long("at")?)))
        .fetch_all(db())
        .await
        .expect("goals");
    let exposures = sql("select e.*, l.id as release_id, l.goal, l.ended_at
         from exposures e join releases l on l.serial = e.release_serial")
    .try_map(|row: Row| {
        let times = (
            row.long("at")?,
            row.time_opt("ended_at")?.map_or(i64::MAX, DateTime::as_millis),
        );
        Ok((
            row.id("release_id")?,
            row.bool("holdout")?,
            row.long("visitor_serial")?,
            row.text("goal")?,
            times,
        ))
    })
    .fetch_all(db())
    .await
    .expect("exposures");
    let mut groups = BTreeMap::new();
    for (release, holdout, who, goal, (from, to)) in exposures {
        let reached = goals
            .iter()
            .any(|(by, event, at)| *by == who && *event == goal && (from..=to).contains(at));
        let group: &mut (i64, i64) = groups.entry((release, holdout)).or_default();
        group.0 += 1;
        group.1 += i64::from(reached);
    }
    groups
}

#[tokio::test]
async fn the_first_group_counts_when_two_browsers_are_merged() {
    let fixture = fixture().await;
    let now = NOW + HOUR;
    let holdout = fixture.browser(true, "x").await;
    fixture.test.advance(HOUR);
    let offered = fixture.browser(false, "y").await;
    let before = fixture.groups().await;
    fixture
        .report(visitor(&offered, None), vec![goal("bought", now + 1)])
        .await;
    assert_eq!(fixture.groups().await[0].1, 0, "an hour before the exposure");
    for browser in [&offered, &holdout] {
        boot(&fixture.test, &fixture.site, visitor(browser, Some("Ada"))).await;
    }
    let after = fixture.groups().await;
    assert_eq!(
        (after[0].0, after[1]),
        (before[0].0 - 1, (before[1].0, 1)),
        "one visitor, first in the holdout"
    );
}

#[tokio::test]
async fn an_erasure_keeps_the_counts_only() {
    let fixture = fixture().await;
    let browser = fixture.browser(false, "x").await;
    fixture
        .report(visitor(&browser, None), vec![goal("bought", NOW + HOUR)])
        .await;
    let before = fixture.stored_groups().await;
    let id = visit(&fixture.test, &fixture.site, &browser).await.visitor_id;
    let erased =
        resolve::MutationVisitorErase::resolve(&fixture.test.app, &anonymous(), &fixture.admin, id.clone()).await;
    assert_eq!(code(erased), "no error");
    assert_eq!(fixture.stored_groups().await, before);
    let left = fixture.count("select count(*) from goals").await
        + fixture.count("select count(*) from exposures e where not exists (select 1 from visitors p where p.serial = e.visitor_serial)").await;
    assert_eq!(left, 0);
    assert_eq!(
        fixture
            .report(visitor(&browser, None), vec![goal("bought", NOW + HOUR)])
            .await,
        0,
        "reported after the erasure"
    );
    assert_eq!(fixture.stored_groups().await, before);
    let run = event(
        &new_id(),
        &fixture.release,
        0,
        EventKind::RunStarted,
        Some("a"),
        NOW + HOUR,
    );
    record(
        &fixture.test,
        &fixture.site,
        visitor("another-browser", None),
        vec![run],
    )
    .await;
}

#[tokio::test]
async fn the_newest_goals_of_a_visitor_are_stored() {
    let fixture = fixture().await;
    let browser = fixture.browser(false, "busy").await;
    let now = fixture.test.app.now().as_millis();
    for report in 0..3 {
        let goals = (0..4).map(|number| goal("bought", now - report * 4 - number)).collect();
        fixture.report(visitor(&browser, None), goals).await;
    }
    assert_eq!(fixture.count("select count(*) from goals").await, 5);
    let oldest = fixture.count("select min(at) from goals").await;
    assert_eq!(oldest, now - 4);
}

#[tokio::test]
async fn a_reported_goal_counts_although_newer_ones_are_stored_instead() {
    let fixture = fixture().await;
    let browser = fixture.browser(false, "busy").await;
    let exposed = fixture.test.app.now().as_millis();
    fixture.test.advance(HOUR);
    fixture
        .adjust(&fixture.release, |input| input.rollout_percent = Patch::Set(90))
        .await;
    fixture.test.advance(HOUR);
    let times = [exposed + HOUR / 2]
        .into_iter()
        .chain((0..5).map(|number| exposed + 2 * HOUR - number));
    let goals = times.map(|at| goal("bought", at)).collect();
    fixture.report(visitor(&browser, None), goals).await;
    assert_eq!(fixture.count("select count(*) from goals").await, 5);
    assert_eq!(
        fixture.count("select count(*) from exposures where reached = 1").await,
        1
    );
}
