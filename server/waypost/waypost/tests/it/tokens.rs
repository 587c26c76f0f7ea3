use std::sync::atomic::Ordering::SeqCst;

use reqwest::{Response, StatusCode};
use serde_json::{Value, json};
use waypost_auth::dpop::ProofKey;

use crate::support::{
    Server, claims, expired,
    issuer::{header, now, sign, with},
    provider, request_body, run_operation, token,
};

async fn viewer(server: &Server, authorization: &str) -> Response {
    reqwest::Client::new()
        .post(format!("{}/graphql", server.url))
        .header("accept", "application/graphql-response+json")
        .header("authorization", authorization)
        .json(&request_body("Viewer", &json!({})))
        .send()
        .await
        .unwrap()
}

async fn code(response: Response) -> Value {
    extensions(response).await["code"].clone()
}

async fn extensions(response: Response) -> Value {
    let body: Value = serde_json::from_slice(&response.bytes().await.unwrap()).unwrap();
    body["errors"][0]["extensions"].clone()
}

#[tokio::test]
async fn invalid_tokens_are_rejected_with_a_code() {
    let issuer = provider().await;
    let server = Server::start(&issuer).await;
    let foreign = sign(
        0,
        &header("k1"),
        &with(claims(&issuer, "ada"), "aud", json!("another-api")),
    );
    let valid = token(&issuer, "ada");
    let unsigned = format!("eyJhbGciOiJub25lIn0.{}.", valid.split('.').nth(1).unwrap());
    let forged = sign(1, &header("k1"), &claims(&issuer, "ada"));
    let id_token = sign(0, &header("k1"), &with(claims(&issuer, "ada"), "at_hash", json!("x")));
    for (case, invalid) in [
        ("expired", expired(&issuer, "ada")),
        ("for another audience", foreign),
        ("unsigned", unsigned),
        ("signed with another key", forged),
        ("an ID token", id_token),
        ("opaque", "abcdef".to_owned()),
    ] {
        let response = viewer(&server, &format!("Bearer {invalid}")).await;
        assert_eq!(response.status(), StatusCode::UNAUTHORIZED, "{case}");
        assert!(
            response.headers()["www-authenticate"]
                .to_str()
                .unwrap()
                .contains("invalid_token"),
            "{case}"
        );
        let extensions = extensions(response).await;
        assert_eq!(extensions["code"], "UNAUTHENTICATED", "{case}");
        assert_eq!(extensions["unsupportedToken"] == true, case == "opaque", "{case}");
        assert!(!server.log().contains(invalid.as_str()), "the log contains a token");
    }
    for reason in [
        "The access token has expired.",
        "The access token was issued for another service.",
        "The access token is opaque, so it cannot be verified as a JWT. Set WAYPOST_OIDC_RESOURCE, or \
         WAYPOST_OIDC_TOKEN=introspection|id_token|userinfo; see `waypost doctor oidc`.",
    ] {
        server.logged(reason).await;
    }
    let response = viewer(&server, &format!("bearer {valid}")).await;
    assert_eq!(response.status(), StatusCode::OK);
    assert!(!server.log().contains(&valid), "the log contains a token");
}

#[tokio::test]
async fn an_outage_of_the_provider_is_not_an_authentication_error() {
    let issuer = provider().await;
    issuer.state.down.store(true, SeqCst);
    let server = Server::start(&issuer).await;
    let response = viewer(&server, &format!("Bearer {}", token(&issuer, "ada"))).await;
    assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert!(response.headers().contains_key("retry-after"));
    assert_eq!(code(response).await, "UNAVAILABLE");
    // Operations without sign-in still work.
    let instance = run_operation(&server.client(None), "Instance", json!({})).await;
    assert_eq!(instance["instance"]["providers"][0]["issuer"], issuer.url.as_str());
}

#[tokio::test]
async fn the_same_subject_at_two_providers_is_two_accounts() {
    let (first, second) = (provider().await, provider().await);
    let settings = [
        ("WAYPOST_OIDC_2_ISSUER", second.url.as_str()),
        ("WAYPOST_OIDC_2_CLIENT_ID", "other-spa"),
        ("WAYPOST_OIDC_2_AUDIENCE", "api"),
        ("WAYPOST_OIDC_2_NAME", "Partner"),
    ];
    let server = Server::with(&first, &settings).await;
    let instance = run_operation(&server.client(None), "Instance", json!({})).await["instance"].clone();
    assert_eq!(instance["providers"][1]["name"], "Partner");
    assert_ne!(instance["providers"][0]["id"], instance["providers"][1]["id"]);
    let account = async |issuer| {
        let client = server.client(Some(token(issuer, "ada")));
        run_operation(&client, "Viewer", json!({})).await["viewer"]["account"]["id"].clone()
    };
    assert_ne!(account(&first).await, account(&second).await);
    assert_eq!(account(&first).await, account(&first).await);
}

#[tokio::test]
async fn a_role_removed_at_the_provider_ends_with_the_next_token() {
    let issuer = provider().await;
    let settings = [
        ("WAYPOST_SAMPLE", "tours"),
        ("WAYPOST_OIDC_ROLES", "/realm_access/roles"),
        (
            "WAYPOST_OIDC_GRANTS",
            "cn=writers,ou=groups=acme:author; ops=acme:publisher",
        ),
    ];
    let server = Server::with(&issuer, &settings).await;
    let token = |issued_at: u64, roles: Value| {
        let claims = with(claims(&issuer, "ada"), "iat", json!(issued_at));
        sign(
            0,
            &header("k1"),
            &with(claims, "realm_access", json!({ "roles": roles })),
        )
    };
    let role = async |token: &str| {
        let client = server.client(Some(token.to_owned()));
        run_operation(&client, "Viewer", json!({})).await["viewer"]["memberships"][0]["role"].clone()
    };
    let before = token(now() - 60, json!(["cn=writers,ou=groups", "staff"]));
    assert_eq!(role(&before).await, "AUTHOR");
    let promoted = token(now() - 40, json!(["cn=writers,ou=groups", "ops"]));
    assert_eq!(role(&promoted).await, "PUBLISHER");
    let after = token(now() - 20, json!([]));
    assert_eq!(role(&after).await, Value::Null);
    assert_eq!(
        role(&promoted).await,
        Value::Null,
        "the earlier token is still valid, but its role is not"
    );
}

#[tokio::test]
async fn a_token_in_the_url_is_ignored() {
    let issuer = provider().await;
    let server = Server::start(&issuer).await;
    let response = reqwest::Client::new()
        .post(format!("{}/graphql?access_token={}", server.url, token(&issuer, "ada")))
        .header("accept", "application/graphql-response+json")
        .json(&request_body("Viewer", &json!({})))
        .send()
        .await
        .unwrap();
    assert_eq!(code(response).await, "UNAUTHENTICATED");
    assert!(
        !server.log().contains("access_token"),
        "the log contains a URL with a token"
    );
}

#[tokio::test]
async fn bound_tokens_need_a_proof_with_a_nonce_of_any_process() {
    let issuer = provider().await;
    let folder = tempfile::tempdir().unwrap();
    let settings = [
        ("WAYPOST_OIDC_DPOP", "1"),
        ("WAYPOST_PUBLIC_URL", "https://tours.example"),
        ("WAYPOST_TRUST_PROXY", "1"),
    ];
    let server = Server::on(&issuer, folder.path(), &settings).await;
    let key = ProofKey::generate().unwrap();
    let confirmation = json!({ "jkt": key.thumbprint() });
    let bound = sign(0, &header("k1"), &with(claims(&issuer, "ada"), "cnf", confirmation));
    let send = async |server: &Server, nonce: Option<&str>| {
        let url = "https://tours.example/graphql";
        let claims = ProofKey::claims("POST", url, Some(&bound), nonce, now()).unwrap();
        reqwest::Client::new()
            .post(format!("{}/graphql", server.url))
            .header("accept", "application/graphql-response+json")
            .header("authorization", format!("DPoP {bound}"))
            .header("dpop", key.sign(&claims).unwrap())
            .json(&request_body("Viewer", &json!({})))
            .send()
            .await
            .unwrap()
    };
    let first = send(&server, None).await;
    assert_eq!(first.status(), StatusCode::UNAUTHORIZED);
    assert!(
        first.headers()["www-authenticate"]
            .to_str()
            .unwrap()
            .starts_with(r#"DPoP error="use_dpop_nonce""#)
    );
    let nonce = first.headers()["dpop-nonce"].to_str().unwrap().to_owned();
    assert_eq!(send(&server, Some(&nonce)).await.status(), StatusCode::OK);
    for (case, rejected) in [("bound", &bound), ("not bound", &token(&issuer, "ada"))] {
        let response = viewer(&server, &format!("Bearer {rejected}")).await;
        assert_eq!(response.status(), StatusCode::UNAUTHORIZED, "{case}");
    }
    drop(server);
    // Other processes and restarts accept nonces.
    let restarted = Server::on(&issuer, folder.path(), &settings).await;
    assert_eq!(send(&restarted, Some(&nonce)).await.status(), StatusCode::OK);
}
