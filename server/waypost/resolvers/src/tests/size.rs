//! The bytes that visits store.

use fastrand::Rng;
use traitql::{Ctx, DateTime, Patch, Url};
use waypost_api::{
    AttemptInput, AttemptProblem, EndReason, EventInput, EventKind, GoalInput, Release, TraitInput, VisitorInput,
    resolve,
};
use waypost_domain::store::{new_id, sql};

use super::{
    limits::{DAY_MS, Fixture, SHOP, number, page_from},
    runs::{event, record, visit, visitor},
};
use crate::testing::{NOW, TestApp};

const MAX_BYTES_OF_BOOT: i64 = 1000;
const MAX_BYTES_OF_REPORT: i64 = 1000;
const MAX_BYTES_OF_VISITOR: i64 = 4100;

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
        per_report <= MAX_BYTES_OF_REPORT,
        "{per_report} bytes per report with a run of ten steps"
    );
    assert!(
        per_visitor <= MAX_BYTES_OF_VISITOR,
        "{per_visitor} bytes per visitor with {RUNS} runs"
    );
}

/// Sends as much as possible, with identifiers and values of the maximum length.
struct WorstClient<'f> {
    fixture: &'f Fixture,
    number: usize,
}

impl WorstClient<'_> {
    const BROWSERS: usize = 6;
    const RUNS: usize = 12;

    fn page(&self) -> Ctx {
        page_from(SHOP, &format!("10.0.0.{}", self.number))
    }

    fn visitor(&self, browser: usize) -> VisitorInput {
        let Self { number, .. } = self;
        let name = format!("{}{number:04}", "😀".repeat(196));
        let mut who = visitor(&format!("{number:021}{browser:022}"), Some(&name));
        let traits = (0..60).map(|index| TraitInput::new(format!("key-{index}"), "x".repeat(200)));
        who.traits = Patch::Set(traits.collect());
        who.locale = Patch::Set("de-Latn-DE-1996-u-co-phonebk-x-shop".into());
        who
    }

    async fn boot(&self, browser: usize) {
        let url: Url = format!("{SHOP}/{}", "x".repeat(400)).parse().expect("a URL");
        let (app, key) = (&self.fixture.test.app, self.fixture.site.key.clone());
        let booted = resolve::MutationBoot::resolve(app, &self.page(), key, self.visitor(browser), url).await;
        booted.expect("a boot");
    }

    fn events(&self, keys: &[&str], rng: &mut Rng) -> Vec<EventInput> {
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
        events.collect()
    }

    async fn report(&self, events: Vec<EventInput>) {
        let (app, key) = (&self.fixture.test.app, self.fixture.site.key.clone());
        let recorded = resolve::MutationRecord::resolve(app, &self.page(), key, self.visitor(0), events).await;
        recorded.expect("a result");
    }

    async fn attempts(&self) {
        let reported = (0..8).flat_map(|day| {
            [AttemptProblem::ElementMissing, AttemptProblem::PlayerFailed].map(|problem| {
                let at = DateTime::from_millis(NOW - day * DAY_MS).expect("a time");
                let mut attempt = AttemptInput::new(self.fixture.release.id.clone(), problem, at);
                attempt.step_key = Patch::Set("e".to_owned());
                attempt
            })
        });
        let (app, key, attempts) = (
            &self.fixture.test.app,
            self.fixture.site.key.clone(),
            reported.collect(),
        );
        let stored = resolve::MutationAttemptRecord::resolve(app, &self.page(), key, self.visitor(0), attempts).await;
        assert_eq!(stored.expect("a number"), 16);
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
    const VISITORS: usize = 80;
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
        client.report(client.events(&KEYS, &mut rng)).await;
    }
    let reported = bytes(&fixture.test).await;
    for client in &clients {
        for browser in 1..WorstClient::BROWSERS {
            client.boot(browser).await;
        }
        client.boot(0).await;
        client.goals().await;
        client.attempts().await;
    }
    // Rows that grow later leave pages half empty.
    let mut rest = Vec::new();
    for client in &clients {
        for _ in 1..WorstClient::RUNS {
            let mut events = client.events(&KEYS, &mut rng);
            rest.push((client, events.split_off(1)));
            client.report(events).await;
        }
    }
    for (client, events) in rest {
        client.report(events).await;
    }
    let sizes = [booted - empty, reported - booted, bytes(&fixture.test).await - empty].map(each);
    let limits = [MAX_BYTES_OF_BOOT, MAX_BYTES_OF_REPORT, MAX_BYTES_OF_VISITOR];
    assert!(
        sizes.iter().zip(limits).all(|(size, limit)| *size <= limit),
        "{sizes:?} bytes per first boot, report and visitor"
    );
}
