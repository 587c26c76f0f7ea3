//! Bodies of requests are limited on every route.

use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    task::JoinSet,
    time::{sleep, timeout},
};

use crate::support::{Server, provider};

const FORM: &str = "application/x-www-form-urlencoded";
const JSON: &str = "application/json";

/// Each route of the server, with a path and the type of body that it reads.
const ROUTES: [(&str, &str, &str); 20] = [
    ("/healthz", "/healthz", JSON),
    ("/readyz", "/readyz", JSON),
    ("/requestz", "/requestz", JSON),
    ("/requestz/stream", "/requestz/stream", JSON),
    ("/graphql", "/graphql", JSON),
    ("/e/attempts", "/e/attempts", JSON),
    ("/e/boot", "/e/boot", JSON),
    ("/e/goals", "/e/goals", JSON),
    ("/e/record", "/e/record", "text/plain"),
    ("/t/{file}", "/t/unknown.json", JSON),
    (
        "/auth/oidc/{id}/openid-configuration",
        "/auth/oidc/oidc/openid-configuration",
        JSON,
    ),
    ("/auth/oidc/{id}/token", "/auth/oidc/oidc/token", FORM),
    ("/auth/oidc/{id}/userinfo", "/auth/oidc/oidc/userinfo", JSON),
    ("/auth/sign-out", "/auth/sign-out", FORM),
    ("/auth/sign-out/{provider}/key-ids", "/auth/sign-out/oidc/key-ids", JSON),
    ("/auth/backchannel-logout", "/auth/backchannel-logout", FORM),
    ("/auth/callback", "/auth/callback", FORM),
    ("/auth/popup.html", "/auth/popup.html", FORM),
    ("/auth/silent.html", "/auth/silent.html", FORM),
    // The fallback.
    ("/", "/w/acme/tours", JSON),
];

/// The server logs its router, whose paths are the quoted texts that begin with a slash.
fn logged_paths(log: &str) -> BTreeSet<String> {
    let line = log.lines().find(|line| line.contains("path_router"));
    let line = line.expect("the server logs its routes with WAYPOST_LOG=debug");
    let quoted = line.split('"').map(|text| text.trim_end_matches('\\'));
    let paths = quoted.filter(|text| text.starts_with('/') && !text.contains("__private__axum"));
    paths.map(str::to_owned).collect()
}

/// A body that does not end.
#[derive(Debug, Clone, Copy)]
struct Body {
    name: &'static str,
    /// Header fields that declare the body.
    declared: &'static str,
    first: usize,
    /// Another byte arrives each second.
    trickles: bool,
}

const BODIES: [Body; 5] = [
    Body {
        name: "one byte, then silence",
        declared: "content-length: 20000",
        first: 1,
        trickles: false,
    },
    Body {
        name: "unfinished",
        declared: "content-length: 20000",
        first: 19_999,
        trickles: false,
    },
    Body {
        name: "slow",
        declared: "content-length: 20000",
        first: 1,
        trickles: true,
    },
    Body {
        name: "oversized and unfinished",
        declared: "content-length: 2000000",
        first: 1_900_000,
        trickles: false,
    },
    Body {
        name: "a chunk without an end",
        declared: "transfer-encoding: chunked",
        first: 19_999,
        trickles: false,
    },
];

/// Returns the status and the seconds until the server closed the connection.
async fn send(address: String, method: &str, path: &str, media_type: &str, body: Body) -> (Option<u16>, f64) {
    let stream = TcpStream::connect(address).await.unwrap();
    let began = Instant::now();
    let (mut reader, mut writer) = stream.into_split();
    let origin = "origin: http://localhost";
    let declared = body.declared;
    let mut request = format!(
        "{method} {path} HTTP/1.1\r\nhost: localhost\r\n{origin}\r\ncontent-type: {media_type}\r\n{declared}\r\n\r\n"
    );
    if declared.contains("chunked") {
        request.push_str("4e20\r\n");
    }
    request.push_str(&"x".repeat(body.first));
    let writes = tokio::spawn(async move {
        let mut sent = writer.write_all(request.as_bytes()).await;
        while sent.is_ok() {
            sleep(Duration::from_secs(1)).await;
            if body.trickles {
                sent = writer.write_all(b"x").await;
            }
        }
    });
    let mut response = Vec::new();
    let _ = reader.read_to_end(&mut response).await;
    writes.abort();
    let status = response
        .get(9..12)
        .and_then(|code| str::from_utf8(code).ok()?.parse().ok());
    (status, began.elapsed().as_secs_f64())
}

#[cfg(target_os = "linux")]
fn megabytes(server: &Server) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.id())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() / 1024
}

#[tokio::test]
async fn a_body_that_does_not_end_is_cut_on_every_route() {
    let issuer = provider().await;
    let settings = [
        ("WAYPOST_OIDC_RELAY", "1"),
        ("WAYPOST_OIDC_CLIENT_SECRET", "s&cret"),
        ("WAYPOST_OIDC_BACKCHANNEL_LOGOUT", "1"),
        ("WAYPOST_PUBLIC_URL", "http://localhost"),
        ("WAYPOST_LOG", "info,waypost_server=debug"),
    ];
    let server = Server::with(&issuer, &settings).await;
    server.logged("path_router").await;
    let tested: BTreeSet<String> = ROUTES.iter().map(|(route, ..)| (*route).to_owned()).collect();
    assert_eq!(
        logged_paths(&server.log()),
        tested,
        "the server has other routes than ROUTES of this test; add the new ones to it"
    );

    #[cfg(target_os = "linux")]
    let before = megabytes(&server);
    let address = server.url.strip_prefix("http://").unwrap();
    let mut attempts = JoinSet::new();
    for (_, path, media_type) in ROUTES {
        for method in ["POST", "GET", "PUT"] {
            for body in BODIES {
                // Several, so that unlimited bodies would fill the memory.
                for _ in 0..if method == "POST" { 5 } else { 1 } {
                    let address = address.to_owned();
                    attempts.spawn(async move {
                        let name = format!("{method} {path}, {}", body.name);
                        // The limit of GraphQL is 30 seconds, that of all others is 10.
                        let sent = timeout(Duration::from_secs(45), send(address, method, path, media_type, body));
                        (name, sent.await)
                    });
                }
            }
        }
    }
    let mut open = Vec::new();
    for (name, result) in attempts.join_all().await {
        let graphql = name.contains(" /graphql,") || name.contains(" /e/");
        let limit = if graphql { 30.0 } else { 10.0 };
        match result {
            Err(_) => open.push(format!("{name}: never cut")),
            // A busy machine may need some seconds more.
            Ok((_, seconds)) if seconds > limit + 8.0 => open.push(format!("{name}: cut after {seconds:.1} s")),
            Ok((Some(200..=303), _)) if name.starts_with("POST /auth") => open.push(format!("{name}: accepted")),
            Ok((status, _)) if name.starts_with("POST /auth/callback") => {
                let expected = if name.contains("oversized") { 413 } else { 408 };
                if status != Some(expected) {
                    open.push(format!("{name}: status {status:?}"));
                }
            }
            Ok(_) => {}
        }
    }
    assert!(open.is_empty(), "{}", open.join("\n"));
    #[cfg(target_os = "linux")]
    {
        let grown = megabytes(&server) - before;
        assert!(grown < 64, "the bodies occupied {grown} MB");
    }
    assert_eq!(
        reqwest::get(format!("{}/healthz", server.url)).await.unwrap().status(),
        200
    );
}
