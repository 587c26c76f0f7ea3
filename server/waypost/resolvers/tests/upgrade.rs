//! Opens a kept database of every version. Its tours play on, and the responses to its documents stay the same.
//!
//! `fixtures/<version>` contains a SQLite database, the dump of a PostgreSQL database, and for each of them the documents
//! of that version with their variables and responses. Before a version is released, write its folder:
//!
//! ```sh
//! WAYPOST_KEEP=1 cargo test -p waypost-resolvers --test upgrade
//! ```

mod common;
#[path = "upgrade/kept.rs"]
mod kept;
#[path = "upgrade/scene.rs"]
mod scene;

use common::{Server, page, person};
use kept::{Database, Kept, expect_same_responses, fixtures, versions};
use scene::{RunReport, Scene, boot, insights, report};
use serde_json::{Value, json};
use sqlx::{Connection, PgConnection, SqliteConnection, sqlite::SqliteConnectOptions};
use tempfile::TempDir;

#[tokio::test]
async fn sqlite_databases_of_all_versions_are_upgraded() {
    for version in versions() {
        upgrades(&Kept::read(&version, Database::Sqlite)).await;
    }
}

#[tokio::test]
async fn postgresql_databases_of_all_versions_are_upgraded() {
    for version in versions() {
        upgrades(&Kept::read(&version, Database::Postgres)).await;
    }
}

/// Version 0.1.0 had no retention and kept all data, so its workspaces start with the longest one.
#[tokio::test]
async fn an_update_from_a_version_without_retention_deletes_nothing() {
    let longest = json!({ "__typename": "Retention", "visitorDays": 3650, "runDays": 3650, "auditDays": 3650 });
    for database in [Database::Sqlite, Database::Postgres] {
        let kept = Kept::read(&fixtures().join("0.1.0"), database);
        let (folder, postgres) = kept.copy();
        let server = Server::open(waypost_api::MANIFEST, folder, postgres)
            .await
            .expect("the database is upgraded");
        let found = server
            .query(&person("ada"), "WorkspaceRetention", json!({ "slug": "crew" }))
            .await;
        assert_eq!(found["workspace"]["retention"], longest, "{kept}");
    }
}

#[tokio::test]
async fn a_new_sqlite_database_can_be_kept() {
    keeps(Database::Sqlite).await;
}

#[tokio::test]
async fn a_new_postgresql_database_can_be_kept() {
    keeps(Database::Postgres).await;
}

/// Replaces the fixtures of this version if `WAYPOST_KEEP` is set.
async fn keeps(database: Database) {
    let temporary = tempfile::tempdir().expect("a temporary folder");
    let folder = match std::env::var_os("WAYPOST_KEEP") {
        Some(_) => fixtures().join(env!("CARGO_PKG_VERSION")),
        None => temporary.path().into(),
    };
    let scene = Scene::play(database.create()).await;
    Kept::write(&folder, database, &scene).await;
    upgrades(&Kept::read(&folder, database)).await;
}

#[test]
fn this_version_has_fixtures() {
    let version = env!("CARGO_PKG_VERSION");
    assert!(
        fixtures().join(version).is_dir(),
        "Version {version} has no kept database, so nothing tests that its users can update. Run: WAYPOST_KEEP=1 cargo \
         test -p waypost-resolvers --test upgrade"
    );
}

async fn upgrades(kept: &Kept) {
    let (folder, postgres) = kept.copy();
    let server = Server::open(waypost_api::MANIFEST, folder, postgres)
        .await
        .unwrap_or_else(|error| panic!("{kept}: {error}"));
    expect_same_responses(kept, &server).await;
    plays_on(kept, &server).await;
}

/// A visitor completes a run that another version has recorded, and a new visitor is offered the same release.
async fn plays_on(kept: &Kept, server: &Server) {
    let RunReport {
        site_key,
        release,
        tour,
        run,
        browser,
        ..
    } = &kept.run;
    let before = insights(server, tour, &kept.day).await;
    let active = boot(server, site_key, browser).await;
    let resumed = active["tours"].as_array().expect("tours").iter();
    let resumed = resumed.filter(|tour| &tour["releaseId"] == release);
    let resumed: Vec<&Value> = resumed.map(|tour| &tour["resume"]["runId"]).collect();
    // A run that was inactive for a day is not resumed, but its events still count.
    assert!(
        resumed.is_empty() || resumed[0] == run || resumed[0].is_null(),
        "{kept}: {active}"
    );
    let completed = report(
        &kept.run,
        kept.run.seq,
        &[("STEP_DONE", Some("search")), ("RUN_COMPLETED", None)],
    );
    let ack = server.query(&page(), "Record", completed).await["record"].clone();
    assert_eq!((&ack["accepted"], &ack["rejected"]), (&json!(2), &json!([])), "{kept}");
    let after = insights(server, tour, &kept.day).await;
    let count = |insights: &Value, name: &str| insights[name].as_i64().expect("a number");
    assert_eq!(count(&after, "completed"), count(&before, "completed") + 1, "{kept}");
    assert_eq!(count(&after, "started"), count(&before, "started"), "{kept}");

    let new = boot(server, site_key, "another-browser").await;
    let offered = new["tours"].as_array().expect("tours");
    assert!(
        offered.iter().any(|tour| &tour["releaseId"] == release),
        "{kept}: {new}"
    );
    let save = json!({ "input": { "id": tour, "expectedVersion": kept.draft_version, "steps": [{ "key": "new", "title": "New" }] } });
    let saved = server.query(&person("ada"), "TourSave", save).await["tourSave"].clone();
    assert_eq!(saved["steps"][0]["key"], "new", "{kept}");
}

#[tokio::test]
async fn a_newer_sqlite_database_is_refused_with_one_sentence() {
    let version = versions().pop().expect("a version");
    let (folder, _) = Kept::read(&version, Database::Sqlite).copy();
    let file = SqliteConnectOptions::new().filename(folder.path().join("waypost.db"));
    add_migration::<sqlx::Sqlite>(SqliteConnection::connect_with(&file).await).await;
    expect_newer(folder, None).await;
}

#[tokio::test]
async fn a_newer_postgresql_database_is_refused_with_one_sentence() {
    let version = versions().pop().expect("a version");
    let (folder, url) = Kept::read(&version, Database::Postgres).copy();
    add_migration::<sqlx::Postgres>(PgConnection::connect(url.as_deref().expect("an address")).await).await;
    expect_newer(folder, url).await;
}

async fn expect_newer(folder: TempDir, url: Option<String>) {
    let refused = Server::open(waypost_api::MANIFEST, folder, url).await;
    assert_eq!(
        refused.err().expect("the database is refused").to_string(),
        "a newer version of Waypost has changed this database (its migration 9999 is unknown here); install that version \
         or a newer one, or restore a backup from before the update"
    );
}

async fn add_migration<D: sqlx::Database>(connection: Result<D::Connection, sqlx::Error>)
where
    for<'c> &'c mut D::Connection: sqlx::Executor<'c, Database = D>,
    D::Arguments: sqlx::IntoArguments<D>,
{
    let mut database = connection.expect("a database");
    sqlx::query(
        "insert into _sqlx_migrations (version, description, success, checksum, execution_time) values (9999, 'later', true, \
         '', 0)",
    )
    .execute(&mut database)
    .await
    .expect("the table of migrations");
    database.close().await.expect("no statement is running");
}
