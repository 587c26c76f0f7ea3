//! The end of a server: not ready first, requests finished, streams completed, within five seconds.

use std::time::{Duration, Instant};

use reqwest::StatusCode;
use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

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
    server.logged("\"message\":\"stopped\"").await;
}

#[tokio::test]
async fn a_request_that_has_begun_is_answered() {
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
    // An answer to a later connection shows that the earlier one has been accepted.
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
    let mut answer = String::new();
    connection.read_to_string(&mut answer).await.unwrap();
    assert!(
        answer.starts_with("HTTP/1.1 200") && answer.contains("\"sourceUrl\""),
        "{answer}"
    );
    assert_eq!(server.ended().await.code(), Some(0), "{}", server.log());
}

#[tokio::test]
async fn a_second_signal_ends_at_once() {
    let issuer = provider().await;
    let mut server = Server::start(&issuer).await;
    server.signal("INT");
    server.signal("INT");
    assert_eq!(server.ended().await.code(), Some(0), "{}", server.log());
}
