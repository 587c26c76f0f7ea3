//! Outages of the database: `UNAVAILABLE` for callers, and recovery without a restart.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use sqlx::{ConnectOptions, Connection, sqlite::SqliteConnectOptions};
use tokio::{net::UnixListener, net::UnixStream, task::JoinSet, time::timeout};
use traitql::{Id, SignedIn, Viewer};
use waypost_api::{EventKind, WorkspaceCreateInput, resolve};
use waypost_domain::store::{new_id, scalar, sql};

use super::runs::{event, stored_visitor, visitor};
use crate::testing::{NOW, TestApp, anonymous, code, page};

async fn create(test: &TestApp, slug: &str) -> &'static str {
    let viewer = Viewer::<SignedIn>::for_test(Id::from("ada"), None);
    let input = WorkspaceCreateInput::new(slug.into(), slug.into());
    code(resolve::MutationWorkspaceCreate::resolve(&test.app, &anonymous(), &viewer, input).await)
}

/// Runs a statement on the only connection that writes, without keeping a transaction open.
async fn on_writer(test: &TestApp, statement: &'static str) {
    let mut tx = test.app.store.save().await.expect("the writer");
    sql(statement).execute(tx.conn()).await.expect("a pragma");
}

#[tokio::test]
async fn a_full_disk_is_an_outage_for_saves_and_reports() {
    let test = TestApp::over(None, |_| {}).await;
    let admin = test.workspace("team", "ada").await;
    let site = test.site(&admin, "Shop").await;
    let tour = test.tour(&admin, "first", &["a"]).await;
    let release = test.release(&admin, &tour, 2, &site).await;
    for index in 0..200 {
        stored_visitor(&test, &site, &format!("browser-{index}")).await;
    }
    on_writer(&test, "pragma max_page_count = 1").await;
    let mut codes = Vec::new();
    for index in 0..200 {
        let run = new_id();
        let events = vec![event(&run, &release, 0, EventKind::RunStarted, Some("a"), NOW)];
        let (key, browser) = (site.key.clone(), format!("browser-{index}"));
        let shop = page("https://shop.example");
        codes.push(code(
            resolve::MutationRecord::resolve(&test.app, &shop, key, visitor(&browser, None), events).await,
        ));
    }
    codes.retain(|code| *code != "no error");
    codes.dedup();
    assert_eq!(codes, ["UNAVAILABLE"]);
}

#[tokio::test]
async fn the_lock_of_another_process_is_an_outage_until_it_is_released() {
    let test = TestApp::over(None, |_| {}).await;
    test.workspace("team", "ada").await;
    // Such as a backup.
    let file = SqliteConnectOptions::new().filename(test.folder().join("waypost.db"));
    let mut other = file.connect().await.expect("another connection");
    on_writer(&test, "pragma busy_timeout = 0").await;
    let lock = other.begin_with("begin immediate").await.expect("the lock");
    let refused = test.app.store.save().await.err().expect("a failure");
    assert!(refused.is_outage(), "{refused:?}");
    assert_eq!(create(&test, "second").await, "UNAVAILABLE");
    lock.rollback().await.expect("released");
    test.account("bob").await;
}

#[tokio::test]
async fn a_caller_that_stops_waiting_for_the_lock_does_not_get_it_later() {
    let test = TestApp::over(Some(waypost_testkit::create_database()), |_| {}).await;
    let other = test.another().await;
    let holder = other.store.save().await.expect("the lock");
    let abandoned = timeout(Duration::from_millis(200), test.app.store.save()).await;
    assert!(abandoned.is_err(), "the lock is held");
    drop(holder);
    let next = other.store.save().await;
    assert!(next.is_ok(), "the abandoned transaction keeps the lock");
}

/// Forwards connections to a PostgreSQL server until it is dropped.
struct Proxy(#[expect(dead_code, reason = "aborts the tasks when dropped")] JoinSet<()>);

impl Proxy {
    fn start(folder: &Path, target: String) -> Self {
        const SOCKET: &str = ".s.PGSQL.5432";
        let _ = std::fs::remove_file(folder.join(SOCKET));
        let listener = UnixListener::bind(folder.join(SOCKET)).expect("a socket");
        let mut tasks = JoinSet::new();
        tasks.spawn(async move {
            let mut connections = JoinSet::new();
            loop {
                let (mut client, _) = listener.accept().await.expect("a connection");
                let mut server = UnixStream::connect(format!("{target}/{SOCKET}"))
                    .await
                    .expect("PostgreSQL");
                connections.spawn(async move {
                    let _ = tokio::io::copy_bidirectional(&mut client, &mut server).await;
                });
            }
        });
        Self(tasks)
    }
}

#[tokio::test]
async fn an_unreachable_postgresql_server_is_an_outage_until_it_is_back() {
    let url = waypost_testkit::create_database();
    let (user, address) = url.split_once('@').expect("a user");
    let (host, database) = address.split_once('/').expect("a host");
    let folder = tempfile::tempdir().expect("a folder");
    let target = host.replace("%2F", "/");
    let proxy = Proxy::start(folder.path(), target.clone());
    let own = folder.path().display().to_string().replace('/', "%2F");
    let test = TestApp::over(Some(format!("{user}@{own}/{database}")), |_| {}).await;
    test.workspace("team", "ada").await;
    drop(proxy);
    let read = test.app.store.read().await.err().expect("a failure");
    assert!(read.is_outage(), "{read:?}");
    assert_eq!(create(&test, "second").await, "UNAVAILABLE");
    let _proxy = Proxy::start(folder.path(), target);
    test.account("bob").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn readers_of_a_locked_table_fail_in_time_and_leave_connections_for_others() {
    let test = TestApp::over(Some(waypost_testkit::create_database()), |_| {}).await;
    test.workspace("team", "ada").await;
    let mut other = test.app.store.save().await.expect("a transaction");
    sql("lock table tours in access exclusive mode")
        .execute(other.conn())
        .await
        .expect("the lock");
    let mut blocked = JoinSet::new();
    for _ in 0..16 {
        let store = test.app.store.clone();
        blocked.spawn(async move {
            let began = Instant::now();
            let rows = scalar::<i64>("select count(*) from tours")
                .fetch_one(store.reader())
                .await;
            (rows.map_err(traitql::Internal::from), began.elapsed())
        });
    }
    let others = scalar::<i64>("select count(*) from workspaces").fetch_one(test.app.store.reader());
    assert_eq!(others.await.expect("a free connection"), 1);
    for (rows, took) in blocked.join_all().await {
        let error = rows.expect_err("a locked table");
        assert!(error.is_outage(), "{error:?}");
        assert!(took < Duration::from_secs(5), "{took:?}");
    }
    let waits = test.app.database_waits();
    let longest: u64 = waits[0].1.counts()[5..].iter().sum();
    assert!(longest > 0, "the metric counts the waits for a connection: {waits:?}");
}
