//! `waypost pull`, `push` and `diff`: tours as code.

use std::{fs, path::Path};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{Server, ask, issuer::Issuer, provider, token, waypost};

/// A server with a tour, a folder for files, and somebody who may write.
struct Desk {
    server: Server,
    ada: String,
    folder: TempDir,
    _issuer: Issuer,
}

impl Desk {
    async fn new() -> Self {
        let issuer = provider().await;
        let server = Server::start(&issuer).await;
        let desk = Self {
            ada: token(&issuer, "ada"),
            folder: TempDir::new().unwrap(),
            server,
            _issuer: issuer,
        };
        let input = json!({"input": {"name": "Crew", "slug": "crew"}});
        let workspace = desk.ask("WorkspaceCreate", input).await["workspaceCreate"]["id"].clone();
        let input = json!({"input": {"workspaceId": workspace, "title": "Welcome aboard", "slug": "aboard"}});
        let tour = desk.ask("TourCreate", input).await["tourCreate"]["id"].clone();
        desk.save(&tour, 1, "Here we go.\n\n- first\n- second").await;
        desk
    }

    async fn ask(&self, operation: &str, variables: Value) -> Value {
        ask(&self.server.client(Some(self.ada.clone())), operation, variables).await
    }

    async fn save(&self, tour: &Value, version: i32, body: &str) {
        let steps = json!([{"key": "hello", "kind": "MODAL", "title": "Hello", "body": body}]);
        let input = json!({"input": {"id": tour, "expectedVersion": version, "steps": steps}});
        self.ask("TourSave", input).await;
    }

    /// What the server has now.
    async fn draft(&self, slug: &str) -> Value {
        let home = self.ask("WorkspaceHome", json!({"slug": "crew"})).await;
        let variables = json!({"workspaceId": home["workspace"]["id"], "slug": slug});
        self.ask("TourEditor", variables).await["tourBySlug"].clone()
    }

    /// Runs a command and answers with its exit code and what it says.
    async fn run(&self, command: &str, more: &[&str]) -> (i32, String) {
        let folder = self.folder.path().join("tours").display().to_string();
        let mut command = waypost(&[
            command,
            "--server",
            &self.server.url,
            "--workspace",
            "crew",
            "--dir",
            &folder,
        ]);
        command.args(more).env("WAYPOST_TOKEN", &self.ada);
        let output = tokio::task::spawn_blocking(move || command.output().unwrap())
            .await
            .unwrap();
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8(said).unwrap().replace(&folder, "tours");
        // Every workspace begins with a tour, which is not what these tests are about.
        let lines = said.lines().filter(|line| !line.starts_with("tours/welcome.yml: "));
        (
            output.status.code().unwrap(),
            lines.map(|line| format!("{line}\n")).collect(),
        )
    }

    fn path(&self, slug: &str) -> std::path::PathBuf {
        self.folder.path().join("tours").join(format!("{slug}.yml"))
    }

    fn edit(&self, slug: &str, from: &str, to: &str) {
        let text = read(&self.path(slug));
        assert!(text.contains(from), "{text}");
        fs::write(self.path(slug), text.replace(from, to)).unwrap();
    }
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

#[tokio::test]
async fn a_draft_becomes_a_file_and_a_changed_file_a_draft() {
    let desk = Desk::new().await;
    assert_eq!(desk.run("pull", &[]).await, (0, "tours/aboard.yml: written\n".into()));
    insta::assert_snapshot!(read(&desk.path("aboard")));
    assert_eq!(desk.run("pull", &[]).await, (0, "tours/aboard.yml: unchanged\n".into()));
    assert_eq!(desk.run("diff", &[]).await, (0, String::new()));
    assert_eq!(desk.run("push", &[]).await, (0, "tours/aboard.yml: unchanged\n".into()));

    desk.edit("aboard", "Here we go.", "Off we go.");
    desk.edit("aboard", "Welcome aboard", "Welcome on board");
    let (code, said) = desk.run("diff", &[]).await;
    assert_eq!(code, 6);
    insta::assert_snapshot!(said);
    assert_eq!(
        desk.run("push", &["--check"]).await,
        (6, "tours/aboard.yml: would be saved\n".into())
    );
    assert_eq!(desk.draft("aboard").await["draft"]["version"], 2);
    assert_eq!(desk.run("push", &[]).await, (0, "tours/aboard.yml: saved\n".into()));
    let saved = desk.draft("aboard").await;
    assert_eq!(saved["title"], "Welcome on board");
    assert_eq!(saved["draft"]["steps"][0]["body"], "Off we go.\n\n- first\n- second");
    assert_eq!(desk.run("push", &[]).await, (0, "tours/aboard.yml: unchanged\n".into()));
    assert_eq!(desk.run("pull", &[]).await, (0, "tours/aboard.yml: unchanged\n".into()));
}

#[tokio::test]
async fn neither_direction_loses_what_others_have_written() {
    let desk = Desk::new().await;
    desk.run("pull", &[]).await;
    let tour = desk.draft("aboard").await["id"].clone();
    desk.save(&tour, 2, "Somebody else's words.").await;

    // A file without changes of its own follows.
    assert_eq!(desk.run("pull", &[]).await, (0, "tours/aboard.yml: updated\n".into()));
    assert!(read(&desk.path("aboard")).contains("Somebody else's words."));

    desk.edit("aboard", "Somebody else's words.", "My words.");
    desk.save(&tour, 3, "Their words.").await;
    let (code, said) = desk.run("pull", &[]).await;
    assert_eq!(code, 6, "{said}");
    assert!(
        said.starts_with("tours/aboard.yml: kept, it has changes of its own."),
        "{said}"
    );
    assert!(read(&desk.path("aboard")).contains("My words."));
    let (code, said) = desk.run("push", &[]).await;
    assert_eq!(code, 6, "{said}");
    assert!(
        said.contains("not saved, the draft was changed since the file was pulled."),
        "{said}"
    );
    assert_eq!(desk.draft("aboard").await["draft"]["steps"][0]["body"], "Their words.");

    assert_eq!(desk.run("push", &["--force"]).await.0, 0);
    assert_eq!(desk.draft("aboard").await["draft"]["steps"][0]["body"], "My words.");
    desk.save(&tour, 5, "Once more.").await;
    desk.edit("aboard", "My words.", "Mine again.");
    assert_eq!(desk.run("pull", &["--force"]).await.0, 0);
    assert!(read(&desk.path("aboard")).contains("Once more."));
}

#[tokio::test]
async fn files_are_held_to_the_rules_before_anything_is_sent() {
    let desk = Desk::new().await;
    desk.run("pull", &[]).await;
    desk.edit("aboard", "Here we go.", "Off we go.");
    fs::write(
        desk.path("broken"),
        "title: Broken\nsteps:\n  - key: no key\n    title: ''\n",
    )
    .unwrap();
    let (code, said) = desk.run("push", &[]).await;
    assert_eq!(code, 2, "{said}");
    insta::assert_snapshot!(said);
    assert_eq!(
        desk.draft("aboard").await["draft"]["version"],
        2,
        "nothing is saved where a file is wrong"
    );

    // A new tour, unfinished: saved, with what keeps it from being released.
    fs::remove_file(desk.path("broken")).unwrap();
    fs::write(
        desk.path("orders"),
        "title: Orders\ntheme: Nowhere\nsteps:\n  - { key: list, title: The list }\n",
    )
    .unwrap();
    let (code, said) = desk.run("push", &["orders"]).await;
    assert_eq!(code, 2, "{said}");
    assert!(
        said.contains("orders.yml: the workspace has no theme `Nowhere`; it has "),
        "{said}"
    );
    desk.edit("orders", "theme: Nowhere\n", "");
    let (code, said) = desk.run("push", &["orders"]).await;
    assert_eq!(code, 7, "{said}");
    assert!(
        said.starts_with("tours/orders.yml: created\n  keeps it from being released: "),
        "{said}"
    );
    assert!(read(&desk.path("orders")).contains("pulled: "));
    let (code, said) = desk.run("push", &["nowhere"]).await;
    assert_eq!((code, said.as_str()), (2, "There is no file tours/nowhere.yml.\n"));
}
