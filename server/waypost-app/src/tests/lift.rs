//! Goals, and what releases do for them.

use std::collections::BTreeMap;

use traitql::{DateTime, Id, Patch, with_batch};
use waypost_api::{
    EventKind, GoalInput, ParticipantInput, Release, ReleaseAdjustInput, ReleaseLift, Site, SiteEvent, Tour,
    TourReleaseInput, resolve,
};
use waypost_domain::{
    release::exposure::bucket,
    store::{Row, new_id, scalar, sql},
};
use waypost_testbed::Dice;

use super::runs::{boot, event, record, visit, visitor, whole};
use crate::testing::{Bench, NOW, code, nobody, page};

type Admin = traitql::Viewer<waypost_api::role::Admin>;

const HOUR: i64 = 3_600_000;

struct Stage {
    bench: Bench,
    admin: Admin,
    site: Site,
    tour: Tour,
    release: Release,
}

/// A tour that leads to the event "bought", for half of the people and held out from the other half.
async fn stage() -> Stage {
    let bench = Bench::new().await;
    let admin = bench.workspace("team", "ada").await;
    let site = bench.site(&admin, "Shop").await;
    let tour = bench.tour(&admin, "first", &["a", "b"]).await;
    let mut input = TourReleaseInput::new(tour.id.clone(), 2, vec![site.id.clone()]);
    input.holdout_percent = 50;
    input.goal = Patch::Set("bought".into());
    let released = resolve::MutationTourRelease::resolve(&bench.app, &nobody(), &admin.lower(), input).await;
    let release = released.expect("a release").remove(0);
    bench.pass(HOUR);
    Stage {
        bench,
        admin,
        site,
        tour,
        release,
    }
}

fn goal(name: &str, at: i64) -> GoalInput {
    GoalInput::new(name.into(), DateTime::from_millis(at).expect("an instant"))
}

impl Stage {
    async fn tell(&self, who: ParticipantInput, goals: Vec<GoalInput>) -> i32 {
        let (app, key) = (&self.bench.app, self.site.key.clone());
        let stored = resolve::MutationGoalRecord::resolve(app, &page("https://shop.example"), key, who, goals).await;
        stored.expect("an answer")
    }

    async fn lifts(&self, site: Option<Id>) -> Vec<ReleaseLift> {
        let (app, tour) = (&self.bench.app, self.tour.id.clone());
        let lifts = resolve::QueryTourLift::resolve(app, &nobody(), &self.admin.lower(), tour, site, 10).await;
        lifts.expect("lifts")
    }

    /// People and goals of those who were offered the newest release, and of those held out.
    async fn groups(&self) -> [(i32, i32); 2] {
        let lift = self.lifts(None).await.remove(0);
        [lift.offered, lift.held].map(|group| (group.people, group.reached))
    }

    /// Visits with browsers until one belongs to a person in the group.
    async fn browser(&self, held: bool, beginning: &str) -> String {
        for number in 0..100 {
            let browser = format!("{beginning}-browser-{number}");
            let id = visit(&self.bench, &self.site, &browser).await.participant_id;
            if (bucket(&self.site.id, &self.tour.id, &id) >= 5000) == held {
                return browser;
            }
        }
        panic!("half of the people are in each group");
    }

    async fn adjust(&self, release: &Release, change: impl FnOnce(&mut ReleaseAdjustInput)) -> Release {
        let mut input = ReleaseAdjustInput::new(release.id.clone());
        change(&mut input);
        let (app, publisher) = (&self.bench.app, self.admin.lower());
        let adjusted = resolve::MutationReleaseAdjust::resolve(app, &nobody(), &publisher, input).await;
        self.bench.pass(HOUR);
        adjusted.expect("adjusted")
    }

    /// The groups as they are kept, without those of nobody.
    async fn kept(&self) -> BTreeMap<(Id, bool), (i64, i64)> {
        let rows = sql("select * from lift_groups where people <> 0 or reached <> 0")
            .try_map(|row: Row| {
                let group = (row.id("release_id")?, row.flag("held")?);
                Ok((group, (row.long("people")?, row.long("reached")?)))
            })
            .fetch_all(self.bench.app.store.reader());
        rows.await.expect("rows").into_iter().collect()
    }

    async fn count(&self, statement: &'static str) -> i64 {
        let count = scalar(statement).fetch_one(self.bench.app.store.reader());
        count.await.expect("a number")
    }
}

#[tokio::test]
async fn who_is_offered_a_tour_is_compared_with_who_is_held_out() {
    let stage = stage().await;
    let (bench, site) = (&stage.bench, &stage.site);
    let first = visit(bench, site, "browser-0").await;
    assert_eq!(first.goals, ["bought"], "whoever it is");
    for number in 1..80 {
        visit(bench, site, &format!("browser-{number}")).await;
    }
    let [offered, held] = stage.groups().await;
    assert_eq!((offered.0 + held.0, offered.1 + held.1), (80, 0));
    assert!(offered.0 >= 30 && held.0 >= 30, "{offered:?} {held:?}");
    bench.pass(HOUR);
    let now = NOW + 2 * HOUR;
    for number in 0..80 {
        let browser = format!("browser-{number}");
        let boot = visit(bench, site, &browser).await;
        let held = bucket(&site.id, &stage.tour.id, &boot.participant_id) >= 5000;
        if !held || number % 8 == 0 {
            let told = vec![goal("bought", now), goal("bought", now - 1000), goal("other", now)];
            assert_eq!(
                stage.tell(visitor(&browser, None), told).await,
                2,
                "no release has the other"
            );
        }
    }
    let lift = stage.lifts(Some(site.id.clone())).await.remove(0);
    assert_eq!(lift.offered.reached, lift.offered.people);
    let compared = lift.lift.expect("enough people");
    assert!(compared.low > 0.5 && compared.high <= 1.0 && compared.relative.is_some());
    assert_eq!(stage.lifts(Some(new_id())).await.len(), 0);
}

#[tokio::test]
async fn what_pages_tell_of_is_known_by_name() {
    let stage = stage().await;
    let bench = &stage.bench;
    let docs = bench.site(&stage.admin, "Docs").await;
    let sites = [stage.site.clone(), docs];
    let heard = async || {
        with_batch(&sites, async |sites| {
            let column = resolve::SiteEvents::resolve(&bench.app, &nobody(), sites).await;
            let column = column.expect("events");
            assert_eq!(column.get(1), [], "the other site has heard nothing");
            let events = column.get(0).iter();
            let of = |event: &SiteEvent| (event.name.clone(), event.last_at.as_millis() - NOW);
            events.map(of).collect::<Vec<_>>()
        })
        .await
    };
    let at = |name: &str, millis: i64| (name.to_owned(), millis);
    let tell = async |names: &[&str]| {
        let told = names.iter().map(|name| goal(name, NOW)).collect();
        stage.tell(visitor("never-seen", None), told).await
    };
    assert_eq!(tell(&["search", "bought", "search"]).await, 0, "nobody was there yet");
    assert_eq!(heard().await, [at("bought", HOUR), at("search", HOUR)]);
    bench.pass(HOUR - 1);
    tell(&["search"]).await;
    assert_eq!(heard().await[1], at("search", HOUR), "written once an hour");
    bench.pass(1);
    tell(&["search"]).await;
    assert_eq!(heard().await, [at("bought", HOUR), at("search", 2 * HOUR)]);

    // A script that makes up names displaces none, and makes room when nobody tells of them any more.
    let made_up: Vec<String> = (0..250).map(|number| format!("made-up-{number:03}")).collect();
    for names in made_up.chunks(100) {
        tell(&names.iter().map(String::as_str).collect::<Vec<_>>()).await;
    }
    let all = heard().await;
    assert_eq!(
        (all.len(), &all[0], &all[199]),
        (200, &at("bought", HOUR), &at("search", 2 * HOUR))
    );
    bench.pass(90 * 24 * HOUR);
    assert_eq!(heard().await, []);
    tell(&["search"]).await;
    assert_eq!(heard().await.len(), 1);
    assert_eq!(stage.count("select count(*) from site_events").await, 1);
}

#[tokio::test]
async fn a_goal_counts_after_the_first_visit_and_before_the_end() {
    let stage = stage().await;
    let (bench, now) = (&stage.bench, NOW + HOUR);
    let browser = stage.browser(false, "x").await;
    let tell = async |at| stage.tell(visitor(&browser, None), vec![goal("bought", at)]).await;
    let reached = async || stage.groups().await[0].1;
    tell(now - 1).await;
    assert_eq!(reached().await, 0, "before the visit");
    let adjusted = stage
        .adjust(&stage.release, |input| input.rollout_percent = Patch::Set(90))
        .await;
    tell(now + HOUR).await;
    let both: Vec<i32> = stage
        .lifts(None)
        .await
        .iter()
        .map(|lift| lift.offered.reached)
        .collect();
    assert_eq!(
        both,
        [0, 0],
        "the release had ended, and of the next one nobody has heard"
    );
    visit(bench, &stage.site, &browser).await;
    bench.pass(9 * 24 * HOUR);
    assert_eq!(tell(now + HOUR).await, 0, "older than a week");
    tell(i64::MAX / 1_000_000).await;
    assert_eq!(reached().await, 1, "a clock that is ahead says now");
    assert_eq!(stage.groups().await[0].0, 1);
    stage.adjust(&adjusted, |input| input.goal = Patch::Clear).await;
    assert_eq!(visit(bench, &stage.site, &browser).await.goals, [""; 0]);
    assert_eq!(
        stage.lifts(None).await.len(),
        2,
        "releases without a goal are not compared"
    );
    assert_eq!(
        stage.tell(visitor("never-seen", None), vec![goal("bought", now)]).await,
        0
    );
}

#[tokio::test]
async fn somebody_who_has_met_the_tour_counts_in_a_later_release_too() {
    let stage = stage().await;
    let browser = stage.browser(false, "x").await;
    let run = whole(&new_id(), &stage.release, NOW + HOUR);
    record(&stage.bench, &stage.site, visitor(&browser, None), run).await;
    assert_eq!(
        visit(&stage.bench, &stage.site, &browser).await.tours.len(),
        0,
        "once is enough"
    );
    stage
        .adjust(&stage.release, |input| input.note = Patch::Set("no change".into()))
        .await;
    let later = stage
        .adjust(&stage.release, |input| input.goal = Patch::Set("stayed".into()))
        .await;
    visit(&stage.bench, &stage.site, &browser).await;
    assert_eq!(
        stage.groups().await[0],
        (1, 0),
        "or those held out would be other people"
    );
    stage
        .adjust(&later, |input| {
            input.starts_at = Patch::Set(DateTime::from_millis(NOW + 900 * HOUR).expect("later"))
        })
        .await;
    visit(&stage.bench, &stage.site, &browser).await;
    assert_eq!(stage.groups().await[0], (0, 0), "its time has not come");
}

/// Anybody's story, told twice and in any order, by browsers that turn out to be one person before or after: the groups are
/// those of the raw rows.
#[tokio::test]
async fn groups_are_those_of_what_was_told_in_any_order() {
    const BROWSERS: usize = 12;
    let mut dice = Dice::new(41);
    for story in 0..3 {
        let mut expected = None;
        let whens: Vec<(usize, i64)> = (0..40)
            .map(|_| (dice.below(BROWSERS), i64::try_from(dice.below(6)).expect("small")))
            .collect();
        let names = (dice.below(2) == 0).then_some(["Ada", "Bob"]);
        for round in 0..3 {
            let stage = stage().await;
            // Two releases, and two groups of browsers that come an hour apart.
            let begin = NOW + HOUR;
            let held: Vec<bool> = (0..BROWSERS).map(|browser| browser % 2 == 0).collect();
            let mut browsers = Vec::new();
            for (number, held) in held.iter().enumerate() {
                browsers.push(stage.browser(*held, &format!("b{number}")).await);
                if number == BROWSERS / 2 {
                    stage.bench.pass(HOUR);
                }
            }
            let adjusted = stage
                .adjust(&stage.release, |input| input.rollout_percent = Patch::Set(80))
                .await;
            for browser in &browsers[..BROWSERS - 2] {
                visit(&stage.bench, &stage.site, browser).await;
            }
            stage.bench.pass(2 * HOUR);
            let mut told: Vec<_> = [whens.clone(), whens.clone()].concat();
            dice.shuffle(&mut told);
            let middle = dice.below(told.len());
            for (place, (browser, hours)) in told.into_iter().enumerate() {
                if place == middle
                    && let Some([ada, bob]) = names
                {
                    for (name, browser) in [(ada, 0), (ada, 1), (bob, 2), (bob, 3), (bob, 5)] {
                        boot(&stage.bench, &stage.site, visitor(&browsers[browser], Some(name))).await;
                    }
                }
                let told = vec![goal("bought", begin + hours * HOUR - HOUR / 2)];
                stage.tell(visitor(&browsers[browser], None), told).await;
            }
            let kept = stage.kept().await;
            assert_eq!(kept, recounted(&stage).await, "story {story}, round {round}");
            let is_adjusted = |id: &Id| *id == adjusted.id;
            let kept: Vec<_> = kept
                .into_iter()
                .filter(|((release, _), _)| is_adjusted(release) || *release == stage.release.id)
                .map(|((release, held), counts)| ((is_adjusted(&release), held), counts))
                .collect();
            if names.is_none() {
                // Browsers that are looked for leave others behind, who tell nothing: only who comes to the goal is the same.
                let reached: Vec<_> = kept
                    .into_iter()
                    .map(|(group, (_, reached))| (group, (0, reached)))
                    .collect();
                assert_eq!(
                    &reached,
                    expected.get_or_insert_with(|| reached.clone()),
                    "story {story}, round {round}"
                );
            }
        }
    }
}

/// The groups, counted anew from the raw rows in the plainest way.
async fn recounted(stage: &Stage) -> BTreeMap<(Id, bool), (i64, i64)> {
    let db = || stage.bench.app.store.reader();
    let goals = sql("select participant_id, event, at from goals")
        .try_map(|row: Row| Ok((row.id("participant_id")?, row.text("event")?, row.long("at")?)))
        .fetch_all(db())
        .await
        .expect("goals");
    let exposures = sql("select e.*, l.goal, l.ended_at from exposures e join releases l on l.id = e.release_id")
        .try_map(|row: Row| {
            let times = (
                row.long("at")?,
                row.time_opt("ended_at")?.map_or(i64::MAX, DateTime::as_millis),
            );
            Ok((
                row.id("release_id")?,
                row.flag("held")?,
                row.id("participant_id")?,
                row.text("goal")?,
                times,
            ))
        })
        .fetch_all(db())
        .await
        .expect("exposures");
    let mut groups = BTreeMap::new();
    for (release, held, who, goal, (from, to)) in exposures {
        let reached = goals
            .iter()
            .any(|(by, event, at)| *by == who && *event == goal && (from..=to).contains(at));
        let group: &mut (i64, i64) = groups.entry((release, held)).or_default();
        group.0 += 1;
        group.1 += i64::from(reached);
    }
    groups
}

#[tokio::test]
async fn the_first_group_counts_when_two_browsers_turn_out_to_be_one_person() {
    let stage = stage().await;
    let now = NOW + HOUR;
    let held = stage.browser(true, "x").await;
    stage.bench.pass(HOUR);
    let offered = stage.browser(false, "y").await;
    let before = stage.groups().await;
    stage.tell(visitor(&offered, None), vec![goal("bought", now + 1)]).await;
    assert_eq!(stage.groups().await[0].1, 0, "an hour before they came");
    for browser in [&offered, &held] {
        boot(&stage.bench, &stage.site, visitor(browser, Some("Ada"))).await;
    }
    let after = stage.groups().await;
    assert_eq!(
        (after[0].0, after[1]),
        (before[0].0 - 1, (before[1].0, 1)),
        "one person, held out first"
    );
}

#[tokio::test]
async fn erasing_somebody_leaves_the_numbers_and_nothing_else() {
    let stage = stage().await;
    let browser = stage.browser(false, "x").await;
    stage
        .tell(visitor(&browser, None), vec![goal("bought", NOW + HOUR)])
        .await;
    let before = stage.kept().await;
    let id = visit(&stage.bench, &stage.site, &browser).await.participant_id;
    let erased =
        resolve::MutationParticipantErase::resolve(&stage.bench.app, &nobody(), &stage.admin, id.clone()).await;
    assert_eq!(code(erased), "no error");
    assert_eq!(stage.kept().await, before);
    let left = stage.count("select count(*) from goals").await
        + stage.count("select count(*) from exposures e where not exists (select 1 from participants p where p.id = e.participant_id)").await;
    assert_eq!(left, 0);
    assert_eq!(
        stage
            .tell(visitor(&browser, None), vec![goal("bought", NOW + HOUR)])
            .await,
        0,
        "told late"
    );
    assert_eq!(stage.kept().await, before);
    // An open run is not in the way of anything.
    let run = event(
        &new_id(),
        &stage.release,
        0,
        EventKind::RunStarted,
        Some("a"),
        NOW + HOUR,
    );
    record(&stage.bench, &stage.site, visitor("another-browser", None), vec![run]).await;
}
