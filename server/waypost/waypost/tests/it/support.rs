use std::{
    io::{BufRead, BufReader},
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::time::sleep;
use waypost_api_client::Client;

#[path = "../../../auth/tests/issuer/mod.rs"]
pub mod issuer;

use self::issuer::{AUDIENCE, Issuer, header, jwk, now, sign, with};

/// Generous, because test machines may be busy.
pub const TEST_TIMEOUT: Duration = Duration::from_secs(60);

pub async fn provider() -> Issuer {
    Issuer::start(json!([jwk(0, "k1")])).await
}

pub fn token(issuer: &Issuer, name: &str) -> String {
    sign(0, &header("k1"), &claims(issuer, name))
}

pub fn claims(issuer: &Issuer, name: &str) -> Value {
    json!({
        "iss": issuer.url, "sub": name, "aud": AUDIENCE, "iat": now(), "exp": now() + 3600, "name": name,
        "email": format!("{name}@example.com"), "email_verified": true,
    })
}

pub fn waypost(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_waypost"));
    command.args(arguments).env_clear();
    command
}

pub struct Server {
    child: Child,
    pub url: String,
    log: Arc<Mutex<Vec<String>>>,
    data: PathBuf,
    own_folder: Option<TempDir>,
}

impl Server {
    pub async fn start(issuer: &Issuer) -> Self {
        Self::with(issuer, &[]).await
    }

    pub async fn with(issuer: &Issuer, settings: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut server = Self::on(issuer, folder.path(), settings).await;
        server.own_folder = Some(folder);
        server
    }

    pub async fn on(issuer: &Issuer, data: &Path, settings: &[(&str, &str)]) -> Self {
        Self::launch(waypost(&["serve"]), Stdio::piped(), issuer, data, settings).await
    }

    /// With the limit of open files (`-n`) or another limit of the shell.
    pub async fn limited(issuer: &Issuer, data: &Path, limit: &str) -> Self {
        let mut shell = Command::new("/bin/sh");
        let program = format!("ulimit {limit} && exec {} serve", env!("CARGO_BIN_EXE_waypost"));
        shell.args(["-c", &program]).env_clear();
        Self::launch(shell, Stdio::piped(), issuer, data, &[]).await
    }

    /// The log is empty unless stderr is piped.
    pub async fn launch(
        mut program: Command,
        stderr: Stdio,
        issuer: &Issuer,
        data: &Path,
        settings: &[(&str, &str)],
    ) -> Self {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut child = program
            .env("PORT", port.to_string())
            .env("WAYPOST_DATA", data)
            .env("WAYPOST_OIDC_ISSUER", &issuer.url)
            .env("WAYPOST_OIDC_CLIENT_ID", "spa")
            .env("WAYPOST_OIDC_AUDIENCE", AUDIENCE)
            .envs(settings.iter().copied())
            .stdout(Stdio::null())
            .stderr(stderr)
            .spawn()
            .unwrap();
        let log = Arc::new(Mutex::new(Vec::new()));
        if let Some(stderr) = child.stderr.take() {
            let log = Arc::clone(&log);
            let lines = BufReader::new(stderr).lines().map_while(Result::ok);
            std::thread::spawn(move || lines.for_each(|line| log.lock().unwrap().push(line)));
        }
        let mut server = Self {
            child,
            url: format!("http://127.0.0.1:{port}"),
            log,
            data: data.to_owned(),
            own_folder: None,
        };
        let alive = format!("{}/healthz", server.url);
        let started = Instant::now();
        while reqwest::get(&alive).await.is_err() {
            assert!(
                server.child.try_wait().unwrap().is_none(),
                "the server exited:\n{}",
                server.log()
            );
            assert!(
                started.elapsed() < TEST_TIMEOUT,
                "the server did not start:\n{}",
                server.log()
            );
            sleep(Duration::from_millis(20)).await;
        }
        server
    }

    pub fn client(&self, token: Option<String>) -> Client {
        Client::new(&self.url, token, waypost_api::MANIFEST).unwrap()
    }

    pub fn log(&self) -> String {
        self.log.lock().unwrap().join("\n")
    }

    /// Lines may arrive after the response.
    pub async fn logged(&self, text: &str) {
        let started = Instant::now();
        while !self.log().contains(text) {
            assert!(
                started.elapsed() < TEST_TIMEOUT,
                "the log does not contain {text}:\n{}",
                self.log()
            );
            sleep(Duration::from_millis(5)).await;
        }
    }

    pub fn data(&self) -> &Path {
        &self.data
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    pub fn signal(&self, name: &str) {
        let sent = Command::new("kill")
            .args(["-s", name, &self.child.id().to_string()])
            .status()
            .unwrap();
        assert!(sent.success());
    }

    pub async fn exited(&mut self) -> ExitStatus {
        let started = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(
                started.elapsed() < TEST_TIMEOUT,
                "the server did not exit:\n{}",
                self.log()
            );
            sleep(Duration::from_millis(10)).await;
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Errors are ignored, because the process may have exited already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub async fn run_operation(client: &Client, operation: &str, variables: Value) -> Value {
    let response = client
        .run_by_name::<Value>(operation, variables)
        .await
        .unwrap_or_else(|failure| panic!("{operation}: {failure}"));
    assert!(response.errors.is_empty(), "{operation}: {:?}", response.errors);
    response.data.unwrap()
}

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

pub fn expired(issuer: &Issuer, name: &str) -> String {
    sign(0, &header("k1"), &with(claims(issuer, name), "exp", json!(now() - 600)))
}
