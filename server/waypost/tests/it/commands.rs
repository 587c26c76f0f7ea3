//! `waypost tours` and `waypost release`, and the three classes of failure by their exit codes.

use std::process::Output;

use serde_json::{Value, json};

use crate::support::{Server, ask, issuer::Issuer, provider, token, waypost};

/// Runs a command while the runtime goes on, because the identity provider lives in it.
async fn run(arguments: &[&str], token: &str) -> Output {
    let mut command = waypost(arguments);
    command.env("WAYPOST_TOKEN", token);
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
    let workspace = ask(&client, "WorkspaceCreate", input).await["workspaceCreate"]["id"].clone();
    let input = json!({"input": {"workspaceId": workspace, "title": "Welcome aboard", "slug": "aboard"}});
    let tour = ask(&client, "TourCreate", input).await["tourCreate"]["id"].clone();
    let steps = json!([{"key": "hello", "kind": "MODAL", "title": "Hello", "body": "Here we go."}]);
    ask(
        &client,
        "TourSave",
        json!({"input": {"id": tour, "expectedVersion": 1, "steps": steps}}),
    )
    .await;
    let input = json!({"input": {"workspaceId": workspace, "name": "Shop", "origins": ["https://shop.example"]}});
    ask(&client, "SiteCreate", input).await;
    (issuer, server, ada)
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

    let release = [
        "release",
        "aboard",
        "--server",
        &server.url,
        "--workspace",
        "crew",
        "--site",
    ];
    let elsewhere = run(&[&release[..], &["Nowhere"]].concat(), &ada).await;
    assert_eq!(elsewhere.status.code(), Some(2));
    assert!(
        text(&elsewhere.stderr).contains("has no site `Nowhere`; it has"),
        "{}",
        text(&elsewhere.stderr)
    );
    let too_much = run(&[&release[..], &["Shop", "--holdout", "60"]].concat(), &ada).await;
    assert_eq!(too_much.status.code(), Some(5));
    assert!(
        text(&too_much.stderr).contains("input.holdoutPercent"),
        "{}",
        text(&too_much.stderr)
    );
    let some = [
        "Shop",
        "--rollout=50",
        "--holdout=10",
        "--goal=signed-up",
        "--starts-at=2020-01-01T00:00:00Z",
        "--ends-at=2999-01-01T00:00:00Z",
        "--end-active-runs",
    ];
    let part = run(&[&release[..], &some].concat(), &ada).await;
    assert_eq!(part.status.code(), Some(0), "{}", text(&part.stderr));
    assert_eq!(
        text(&part.stdout).trim_end(),
        "Revision 1 of “Welcome aboard” plays on Shop since 2020-01-01T00:00:00.000Z until 2999-01-01T00:00:00.000Z, \
         for 50 of 100 visitors, 10 of 100 never see it, and should lead to `signed-up`."
    );
    let released = run(
        &[&release[..], &["Shop", "--note", "from the command line"]].concat(),
        &ada,
    )
    .await;
    assert_eq!(released.status.code(), Some(0), "{}", text(&released.stderr));
    let says = text(&released.stdout);
    assert!(
        says.starts_with("Revision 1 of “Welcome aboard” plays on Shop since 20"),
        "{says}"
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
async fn each_class_of_failure_has_its_exit_code() {
    let issuer = provider().await;
    let server = Server::start(&issuer).await;
    let ada = token(&issuer, "ada");
    let nobody = "http://127.0.0.1:1";
    for (what, server, token, code, says) in [
        ("network", nobody, ada.as_str(), 3, "The server cannot be reached"),
        (
            "protocol",
            issuer.url.as_str(),
            ada.as_str(),
            4,
            "is this the address of a Waypost server?",
        ),
        ("GraphQL", server.url.as_str(), "wrong", 5, "(UNAUTHENTICATED, request "),
        ("usage", "not an address", ada.as_str(), 2, "is no address of a server"),
    ] {
        let output = run(&["tours", "--server", server], token).await;
        assert_eq!(output.status.code(), Some(code), "{what}: {}", text(&output.stderr));
        assert!(text(&output.stderr).contains(says), "{what}: {}", text(&output.stderr));
        assert!(output.stdout.is_empty(), "{what}");
    }
    let missing = run(&["tours", "--server", &server.url, "--workspace", "nowhere"], &ada).await;
    assert_eq!(missing.status.code(), Some(5), "{}", text(&missing.stderr));
}
