//! The token relay, as a browser and as everybody else would use it.

use std::sync::atomic::Ordering::SeqCst;

use reqwest::{RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};

use crate::support::{Server, ask, issuer::Issuer, provider};

/// What a page of the installation would send after a sign-in.
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

async fn relayed(issuer: &Issuer, further: &[(&str, &str)]) -> Server {
    let mut settings = vec![("WAYPOST_OIDC_RELAY", "1"), ("WAYPOST_OIDC_CLIENT_SECRET", "s&cret")];
    settings.extend(further);
    Server::with(issuer, &settings).await
}

fn sent(issuer: &Issuer) -> Vec<(String, String)> {
    issuer.state.sent.lock().unwrap().clone()
}

#[tokio::test]
async fn a_page_gets_its_tokens_with_a_secret_that_it_never_sees() {
    let issuer = provider().await;
    let server = relayed(&issuer, &[]).await;
    let offered = ask(&server.client(None), "Instance", json!({})).await["instance"]["providers"][0].clone();
    let metadata = offered["metadataUrl"].as_str().unwrap();
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
    assert_eq!(document["userinfo_endpoint"], Value::Null);

    let response = exchange(&server, &origin_of(&server)).send().await.unwrap();
    assert_eq!(response.status(), StatusCode::OK);
    assert_eq!(response.headers()["cache-control"], "no-store");
    assert_eq!(response.headers()["x-content-type-options"], "nosniff");
    assert!(!response.headers().contains_key("access-control-allow-origin"));
    assert_eq!(json_of(response).await["access_token"], "a");
    let (authorization, form) = sent(&issuer).remove(0);
    assert_eq!(authorization, "");
    assert!(
        form.contains("client_id=spa&client_secret=s%26cret") && form.contains("code_verifier=v"),
        "{form}"
    );
    assert!(!server.log().contains("s&cret") && !server.log().contains("code_verifier"));

    // What the provider says no to is handed on.
    *issuer.state.tokens.lock().unwrap() = (400, json!({"error": "invalid_grant"}));
    let response = exchange(&server, &origin_of(&server)).send().await.unwrap();
    assert_eq!(response.status(), StatusCode::BAD_REQUEST);
    assert_eq!(json_of(response).await["error"], "invalid_grant");
}

#[tokio::test]
async fn nobody_else_gets_anything() {
    let issuer = provider().await;
    let server = relayed(&issuer, &[]).await;
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

    let post = |body: &'static str, kind: &'static str| {
        reqwest::Client::new()
            .post(format!("{}/auth/oidc/oidc/token", server.url))
            .header("origin", &ours)
            .header("content-type", kind)
            .body(body)
            .send()
    };
    let form = "application/x-www-form-urlencoded";
    let good = "grant_type=refresh_token&refresh_token=r";
    for (body, kind, status) in [
        (good, "text/plain", StatusCode::BAD_REQUEST),
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
        assert_eq!(post(body, kind).await.unwrap().status(), status, "{body}");
    }
    let long: &'static str = format!("{good}&scope={}", "x".repeat(40_000)).leak();
    assert_eq!(post(long, form).await.unwrap().status(), StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(sent(&issuer).len(), 0, "nothing of that reached the provider");
    assert_eq!(
        post(good, "application/x-www-form-urlencoded; charset=utf-8")
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
async fn an_address_may_ask_two_hundred_times_a_minute() {
    let issuer = provider().await;
    let server = relayed(&issuer, &[]).await;
    // While they are counted, some are given back: how many depends on the machine, that there is an end does not.
    let mut answered = 0;
    let refusal = loop {
        let response = exchange(&server, &origin_of(&server)).send().await.unwrap();
        if response.status() == StatusCode::TOO_MANY_REQUESTS {
            break response;
        }
        answered += 1;
        assert!(answered < 5000, "there is no end");
    };
    assert!(answered >= 200, "{answered}");
    assert!(refusal.headers().contains_key("retry-after"));
}

#[tokio::test]
async fn an_outage_and_a_wrong_secret_are_not_the_persons_fault() {
    let issuer = provider().await;
    let server = relayed(&issuer, &[("WAYPOST_OIDC_CLIENT_AUTH", "basic")]).await;
    *issuer.state.tokens.lock().unwrap() = (401, json!({"error": "invalid_client"}));
    let response = exchange(&server, &origin_of(&server)).send().await.unwrap();
    assert_eq!(response.status(), StatusCode::BAD_GATEWAY);
    assert_eq!(json_of(response).await["error"], "server_error");
    server.logged("refuses the secret of the client").await;
    let (authorization, form) = sent(&issuer).remove(0);
    assert_eq!(authorization, "Basic c3BhOnMlMjZjcmV0");
    assert!(!form.contains("client_"), "{form}");

    *issuer.state.tokens.lock().unwrap() = (500, json!({}));
    let response = exchange(&server, &origin_of(&server)).send().await.unwrap();
    assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert!(response.headers().contains_key("retry-after"));
    assert_eq!(json_of(response).await["error"], "temporarily_unavailable");
}

#[tokio::test]
async fn without_the_setting_there_is_no_relay() {
    let issuer = provider().await;
    let server = Server::start(&issuer).await;
    let response = exchange(&server, &origin_of(&server)).send().await.unwrap();
    assert_eq!(
        response.status(),
        StatusCode::METHOD_NOT_ALLOWED,
        "it is a page like any other"
    );
    let offered = ask(&server.client(None), "Instance", json!({})).await["instance"]["providers"][0].clone();
    assert_eq!(offered["metadataUrl"], Value::Null);
    assert_eq!(issuer.state.sent.lock().unwrap().len(), 0);
    assert!(issuer.state.questions.load(SeqCst) == 0);
}
