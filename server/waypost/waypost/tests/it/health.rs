use std::{
    sync::atomic::Ordering::SeqCst,
    time::{Duration, Instant},
};

use reqwest::StatusCode;
use serde_json::Value;
use tokio::time::sleep;

use crate::support::{Server, TEST_TIMEOUT, provider};

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
        (&report["ready"], &report["database"]["ready"]),
        (&true.into(), &true.into())
    );
    assert_eq!(report["providers"][0]["issuer"], issuer.url.as_str());
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
