//! `waypost demo`: its safeguards, its data folder, and its provider as the doctor sees it.

use std::{
    io::{BufRead, BufReader, Read as _},
    net::TcpListener,
    path::Path,
    process::{Child, ChildStdout, Command, Output, Stdio},
};

use reqwest::{StatusCode, redirect::Policy};
use serde_json::{Value, json};

use crate::support::{Server, TEST_TIMEOUT, provider, request_body, waypost};

struct Demo {
    child: Child,
    stdout: BufReader<ChildStdout>,
    port: u16,
}

fn command(data: &Path) -> (Command, u16) {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let mut command = waypost(&["demo"]);
    command.env("PORT", port.to_string()).arg("--data").arg(data);
    (command, port)
}

impl Demo {
    /// Returns when the demo has printed that it listens.
    fn start(data: &Path) -> Self {
        let (mut command, port) = command(data);
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        assert_eq!(line, format!("Waypost is ready: http://localhost:{port}\n"));
        Self { child, stdout, port }
    }

    fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// Interrupts it like Ctrl-C, and returns the rest of its output.
    fn stop(mut self) -> String {
        let id = self.child.id().to_string();
        assert!(
            Command::new("kill")
                .args(["-s", "INT", &id])
                .status()
                .unwrap()
                .success()
        );
        let mut rest = String::new();
        self.stdout.read_to_string(&mut rest).unwrap();
        assert_eq!(self.child.wait().unwrap().code(), Some(0));
        rest
    }
}

impl Drop for Demo {
    fn drop(&mut self) {
        // Errors are ignored, because the process may have exited already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn refused(output: &Output) -> String {
    assert!(!output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn http() -> reqwest::Client {
    reqwest::Client::builder()
        .redirect(Policy::none())
        .timeout(TEST_TIMEOUT)
        .build()
        .unwrap()
}

#[tokio::test]
async fn a_demo_answers_its_own_machine_only_and_its_provider_passes_the_doctor() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("demo");
    let demo = Demo::start(&data);
    let http = http();
    let public = format!("http://localhost:{}", demo.port);

    let get = |host: &str, mode: &str| {
        let request = http
            .get(demo.url("/play?key=a"))
            .header("host", host)
            .header("accept", "text/html");
        request.header("sec-fetch-mode", mode).send()
    };
    for host in [
        "evil.example",
        "localhost.evil.example",
        "192.168.0.7",
        "localhost evil.example",
        "",
    ] {
        let response = get(&format!("{host}:{}", demo.port), "navigate").await.unwrap();
        assert_eq!(response.status(), StatusCode::MISDIRECTED_REQUEST, "{host}");
        let text = response.text().await.unwrap();
        assert!(text.contains("requests to localhost only"), "{host}: {text}");
    }
    for host in ["127.0.0.1", "[::1]"] {
        let host = format!("{host}:{}", demo.port);
        let response = get(&host, "navigate").await.unwrap();
        assert_eq!(response.headers()["location"], format!("{public}/play?key=a"));
        assert_ne!(
            get(&host, "cors").await.unwrap().status(),
            StatusCode::TEMPORARY_REDIRECT
        );
    }

    let instance = http
        .post(demo.url("/graphql"))
        .json(&request_body("Instance", &json!({})));
    let instance: Value = instance.send().await.unwrap().json().await.unwrap();
    assert_eq!(instance["data"]["instance"]["demo"], true, "{instance}");

    let settings = instance["data"]["instance"]["providers"][0].clone();
    let mut doctor = waypost(&["doctor", "oidc", "--json"]);
    doctor
        .env("WAYPOST_PUBLIC_URL", &public)
        .env("WAYPOST_OIDC_ISSUER", settings["issuer"].as_str().unwrap())
        .env("WAYPOST_OIDC_CLIENT_ID", settings["clientId"].as_str().unwrap())
        .env("WAYPOST_OIDC_RESOURCE", settings["resource"].as_str().unwrap())
        .env("WAYPOST_OIDC_SCOPE", settings["scope"].as_str().unwrap());
    let output = tokio::task::spawn_blocking(move || doctor.output().unwrap())
        .await
        .unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let findings = report["reports"][0]["findings"].as_array().unwrap();
    let issues: Vec<_> = findings
        .iter()
        .filter(|finding| finding["level"] == "problem" || finding["level"] == "warning")
        .collect();
    assert_eq!((output.status.code(), issues), (Some(0), vec![]), "{findings:#?}");

    let in_use = waypost(&["demo", "--reset", "--data"]).arg(&data).output().unwrap();
    assert!(refused(&in_use).contains("is in use by process"), "{in_use:?}");
    let printed = demo.stop();
    assert!(
        printed.contains(&format!("Data folder: {}", data.display())),
        "{printed}"
    );
}

#[tokio::test]
async fn demos_and_installations_do_not_open_each_others_data() {
    let folder = tempfile::tempdir().unwrap();
    let demo_data = folder.path().join("demo");
    Demo::start(&demo_data).stop();
    let issuer = provider().await;
    // A process that is not refused cannot listen, so that it exits too.
    let occupied = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = occupied.local_addr().unwrap().port().to_string();
    let server = |data: &Path| {
        let mut command = waypost(&[]);
        command
            .env("PORT", &port)
            .env("WAYPOST_DATA", data)
            .env("WAYPOST_OIDC_ISSUER", &issuer.url)
            .env("WAYPOST_OIDC_CLIENT_ID", "spa")
            .env("WAYPOST_OIDC_AUDIENCE", "api");
        command.output().unwrap()
    };
    let text = refused(&server(&demo_data));
    assert!(
        text.contains("has the data of a demo, whose accounts have no passwords"),
        "{text}"
    );

    let data = folder.path().join("installation");
    drop(Server::on(&issuer, &data, &[]).await);
    for arguments in [&["demo", "--data"][..], &["demo", "--reset", "--data"]] {
        let demo = waypost(arguments).arg(&data).env("PORT", &port).output();
        let text = refused(&demo.unwrap());
        assert!(
            text.contains("has the data of an installation, which a demo must not change"),
            "{text}"
        );
    }
    assert!(data.join("waypost.db").exists());

    let elsewhere = waypost(&["demo", "--port", "1", "--data"])
        .arg(&demo_data)
        .output()
        .unwrap();
    let text = refused(&elsewhere);
    assert!(text.contains("Choose the earlier port with --port"), "{text}");
}

#[test]
fn a_demo_with_settings_of_a_server_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("demo");
    let (mut command, port) = command(&data);
    command
        .env("WAYPOST_BIND", "0.0.0.0")
        .env("WAYPOST_PUBLIC_URL", "https://tours.example.com")
        .env("WAYPOST_OIDC_2_ISSUER", "https://login.example.com")
        .env("WAYPOST_TRUST_PROXY", "1")
        .env("WAYPOST_METRICS_BIND", "");
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    insta::assert_snapshot!(refused(&output).replace(&port.to_string(), "PORT"));
    assert!(!data.exists());
}
