//! The server reports "not ready", finishes requests and streams, and exits within five seconds.

use std::time::{Duration, Instant};

use reqwest::StatusCode;
use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::support::{Server, provider, request_body, run_operation, token};

#[tokio::test]
async fn sigterm_completes_streams_and_exits_in_time() {
    let issuer = provider().await;
    let mut server = Server::start(&issuer).await;
    let ada = token(&issuer, "ada");
    let client = server.client(Some(ada.clone()));
    let input = json!({"input": {"name": "Crew", "slug": "crew"}});
    let workspace = run_operation(&client, "WorkspaceCreate", input).await["workspaceCreate"]["id"].clone();
    let input = json!({"input": {"workspaceId": workspace, "title": "First", "slug": "first"}});
    let tour = run_operation(&client, "TourCreate", input).await["tourCreate"]["id"].clone();

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

    let started = Instant::now();
    server.signal("TERM");
    let mut was_unready = false;
    // The server accepts connections for a short time, so that load balancers see that it is not ready.
    while let Ok(response) = reqwest::get(&ready).await {
        was_unready |= response.status() == StatusCode::SERVICE_UNAVAILABLE;
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let rest = stream.text().await.unwrap();
    let status = server.exited().await;
    assert!(was_unready, "/readyz did not report the shutdown:\n{}", server.log());
    assert!(rest.trim_end().ends_with("--graphql--"), "the stream was cut: {rest:?}");
    assert_eq!(status.code(), Some(0), "{}", server.log());
    assert!(
        started.elapsed() < Duration::from_secs(5),
        "it took {:?}",
        started.elapsed()
    );
    server.logged("\"message\":\"stopped\"").await;
}

#[tokio::test]
async fn a_request_in_progress_is_completed() {
    let issuer = provider().await;
    let mut server = Server::start(&issuer).await;
    let body = request_body("Instance", &json!({})).to_string();
    let (first, rest) = body.split_at(body.len() / 2);
    let address = server.url.strip_prefix("http://").unwrap().to_owned();
    let mut connection = TcpStream::connect(&address).await.unwrap();
    let head = format!(
        "POST /graphql HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{first}",
        body.len()
    );
    connection.write_all(head.as_bytes()).await.unwrap();
    assert!(
        reqwest::get(format!("{}/healthz", server.url))
            .await
            .unwrap()
            .status()
            .is_success()
    );

    server.signal("TERM");
    server.logged("stopping").await;
    connection.write_all(rest.as_bytes()).await.unwrap();
    let mut response = String::new();
    connection.read_to_string(&mut response).await.unwrap();
    assert!(
        response.starts_with("HTTP/1.1 200") && response.contains("\"sourceUrl\""),
        "{response}"
    );
    assert_eq!(server.exited().await.code(), Some(0), "{}", server.log());
}

#[tokio::test]
async fn a_second_signal_exits_immediately() {
    let issuer = provider().await;
    let mut server = Server::start(&issuer).await;
    server.signal("INT");
    server.signal("INT");
    assert_eq!(server.exited().await.code(), Some(0), "{}", server.log());
}
