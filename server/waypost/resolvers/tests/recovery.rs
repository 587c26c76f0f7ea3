//! Runs the documented commands for a point-in-time recovery of PostgreSQL.

mod common;

use std::time::{Duration, Instant};

use common::{Server, person};
use serde_json::json;
use waypost_testkit::Archive;

const DOCUMENT: &str = include_str!("../../../docs/operating.md");
const TIMEOUT: Duration = Duration::from_secs(60);

/// The blocks of commands of a section.
fn commands(heading: &str) -> Vec<&str> {
    let (_, section) = DOCUMENT.split_once(heading).expect("the section");
    let section = section.split("\n## ").next().unwrap_or_default();
    let blocks = section.split("```sh\n").skip(1);
    blocks.filter_map(|block| Some(block.split_once("```")?.0)).collect()
}

async fn open(archive: &Archive) -> Server {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::open(waypost_api::MANIFEST, folder, Some(archive.url())).await;
    server.unwrap_or_else(|error| panic!("{error}"))
}

#[tokio::test]
async fn a_workspace_that_was_deleted_is_recovered() {
    let commands = commands("## Point-in-time recovery");
    let [archiving, recovery] = commands.as_slice() else {
        panic!("two blocks of commands, but there are {commands:?}")
    };
    let archive = Archive::start();
    archive.shell(archiving, "");
    let ada = &person("ada");
    let server = open(&archive).await;
    let input = json!({ "input": { "name": "Crew", "slug": "crew" } });
    let workspace = server.query(ada, "WorkspaceCreate", input).await["workspaceCreate"]["id"].clone();
    let tour = json!({ "input": { "workspaceId": workspace, "title": "Kept", "slug": "kept" } });
    server.query(ada, "TourCreate", tour).await;
    let time = archive.run("select clock_timestamp()");
    server
        .query(ada, "WorkspaceDelete", json!({ "id": workspace, "name": "Crew" }))
        .await;
    server.close().await;
    let last = archive.run("select pg_walfile_name(pg_switch_wal())");
    let began = Instant::now();
    while !archive.has_archived(&last) {
        assert!(began.elapsed() < TIMEOUT, "{last} is not in the archive");
    }

    archive.shell(recovery, &time);
    let server = open(&archive).await;
    let found = server
        .query(ada, "Tours", json!({ "workspaceId": workspace, "search": "Kept" }))
        .await;
    assert_eq!(
        found["tours"]["totalCount"], 1,
        "the workspace and its tour are there again"
    );
    let tour = json!({ "input": { "workspaceId": workspace, "title": "New", "slug": "new" } });
    server.query(ada, "TourCreate", tour).await;
}
