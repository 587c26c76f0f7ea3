use std::sync::atomic::Ordering::SeqCst;

use reqwest::{RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};

use crate::support::{Server, issuer::Issuer, provider, run_operation};

fn exchange(server: &Server, origin: &str) -> RequestBuilder {
    reqwest::Client::new()
        .post(format!("{}/auth/oidc/oidc/token", server.url))
        .header("origin", origin)
        .form(&[
            ("grant_type", "authorization_code"),
            ("client_id", "spa"),
            ("code", "c"),
            ("code_verifier", "v"),
            ("redirect_uri", &format!("{}/auth/callback", origin_of(server))),
        ])
}

fn origin_of(server: &Server) -> String {
    server.url.replace("127.0.0.1", "localhost")
}

async fn json_of(response: Response) -> Value {
    serde_json::from_slice(&response.bytes().await.unwrap()).unwrap()
}

async fn server_with_relay(issuer: &Issuer, settings: &[(&str, &str)]) -> Server {
    let mut all = vec![("WAYPOST_OIDC_RELAY", "1"), ("WAYPOST_OIDC_CLIENT_SECRET", "s&cret")];
    all.extend(settings);
    Server::with(issuer, &all).await
}

fn token_requests(issuer: &Issuer) -> Vec<(String, String)> {
    issuer.state.token_requests.lock().unwrap().clone()
}

#[tokio::test]
async fn pages_receive_tokens_without_knowing_the_client_secret() {
    let issuer = provider().await;
    let server = server_with_relay(&issuer, &[]).await;
    let provider = run_operation(&server.client(None), "Instance", json!({})).await["instance"]["providers"][0].clone();
    let metadata = provider["metadataUrl"].as_str().unwrap();
    assert_eq!(
        metadata,
        format!("{}/auth/oidc/oidc/openid-configuration", origin_of(&server))
    );
    let document = json_of(reqwest::get(metadata.replace("localhost", "127.0.0.1")).await.unwrap()).await;
    assert_eq!(document["issuer"], issuer.url.as_str());
    assert_eq!(document["authorization_endpoint"], format!("{}/authorize", issuer.url));
    assert_eq!(
        document["token_endpoint"],
        format!("{}/auth/oidc/oidc/token", origin_of(&server))
    );
    assert_eq!(
        document["userinfo_endpoint"],
        format!("{}/auth/oidc/oidc/userinfo", origin_of(&server))
    );

    let response = exchange(&server, &origin_of(&server)).send().await.unwrap();
    assert_eq!(response.status(), StatusCode::OK);
    assert_eq!(response.headers()["cache-control"], "no-store");
    assert_eq!(response.headers()["x-content-type-options"], "nosniff");
    assert!(!response.headers().contains_key("access-control-allow-origin"));
    assert_eq!(json_of(response).await["access_token"], "a");
    let (authorization, form) = token_requests(&issuer).remove(0);
    assert_eq!(authorization, "");
    assert!(
        form.contains("client_id=spa&client_secret=s%26cret") && form.contains("code_verifier=v"),
        "{form}"
    );
    assert!(!server.log().contains("s&cret") && !server.log().contains("code_verifier"));

    // The relay passes on errors of the provider.
    *issuer.state.tokens.lock().unwrap() = (400, json!({"error": "invalid_grant"}));
    let response = exchange(&server, &origin_of(&server)).send().await.unwrap();
    assert_eq!(response.status(), StatusCode::BAD_REQUEST);
    assert_eq!(json_of(response).await["error"], "invalid_grant");
}

#[tokio::test]
async fn requests_from_other_origins_and_other_grants_are_rejected() {
    let issuer = provider().await;
    let server = server_with_relay(&issuer, &[]).await;
    let ours = origin_of(&server);
    for foreign in [
        "https://evil.test",
        "null",
        "",
        &format!("{ours}.evil.test"),
        &format!("{ours}/"),
        &ours.to_uppercase(),
        &server.url,
    ] {
        let response = exchange(&server, foreign).send().await.unwrap();
        assert_eq!(response.status(), StatusCode::FORBIDDEN, "{foreign}");
    }
    let twice = exchange(&server, &ours).header("origin", "https://evil.test");
    assert_eq!(twice.send().await.unwrap().status(), StatusCode::FORBIDDEN);
    let cross = exchange(&server, &ours).header("sec-fetch-site", "cross-site");
    assert_eq!(cross.send().await.unwrap().status(), StatusCode::FORBIDDEN);

    let post = |body: &'static str, content_type: &'static str| {
        reqwest::Client::new()
            .post(format!("{}/auth/oidc/oidc/token", server.url))
            .header("origin", &ours)
            .header("content-type", content_type)
            .body(body)
            .send()
    };
    let form = "application/x-www-form-urlencoded";
    let valid = "grant_type=refresh_token&refresh_token=r";
    for (body, content_type, status) in [
        (valid, "text/plain", StatusCode::BAD_REQUEST),
        (
            "grant_type=password&username=a&password=b",
            form,
            StatusCode::BAD_REQUEST,
        ),
        ("grant_type=client_credentials", form, StatusCode::BAD_REQUEST),
        (
            "grant_type=refresh_token&refresh_token=r&client_id=other",
            form,
            StatusCode::BAD_REQUEST,
        ),
    ] {
        assert_eq!(post(body, content_type).await.unwrap().status(), status, "{body}");
    }
    let long: &'static str = format!("{valid}&scope={}", "x".repeat(40_000)).leak();
    assert_eq!(post(long, form).await.unwrap().status(), StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(
        token_requests(&issuer).len(),
        0,
        "rejected requests must not reach the provider"
    );
    assert_eq!(
        post(valid, "application/x-www-form-urlencoded; charset=utf-8")
            .await
            .unwrap()
            .status(),
        StatusCode::OK
    );

    let unknown = format!("{}/auth/oidc/oidc-2/token", server.url);
    let response = reqwest::Client::new()
        .post(unknown)
        .header("origin", &ours)
        .send()
        .await
        .unwrap();
    assert_eq!(response.status(), StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn each_address_is_limited_to_two_hundred_requests_a_minute() {
    let issuer = provider().await;
    let server = server_with_relay(&issuer, &[]).await;
    // The limit refills, so a slow machine sends more before it is reached.
    let mut accepted = 0;
    let rejection = loop {
        let response = exchange(&server, &origin_of(&server)).send().await.unwrap();
        if response.status() == StatusCode::TOO_MANY_REQUESTS {
            break response;
        }
        accepted += 1;
        assert!(accepted < 5000, "there is no limit");
    };
    assert!(accepted >= 200, "{accepted}");
    assert!(rejection.headers().contains_key("retry-after"));
}

#[tokio::test]
async fn outages_and_wrong_client_secrets_are_server_errors() {
    let issuer = provider().await;
    let server = server_with_relay(&issuer, &[("WAYPOST_OIDC_CLIENT_AUTH", "basic")]).await;
    *issuer.state.tokens.lock().unwrap() = (401, json!({"error": "invalid_client"}));
    let response = exchange(&server, &origin_of(&server)).send().await.unwrap();
    assert_eq!(response.status(), StatusCode::BAD_GATEWAY);
    assert_eq!(json_of(response).await["error"], "server_error");
    server.logged("rejects the client secret").await;
    let (authorization, form) = token_requests(&issuer).remove(0);
    assert_eq!(authorization, "Basic c3BhOnMlMjZjcmV0");
    assert!(!form.contains("client_"), "{form}");

    *issuer.state.tokens.lock().unwrap() = (500, json!({}));
    let response = exchange(&server, &origin_of(&server)).send().await.unwrap();
    assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert!(response.headers().contains_key("retry-after"));
    assert_eq!(json_of(response).await["error"], "temporarily_unavailable");
}

#[tokio::test]
async fn pages_read_userinfo_with_their_access_token() {
    let issuer = provider().await;
    let server = server_with_relay(&issuer, &[]).await;
    let request = || reqwest::Client::new().get(format!("{}/auth/oidc/oidc/userinfo", server.url));
    let response = request().send().await.unwrap();
    assert_eq!(response.status(), StatusCode::UNAUTHORIZED);
    assert_eq!(issuer.state.verification_requests.load(SeqCst), 0);

    let response = request().bearer_auth("unknown").send().await.unwrap();
    assert_eq!(response.status(), StatusCode::UNAUTHORIZED);
    assert_eq!(json_of(response).await["error"], "invalid_token");

    *issuer.state.userinfo.lock().unwrap() = (200, json!({"sub": "ada", "name": "Ada"}));
    let response = request().bearer_auth("known").send().await.unwrap();
    assert_eq!(response.status(), StatusCode::OK);
    assert_eq!(response.headers()["cache-control"], "no-store");
    assert!(!response.headers().contains_key("access-control-allow-origin"));
    assert_eq!(json_of(response).await, json!({"sub": "ada", "name": "Ada"}));

    *issuer.state.userinfo.lock().unwrap() = (500, json!({}));
    let response = request().bearer_auth("known").send().await.unwrap();
    assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
}

#[tokio::test]
async fn without_the_setting_there_is_no_relay() {
    let issuer = provider().await;
    let server = Server::start(&issuer).await;
    let response = exchange(&server, &origin_of(&server)).send().await.unwrap();
    assert_eq!(
        response.status(),
        StatusCode::METHOD_NOT_ALLOWED,
        "the path belongs to the client's pages"
    );
    let provider = run_operation(&server.client(None), "Instance", json!({})).await["instance"]["providers"][0].clone();
    assert_eq!(provider["metadataUrl"], Value::Null);
    assert_eq!(token_requests(&issuer).len(), 0);
    assert!(issuer.state.verification_requests.load(SeqCst) == 0);
}
