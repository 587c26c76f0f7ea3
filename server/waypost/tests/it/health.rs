//! Alive, ready, and why not.

use std::{
    sync::atomic::Ordering::SeqCst,
    time::{Duration, Instant},
};

use reqwest::StatusCode;
use serde_json::Value;
use tokio::time::sleep;

use crate::support::{PATIENCE, Server, provider};

async fn readiness(server: &Server) -> (StatusCode, Value) {
    let response = reqwest::get(format!("{}/readyz", server.url)).await.unwrap();
    assert_eq!(response.headers()["cache-control"], "no-store");
    (
        response.status(),
        serde_json::from_slice(&response.bytes().await.unwrap()).unwrap(),
    )
}

#[tokio::test]
async fn a_server_is_ready_when_database_and_provider_are() {
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
async fn a_provider_that_is_down_is_named_and_found_when_it_comes_up() {
    let issuer = provider().await;
    issuer.state.down.store(true, SeqCst);
    let server = Server::start(&issuer).await;
    let (status, report) = readiness(&server).await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
    assert!(
        report["providers"][0]["error"].as_str().unwrap().contains("502"),
        "{report}"
    );
    assert!(
        reqwest::get(format!("{}/healthz", server.url))
            .await
            .unwrap()
            .status()
            .is_success()
    );

    issuer.state.down.store(false, SeqCst);
    let begun = Instant::now();
    while readiness(&server).await.0 != StatusCode::OK {
        assert!(begun.elapsed() < PATIENCE, "the provider was not found again");
        sleep(Duration::from_millis(50)).await;
    }
}
