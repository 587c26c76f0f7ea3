//! Backups of a server that writes, of its absence, and moves between databases.

use std::{
    fs,
    path::Path,
    process::{Command, Output},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{Server, provider, run_operation, token, waypost};

fn run(command: &str, file: &Path, data: &Path) -> Output {
    let mut program = waypost(&[command]);
    program.arg(file).arg("--data").arg(data);
    program.output().unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr[..]].concat())
        .trim()
        .to_owned()
}

fn mode(path: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_of_a_server_that_writes_is_complete_and_can_be_restored() {
    let issuer = provider().await;
    let server = Server::start(&issuer).await;
    let ada = token(&issuer, "ada");
    let client = server.client(Some(ada.clone()));
    let input = json!({"input": {"name": "Crew", "slug": "crew"}});
    let workspace = run_operation(&client, "WorkspaceCreate", input).await["workspaceCreate"]["id"].clone();
    let create = |slug: String| json!({"input": {"workspaceId": workspace, "title": slug, "slug": slug}});
    for number in 0..5 {
        run_operation(&client, "TourCreate", create(format!("before-{number}"))).await;
    }
    let done = Arc::new(AtomicBool::new(false));
    let writer = tokio::spawn({
        let (client, done, workspace) = (client.clone(), Arc::clone(&done), workspace.clone());
        async move {
            let mut written = 0;
            while !done.load(SeqCst) {
                let slug = format!("during-{written}");
                let input = json!({"input": {"workspaceId": workspace, "title": slug, "slug": slug}});
                run_operation(&client, "TourCreate", input).await;
                written += 1;
            }
            written
        }
    });
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("waypost.backup");
    let data = server.data().to_owned();
    let made = tokio::task::spawn_blocking({
        let file = file.clone();
        move || run("backup", &file, &data)
    });
    let made = made.await.unwrap();
    done.store(true, SeqCst);
    writer.await.unwrap();
    assert!(made.status.success(), "{}", text(&made));
    assert!(
        text(&made).starts_with(&format!("{} has a complete database of ", file.display())),
        "{}",
        text(&made)
    );
    assert_eq!(mode(&file), 0o600);
    drop(server);

    let restored = folder.path().join("restored");
    let result = run("restore", &file, &restored);
    assert!(result.status.success(), "{}", text(&result));
    assert_eq!((mode(&restored), mode(&restored.join("waypost.db"))), (0o700, 0o600));
    let server = Server::on(&issuer, &restored, &[]).await;
    let client = server.client(Some(ada));
    let variables = json!({"workspaceId": workspace, "search": "before-"});
    let tours: Value = run_operation(&client, "Tours", variables).await;
    assert_eq!(tours["tours"]["totalCount"], 5);
    run_operation(&client, "TourCreate", create("after".to_owned())).await;
}

#[tokio::test]
async fn a_restore_replaces_nothing_and_refuses_a_folder_in_use() {
    let issuer = provider().await;
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let file = folder.path().join("waypost.backup");
    let server = Server::on(&issuer, &data, &[]).await;
    assert!(run("backup", &file, &data).status.success());

    let in_use = run("restore", &file, &data);
    assert!(text(&in_use).contains("is in use by process"), "{}", text(&in_use));
    drop(server);
    let before = fs::read(data.join("waypost.db")).unwrap();
    let exists = run("restore", &file, &data);
    assert_eq!(exists.status.code(), Some(1));
    assert!(
        text(&exists).contains("waypost.db exists already and is not overwritten"),
        "{}",
        text(&exists)
    );
    assert_eq!(fs::read(data.join("waypost.db")).unwrap(), before);

    let again = run("backup", &file, &data);
    assert!(text(&again).contains("exists already"), "{}", text(&again));
}

/// The folder, the file and the expected text for each.
#[test]
fn unusable_files_and_folders_are_reported_and_left_alone() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    let missing = run("backup", &path("a"), &path("nowhere"));
    assert!(
        text(&missing).ends_with("does not exist. Set WAYPOST_DATA or --data to the data folder of the server."),
        "{}",
        text(&missing)
    );
    fs::write(path("text"), "not a database").unwrap();
    fs::write(path("empty"), "").unwrap();
    for name in ["absent", "text", "empty"] {
        let refused = run("restore", &path(name), &path("target"));
        assert_eq!(refused.status.code(), Some(1), "{name}");
        assert!(
            text(&refused).contains("is not a complete database of Waypost"),
            "{name}: {}",
            text(&refused)
        );
        assert!(!path("target").join("waypost.db").exists(), "{name}");
    }
    let mut postgres: Command = waypost(&["backup", "file"]);
    let refused = postgres
        .env("WAYPOST_DATABASE_URL", "postgres://db/waypost")
        .output()
        .unwrap();
    assert!(text(&refused).contains("pg_dump"), "{}", text(&refused));
    assert!(!path("file").exists());
}

fn move_to(target: &str, data: &Path, url: &str) -> Output {
    let mut program = waypost(&["move", target]);
    program.env("WAYPOST_DATA", data).env("WAYPOST_DATABASE_URL", url);
    program.output().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_data_of_a_server_moves_to_postgresql_and_back() {
    let issuer = provider().await;
    let folder = tempfile::tempdir().unwrap();
    let (data, back) = (folder.path().join("data"), folder.path().join("back"));
    let url = waypost_testkit::create_database();
    let server = Server::on(&issuer, &data, &[]).await;
    let ada = token(&issuer, "ada");
    let input = json!({"input": {"name": "Crew", "slug": "crew"}});
    let created = run_operation(&server.client(Some(ada.clone())), "WorkspaceCreate", input).await;
    let workspace = created["workspaceCreate"]["id"].clone();
    let create = |slug: &str| json!({"input": {"workspaceId": workspace, "title": slug, "slug": slug}});
    run_operation(&server.client(Some(ada.clone())), "TourCreate", create("on-sqlite")).await;
    drop(server);

    let moved = move_to("postgres", &data, &url);
    assert!(moved.status.success(), "{}", text(&moved));
    assert!(
        text(&moved).starts_with("Copied ") && text(&moved).contains("workspaces: 1"),
        "{}",
        text(&moved)
    );
    let again = move_to("postgres", &data, &url);
    assert_eq!(again.status.code(), Some(1));
    assert!(text(&again).contains("is not empty"), "{}", text(&again));
    let settings = [("WAYPOST_DATABASE_URL", url.as_str())];
    let server = Server::on(&issuer, &folder.path().join("unused"), &settings).await;
    run_operation(&server.client(Some(ada.clone())), "TourCreate", create("on-postgresql")).await;
    drop(server);

    let moved = move_to("sqlite", &back, &url);
    assert!(moved.status.success(), "{}", text(&moved));
    assert_eq!((mode(&back), mode(&back.join("waypost.db"))), (0o700, 0o600));
    let server = Server::on(&issuer, &back, &[]).await;
    let variables = json!({"workspaceId": workspace, "search": "on-"});
    let tours = run_operation(&server.client(Some(ada)), "Tours", variables).await;
    assert_eq!(tours["tours"]["totalCount"], 2);

    let wrong = move_to("sqlite", &back, "mysql://db/waypost");
    assert_eq!(wrong.status.code(), Some(2));
    assert!(
        text(&wrong).contains("does not begin with postgres://"),
        "{}",
        text(&wrong)
    );
}
