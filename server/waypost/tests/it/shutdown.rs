//! The end of a server: not ready first, requests finished, streams completed, within five seconds.

use std::time::{Duration, Instant};

use reqwest::StatusCode;
use serde_json::json;

use crate::support::{Server, ask, provider, request_body, token};

#[tokio::test]
async fn sigterm_completes_streams_and_ends_in_time() {
    let issuer = provider().await;
    let mut server = Server::start(&issuer).await;
    let ada = token(&issuer, "ada");
    let client = server.client(Some(ada.clone()));
    let input = json!({"input": {"name": "Crew", "slug": "crew"}});
    let workspace = ask(&client, "WorkspaceCreate", input).await["workspaceCreate"]["id"].clone();
    let input = json!({"input": {"workspaceId": workspace, "title": "First", "slug": "first"}});
    let tour = ask(&client, "TourCreate", input).await["tourCreate"]["id"].clone();

    let stream = reqwest::Client::new()
        .post(format!("{}/graphql", server.url))
        .header("accept", "multipart/mixed;subscriptionSpec=1.0, application/json")
        .bearer_auth(ada)
        .json(&request_body("TourChanged", &json!({"id": tour})))
        .send()
        .await
        .unwrap();
    assert_eq!(stream.status(), StatusCode::OK);
    let ready = format!("{}/readyz", server.url);
    assert_eq!(reqwest::get(&ready).await.unwrap().status(), StatusCode::OK);

    let begun = Instant::now();
    server.signal("TERM");
    let mut said_so = false;
    // The server still takes connections for a moment, to say that it wants no more.
    while let Ok(response) = reqwest::get(&ready).await {
        said_so |= response.status() == StatusCode::SERVICE_UNAVAILABLE;
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let rest = stream.text().await.unwrap();
    let status = server.ended().await;
    assert!(
        said_so,
        "/readyz never said that the server was going:\n{}",
        server.log()
    );
    assert!(rest.trim_end().ends_with("--graphql--"), "the stream was cut: {rest:?}");
    assert_eq!(status.code(), Some(0), "{}", server.log());
    assert!(
        begun.elapsed() < Duration::from_secs(5),
        "it took {:?}",
        begun.elapsed()
    );
    assert!(server.log().contains("\"message\":\"stopped\""), "{}", server.log());
}

#[tokio::test]
async fn a_second_signal_ends_at_once() {
    let issuer = provider().await;
    let mut server = Server::start(&issuer).await;
    server.signal("INT");
    server.signal("INT");
    assert_eq!(server.ended().await.code(), Some(0), "{}", server.log());
}
