#![allow(clippy::unwrap_used)]

use std::fs;

use axum::{
    body::to_bytes,
    http::{HeaderMap, HeaderName, Method, StatusCode, header},
    response::Response,
};

use super::*;

const PAGE: (HeaderName, &str) = (header::ACCEPT, "text/html,application/xhtml+xml,*/*;q=0.8");

struct Site {
    assets: Assets,
    folder: tempfile::TempDir,
}

fn site() -> Site {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("dist");
    for (name, content) in [
        ("index.html", "<!doctype html>"),
        ("robots.txt", "User-agent: *"),
        ("licenses.txt", "react 19 (MIT)"),
        ("favicon.svg", "<svg/>"),
        ("assets/index-abc123.js", "plain"),
        ("assets/index-abc123.js.br", "brotli"),
        ("assets/index-abc123.js.gz", "gzip"),
        ("auth/silent.html", "silent"),
        ("auth/popup.html", "popup"),
        ("auth/callback.js", "callback"),
        ("../secret.txt", "secret"),
    ] {
        let file = root.join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, content).unwrap();
    }
    Site {
        assets: Assets::new(Files::from(root), PageHeaders::new(false)),
        folder,
    }
}

fn origins() -> Origins {
    Origins {
        called: ["https://idp.example".to_owned()].into(),
        ..Origins::default()
    }
}

fn get(site: &Site, path: &str, headers: &[(HeaderName, &str)]) -> Response {
    let headers: HeaderMap = headers
        .iter()
        .map(|(name, value)| (name.clone(), value.parse().unwrap()))
        .collect();
    site.assets.respond(&Method::GET, path, &headers, &origins())
}

fn header_of(response: &Response, name: &str) -> String {
    response
        .headers()
        .get(name)
        .map_or_else(String::new, |value| value.to_str().unwrap().to_owned())
}

async fn body(response: Response) -> String {
    String::from_utf8(to_bytes(response.into_body(), 10_000).await.unwrap().to_vec()).unwrap()
}

#[tokio::test]
async fn screens_return_the_page() {
    let site = site();
    for path in ["/", "/index.html", "/sign-in", "/w/acme/tours/welcome", "/w/a%20b"] {
        let response = get(&site, path, &[PAGE]);
        assert_eq!(response.status(), StatusCode::OK, "{path}");
        assert_eq!(header_of(&response, "cache-control"), "no-cache", "{path}");
        assert_eq!(
            header_of(&response, "content-type"),
            "text/html; charset=utf-8",
            "{path}"
        );
        assert!(
            header_of(&response, "content-security-policy").contains("frame-ancestors 'none'"),
            "{path}"
        );
        assert_eq!(
            header_of(&response, "cross-origin-opener-policy"),
            "same-origin-allow-popups",
            "{path}"
        );
        assert_eq!(body(response).await, "<!doctype html>", "{path}");
    }
    assert_eq!(
        get(&site, "/", &[]).status(),
        StatusCode::OK,
        "the front page requires no Accept header"
    );
}

#[tokio::test]
async fn unknown_paths_are_not_found() {
    let site = site();
    for (path, headers) in [
        ("/assets/index-old.js", vec![PAGE]),
        ("/missing.png", vec![PAGE]),
        ("/sign-in", vec![(header::ACCEPT, "application/json")]),
        ("/sign-in", vec![]),
        ("/assets", vec![]),
        ("/assets/", vec![PAGE]),
        ("/assets/index-abc123.js.br", vec![]),
        ("/auth/silent.html.gz", vec![PAGE]),
    ] {
        let response = get(&site, path, &headers);
        assert_eq!(response.status(), StatusCode::NOT_FOUND, "{path}");
        assert_eq!(header_of(&response, "x-content-type-options"), "nosniff", "{path}");
    }
}

#[tokio::test]
async fn paths_cannot_leave_the_folder() {
    let site = site();
    assert_eq!(
        fs::read_to_string(site.folder.path().join("secret.txt")).unwrap(),
        "secret"
    );
    for path in [
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/assets/../../secret.txt",
        "/assets/%2e%2e/%2e%2e/secret.txt",
        "/..%5csecret.txt",
        "/%00",
        "/index.html%00.js",
        "//etc/passwd",
        "/%2fetc/passwd",
        "/.git/config",
        "/%",
        "/%zz",
        "/%ff.js",
    ] {
        let response = get(&site, path, &[]);
        assert_eq!(response.status(), StatusCode::NOT_FOUND, "{path}");
    }
}

#[cfg(unix)]
#[tokio::test]
async fn symbolic_links_out_of_the_folder_are_not_followed() {
    let site = site();
    let link = site.folder.path().join("dist/leak.txt");
    std::os::unix::fs::symlink(site.folder.path().join("secret.txt"), link).unwrap();
    assert_eq!(get(&site, "/leak.txt", &[]).status(), StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn hashed_files_are_cached_for_a_year_in_the_accepted_encoding() {
    let site = site();
    let mut tags = Vec::new();
    for (accept, encoding, content) in [
        ("gzip, br", "br", "brotli"),
        ("gzip", "gzip", "gzip"),
        ("identity", "", "plain"),
    ] {
        let response = get(&site, "/assets/index-abc123.js", &[(header::ACCEPT_ENCODING, accept)]);
        assert_eq!(
            header_of(&response, "cache-control"),
            "public, max-age=31536000, immutable"
        );
        assert_eq!(header_of(&response, "content-type"), "text/javascript; charset=utf-8");
        assert_eq!(header_of(&response, "content-encoding"), encoding);
        assert_eq!(header_of(&response, "vary"), "accept-encoding");
        tags.push(header_of(&response, "etag"));
        assert_eq!(body(response).await, content);
    }
    tags.dedup();
    assert_eq!(tags.len(), 3, "each encoding has its own tag");
    let plain = get(&site, "/favicon.svg", &[(header::ACCEPT_ENCODING, "br")]);
    assert_eq!(
        (header_of(&plain, "content-encoding"), header_of(&plain, "content-type")),
        (String::new(), "image/svg+xml".into())
    );
}

#[tokio::test]
async fn an_unchanged_page_is_not_sent_again() {
    let site = site();
    let tag = header_of(&get(&site, "/", &[PAGE]), "etag");
    for known in [tag.clone(), format!("W/{tag}"), format!("\"other\", {tag}"), "*".into()] {
        let response = get(&site, "/w/acme", &[PAGE, (header::IF_NONE_MATCH, &known)]);
        assert_eq!(response.status(), StatusCode::NOT_MODIFIED, "{known}");
        assert_eq!(header_of(&response, "etag"), tag);
        assert!(header_of(&response, "content-security-policy").contains("https://idp.example"));
        assert_eq!(body(response).await, "");
    }
    assert_eq!(
        get(&site, "/", &[PAGE, (header::IF_NONE_MATCH, "\"other\"")]).status(),
        StatusCode::OK
    );
}

#[tokio::test]
async fn callback_pages_can_be_framed_by_our_pages_and_keep_their_opener() {
    let site = site();
    for path in ["/auth/silent.html", "/auth/popup.html"] {
        let response = get(&site, path, &[PAGE]);
        assert_eq!(header_of(&response, "cache-control"), "no-store", "{path}");
        let policy = header_of(&response, "content-security-policy");
        assert!(
            policy.contains("frame-ancestors 'self'") && policy.contains("script-src 'self'"),
            "{policy}"
        );
        assert_eq!(header_of(&response, "cross-origin-opener-policy"), "", "{path}");
        assert_eq!(header_of(&response, "referrer-policy"), "no-referrer");
    }
    assert_eq!(
        header_of(&get(&site, "/auth/callback.js", &[]), "cache-control"),
        "no-cache"
    );
}

#[tokio::test]
async fn the_sign_in_callback_is_not_cached() {
    let site = site();
    let response = get(&site, "/auth/callback", &[PAGE]);
    assert_eq!(response.status(), StatusCode::OK);
    assert_eq!(header_of(&response, "cache-control"), "no-store");
    assert_eq!(header_of(&response, "referrer-policy"), "no-referrer");
    assert!(header_of(&response, "content-security-policy").contains("frame-ancestors 'none'"));
}

#[tokio::test]
async fn other_methods_are_rejected() {
    let response = site()
        .assets
        .respond(&Method::POST, "/", &HeaderMap::new(), &Origins::default());
    assert_eq!(response.status(), StatusCode::METHOD_NOT_ALLOWED);
    assert_eq!(header_of(&response, "allow"), "GET, HEAD");
}

#[tokio::test]
async fn a_server_without_a_client_explains_how_to_build_it() {
    let empty = tempfile::tempdir().unwrap();
    let assets = Assets::new(Files::from(empty.path().to_owned()), PageHeaders::new(true));
    let response = assets.respond(&Method::GET, "/", &HeaderMap::new(), &Origins::default());
    assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(header_of(&response, "strict-transport-security"), "max-age=31536000");
    assert!(body(response).await.contains("npm run build:client"));
    let robots = assets.respond(&Method::GET, "/robots.txt", &HeaderMap::new(), &Origins::default());
    assert_eq!(body(robots).await, NO_ROBOTS);
}

#[tokio::test]
async fn the_licenses_of_packages_and_crates_are_one_page() {
    let response = get(&site(), "/licenses.txt", &[]);
    assert_eq!(header_of(&response, "content-type"), "text/plain; charset=utf-8");
    let body = to_bytes(response.into_body(), 10_000_000).await.unwrap();
    let text = String::from_utf8(body.to_vec()).unwrap();
    assert!(text.starts_with("react 19 (MIT)"));
    assert!(text.contains("\ntokio 1") && text.contains("Permission is hereby granted"));
    assert!(
        !text.contains("waypost-server"),
        "crates of this repository have the license of Waypost"
    );
}
