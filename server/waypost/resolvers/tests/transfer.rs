//! Databases that were copied between SQLite and PostgreSQL have the same content, and their tours play on.

mod common;
#[path = "upgrade/scene.rs"]
#[allow(dead_code, reason = "the upgrade test uses the rest")]
mod scene;

use std::path::Path;

use common::{Server, page};
use scene::{RunReport, Scene, boot, insights, report};
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection, SqliteConnection, sqlite::SqliteConnectOptions};
use tempfile::TempDir;
use waypost_database::{Transfer, TransferError, Transferred};

async fn copy(folder: &Path, url: &str, to_postgres: bool) -> Result<Transferred, TransferError> {
    let transfer = Transfer {
        folder,
        postgres: &url.parse().expect("an address"),
        migrations: waypost_resolvers::migrations(),
        progress: &|_, _| {},
    };
    if to_postgres {
        transfer.to_postgres().await
    } else {
        transfer.to_sqlite().await
    }
}

async fn responses(server: &Server, requests: &[(&'static str, Value)]) -> Vec<Value> {
    let mut responses = Vec::new();
    for (operation, variables) in requests {
        responses.push(server.query(&common::person("ada"), operation, variables.clone()).await);
    }
    responses
}

async fn open(folder: TempDir, postgres: Option<&str>) -> Server {
    let server = Server::open(waypost_api::MANIFEST, folder, postgres.map(str::to_owned)).await;
    server.unwrap_or_else(|error| panic!("{error}"))
}

async fn sqlite(folder: &Path) -> SqliteConnection {
    let options = SqliteConnectOptions::new().filename(folder.join("waypost.db"));
    SqliteConnection::connect_with(&options).await.expect("a database")
}

/// Fails if a table, a trigger or another part of the schema differs, or a row. Migrations have the time of their execution.
async fn expect_same_content(first: &Path, second: &Path) {
    let mut conn = sqlite(first).await;
    let other = second.join("waypost.db").display().to_string();
    sqlx::query("attach ? as other")
        .bind(other)
        .execute(&mut conn)
        .await
        .expect("attached");
    let schema = "select count(*) from (select type, name, sql from main.sqlite_schema where type <> 'table' or name not like 'sqlite_stat%'
       except select type, name, sql from other.sqlite_schema)";
    let missing: i64 = sqlx::query_scalar(schema).fetch_one(&mut conn).await.expect("a number");
    assert_eq!(missing, 0, "the schemas differ");
    let tables = "select name from main.sqlite_schema where type = 'table' and name not like 'sqlite_stat%' and name <> '_sqlx_migrations'";
    let tables: Vec<String> = sqlx::query_scalar(tables).fetch_all(&mut conn).await.expect("tables");
    assert!(tables.len() > 30, "{tables:?}");
    for table in tables {
        for (from, other) in [("main", "other"), ("other", "main")] {
            let rows = format!(
                "select count(*) from (select * from {from}.\"{table}\" except select * from {other}.\"{table}\")"
            );
            let rows: i64 = sqlx::query_scalar(AssertSqlSafe(rows))
                .fetch_one(&mut conn)
                .await
                .expect("a number");
            assert_eq!(rows, 0, "{rows} rows of {table} in {from} are not in {other}");
        }
    }
}

/// The statements of a dump, except for the migrations with the time of their execution.
fn dump(url: &str) -> Vec<String> {
    let dump = waypost_testkit::dump_database(url);
    let statements = dump.split(";\n").map(str::to_owned);
    statements
        .filter(|statement| !statement.contains("INSERT INTO public._sqlx_migrations"))
        .collect()
}

/// A visitor completes a run, and a new visitor is offered the tour.
async fn plays_on(server: &Server, run: &RunReport, day: &str) {
    let before = insights(server, &run.tour, day).await;
    let events = report(run, run.seq, &[("STEP_DONE", Some("search")), ("RUN_COMPLETED", None)]);
    let ack = server.query(&page(), "Record", events).await["record"].clone();
    assert_eq!(ack["rejected"], json!([]));
    let after = insights(server, &run.tour, day).await;
    let count = |insights: &Value, name: &str| insights[name].as_i64().expect("a number");
    assert_eq!(count(&after, "completed"), count(&before, "completed") + 1);
    assert_eq!(count(&after, "started"), count(&before, "started"), "counted once");
    let new = boot(server, &run.site_key, "another-browser").await;
    let offered = new["tours"].as_array().expect("tours");
    assert!(offered.iter().any(|tour| tour["releaseId"] == run.release), "{new}");
}

#[tokio::test]
async fn a_database_is_the_same_after_it_was_copied_there_and_back() {
    let scene = Scene::play(None).await;
    let (requests, run, day) = (scene.requests(), scene.run.clone(), scene.day.clone());
    let before = responses(&scene.server, &requests).await;
    let sqlite = scene.server.close().await;
    let postgres = waypost_testkit::create_database();
    let there = copy(sqlite.path(), &postgres, true).await.expect("a copy");
    assert!(there.tables > 30 && there.rows > 100, "{there:?}");
    let back = tempfile::tempdir().expect("a temporary folder");
    assert_eq!(copy(back.path(), &postgres, false).await.expect("a copy"), there);
    expect_same_content(sqlite.path(), back.path()).await;
    let again = waypost_testkit::create_database();
    assert_eq!(copy(back.path(), &again, true).await.expect("a copy"), there);
    assert_eq!(dump(&postgres), dump(&again));

    let empty = tempfile::tempdir().expect("a temporary folder");
    for (folder, postgres) in [(empty, Some(postgres.as_str())), (back, None)] {
        let server = open(folder, postgres).await;
        for (request, (response, expected)) in requests
            .iter()
            .zip(responses(&server, &requests).await.iter().zip(&before))
        {
            assert_eq!(response, expected, "{request:?}");
        }
        plays_on(&server, &run, &day).await;
    }
}

#[tokio::test]
async fn a_copy_replaces_nothing_and_leaves_nothing_behind() {
    let scene = Scene::play(None).await;
    let folder = scene.server.close().await;
    let tables = |url: &str| waypost_testkit::dump_database(url).matches("CREATE TABLE").count();

    let full = waypost_testkit::create_database();
    open(tempfile::tempdir().expect("a temporary folder"), Some(&full))
        .await
        .close()
        .await;
    let before = dump(&full);
    let refused = copy(folder.path(), &full, true).await.expect_err("refused").to_string();
    assert!(refused.contains("is not empty: it has the table `"), "{refused}");
    assert_eq!(before, dump(&full));
    let refused = copy(folder.path(), &full, false)
        .await
        .expect_err("refused")
        .to_string();
    assert!(refused.contains("exists already and is not overwritten"), "{refused}");

    // PostgreSQL stores no text with this character.
    let mut conn = sqlite(folder.path()).await;
    let unusual = "update tours set title = 'a' || char(0) where serial = (select max(serial) from tours)";
    sqlx::query(unusual).execute(&mut conn).await.expect("changed");
    let empty = waypost_testkit::create_database();
    let failed = copy(folder.path(), &empty, true).await.expect_err("failed").to_string();
    assert!(
        failed.starts_with("The copy failed: ") && failed.contains("0x00"),
        "{failed}"
    );
    assert_eq!(tables(&empty), 0, "no table is left");

    for (change, expected) in [
        (
            "delete from _sqlx_migrations where version = (select max(version) from _sqlx_migrations)",
            "was written by an earlier version",
        ),
        (
            "insert into _sqlx_migrations (version, description, success, checksum, execution_time) values (9999, 'later', 1, x'00', 0)",
            "its migration 9999 is unknown here",
        ),
    ] {
        sqlx::query(change).execute(&mut conn).await.expect("changed");
        let refused = copy(folder.path(), &empty, true)
            .await
            .expect_err("refused")
            .to_string();
        assert!(refused.contains(expected), "{refused}");
    }
    assert_eq!(tables(&empty), 0);
    let target = tempfile::tempdir().expect("a temporary folder");
    let refused = copy(target.path(), &empty, false)
        .await
        .expect_err("refused")
        .to_string();
    assert!(refused.ends_with("is not a database of Waypost."), "{refused}");
    let left: Vec<_> = std::fs::read_dir(target.path()).expect("a folder").collect();
    assert!(left.is_empty(), "{left:?}");
}
