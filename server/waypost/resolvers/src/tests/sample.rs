use std::collections::BTreeMap;

use traitql::{DateTime, Id, Throws, Viewer};
use waypost_api::{field, resolve, role};
use waypost_domain::{
    lift,
    release::allocation::{Allocation, TrafficSplit, bucket},
    store::{Row, scalar, sql},
    tour, workspace,
};

use super::{access_tokens::token_account, runs::stored_events};
use crate::{
    App, Sample,
    testing::{TestApp, anonymous, code},
};

const HOUR_MS: i64 = 60 * 60 * 1000;

async fn with_history(database: Option<String>) -> TestApp {
    TestApp::over(database, |config| config.sample = Some(Sample::History)).await
}

async fn acme(app: &App) -> Id {
    let found = workspace::store::by_slug(app.store.reader(), "acme").await;
    found.expect("a result").expect("the sample workspace").id
}

async fn number(app: &App, statement: &'static str) -> i64 {
    let count = scalar(statement).fetch_one(app.store.reader()).await;
    count.unwrap_or_else(|error| panic!("{statement}: {error}"))
}

async fn numbers(app: &App) -> BTreeMap<String, Vec<[i64; 5]>> {
    let rows = sql(
        "select t.slug, d.day, sum(d.started) as started, sum(d.completed) as completed, sum(d.dismissed) as dismissed,
           sum(d.open) as open
         from tour_days d join tours t on t.id = d.tour_id group by t.slug, d.day order by t.slug, d.day",
    )
    .try_map(|row: Row| {
        let counts = [
            row.long("day")?,
            row.int("started")?.into(),
            row.int("completed")?.into(),
            row.int("dismissed")?.into(),
            row.int("open")?.into(),
        ];
        Ok((row.text("slug")?, counts))
    })
    .fetch_all(app.store.reader())
    .await
    .expect("the counts");
    let mut by_tour: BTreeMap<String, Vec<[i64; 5]>> = BTreeMap::new();
    for (slug, counts) in rows {
        by_tour.entry(slug).or_default().push(counts);
    }
    by_tour
}

/// Numbers agree with each other and with the allocation.
async fn expect_consistent(app: &App) {
    for contradiction in [
        // A run with a step or an outcome has started, and a completed step was shown.
        "select count(*) from runs where started = 0 or done & ~seen <> 0",
        "select count(*) from tour_days where started <> completed + dismissed + stopped + failed + superseded + open",
        "select count(*) from step_days s join tour_days d on d.id = s.tour_day_id where s.seen > d.started or s.done > s.seen",
        // The counts are those of the runs.
        "select (select count(*) from runs) - (select cast(sum(started) as bigint) from tour_days)",
        // No visitor of a holdout has seen the tour.
        "select count(*) from exposures e join runs n on n.visitor_serial = e.visitor_serial and n.release_serial = e.release_serial
         where e.holdout = 1",
        "select count(*) from visitors where first_seen_at > last_seen_at",
        // No run has started before its release, or while it was paused.
        "select count(*) from runs n join releases l on l.serial = n.release_serial where n.started_at < l.at",
        "select count(*) from runs n join releases l on l.serial = n.release_serial where n.started_at > l.paused_at",
    ] {
        assert_eq!(number(app, contradiction).await, 0, "{contradiction}");
    }
    let exposures = sql("select v.id as visitor_id, e.holdout, l.site_id, l.tour_id, l.holdout_percent
         from exposures e join visitors v on v.serial = e.visitor_serial join releases l on l.serial = e.release_serial")
    .try_map(|row: Row| {
        let split = TrafficSplit {
            rollout_percent: 100,
            holdout_percent: row.int("holdout_percent")?,
        };
        let bucket = bucket(&row.id("site_id")?, &row.id("tour_id")?, &row.id("visitor_id")?);
        Ok((split.allocate(bucket) == Allocation::Holdout, row.bool("holdout")?))
    })
    .fetch_all(app.store.reader())
    .await
    .expect("the exposures");
    assert!(exposures.len() > 1000);
    assert!(exposures.iter().all(|(allocated, stored)| allocated == stored));
}

async fn expect_plausible_events(test: &TestApp) {
    let app = &test.app;
    let starts = sql("select id, started_at from runs")
        .try_map(|row: Row| Ok((row.id("id")?, row.time("started_at")?)))
        .fetch_all(app.store.reader())
        .await;
    let starts: BTreeMap<Id, DateTime> = starts.expect("the runs").into_iter().collect();
    let events = stored_events(test).await;
    assert!(events.len() > starts.len());
    for (run, event) in events {
        assert!(
            (starts[&run]..=app.now()).contains(&event.at),
            "{event:?} of a run that started at {:?}",
            starts[&run]
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_history_is_consistent_and_the_same_in_each_installation() {
    let sqlite = with_history(None).await;
    let app = &sqlite.app;
    expect_consistent(app).await;
    expect_plausible_events(&sqlite).await;
    assert_eq!(number(app, "select count(*) from visitors").await, 2000);
    assert!(number(app, "select count(*) from visitors where external_id is not null").await > 400);
    assert_eq!(number(app, "select count(distinct locale) from visitors").await, 8);
    assert!(number(app, "select count(distinct last_seen_at / 3600000 % 24) from visitors").await > 20);
    assert!(number(app, "select count(distinct by_id) from audit_entries").await >= 4);
    assert!(number(app, "select (max(at) - min(at)) / 86400000 from audit_entries").await >= 27);
    assert_eq!(
        number(app, "select count(*) from reviews where state = 'WAITING'").await,
        1
    );
    assert_eq!(
        number(app, "select count(*) from comments where resolved_at is null").await,
        3
    );
    assert_eq!(
        number(app, "select count(*) from releases where paused_at is not null").await,
        1
    );
    assert!(number(app, "select cast(sum(missing) as bigint) from step_days").await > 20);

    let workspace = acme(app).await;
    let tour = tour::store::by_slug(app.store.reader(), &workspace, "first-order").await;
    let tour = tour.expect("a result").expect("the tour");
    let lifts = lift::store::lifts(app.store.reader(), &tour.id, None, 10).await;
    let lift = lifts.expect("a result").remove(0).lift.expect("large enough groups");
    assert!(lift.low > 0.0, "the interval excludes 0: {lift:?}");

    // PostgreSQL, seven hours later on the same day.
    let postgres = TestApp::over(Some(waypost_testkit::create_database()), |_| {}).await;
    postgres.advance(7 * HOUR_MS);
    let later = postgres.reopen(|config| config.sample = Some(Sample::History)).await;
    expect_consistent(&later).await;
    assert_eq!(numbers(app).await, numbers(&later).await);
}

async fn delete(
    app: &App,
    admin: &Viewer<role::Admin>,
    name: &str,
) -> Result<Id, Throws<field::MutationWorkspaceDelete>> {
    let id = admin.scope().clone();
    resolve::MutationWorkspaceDelete::resolve(app, &anonymous(), admin, id, name.to_owned()).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn deleting_a_workspace_leaves_no_rows() {
    const SQLITE: &str = "select name from sqlite_schema where type = 'table' and name not like 'sqlite%'";
    const POSTGRES: &str = "select table_name as name from information_schema.tables
         where table_schema = 'public' and table_type = 'BASE TABLE'";
    for (database, tables) in [(None, SQLITE), (Some(waypost_testkit::create_database()), POSTGRES)] {
        let mut test = with_history(database).await;
        let app = &test.app;
        let workspace = acme(app).await;
        // An ordinary workspace, with the data of the sample and an access token.
        let mut tx = app.store.save().await.expect("a transaction");
        let unmark = sql("update workspaces set sample = 0");
        unmark.execute(tx.conn()).await.expect("an update");
        tx.commit().await.expect("a commit");
        let admin = Viewer::<role::Admin>::for_test(test.account("ada").await, Some(workspace));
        token_account(&test, &admin).await;
        delete(app, &admin, "Acme").await.expect("the id");
        let tables: Vec<String> = scalar(tables).fetch_all(app.store.reader()).await.expect("the tables");
        for table in tables {
            let expected = match table.as_str() {
                "bits" | "_sqlx_migrations" | "readiness" => continue,
                "accounts" => 1,
                _ => 0,
            };
            let statement: &'static str = format!("select count(*) from {table}").leak();
            assert_eq!(number(app, statement).await, expected, "{table}");
        }
        assert_eq!(code(delete(app, &admin, "Acme").await), "NOT_FOUND");

        // Waypost's own tours move to the next workspace.
        test.restart(|config| config.sample = Some(Sample::History)).await;
        assert_eq!(number(&test.app, "select count(*) from workspaces").await, 0);
        test.workspace("team", "ada").await;
        assert_eq!(own_tours(&test.app).await, ["team welcome"]);
    }
}

/// Returns tours with the slug of their workspace.
async fn own_tours(app: &App) -> Vec<String> {
    scalar(
        "select w.slug || ' ' || t.slug from sites s join releases l on l.site_id = s.id
         join tours t on t.id = l.tour_id join workspaces w on w.id = t.workspace_id where s.own = 1",
    )
    .fetch_all(app.store.reader())
    .await
    .expect("the tours")
}

#[tokio::test]
async fn a_workspace_is_deleted_with_its_name_and_others_keep_everything() {
    let test = with_history(waypost_testkit::default_database()).await;
    let team = test.workspace("team", "ada").await;
    let token = token_account(&test, &team).await;
    let (site, tour) = (test.site(&team, "Shop").await, test.tour(&team, "first", &["a"]).await);
    assert_eq!(own_tours(&test.app).await, ["acme welcome"]);

    let workspace = acme(&test.app).await;
    let admin = Viewer::<role::Admin>::for_test(team.account.clone(), Some(workspace));
    for wrong in ["team", "acme", "ACME", ""] {
        assert_eq!(
            code(delete(&test.app, &admin, wrong).await),
            "WORKSPACE_NAME_DIFFERS",
            "{wrong}"
        );
    }
    delete(&test.app, &admin, " Acme ").await.expect("the id");
    assert_eq!(own_tours(&test.app).await, ["team welcome"]);
    assert_eq!(number(&test.app, "select count(*) from workspaces").await, 1);
    let reader = || test.app.store.reader();
    let sites = waypost_domain::site::store::of_workspaces(reader(), &[team.scope().clone()]).await;
    assert!(sites.expect("sites").iter().any(|each| each.id == site.id));
    let kept = tour::store::by_slug(reader(), team.scope(), "first").await;
    assert_eq!(kept.expect("a result").map(|each| each.id), Some(tour.id));
    let accounts = scalar("select count(*) from accounts where id = ?").bind(token.as_str());
    assert_eq!(
        accounts.fetch_one(reader()).await.map_err(|error| error.to_string()),
        Ok(1_i64)
    );
}
