//! The server works although its log, its files or its connections are exhausted.

use std::{fs, process::Stdio, sync::Arc, time::Duration};

use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
    task::JoinSet,
    time::timeout,
};

use crate::support::{Server, provider, request_body, run_operation, token, waypost};

/// Sends a request that is logged.
async fn is_answered(server: &Server) -> bool {
    let response = reqwest::Client::new()
        .post(format!("{}/graphql", server.url))
        .json(&request_body("Instance", &json!({})))
        .send();
    response.await.is_ok_and(|response| response.status().is_success())
}

#[tokio::test]
async fn requests_are_answered_although_the_log_cannot_be_written() {
    let issuer = provider().await;
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    for stderr in [Stdio::from(full), Stdio::from(writer)] {
        let data = tempfile::tempdir().unwrap();
        let server = Server::launch(waypost(&["serve"]), stderr, &issuer, data.path(), &[]).await;
        for _ in 0..3 {
            assert!(is_answered(&server).await);
        }
        let client = server.client(Some(token(&issuer, "ada")));
        let input = json!({ "input": { "name": "Crew", "slug": "crew" } });
        run_operation(&client, "WorkspaceCreate", input).await;
    }
}

#[tokio::test]
async fn the_limit_of_open_files_is_raised() {
    let issuer = provider().await;
    let data = tempfile::tempdir().unwrap();
    let server = Server::limited(&issuer, data.path(), "-S -n 256").await;
    let limits = fs::read_to_string(format!("/proc/{}/limits", server.id())).unwrap();
    let line = limits.lines().find(|line| line.starts_with("Max open files")).unwrap();
    let [soft, hard] = [3, 4].map(|column| line.split_whitespace().nth(column).unwrap());
    assert_eq!(soft, hard, "{line}");
}

/// Returns `None` if the server closes the connection or does not answer.
async fn connect(server: &Server, address: &str) -> Option<TcpStream> {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(format!("{address}:0").parse().unwrap()).unwrap();
    let target = server.url.strip_prefix("http://").unwrap().parse().unwrap();
    let answered = async {
        let mut stream = socket.connect(target).await.ok()?;
        let request = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
        stream.write_all(request.as_bytes()).await.ok()?;
        let mut head = [0; 12];
        stream.read_exact(&mut head).await.ok()?;
        (&head == b"HTTP/1.1 200").then_some(stream)
    };
    timeout(Duration::from_secs(20), answered).await.ok()?
}

#[tokio::test]
async fn one_address_cannot_use_up_the_open_files() {
    let issuer = provider().await;
    let data = tempfile::tempdir().unwrap();
    let server = Arc::new(Server::limited(&issuer, data.path(), "-n 256").await);
    let mut attempts = JoinSet::new();
    for _ in 0..300 {
        let server = Arc::clone(&server);
        attempts.spawn(async move { connect(&server, "127.0.0.2").await });
    }
    let open: Vec<TcpStream> = attempts.join_all().await.into_iter().flatten().collect();
    assert_eq!(open.len(), 32, "a quarter of the 128 that are not reserved");

    assert!(connect(&server, "127.0.0.3").await.is_some(), "another address");
    let client = server.client(Some(token(&issuer, "ada")));
    let input = json!({ "input": { "name": "Crew", "slug": "crew" } });
    run_operation(&client, "WorkspaceCreate", input).await;
}
