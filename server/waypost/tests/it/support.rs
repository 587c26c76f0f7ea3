//! A server process, an identity provider, and people.

use std::{
    io::{BufRead, BufReader},
    net::TcpListener,
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::time::sleep;
use waypost_client::Client;

#[path = "../../../waypost-auth/tests/issuer/mod.rs"]
pub mod issuer;

use self::issuer::{AUDIENCE, Issuer, header, jwk, now, sign, with};

/// How long anything may take before a test gives up. Generous, because machines that test are busy.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A provider that publishes one key.
pub async fn provider() -> Issuer {
    Issuer::start(json!([jwk(0, "k1")])).await
}

/// A good access token of a person.
pub fn token(issuer: &Issuer, name: &str) -> String {
    sign(0, &header("k1"), &claims(issuer, name))
}

/// The claims of a person's good access token.
pub fn claims(issuer: &Issuer, name: &str) -> Value {
    json!({
        "iss": issuer.url, "sub": name, "aud": AUDIENCE, "iat": now(), "exp": now() + 3600, "name": name,
        "email": format!("{name}@example.com"), "email_verified": true,
    })
}

/// The binary with nothing of the surrounding environment.
pub fn waypost(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_waypost"));
    command.args(arguments).env_clear();
    command
}

/// A running server.
pub struct Server {
    child: Child,
    pub url: String,
    log: Arc<Mutex<Vec<String>>>,
    own_folder: Option<TempDir>,
}

impl Server {
    /// Starts with a data folder of its own.
    pub async fn start(issuer: &Issuer) -> Self {
        Self::with(issuer, &[]).await
    }

    /// The same with further settings.
    pub async fn with(issuer: &Issuer, settings: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut server = Self::on(issuer, folder.path(), settings).await;
        server.own_folder = Some(folder);
        server
    }

    /// Starts on a data folder that may have been used before.
    pub async fn on(issuer: &Issuer, data: &Path, settings: &[(&str, &str)]) -> Self {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut child = waypost(&["serve"])
            .env("PORT", port.to_string())
            .env("WAYPOST_DATA", data)
            .env("WAYPOST_OIDC_ISSUER", &issuer.url)
            .env("WAYPOST_OIDC_CLIENT_ID", "spa")
            .env("WAYPOST_OIDC_AUDIENCE", AUDIENCE)
            .envs(settings.iter().copied())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let log = Arc::new(Mutex::new(Vec::new()));
        let lines = BufReader::new(child.stderr.take().unwrap()).lines();
        std::thread::spawn({
            let log = Arc::clone(&log);
            move || {
                lines
                    .map_while(Result::ok)
                    .for_each(|line| log.lock().unwrap().push(line))
            }
        });
        let mut server = Self {
            child,
            url: format!("http://127.0.0.1:{port}"),
            log,
            own_folder: None,
        };
        let alive = format!("{}/healthz", server.url);
        let begun = Instant::now();
        while reqwest::get(&alive).await.is_err() {
            assert!(
                server.child.try_wait().unwrap().is_none(),
                "the server ended:\n{}",
                server.log()
            );
            assert!(
                begun.elapsed() < PATIENCE,
                "the server did not start:\n{}",
                server.log()
            );
            sleep(Duration::from_millis(20)).await;
        }
        server
    }

    /// A client with this token, or without one.
    pub fn client(&self, token: Option<String>) -> Client {
        Client::new(&self.url, token, waypost_api::MANIFEST).unwrap()
    }

    /// What the server has logged so far.
    pub fn log(&self) -> String {
        self.log.lock().unwrap().join("\n")
    }

    /// Waits until the log holds a text: lines arrive a little after the answers they are about.
    pub async fn logged(&self, text: &str) {
        let begun = Instant::now();
        while !self.log().contains(text) {
            assert!(begun.elapsed() < PATIENCE, "the log has no {text}:\n{}", self.log());
            sleep(Duration::from_millis(5)).await;
        }
    }

    /// Sends a signal by its name.
    pub fn signal(&self, name: &str) {
        let sent = Command::new("kill")
            .args(["-s", name, &self.child.id().to_string()])
            .status()
            .unwrap();
        assert!(sent.success());
    }

    /// Waits for the end of the process.
    pub async fn ended(&mut self) -> ExitStatus {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(begun.elapsed() < PATIENCE, "the server did not end:\n{}", self.log());
            sleep(Duration::from_millis(10)).await;
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already; there is nothing more to do about it here.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The data of an operation that must work.
pub async fn ask(client: &Client, operation: &str, variables: Value) -> Value {
    let answer = client
        .ask::<Value>(operation, variables)
        .await
        .unwrap_or_else(|failure| panic!("{operation}: {failure}"));
    assert!(answer.errors.is_empty(), "{operation}: {:?}", answer.errors);
    answer.data.unwrap()
}

/// The body of a request for an operation of the manifest.
pub fn request_body(operation: &str, variables: &Value) -> Value {
    let manifest: Value = serde_json::from_str(waypost_api::MANIFEST).unwrap();
    let operations = manifest["operations"].as_array().unwrap();
    let found = operations.iter().find(|entry| entry["name"] == operation).unwrap();
    json!({
        "operationName": operation,
        "variables": variables,
        "extensions": {"persistedQuery": {"version": 1, "sha256Hash": found["id"]}},
    })
}

/// An expired token of a person, beyond any leeway.
pub fn expired(issuer: &Issuer, name: &str) -> String {
    sign(0, &header("k1"), &with(claims(issuer, name), "exp", json!(now() - 600)))
}
