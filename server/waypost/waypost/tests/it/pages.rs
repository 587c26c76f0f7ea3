use std::fs;

use reqwest::{Client, Response, StatusCode, header, redirect::Policy};

use crate::support::{Server, provider};

fn header_of(response: &Response, name: &str) -> String {
    response
        .headers()
        .get(name)
        .map_or_else(String::new, |value| value.to_str().unwrap().to_owned())
}

#[tokio::test]
async fn pages_and_assets_are_served_with_their_headers() {
    let dist = tempfile::tempdir().unwrap();
    fs::create_dir_all(dist.path().join("assets")).unwrap();
    for (name, content) in [
        ("index.html", "<!doctype html>"),
        ("assets/app-1a2b3c.js", "plain"),
        ("assets/app-1a2b3c.js.br", "brotli"),
    ] {
        fs::write(dist.path().join(name), content).unwrap();
    }
    let issuer = provider().await;
    let server = Server::with(&issuer, &[("WAYPOST_CLIENT", dist.path().to_str().unwrap())]).await;
    // The policy includes the provider's endpoints.
    assert!(
        reqwest::get(format!("{}/readyz", server.url))
            .await
            .unwrap()
            .status()
            .is_success()
    );
    let http = Client::new();
    let get = async |path: &str, accept: &str| {
        http.get(format!("{}{path}", server.url))
            .header(header::ACCEPT, accept)
            .header(header::ACCEPT_ENCODING, "br")
            .send()
            .await
            .unwrap()
    };

    let page = get("/w/acme/tours", "text/html").await;
    assert_eq!(
        (page.status(), header_of(&page, "cache-control")),
        (StatusCode::OK, "no-cache".to_owned())
    );
    let policy = header_of(&page, "content-security-policy");
    assert!(
        policy.contains(&format!("connect-src 'self' {}; frame-src 'self' {0};", issuer.url)),
        "{policy}"
    );
    assert_eq!(header_of(&page, "x-request-id").len(), 32);
    let tag = header_of(&page, "etag");
    assert_eq!(page.text().await.unwrap(), "<!doctype html>");
    let again = http
        .get(&server.url)
        .header(header::IF_NONE_MATCH, tag)
        .send()
        .await
        .unwrap();
    assert_eq!(again.status(), StatusCode::NOT_MODIFIED);

    let script = get("/assets/app-1a2b3c.js", "*/*").await;
    assert_eq!(
        header_of(&script, "cache-control"),
        "public, max-age=31536000, immutable"
    );
    assert_eq!(header_of(&script, "content-encoding"), "br");
    assert_eq!(script.text().await.unwrap(), "brotli");

    let head = http
        .head(format!("{}/assets/app-1a2b3c.js", server.url))
        .send()
        .await
        .unwrap();
    assert_eq!(
        (head.status(), header_of(&head, "content-length")),
        (StatusCode::OK, "5".to_owned())
    );
    assert!(head.bytes().await.unwrap().is_empty());

    assert_eq!(
        get("/assets/app-000000.js", "text/html").await.status(),
        StatusCode::NOT_FOUND
    );
    assert_eq!(
        get("/..%2f..%2fCargo.toml", "text/html").await.status(),
        StatusCode::NOT_FOUND
    );
    assert_eq!(
        get("/robots.txt", "*/*").await.text().await.unwrap(),
        "User-agent: *\nDisallow: /\n"
    );
}

#[tokio::test]
async fn nothing_sets_a_cookie() {
    let issuer = provider().await;
    let server = Server::with(
        &issuer,
        &[("WAYPOST_OIDC_RELAY", "1"), ("WAYPOST_OIDC_CLIENT_SECRET", "s")],
    )
    .await;
    for path in [
        "/",
        "/sign-in",
        "/auth/callback",
        "/auth/silent.html",
        "/auth/oidc/oidc/openid-configuration",
        "/healthz",
    ] {
        let response = reqwest::get(format!("{}{path}", server.url)).await.unwrap();
        assert!(!response.headers().contains_key(header::SET_COOKIE), "{path}");
    }
    // Pages call the relay.
    let page = reqwest::get(&server.url).await.unwrap();
    assert!(
        header_of(&page, "content-security-policy").contains("connect-src 'self';"),
        "{page:?}"
    );
}

#[tokio::test]
async fn an_authorization_response_in_a_form_is_moved_into_the_query() {
    let issuer = provider().await;
    let server = Server::with(&issuer, &[]).await;
    let http = Client::builder().redirect(Policy::none()).build().unwrap();
    let post = async |path: &str, body: String| {
        http.post(format!("{}{path}", server.url))
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body(body)
            .send()
            .await
            .unwrap()
    };
    for path in ["/auth/callback", "/auth/popup.html", "/auth/silent.html"] {
        let response = post(path, "code=a%26b&state=%0D%0Ac".to_owned()).await;
        assert_eq!(response.status(), StatusCode::SEE_OTHER);
        assert_eq!(
            header_of(&response, "location"),
            format!("{path}?code=a%26b&state=%0D%0Ac")
        );
        assert_eq!(header_of(&response, "cache-control"), "no-store");
    }
    let long = post("/auth/callback", format!("code={}", "a".repeat(10_000))).await;
    assert_eq!(long.status(), StatusCode::PAYLOAD_TOO_LARGE);
    let other = post("/workspaces", "code=a".to_owned()).await;
    assert_eq!(other.status(), StatusCode::METHOD_NOT_ALLOWED);
}
