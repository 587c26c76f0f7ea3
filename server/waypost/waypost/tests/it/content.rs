use std::{fs, path::Path};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{Server, issuer::Issuer, provider, run_operation, token, waypost};

struct Fixture {
    server: Server,
    ada: String,
    folder: TempDir,
    _issuer: Issuer,
}

impl Fixture {
    async fn new() -> Self {
        let issuer = provider().await;
        let server = Server::start(&issuer).await;
        let fixture = Self {
            ada: token(&issuer, "ada"),
            folder: TempDir::new().unwrap(),
            server,
            _issuer: issuer,
        };
        let input = json!({"input": {"name": "Crew", "slug": "crew"}});
        let workspace = fixture.run_operation("WorkspaceCreate", input).await["workspaceCreate"]["id"].clone();
        let input = json!({"input": {"workspaceId": workspace, "title": "Welcome aboard", "slug": "aboard"}});
        let tour = fixture.run_operation("TourCreate", input).await["tourCreate"]["id"].clone();
        fixture.save(&tour, 1, "Here we go.\n\n- first\n- second").await;
        fixture
    }

    async fn run_operation(&self, operation: &str, variables: Value) -> Value {
        run_operation(&self.server.client(Some(self.ada.clone())), operation, variables).await
    }

    async fn save(&self, tour: &Value, version: i32, body: &str) {
        let steps = json!([{"key": "hello", "kind": "MODAL", "title": "Hello", "body": body}]);
        let input = json!({"input": {"id": tour, "expectedVersion": version, "steps": steps}});
        self.run_operation("TourSave", input).await;
    }

    async fn draft(&self, slug: &str) -> Value {
        let home = self.run_operation("WorkspaceHome", json!({"slug": "crew"})).await;
        let variables = json!({"workspaceId": home["workspace"]["id"], "slug": slug});
        self.run_operation("TourEditor", variables).await["tourBySlug"].clone()
    }

    async fn run(&self, command: &str, arguments: &[&str]) -> (i32, String) {
        let server = [command, "--server", &self.server.url, "--workspace", "crew"];
        self.run_offline(&[&server, arguments].concat()).await
    }

    async fn run_offline(&self, arguments: &[&str]) -> (i32, String) {
        let folder = self.folder.path().join("tours").display().to_string();
        let mut command = waypost(arguments);
        command.args(["--dir", &folder]).env("WAYPOST_TOKEN", &self.ada);
        let output = tokio::task::spawn_blocking(move || command.output().unwrap())
            .await
            .unwrap();
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8(text).unwrap().replace(&folder, "tours");
        // A new workspace has a tour.
        let lines = text.lines().filter(|line| !line.starts_with("tours/welcome.yml: "));
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
async fn drafts_are_pulled_and_changed_files_are_pushed() {
    let fixture = Fixture::new().await;
    assert_eq!(
        fixture.run("pull", &[]).await,
        (0, "tours/aboard.yml: written\n".into())
    );
    insta::assert_snapshot!(read(&fixture.path("aboard")));
    let schema = waypost(&["schema"]).output().unwrap();
    assert_eq!(
        read(&fixture.folder.path().join("tours/tour.schema.json")).trim_end(),
        String::from_utf8(schema.stdout).unwrap().trim_end()
    );
    assert_eq!(
        fixture.run("pull", &[]).await,
        (0, "tours/aboard.yml: unchanged\n".into())
    );
    assert_eq!(fixture.run("diff", &[]).await, (0, String::new()));
    assert_eq!(
        fixture.run("push", &[]).await,
        (0, "tours/aboard.yml: unchanged\n".into())
    );

    fixture.edit("aboard", "Here we go.", "Off we go.");
    fixture.edit("aboard", "Welcome aboard", "Welcome on board");
    let (code, text) = fixture.run("diff", &[]).await;
    assert_eq!(code, 6);
    insta::assert_snapshot!(text);
    assert_eq!(
        fixture.run("push", &["--check"]).await,
        (6, "tours/aboard.yml: would be saved\n".into())
    );
    assert_eq!(fixture.draft("aboard").await["draft"]["version"], 2);
    assert_eq!(fixture.run("push", &[]).await, (0, "tours/aboard.yml: saved\n".into()));
    let saved = fixture.draft("aboard").await;
    assert_eq!(saved["title"], "Welcome on board");
    assert_eq!(saved["draft"]["steps"][0]["body"], "Off we go.\n\n- first\n- second");
    assert_eq!(
        fixture.run("push", &[]).await,
        (0, "tours/aboard.yml: unchanged\n".into())
    );
    assert_eq!(
        fixture.run("pull", &[]).await,
        (0, "tours/aboard.yml: unchanged\n".into())
    );
}

#[tokio::test]
async fn neither_command_overwrites_changes_without_force() {
    let fixture = Fixture::new().await;
    fixture.run("pull", &[]).await;
    let tour = fixture.draft("aboard").await["id"].clone();
    fixture.save(&tour, 2, "Another author's text.").await;

    assert_eq!(
        fixture.run("pull", &[]).await,
        (0, "tours/aboard.yml: updated\n".into())
    );
    assert!(read(&fixture.path("aboard")).contains("Another author's text."));

    fixture.edit("aboard", "Another author's text.", "My text.");
    fixture.save(&tour, 3, "Their text.").await;
    let (code, text) = fixture.run("pull", &[]).await;
    assert_eq!(code, 6, "{text}");
    assert!(
        text.starts_with("tours/aboard.yml: skipped, the file was changed locally."),
        "{text}"
    );
    assert!(read(&fixture.path("aboard")).contains("My text."));
    let (code, text) = fixture.run("push", &[]).await;
    assert_eq!(code, 6, "{text}");
    assert!(
        text.contains("not saved, the draft was changed since the file was pulled."),
        "{text}"
    );
    assert!(text.ends_with("Nothing was saved.\n"), "{text}");
    assert_eq!(
        fixture.draft("aboard").await["draft"]["steps"][0]["body"],
        "Their text."
    );

    assert_eq!(fixture.run("push", &["--force"]).await.0, 0);
    assert_eq!(fixture.draft("aboard").await["draft"]["steps"][0]["body"], "My text.");
    fixture.save(&tour, 5, "Once more.").await;
    fixture.edit("aboard", "My text.", "Mine again.");
    assert_eq!(fixture.run("pull", &["--force"]).await.0, 0);
    assert!(read(&fixture.path("aboard")).contains("Once more."));
}

#[tokio::test]
async fn files_name_segments_and_tours_so_that_they_work_in_another_workspace() {
    let fixture = Fixture::new().await;
    let segment = async |workspace: &Value| {
        let when = json!({"trait": {"key": "plan", "is": "IS", "value": "gold"}});
        let input = json!({"workspaceId": workspace, "input": {"name": "Gold customers", "when": when}});
        fixture.run_operation("SegmentCreate", input).await["segmentCreate"]["id"].clone()
    };
    let home = fixture.run_operation("WorkspaceHome", json!({"slug": "crew"})).await;
    let crew = home["workspace"]["id"].clone();
    let gold = segment(&crew).await;
    let input = json!({"input": {"workspaceId": crew, "title": "Zero", "slug": "zero"}});
    let zero = fixture.run_operation("TourCreate", input).await["tourCreate"]["id"].clone();
    let aboard = fixture.draft("aboard").await["id"].clone();
    let when = json!({"all": [{"segment": gold}, {"tour": {"tourId": zero, "progress": "COMPLETED"}}]});
    let step = json!({"key": "hello", "kind": "MODAL", "title": "Hello", "body": "Hello."});
    let input = json!({"id": aboard, "expectedVersion": 2, "steps": [step], "start": {"when": when}});
    fixture.run_operation("TourSave", json!({"input": input})).await;

    assert_eq!(fixture.run("pull", &[]).await.0, 0);
    let file = read(&fixture.path("aboard"));
    assert!(
        file.contains("segment: Gold customers") && file.contains("tourId: zero"),
        "{file}"
    );
    let unchanged = "tours/aboard.yml: unchanged\ntours/zero.yml: unchanged\n";
    assert_eq!(fixture.run("push", &[]).await, (0, unchanged.into()));

    // A file of an earlier version has ids.
    fixture.edit(
        "aboard",
        "segment: Gold customers",
        &format!("segment: {}", gold.as_str().unwrap()),
    );
    fixture.edit("aboard", "tourId: zero", &format!("tourId: {}", zero.as_str().unwrap()));
    assert_eq!(fixture.run("diff", &[]).await, (0, String::new()));
    assert_eq!(fixture.run("push", &[]).await, (0, unchanged.into()));
    fs::write(fixture.path("aboard"), file).unwrap();

    let team = json!({"input": {"name": "Team", "slug": "team"}});
    let team = fixture.run_operation("WorkspaceCreate", team).await["workspaceCreate"]["id"].clone();
    fs::remove_file(fixture.path("welcome")).unwrap();
    let push = ["push", "--server", &fixture.server.url, "--workspace", "team"];
    let (code, text) = fixture.run_offline(&push).await;
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("the workspace has no segment `Gold customers`"), "{text}");
    let theirs = segment(&team).await;
    let created = "tours/aboard.yml: created\ntours/zero.yml: created\n";
    let (code, text) = fixture.run_offline(&push).await;
    assert!(
        text.starts_with("tours/aboard.yml: created\n") && text.contains("tours/zero.yml: created\n"),
        "{text}, not {created}"
    );
    assert!(code == 0 || code == 7, "{code} {text}");
    let draft = |slug: &str| json!({"workspaceId": team, "slug": slug});
    let saved = fixture.run_operation("TourEditor", draft("aboard")).await["tourBySlug"]["draft"].clone();
    let their_zero = fixture.run_operation("TourEditor", draft("zero")).await["tourBySlug"]["id"].clone();
    let when = &saved["start"]["when"]["all"];
    assert_eq!(
        (&when[0]["segment"], &when[1]["tour"]["tourId"]),
        (&theirs, &their_zero)
    );
    assert_ne!(their_zero, zero);
}

#[tokio::test]
async fn a_file_that_the_server_rejects_changes_nothing_and_is_reported() {
    let fixture = Fixture::new().await;
    fixture.run("pull", &[]).await;
    let draft = fixture.draft("aboard").await["draft"].clone();
    let review = json!({"id": draft["id"], "expectedVersion": draft["version"]});
    fixture.run_operation("RevisionSubmit", review).await;
    fixture.edit("aboard", "Here we go.", "Off we go.");
    fixture.edit("aboard", "Welcome aboard", "Welcome on board");
    for slug in ["aaa", "zzz"] {
        fs::write(
            fixture.path(slug),
            format!("title: {slug}\nsteps:\n  - {{ key: a, title: A, body: B }}\n"),
        )
        .unwrap();
    }
    let (code, text) = fixture.run("push", &["--force"]).await;
    assert_eq!(code, 5, "{text}");
    insta::assert_snapshot!(text.split(", request ").next().unwrap());
    assert_eq!(fixture.draft("aboard").await["title"], "Welcome aboard");
    for slug in ["aaa", "zzz"] {
        assert_eq!(fixture.draft(slug).await["draft"]["steps"][0]["key"], "a");
    }
}

#[tokio::test]
async fn files_are_validated_before_anything_is_sent() {
    let fixture = Fixture::new().await;
    fixture.run("pull", &[]).await;
    fixture.edit("aboard", "Here we go.", "Off we go.");
    fs::write(
        fixture.path("broken"),
        "title: Broken\nsteps:\n  - key: no key\n    title: ''\n",
    )
    .unwrap();
    let (code, text) = fixture.run("push", &[]).await;
    assert_eq!(code, 2, "{text}");
    insta::assert_snapshot!(text);
    assert_eq!(
        fixture.draft("aboard").await["draft"]["version"],
        2,
        "nothing is saved if a file is invalid"
    );

    fs::remove_file(fixture.path("broken")).unwrap();
    fs::write(
        fixture.path("orders"),
        "title: Orders\ntheme: Unknown\nsteps:\n  - { key: list, title: The list }\n",
    )
    .unwrap();
    let (code, text) = fixture.run("push", &["orders"]).await;
    assert_eq!(code, 2, "{text}");
    assert!(
        text.contains("tours/orders.yml:2:8: the workspace has no theme `Unknown`; its themes are "),
        "{text}"
    );
    fixture.edit("orders", "theme: Unknown\n", "");
    let (code, text) = fixture.run("push", &["orders"]).await;
    assert_eq!(code, 7, "{text}");
    assert!(
        text.starts_with("tours/orders.yml: created\n  prevents release: "),
        "{text}"
    );
    assert!(read(&fixture.path("orders")).contains("pulled: "));
    let (code, text) = fixture.run("push", &["missing"]).await;
    assert_eq!(
        (code, text.as_str()),
        (2, "The file tours/missing.yml does not exist.\n")
    );
}

#[tokio::test]
async fn translations_are_exported_and_imported_without_a_server() {
    let fixture = Fixture::new().await;
    let translations = async |command| fixture.run_offline(&["translations", command, "pt-BR"]).await;
    let missing = "The folder tours does not exist. Name another with --dir, or run `waypost pull` first.\n";
    assert_eq!(translations("export").await, (2, missing.to_owned()));
    fixture.run("pull", &[]).await;
    assert_eq!(
        translations("export").await,
        (
            2,
            "No file in tours has the language `pt-BR` in `locales`.\n".to_owned()
        )
    );

    fixture.edit(
        "aboard",
        "title: Welcome aboard\n",
        "title: Welcome aboard\nlocales: [en, pt-BR]\n",
    );
    assert_eq!(
        translations("export").await,
        (0, "tours/aboard.pt-BR.json: written\n".to_owned())
    );
    let path = fixture.folder.path().join("tours/aboard.pt-BR.json");
    let mut file: Value = serde_json::from_str(&read(&path)).unwrap();
    assert_eq!(
        file,
        json!({
            "format": "waypost-translations-1",
            "tour": "aboard",
            "from": "en",
            "to": "pt-BR",
            "texts": [
                { "step": "hello", "field": "TITLE", "original": "Hello", "translation": "" },
                { "step": "hello", "field": "BODY", "original": "Here we go.\n\n- first\n- second", "translation": "" },
            ],
        })
    );

    let before = read(&fixture.path("aboard"));
    file["texts"][0]["translation"] = json!("x".repeat(81));
    fs::write(&path, file.to_string()).unwrap();
    assert_eq!(
        translations("import").await,
        (
            2,
            "tours/aboard.pt-BR.json: texts[0]: TITLE of step `hello` must have at most 80 characters.\n".to_owned()
        )
    );
    assert_eq!(read(&fixture.path("aboard")), before);

    file["texts"][0]["translation"] = json!("Olá");
    fs::write(&path, file.to_string()).unwrap();
    let schema = fixture.folder.path().join("tours/tour.schema.json");
    let pulled = read(&schema);
    fs::remove_file(&schema).unwrap();
    assert_eq!(
        translations("import").await,
        (0, "tours/aboard.yml: 1 texts imported\n".to_owned())
    );
    assert_eq!(read(&schema), pulled);
    assert_eq!(fixture.run("push", &[]).await.0, 0);
    let draft = fixture.draft("aboard").await["draft"].clone();
    assert_eq!(draft["locales"], json!(["en", "pt-BR"]));
    let translation = &draft["steps"][0]["translations"][0];
    assert_eq!(
        (&translation["source"], &translation["text"]),
        (&json!("Hello"), &json!("Olá"))
    );
}
