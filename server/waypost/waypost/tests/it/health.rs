use std::{
    sync::atomic::Ordering::SeqCst,
    time::{Duration, Instant},
};

use reqwest::StatusCode;
use serde_json::Value;
use tokio::time::sleep;

use crate::support::{Server, TEST_TIMEOUT, provider, run_operation, token, waypost};

async fn readiness(server: &Server) -> (StatusCode, Value) {
    let response = reqwest::get(format!("{}/readyz", server.url)).await.unwrap();
    assert_eq!(response.headers()["cache-control"], "no-store");
    (
        response.status(),
        serde_json::from_slice(&response.bytes().await.unwrap()).unwrap(),
    )
}

#[tokio::test]
async fn a_server_is_ready_if_database_and_provider_are() {
    let issuer = provider().await;
    let server = Server::start(&issuer).await;
    let (status, report) = readiness(&server).await;
    assert_eq!(status, StatusCode::OK, "{report}");
    assert_eq!(
        (
            &report["ready"],
            &report["database"]["ready"],
            &report["visits"]["ready"]
        ),
        (&true.into(), &true.into(), &true.into())
    );
    assert_eq!(report["providers"][0]["issuer"], issuer.url.as_str());
}

#[tokio::test]
async fn a_server_whose_disk_is_almost_full_stays_ready_but_reports_it() {
    const LARGE: &str = "4294967295";
    let issuer = provider().await;
    let data = tempfile::tempdir().unwrap();
    let server = Server::on(&issuer, data.path(), &[("WAYPOST_MIN_FREE_DISK", LARGE)]).await;
    let (status, report) = readiness(&server).await;
    assert_eq!(status, StatusCode::OK, "{report}");
    assert_eq!(
        (&report["ready"], &report["visits"]["ready"]),
        (&true.into(), &false.into())
    );
    server.logged("the disk has too little free space").await;

    for (required, code) in [(LARGE, 1), ("0", 0)] {
        let mut command = waypost(&["doctor", "storage"]);
        // No server is at this port, so only the disk decides.
        command
            .env("PORT", "1")
            .env("WAYPOST_DATA", data.path())
            .env("WAYPOST_MIN_FREE_DISK", required);
        let output = command.output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(code), "{text}");
        assert!(text.contains("MB of free space"), "{text}");
    }
}

/// Notifications of one database do not reach listeners in another one.
#[tokio::test]
async fn a_server_without_notifications_of_others_stays_ready_but_reports_it() {
    let issuer = provider().await;
    let data = tempfile::tempdir().unwrap();
    let database = ("WAYPOST_DATABASE_URL", waypost_testkit::create_database());
    let server = Server::on(&issuer, data.path(), &[(database.0, &database.1)]).await;
    let (_, report) = readiness(&server).await;
    assert_eq!(report["changes"], serde_json::json!({"ready": true, "problem": null}));
    drop(server);

    let other = waypost_testkit::create_database();
    let (metrics, address) = free_address();
    let settings = [
        (database.0, database.1.as_str()),
        ("WAYPOST_DATABASE_DIRECT_URL", &other),
        ("WAYPOST_METRICS_BIND", &metrics),
    ];
    let server = Server::on(&issuer, data.path(), &settings).await;
    let (status, report) = readiness(&server).await;
    assert_eq!(
        (status, &report["ready"], &report["changes"]["ready"]),
        (StatusCode::OK, &true.into(), &false.into()),
        "{report}"
    );
    server.logged("notifications of other processes do not arrive").await;
    let text = reqwest::get(address).await.unwrap().text().await.unwrap();
    assert!(text.contains("\nwaypost_changes_ready 0\n"), "{text}");

    let mut doctor = waypost(&["doctor", "storage"]);
    doctor.env("WAYPOST_DATABASE_URL", &database.1);
    doctor.env("PORT", server.url.rsplit(':').next().unwrap());
    let output = doctor.output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("WAYPOST_DATABASE_DIRECT_URL"), "{text}");
}

/// Returns a setting, and the URL of the metrics.
fn free_address() -> (String, String) {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let url = format!("http://{address}/metrics");
    (address, url)
}

/// Runs `waypost healthcheck` for the address of a server, and returns its exit code and output.
fn healthcheck(url: &str, bind: &str) -> (Option<i32>, String) {
    let port = url.rsplit(':').next().unwrap();
    let mut command = waypost(&["healthcheck"]);
    let output = command.env("PORT", port).env("WAYPOST_BIND", bind).output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(text).unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_health_check_succeeds_while_the_server_is_ready() {
    let issuer = provider().await;
    let server = Server::start(&issuer).await;
    for bind in ["127.0.0.1", "0.0.0.0"] {
        let (code, text) = healthcheck(&server.url, bind);
        assert_eq!(code, Some(0), "{text}");
        assert!(text.ends_with("is ready.\n"), "{text}");
    }
    let url = server.url.clone();
    drop(server);
    let (code, text) = healthcheck(&url, "127.0.0.1");
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("does not respond"), "{text}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_health_check_fails_without_the_provider() {
    let issuer = provider().await;
    issuer.state.down.store(true, SeqCst);
    let server = Server::start(&issuer).await;
    let (code, text) = healthcheck(&server.url, "127.0.0.1");
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains(r#""ready":false"#), "{text}");
}

#[tokio::test]
async fn a_provider_outage_is_reported_until_it_ends() {
    let issuer = provider().await;
    issuer.state.down.store(true, SeqCst);
    let server = Server::start(&issuer).await;
    let (status, report) = readiness(&server).await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(report["providers"][0]["ready"], false);
    assert!(!report.to_string().contains("502"), "reasons are not public: {report}");
    server.logged("not ready").await;
    assert!(server.log().contains("502"), "{}", server.log());
    assert!(
        reqwest::get(format!("{}/healthz", server.url))
            .await
            .unwrap()
            .status()
            .is_success()
    );

    issuer.state.down.store(false, SeqCst);
    let started = Instant::now();
    while readiness(&server).await.0 != StatusCode::OK {
        assert!(
            started.elapsed() < TEST_TIMEOUT,
            "the server did not become ready after the outage"
        );
        sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn metrics_are_on_an_address_of_their_own() {
    let issuer = provider().await;
    let (address, metrics) = free_address();
    let server = Server::with(&issuer, &[("WAYPOST_METRICS_BIND", &address), ("WAYPOST_LOG", "error")]).await;
    let client = server.client(Some(token(&issuer, "ada")));
    run_operation(&client, "Viewer", serde_json::json!({})).await;
    let metrics = reqwest::get(metrics).await.unwrap().text().await.unwrap();
    let value = |name: &str| {
        let found = metrics
            .lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        found
            .unwrap_or_else(|| panic!("no {name}:\n{metrics}"))
            .parse::<f64>()
            .unwrap()
    };
    assert_eq!(
        value("waypost_requests_total{operation=\"Viewer\",outcome=\"OK\"}"),
        1.0
    );
    assert_eq!(
        value("waypost_request_duration_seconds_count{operation=\"Viewer\"}"),
        1.0
    );
    assert_eq!([value("waypost_ready"), value("waypost_open_streams")], [1.0, 0.0]);
    assert!(value("waypost_database_bytes{file=\"waypost.db\"}") > 0.0);
    for usage in ["read", "write"] {
        assert!(value(&format!("waypost_database_wait_seconds_count{{usage=\"{usage}\"}}")) > 0.0);
        assert_eq!(value(&format!("waypost_database_waiting{{usage=\"{usage}\"}}")), 0.0);
    }
    assert_eq!(
        reqwest::get(format!("{}/metrics", server.url)).await.unwrap().status(),
        StatusCode::NOT_FOUND
    );
}
