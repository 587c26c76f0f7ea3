//! Cost of a funnel with a million runs, and throughput of page views and ingestion per core.
//!
//! Without HTTP, on SQLite with `synchronous=FULL` and on PostgreSQL with `fsync=on`. `WAYPOST_BENCH_RUNS` and
//! `WAYPOST_BENCH_SECONDS` change the size. BENCHMARKS.md explains the output.
#![allow(clippy::print_stdout, reason = "a benchmark prints its results")]

use std::{
    net::Ipv4Addr,
    path::Path,
    str::FromStr,
    time::{Duration, Instant},
};

use futures_util::TryFutureExt;
use sqlx::{AssertSqlSafe, PgPool, SqlitePool, sqlite::SqliteConnectOptions};
use traitql::{Ctx, CtxParts, DateTime, Id, Patch, Viewer};
use waypost_api::{DayRangeInput, EventInput, EventKind, TokenStore, VisitorInput, resolve, role};
use waypost_resolvers::{App, AppConfig, Sample};

const ORIGIN: &str = "https://tours.example";
const KEY: &str = "wp_pub_demo_shop";
const DAY: i64 = 24 * 60 * 60 * 1000;
/// Concurrent.
const VISITORS: usize = 64;
const RUNS_EACH: usize = 5;

struct Subject {
    tour_id: String,
    release_id: String,
    keys: String,
}

enum Db {
    Sqlite(SqlitePool),
    Postgres(PgPool),
}

macro_rules! on {
    ($db:expr, $pool:ident => $query:expr) => {
        match $db {
            Db::Sqlite($pool) => $query.await,
            Db::Postgres($pool) => $query.await,
        }
        .expect("the statement succeeds")
    };
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    println!("### SQLite\n");
    first_start(None).await;
    measure(None).await;
    println!("\n### PostgreSQL\n");
    first_start(Some(waypost_testkit::create_database())).await;
    measure(Some(waypost_testkit::create_database())).await;
}

async fn measure(postgres: Option<String>) {
    let (runs, seconds) = (size("WAYPOST_BENCH_RUNS", 1_000_000), size("WAYPOST_BENCH_SECONDS", 60));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let app = App::open(config(folder.path(), postgres.clone(), Sample::Tours));
    let app = app.await.expect("a fresh database opens");
    let db = connect(folder.path(), postgres).await;
    let (tour_id, release_id, keys) = on!(&db, pool => sqlx::query_as(
        "select l.tour_id, l.id as release_id,
           (select json_group_array(value ->> 'key') from json_each(r.steps)) as keys
         from releases l join sites s on s.id = l.site_id join revisions r on r.id = l.revision_id
         where s.key = $1 order by length(r.steps) desc limit 1",
    )
    .bind(KEY)
    .fetch_one(pool));
    let subject = Subject {
        tour_id,
        release_id,
        keys,
    };
    page_views(&app, seconds).await;
    ingest(&app, &db, &subject, seconds).await;
    insert_runs(&db, &subject, runs).await;
    insert_exposures(&db, &subject, runs).await;
    funnels(&app, &subject, runs).await;
    app.close().await;
}

fn config(folder: &Path, postgres: Option<String>, sample: Sample) -> AppConfig {
    AppConfig {
        data_dir: folder.into(),
        postgres: postgres.map(|url| url.parse().expect("an address")),
        public_url: ORIGIN.parse().expect("a URL"),
        providers: Vec::new(),
        token_store: TokenStore::Session,
        source_url: ORIGIN.parse().expect("a URL"),
        version: "0.0.0".into(),
        demo: false,
        embed: None,
        sample: Some(sample),
        restricts_workspace_creation: false,
        claims_workspace: None,
        grants: Vec::new(),
        storage_limits: waypost_resolvers::StorageLimits::default(),
    }
}

/// Measures the first start, which creates the tables and the sample workspace with the visitors of 30 days.
async fn first_start(postgres: Option<String>) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let start = Instant::now();
    let app = App::open(config(folder.path(), postgres, Sample::History));
    let app = app.await.expect("a fresh database opens");
    let took = start.elapsed().as_secs_f64();
    println!("The first start, with the sample workspace, took {took:.1} s.\n");
    app.close().await;
}

async fn connect(folder: &Path, postgres: Option<String>) -> Db {
    let Some(url) = postgres else {
        let options = SqliteConnectOptions::new()
            .filename(folder.join("waypost.db"))
            .foreign_keys(false);
        return Db::Sqlite(SqlitePool::connect_with(options).await.expect("the database opens"));
    };
    let pool = PgPool::connect(&url).await.expect("the database opens");
    for statement in [
        "alter system set fsync = on",
        "select pg_reload_conf()",
        "alter table runs drop constraint runs_visitor_serial_fkey",
        "alter table exposures drop constraint exposures_visitor_serial_fkey",
    ] {
        sqlx::query(statement).execute(&pool).await.expect(statement);
    }
    Db::Postgres(pool)
}

fn size(name: &str, default: i64) -> i64 {
    std::env::var(name).map_or(default, |value| value.parse().expect("a number"))
}

/// Checks that no run is lost.
async fn ingest(app: &App, db: &Db, subject: &Subject, seconds: i64) {
    let keys: Vec<String> = serde_json::from_str(&subject.keys).expect("keys");
    let length = Duration::from_secs(u64::try_from(seconds).expect("a duration"));
    let (start, cpu) = (Instant::now(), cpu());
    let visitors = (0..VISITORS).map(|number| visits(app, subject, &keys, number, start + length));
    let totals = futures_util::future::join_all(visitors).await;
    let (took, cpu) = (start.elapsed().as_secs_f64(), self::cpu() - cpu);
    let (events, reports, runs) = totals.iter().fold((0, 0, 0), |sum: (usize, usize, usize), visit| {
        (sum.0 + visit.events, sum.1 + visit.reports, sum.2 + visit.runs)
    });
    let (stored, counted): (i64, i64) = on!(db, pool => sqlx::query_as(
        "select (select count(*) from runs n join tours t on t.serial = n.tour_serial
             where t.id = $1 and length(n.events) > 0),
           (select coalesce(sum(started), 0) from tour_days where tour_id = $1)",
    )
    .bind(&subject.tour_id)
    .fetch_one(pool));
    let (runs_stored, runs_counted) = (usize::try_from(stored), usize::try_from(counted));
    assert_eq!((runs_stored, runs_counted), (Ok(runs), Ok(runs)), "runs were lost");
    let (events, reports) = (events as f64, reports as f64);
    println!("| ingestion | |\n|---|--:|");
    println!("| concurrent visitors | {VISITORS} |");
    println!("| seconds | {took:.1} |");
    println!("| events sent | {events} |");
    println!("| runs with events | {stored} |");
    println!("| runs sent | {runs} |");
    println!("| runs counted | {counted} |");
    println!("| events per report | {:.1} |", events / reports);
    println!("| reports per second | {:.0} |", reports / took);
    println!("| events per second | {:.0} |", events / took);
    println!("| CPU seconds | {cpu:.1} |");
    println!("| events per CPU second | {:.0} |\n", events / cpu);
}

/// Measures page views: of one visitor, whose data is in memory, and of visitors whose data is read first.
async fn page_views(app: &App, seconds: i64) {
    let view = async |number: u32| {
        // The number of new visitors of an address is limited.
        let address = Ipv4Addr::from_bits(number / 500);
        let cx = Ctx::from(CtxParts {
            origin: Some(ORIGIN.into()),
            address: Some(address.into()),
            ..CtxParts::default()
        });
        let visitor = VisitorInput::new(format!("browser-{number}").into());
        let url = ORIGIN.parse().expect("a URL");
        let boot = resolve::MutationBoot::resolve(app, &cx, KEY.into(), visitor, url).await;
        assert!(!boot.expect("a boot").tours.is_empty());
    };
    // Not all fit in memory.
    let others = 20_000;
    for number in 0..others {
        view(number).await;
    }
    let length = Duration::from_secs(u64::try_from(seconds).expect("a duration").min(10));
    println!("| page views | per second |\n|---|--:|");
    for (label, visitors) in [("visitor in memory", 1), ("visitor read from the database", others)] {
        let (start, mut views) = (Instant::now(), 0);
        while start.elapsed() < length {
            view(views % visitors).await;
            views += 1;
        }
        println!("| {label} | {:.0} |", f64::from(views) / start.elapsed().as_secs_f64());
    }
    println!();
}

#[derive(Default)]
struct Totals {
    events: usize,
    reports: usize,
    runs: usize,
}

/// Each run is reported in three parts like by the player: at its start, in the middle, and at its end.
async fn visits(app: &App, subject: &Subject, keys: &[String], number: usize, end: Instant) -> Totals {
    let mut totals = Totals::default();
    while Instant::now() < end {
        let visitor = totals.runs / RUNS_EACH;
        // The number of visitors of an address is limited.
        let address = u32::try_from((number << 16) + visitor).expect("fewer than 65,536 visitors");
        let cx = Ctx::from(CtxParts {
            origin: Some(ORIGIN.into()),
            address: Some(Ipv4Addr::from_bits(address).into()),
            ..CtxParts::default()
        });
        if totals.runs % RUNS_EACH == 0 {
            let visitor = VisitorInput::new(format!("browser-{number}-{visitor}").into());
            let url = ORIGIN.parse().expect("a URL");
            let booted = resolve::MutationBoot::resolve(app, &cx, KEY.into(), visitor, url).await;
            assert!(booted.is_ok(), "the visitor is stored");
        }
        let events = run(subject, keys);
        let parts = [
            &events[..2],
            &events[2..events.len() / 2 + 1],
            &events[events.len() / 2 + 1..],
        ];
        for part in parts {
            let visitor = VisitorInput::new(format!("browser-{number}-{visitor}").into());
            let ack = resolve::MutationRecord::resolve(app, &cx, KEY.into(), visitor, part.to_vec()).await;
            let ack = ack.expect("the report is stored");
            assert_eq!(usize::try_from(ack.accepted), Ok(part.len()), "{:?}", ack.rejected);
            totals.events += part.len();
            totals.reports += 1;
        }
        totals.runs += 1;
    }
    totals
}

fn run(subject: &Subject, keys: &[String]) -> Vec<EventInput> {
    let id = Id::from(uuid::Uuid::now_v7());
    let mut steps = vec![(EventKind::RunStarted, keys.first())];
    for key in keys {
        steps.extend([(EventKind::StepSeen, Some(key)), (EventKind::StepDone, Some(key))]);
    }
    steps.push((EventKind::RunCompleted, None));
    let events = steps.into_iter().zip(0..).map(|((kind, key), seq)| {
        let release = Id::from(subject.release_id.clone());
        let mut event = EventInput::new(id.clone(), release, seq, kind, DateTime::now());
        event.active_ms = seq * 700;
        if let Some(key) = key {
            event.step_key = Patch::Set(key.clone());
        }
        event
    });
    events.collect()
}

fn cpu() -> f64 {
    let stat = std::fs::read_to_string("/proc/stat").unwrap_or_default();
    let all = stat.lines().next().unwrap_or_default();
    let ticks = all
        .split_whitespace()
        .skip(1)
        .map(|ticks| ticks.parse().unwrap_or(f64::NAN));
    // user, nice, system, idle, iowait, irq, softirq; a tick is a hundredth of a second on Linux (USER_HZ).
    let busy = ticks.take(7).enumerate().filter(|(at, _)| !matches!(at, 3 | 4));
    busy.map(|(_, ticks): (usize, f64)| ticks).sum::<f64>() / 100.0
}

async fn megabytes(db: &Db) -> f64 {
    let bytes: i64 = match db {
        Db::Sqlite(pool) => {
            let pages = "select page_count * page_size from pragma_page_count(), pragma_page_size()";
            sqlx::query_scalar(pages).fetch_one(pool).await
        }
        Db::Postgres(pool) => {
            let size = "select pg_database_size(current_database())";
            sqlx::query_scalar(size).fetch_one(pool).await
        }
    }
    .expect("the statement succeeds");
    bytes as f64 / 1e6
}

/// Numbers for each run: the last step, the end, and the buckets.
const SQLITE_DICE: &str = "with recursive c (n) as (select $4 union all select n + 1 from c where n < $5 - 1),
    d as (select n, 1 + abs(random()) % json_array_length($3) as far, abs(random()) % 10 as how,
      printf('%08x', n) as hex, (select json_group_array(60 + abs(random()) % 40) from json_each($3)) as buckets from c)";
const POSTGRES_DICE: &str = "with d as (
    select n, 1 + floor(random() * json_array_length($3::json))::int as far, floor(random() * 10)::int as how,
      lpad(to_hex(n), 8, '0') as hex,
      (select json_group_array((60 + floor(random() * 40 + 0 * n + 0 * length(value)))::text) from json_each($3)) as buckets
    from generate_series($4, $5 - 1) n)";
const INSERT: &str = "insert into runs (id, tour_serial, release_serial, visitor_serial, state, started, seen,
      done, missing, started_at, last_at, ended_at, end_reason, active_ms, last_seq, buckets)
    select unhex(hex || '-0000-7000-8000-000000000000', '-'), (select serial from tours where id = $1),
      (select serial from releases where id = $2), n % 400000,
      case when how < 5 then 'COMPLETED' when how < 8 then 'DISMISSED' else 'ACTIVE' end, 1, (1 << far) - 1,
      (1 << (far - case when how >= 5 then 1 else 0 end)) - 1, 0, $6 - n % 90 * 86400000 - 1000000,
      $6 - n % 90 * 86400000, null, null, 9000, 9, buckets
    from d";

const PART: i64 = 20_000;

async fn insert_runs(db: &Db, subject: &Subject, runs: i64) {
    let start = Instant::now();
    let now = DateTime::now().as_millis();
    for from in (0..runs).step_by(usize::try_from(PART).expect("small")) {
        let rng = match db {
            Db::Sqlite(_) => SQLITE_DICE,
            Db::Postgres(_) => POSTGRES_DICE,
        };
        let statement = format!("{rng} {INSERT}");
        on!(db, pool => sqlx::query(AssertSqlSafe(statement.as_str()))
            .bind(&subject.tour_id)
            .bind(&subject.release_id)
            .bind(&subject.keys)
            .bind(from)
            .bind((from + PART).min(runs))
            .bind(now)
            .execute(pool)
            .map_ok(drop)
        );
    }
    if let Db::Postgres(pool) = db {
        // Autovacuum would do the same some time after so many inserts.
        sqlx::query("vacuum analyze").execute(pool).await.expect("vacuumed");
    }
    let took = start.elapsed().as_secs_f64();
    println!("{runs} runs of one tour in 90 days, inserted and counted by day in {took:.0} s.");
}

/// A tenth of the exposures is in the holdout, and some have completed the goal.
async fn insert_exposures(db: &Db, subject: &Subject, visitors: i64) {
    let start = Instant::now();
    let rng = match db {
        Db::Sqlite(_) => {
            "with recursive c (n) as (select $2 union all select n + 1 from c where n < $3 - 1),
             d as (select n, abs(random()) % 100 as rng from c)"
        }
        Db::Postgres(_) => "with d as (select n, floor(random() * 100) as rng from generate_series($2, $3 - 1) n)",
    };
    let exposures = format!(
        "{rng} insert into exposures (visitor_serial, release_serial, holdout, at, reached)
         select n, (select serial from releases where id = $1), case when n % 10 = 0 then 1 else 0 end, 0,
           case when rng < case when n % 10 > 0 then 21 else 20 end then 1 else 0 end from d"
    );
    let goal = "update releases set goal = 'order_placed', holdout_percent = 10 where id = $1";
    on!(db, pool => sqlx::query(goal).bind(&subject.release_id).execute(pool).map_ok(drop));
    for from in (0..visitors).step_by(usize::try_from(PART).expect("small")) {
        on!(db, pool => sqlx::query(AssertSqlSafe(exposures.as_str()))
            .bind(&subject.release_id)
            .bind(from)
            .bind((from + PART).min(visitors))
            .execute(pool)
            .map_ok(drop)
        );
    }
    let took = start.elapsed().as_secs_f64();
    println!("{visitors} visitors in the groups of one release, inserted and counted in {took:.0} s.");
    println!("The size of the database is {:.0} MB.\n", megabytes(db).await);
}

async fn funnels(app: &App, subject: &Subject, runs: i64) {
    let viewer = Viewer::<role::Viewer>::for_test("nobody", None);
    let cx = Ctx::from(CtxParts::default());
    let today = DateTime::now().as_millis();
    let day = |millis: i64| {
        let at = DateTime::from_millis(millis).expect("a valid time").to_string();
        traitql::Date::from_str(&at[..10]).expect("a day")
    };
    println!("| {runs} runs | fastest ms | median | 95 % | slowest |\n|---|--:|--:|--:|--:|");
    for days in [7, 30, 90, 366] {
        let mut times = Vec::new();
        for _ in 0..100 {
            let range = DayRangeInput::new(day(today - (days - 1) * DAY), day(today));
            let (start, tour) = (Instant::now(), Id::from(subject.tour_id.clone()));
            let answer = resolve::QueryTourInsights::resolve(app, &cx, &viewer, tour, None, None, range).await;
            let insights = answer.expect("insights");
            times.push(start.elapsed());
            assert!(insights.started > 0 && !insights.steps.is_empty());
        }
        print(&format!("`tourInsights`, {days} days"), times);
    }
    let mut times = Vec::new();
    for _ in 0..100 {
        let (start, tour) = (Instant::now(), Id::from(subject.tour_id.clone()));
        let lifts = resolve::QueryTourLift::resolve(app, &cx, &viewer, tour, None, 10)
            .await
            .expect("lifts");
        times.push(start.elapsed());
        assert!(lifts.first().is_some_and(|lift| lift.lift.is_some()));
    }
    print("`tourLift`", times);
    for days in [30, 90] {
        let mut times = Vec::new();
        for _ in 0..5 {
            let range = DayRangeInput::new(day(today - (days - 1) * DAY), day(today));
            let (start, tour) = (Instant::now(), Id::from(subject.tour_id.clone()));
            let answer = resolve::QueryTourVisitors::resolve(app, &cx, &viewer, tour, None, None, range).await;
            assert!(answer.expect("a number") > 0);
            times.push(start.elapsed());
        }
        print(&format!("`tourVisitors`, {days} days"), times);
    }
}

fn print(what: &str, mut times: Vec<Duration>) {
    times.sort();
    let at = |share: f64| times[((times.len() - 1) as f64 * share).round() as usize].as_secs_f64() * 1000.0;
    println!(
        "| {what} | {:.1} | {:.1} | {:.1} | {:.1} |",
        at(0.0),
        at(0.5),
        at(0.95),
        at(1.0)
    );
}
