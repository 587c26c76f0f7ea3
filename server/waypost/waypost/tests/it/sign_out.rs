use reqwest::{Response, StatusCode};
use serde_json::{Value, json};

use crate::support::{
    Server, claims,
    issuer::{Issuer, header, now, sign, with},
    provider, request_body, run_operation, token,
};

const SETTINGS: (&str, &str) = ("WAYPOST_OIDC_BACKCHANNEL_LOGOUT", "1");

fn session_token(issuer: &Issuer, name: &str, session: &str) -> String {
    sign(0, &header("k1"), &with(claims(issuer, name), "sid", json!(session)))
}

fn logout_token(issuer: &Issuer, id: &str, session: &str) -> String {
    let events = json!({"http://schemas.openid.net/event/backchannel-logout": {}});
    let claims = json!({
        "iss": issuer.url, "aud": "spa", "iat": now(), "exp": now() + 120, "jti": id, "sid": session, "events": events,
    });
    let header = jsonwebtoken::Header {
        typ: Some("logout+jwt".into()),
        ..header("k1")
    };
    sign(0, &header, &claims)
}

async fn report(server: &Server, token: &str) -> Response {
    post(server, "/auth/backchannel-logout", "logout_token", token).await
}

async fn sign_out(server: &Server, token: &str) -> Response {
    post(server, "/auth/sign-out", "token", token).await
}

async fn post(server: &Server, path: &str, field: &str, token: &str) -> Response {
    reqwest::Client::new()
        .post(format!("{}{path}", server.url))
        .form(&[(field, token)])
        .send()
        .await
        .unwrap()
}

async fn send(server: &Server, token: &str, operation: &str, variables: Value) -> Response {
    reqwest::Client::new()
        .post(format!("{}/graphql", server.url))
        .header(
            "accept",
            "multipart/mixed;subscriptionSpec=1.0, application/graphql-response+json",
        )
        .bearer_auth(token)
        .json(&request_body(operation, &variables))
        .send()
        .await
        .unwrap()
}

async fn json_of(response: Response) -> Value {
    serde_json::from_slice(&response.bytes().await.unwrap()).unwrap()
}

async fn create_site(server: &Server, token: &str) -> (Value, Value) {
    let client = server.client(Some(token.to_owned()));
    let input = json!({"input": {"name": "Crew", "slug": "crew"}});
    let workspace = run_operation(&client, "WorkspaceCreate", input).await["workspaceCreate"]["id"].clone();
    let input = json!({"input": {"workspaceId": workspace, "name": "Shop", "origins": ["https://shop.example"]}});
    let site = run_operation(&client, "SiteCreate", input).await["siteCreate"]["id"].clone();
    (workspace, site)
}

#[tokio::test]
async fn a_reported_sign_out_is_accepted_once_and_survives_a_restart() {
    let issuer = provider().await;
    let data = tempfile::tempdir().unwrap();
    let token = session_token(&issuer, "ada", "s1");
    let report_token = logout_token(&issuer, "j1", "s1");
    {
        let server = Server::on(&issuer, data.path(), &[SETTINGS]).await;
        assert_eq!(
            send(&server, &token, "Viewer", json!({})).await.status(),
            StatusCode::OK
        );
        let accepted = report(&server, &report_token).await;
        assert_eq!(accepted.status(), StatusCode::OK);
        assert_eq!(accepted.headers()["cache-control"], "no-store");
        for (case, token) in [
            ("used before", report_token.as_str()),
            ("an access token", &token),
            ("text", "a.b.c"),
        ] {
            let rejected = report(&server, token).await;
            assert_eq!(rejected.status(), StatusCode::BAD_REQUEST, "{case}");
            assert_eq!(rejected.headers()["cache-control"], "no-store", "{case}");
            assert_eq!(json_of(rejected).await["error"], "invalid_request", "{case}");
        }
    }
    let server = Server::on(&issuer, data.path(), &[SETTINGS]).await;
    let ended = send(&server, &token, "Viewer", json!({})).await;
    assert_eq!(ended.status(), StatusCode::UNAUTHORIZED);
    let extensions = json_of(ended).await["errors"][0]["extensions"].clone();
    assert_eq!(extensions["code"], "UNAUTHENTICATED");
    assert_eq!(extensions["sessionEnded"], true);
    assert_eq!(
        extensions["reason"],
        "The session of the access token has ended: the account signed out."
    );
    let other = session_token(&issuer, "ada", "s2");
    assert_eq!(
        send(&server, &other, "Viewer", json!({})).await.status(),
        StatusCode::OK
    );
}

#[tokio::test]
async fn without_the_setting_reports_of_sign_outs_are_not_accepted() {
    let issuer = provider().await;
    let server = Server::start(&issuer).await;
    let response = report(&server, &logout_token(&issuer, "j1", "s1")).await;
    assert!(!response.status().is_success(), "{}", response.status());
    let token = session_token(&issuer, "ada", "s1");
    assert_eq!(
        send(&server, &token, "Viewer", json!({})).await.status(),
        StatusCode::OK
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sign_out_ends_the_streams_of_its_session_in_all_processes() {
    let issuer = provider().await;
    let database = waypost_testkit::create_database();
    let settings = [SETTINGS, ("WAYPOST_DATABASE_URL", database.as_str())];
    let (first, second) = (
        Server::with(&issuer, &settings).await,
        Server::with(&issuer, &settings).await,
    );
    let workspace_owner = session_token(&issuer, "ada", "s0");
    let (_, site) = create_site(&first, &workspace_owner).await;
    let stream = async |server: &Server, token: &str| {
        let mut stream = send(server, token, "SiteChanged", json!({"id": site})).await;
        assert_eq!(stream.status(), StatusCode::OK);
        stream.chunk().await.unwrap().unwrap();
        stream
    };
    let mut kept = stream(&second, &workspace_owner).await;
    let without_session = token(&issuer, "ada");
    for (case, ended, sign_out) in [
        ("reported", session_token(&issuer, "ada", "s1"), None),
        ("by the account", session_token(&issuer, "ada", "s2"), Some(sign_out)),
        ("of a token without a session", without_session, Some(sign_out)),
    ] {
        let streams = [stream(&first, &ended).await, stream(&second, &ended).await];
        let response = match sign_out {
            Some(sign_out) => sign_out(&first, &ended).await,
            None => report(&first, &logout_token(&issuer, "j1", "s1")).await,
        };
        assert_eq!(response.status(), StatusCode::OK, "{case}");
        let response = send(&first, &ended, "Viewer", json!({})).await;
        assert_eq!(response.status(), StatusCode::UNAUTHORIZED, "{case}");
        for stream in streams {
            let rest = stream.text().await.unwrap();
            assert!(rest.contains(r#""sessionEnded":true"#), "{case}: {rest}");
        }
        let response = send(&second, &ended, "Viewer", json!({})).await;
        assert_eq!(response.status(), StatusCode::UNAUTHORIZED, "{case}");
    }
    assert!(kept.chunk().await.unwrap().is_some(), "another session of the account");
    // A used report is rejected by every process.
    let again = report(&second, &logout_token(&issuer, "j1", "s1")).await;
    assert_eq!(again.status(), StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn a_sign_out_needs_the_token_and_survives_a_restart() {
    let issuer = provider().await;
    let data = tempfile::tempdir().unwrap();
    let token = session_token(&issuer, "ada", "s1");
    {
        let server = Server::on(&issuer, data.path(), &[]).await;
        // Has ended already (RFC 7009, section 2.2).
        let forged = sign(1, &header("k1"), &with(claims(&issuer, "ada"), "sid", json!("s1")));
        for ineffective in ["a.b.c", &forged] {
            assert_eq!(sign_out(&server, ineffective).await.status(), StatusCode::OK);
        }
        let response = post(&server, "/auth/sign-out", "access_token", &token).await;
        assert_eq!(response.status(), StatusCode::BAD_REQUEST);
        let response = send(&server, &token, "Viewer", json!({})).await;
        assert_eq!(response.status(), StatusCode::OK);
        for _ in 0..2 {
            let response = sign_out(&server, &token).await;
            assert_eq!(response.status(), StatusCode::OK);
            assert_eq!(response.headers()["cache-control"], "no-store");
        }
        assert!(!server.log().contains(&token));
    }
    let server = Server::on(&issuer, data.path(), &[]).await;
    let response = send(&server, &token, "Viewer", json!({})).await;
    assert_eq!(response.status(), StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn a_page_learns_whether_the_provider_can_verify_its_id_token() {
    let issuer = provider().await;
    // The server itself needs no keys.
    let server = Server::with(&issuer, &[("WAYPOST_OIDC_TOKEN", "userinfo")]).await;
    for (id, expected) in [("oidc", json!(["k1"])), ("other", Value::Null)] {
        let response = reqwest::get(format!("{}/auth/sign-out/{id}/key-ids", server.url))
            .await
            .unwrap();
        assert_eq!(response.headers()["cache-control"], "no-store");
        assert_eq!(json_of(response).await, expected);
    }
}

#[tokio::test]
async fn a_critical_change_requires_a_recent_sign_in() {
    let issuer = provider().await;
    let server = Server::with(&issuer, &[("WAYPOST_OIDC_STEP_UP", "on")]).await;
    let signed_in = |ago: u64| {
        let claims = with(claims(&issuer, "ada"), "auth_time", json!(now() - ago));
        sign(0, &header("k1"), &claims)
    };
    let (_, site) = create_site(&server, &signed_in(0)).await;
    let rotate = async |token: &str| send(&server, token, "SiteKeyRotate", json!({"id": site})).await;
    let without = sign(0, &header("k1"), &claims(&issuer, "ada"));
    for (case, token) in [("ten minutes ago", signed_in(600)), ("unknown", without.clone())] {
        let response = rotate(&token).await;
        assert_eq!(response.status(), StatusCode::UNAUTHORIZED, "{case}");
        assert_eq!(
            response.headers()["www-authenticate"],
            r#"Bearer error="insufficient_user_authentication", max_age="300""#
        );
        let error = json_of(response).await["errors"][0].clone();
        assert_eq!(error["extensions"]["code"], "STEP_UP_REQUIRED", "{case}");
        assert_eq!(error["extensions"]["slots"]["seconds"], "300", "{case}");
    }
    assert_eq!(rotate(&signed_in(60)).await.status(), StatusCode::OK);
    // An account without access does not have to sign in again.
    let stranger = sign(0, &header("k1"), &claims(&issuer, "eve"));
    assert_eq!(rotate(&stranger).await.status(), StatusCode::NOT_FOUND);
    // Other changes do not require it.
    assert_eq!(
        send(&server, &without, "Viewer", json!({})).await.status(),
        StatusCode::OK
    );
}

#[tokio::test]
async fn a_critical_change_requires_a_sign_in_of_a_configured_class() {
    let issuer = provider().await;
    let settings = [("WAYPOST_OIDC_STEP_UP", "on"), ("WAYPOST_OIDC_ACR_VALUES", "phrh phr")];
    let server = Server::with(&issuer, &settings).await;
    let signed_in = |acr: &str, ago: u64| {
        let claims = with(claims(&issuer, "ada"), "auth_time", json!(now() - ago));
        sign(0, &header("k1"), &with(claims, "acr", json!(acr)))
    };
    let (_, site) = create_site(&server, &signed_in("0", 0)).await;
    let rotate = async |token: &str| send(&server, token, "SiteKeyRotate", json!({"id": site})).await;
    // One further sign-in must meet both requirements.
    for (acr, ago) in [("0", 60), ("0", 600), ("phr", 600), ("phrh phr", 60)] {
        let response = rotate(&signed_in(acr, ago)).await;
        assert_eq!(
            response.headers()["www-authenticate"],
            r#"Bearer error="insufficient_user_authentication", acr_values="phrh phr", max_age="300""#
        );
        let error = json_of(response).await["errors"][0].clone();
        assert_eq!(error["extensions"]["code"], "STEP_UP_REQUIRED", "{acr}");
        assert_eq!(
            error["extensions"]["slots"],
            json!({"seconds": "300", "acr": "phrh phr"}),
            "{acr}"
        );
    }
    for acr in ["phr", "phrh"] {
        assert_eq!(rotate(&signed_in(acr, 60)).await.status(), StatusCode::OK, "{acr}");
    }
}
