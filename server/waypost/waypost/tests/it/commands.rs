use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use crate::support::{Server, issuer::Issuer, provider, run_operation, token, waypost};

/// Runs a command on a blocking thread, because the identity provider runs in this runtime.
async fn run(arguments: &[&str], token: &str) -> Output {
    let mut command = waypost(arguments);
    command.env("WAYPOST_TOKEN", token);
    tokio::task::spawn_blocking(move || command.output().unwrap())
        .await
        .unwrap()
}

/// Like [`run`], in a pseudoterminal of `script` (util-linux). Standard output has both streams.
async fn run_in_terminal(arguments: &[&str], token: &str) -> Output {
    let program = [env!("CARGO_BIN_EXE_waypost")];
    let line: Vec<String> = program
        .iter()
        .chain(arguments)
        .map(|argument| format!("'{argument}'"))
        .collect();
    let mut command = Command::new("script");
    command
        .args(["--quiet", "--return", "--command", &line.join(" "), "/dev/null"])
        .env("WAYPOST_TOKEN", token)
        .stdin(Stdio::null());
    tokio::task::spawn_blocking(move || command.output().unwrap())
        .await
        .unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

async fn with_a_tour() -> (Issuer, Server, String) {
    let issuer = provider().await;
    let server = Server::start(&issuer).await;
    let ada = token(&issuer, "ada");
    let client = server.client(Some(ada.clone()));
    let input = json!({"input": {"name": "Crew", "slug": "crew"}});
    let workspace = run_operation(&client, "WorkspaceCreate", input).await["workspaceCreate"]["id"].clone();
    let input = json!({"input": {"workspaceId": workspace, "title": "Welcome aboard", "slug": "aboard"}});
    let tour = run_operation(&client, "TourCreate", input).await["tourCreate"]["id"].clone();
    let steps = json!([{"key": "hello", "kind": "MODAL", "title": "Hello", "body": "Here we go."}]);
    run_operation(
        &client,
        "TourSave",
        json!({"input": {"id": tour, "expectedVersion": 1, "steps": steps}}),
    )
    .await;
    let input = json!({"input": {"workspaceId": workspace, "name": "Shop", "origins": ["https://shop.example"]}});
    run_operation(&client, "SiteCreate", input).await;
    (issuer, server, ada)
}

/// Returns the arguments of a release of the tour, without the site.
fn release_to(server: &Server) -> [&str; 7] {
    [
        "release",
        "aboard",
        "--server",
        &server.url,
        "--workspace",
        "crew",
        "--site",
    ]
}

#[tokio::test]
async fn an_access_token_calls_commands_until_it_is_revoked() {
    let (_issuer, server, ada) = with_a_tour().await;
    let client = server.client(Some(ada));
    let home = run_operation(&client, "WorkspaceHome", json!({"slug": "crew"})).await;
    let create = async |role: &str| {
        let input = json!({"input": {"workspaceId": home["workspace"]["id"], "name": "CI", "role": role}});
        run_operation(&client, "AccessTokenCreate", input).await["accessTokenCreate"].clone()
    };
    let created = create("PUBLISHER").await;
    let secret = created["secret"].as_str().unwrap();
    let release = |token: String| {
        let url = server.url.clone();
        async move {
            let command = [
                "release",
                "aboard",
                "--server",
                &url,
                "--workspace",
                "crew",
                "--site",
                "Shop",
            ];
            run(&command, &token).await
        }
    };
    let viewer = create("VIEWER").await["secret"].as_str().unwrap().to_owned();
    let refused = release(viewer).await;
    assert_eq!(refused.status.code(), Some(5), "{}", text(&refused.stderr));
    let released = release(secret.to_owned()).await;
    assert_eq!(released.status.code(), Some(0), "{}", text(&released.stderr));
    let audit = json!({"workspaceId": home["workspace"]["id"], "first": 1});
    let entry = run_operation(&client, "Audit", audit).await["audit"]["nodes"][0].clone();
    assert_eq!(
        (&entry["action"], &entry["by"]["name"]),
        (&json!("tour.release"), &json!("CI"))
    );

    run_operation(
        &client,
        "AccessTokenRevoke",
        json!({"id": created["accessToken"]["id"]}),
    )
    .await;
    let refused = run(&["tours", "--server", &server.url], secret).await;
    assert_eq!(refused.status.code(), Some(5), "{}", text(&refused.stderr));
}

#[tokio::test]
async fn tours_are_listed_and_released() {
    let (_issuer, server, ada) = with_a_tour().await;
    let listed = run(&["tours", "--server", &server.url], &ada).await;
    assert_eq!(listed.status.code(), Some(0), "{}", text(&listed.stderr));
    assert!(
        text(&listed.stdout).contains("crew       aboard"),
        "{}",
        text(&listed.stdout)
    );

    let release = release_to(&server);
    let unknown_site = run(&[&release[..], &["Unknown"]].concat(), &ada).await;
    assert_eq!(unknown_site.status.code(), Some(2));
    assert!(
        text(&unknown_site.stderr).contains("has no site `Unknown`; its sites are"),
        "{}",
        text(&unknown_site.stderr)
    );
    let too_high = run(&[&release[..], &["Shop", "--holdout", "60"]].concat(), &ada).await;
    assert_eq!(too_high.status.code(), Some(2));
    let problem = text(&too_high.stderr);
    assert!(problem.starts_with("--holdout must be between 0 and "), "{problem}");
    let options = [
        "Shop",
        "--rollout=50",
        "--holdout=10",
        "--goal=signed-up",
        "--starts-at=2020-01-01T00:00:00Z",
        "--ends-at=2999-01-01T00:00:00Z",
        "--end-active-runs",
    ];
    let partial = run(&[&release[..], &options].concat(), &ada).await;
    assert_eq!(partial.status.code(), Some(0), "{}", text(&partial.stderr));
    assert_eq!(
        text(&partial.stdout).trim_end(),
        "Released revision 1 of “Welcome aboard” to Shop, live from 2020-01-01T00:00:00.000Z to 2999-01-01T00:00:00.000Z, \
         rollout 50 %, holdout 10 %, goal `signed-up`."
    );
    let released = run(
        &[&release[..], &["Shop", "--note", "from the command line"]].concat(),
        &ada,
    )
    .await;
    assert_eq!(released.status.code(), Some(0), "{}", text(&released.stderr));
    let summary = text(&released.stdout);
    assert_eq!(summary, text(&partial.stdout), "the terms stay as before");
    let plan = text(&released.stderr);
    assert!(
        plan.contains("replaces the current release") && plan.contains("goal      signed-up (as before)"),
        "{plan}"
    );
    let all = [
        "Shop",
        "--rollout=100",
        "--holdout=0",
        "--no-goal",
        "--starts-at=now",
        "--ends-at=never",
    ];
    let all = run(&[&release[..], &all].concat(), &ada).await;
    assert_eq!(all.status.code(), Some(0), "{}", text(&all.stderr));
    assert!(
        text(&all.stderr).contains("rollout   50 % → 100 %"),
        "{}",
        text(&all.stderr)
    );
    let summary = text(&all.stdout);
    assert!(
        summary.starts_with("Released revision 1 of “Welcome aboard” to Shop, live from 20")
            && !summary.contains("rollout"),
        "{summary}"
    );

    let listed = run(
        &["tours", "--server", &server.url, "--workspace", "crew", "--json"],
        &ada,
    )
    .await;
    let tours: Value = serde_json::from_slice(&listed.stdout).unwrap();
    let aboard = tours
        .as_array()
        .unwrap()
        .iter()
        .find(|tour| tour["slug"] == "aboard")
        .unwrap();
    assert_eq!(
        (&aboard["status"], &aboard["workspace"]),
        (&json!("LIVE"), &json!("crew"))
    );
}

#[tokio::test]
async fn a_release_in_a_terminal_requires_yes() {
    let (_issuer, server, ada) = with_a_tour().await;
    let release = [&release_to(&server)[..], &["Shop"]].concat();
    let list = async || run(&["tours", "--server", &server.url], &ada).await;
    let asked = run_in_terminal(&release, &ada).await;
    let printed = text(&asked.stdout);
    assert_eq!(asked.status.code(), Some(2), "{printed}");
    assert!(
        printed.contains("Shop") && printed.contains("Nothing was released. Repeat the command with --yes to release."),
        "{printed}"
    );
    assert!(text(&list().await.stdout).contains("DRAFT"));
    let released = run_in_terminal(&[&release[..], &["--yes"]].concat(), &ada).await;
    let printed = text(&released.stdout);
    assert_eq!(released.status.code(), Some(0), "{printed}");
    assert!(printed.contains("Released revision 1"), "{printed}");
    assert!(text(&list().await.stdout).contains("LIVE"));
}

#[test]
fn a_reader_may_close_the_output() {
    let mut child = waypost(&["schema"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""));
}

#[tokio::test]
async fn each_kind_of_failure_has_its_exit_code() {
    let issuer = provider().await;
    let server = Server::start(&issuer).await;
    let ada = token(&issuer, "ada");
    let unreachable = "http://127.0.0.1:1";
    for (case, server, token, code, message) in [
        ("network", unreachable, ada.as_str(), 3, "The server cannot be reached"),
        (
            "protocol",
            issuer.url.as_str(),
            ada.as_str(),
            4,
            "check that the URL belongs to a Waypost server",
        ),
        (
            "GraphQL",
            server.url.as_str(),
            "wrong",
            5,
            "set WAYPOST_TOKEN or --token",
        ),
        ("no token", server.url.as_str(), "", 2, "The access token is missing"),
        ("usage", "not a URL", ada.as_str(), 2, "is not the URL of a server"),
    ] {
        let output = run(&["tours", "--server", server], token).await;
        assert_eq!(output.status.code(), Some(code), "{case}: {}", text(&output.stderr));
        assert!(
            text(&output.stderr).contains(message),
            "{case}: {}",
            text(&output.stderr)
        );
        assert!(output.stdout.is_empty(), "{case}");
    }
    let missing = run(&["tours", "--server", &server.url, "--workspace", "unknown"], &ada).await;
    assert_eq!(missing.status.code(), Some(5), "{}", text(&missing.stderr));
}
