//! The provider over HTTP, as browsers and the client use it.

#![allow(clippy::unwrap_used)]

use std::time::Duration;

use reqwest::{RequestBuilder, Response, StatusCode, redirect::Policy};
use serde_json::Value;
use tempfile::TempDir;
use tokio::{net::TcpListener, task::JoinHandle};
use url::Url;
use waypost_auth::{Clock, ProviderConfig, Reject, Verifier};
use waypost_demo::{CLIENT_ID, Provider, RESOURCE, SCOPE};

/// RFC 7636, appendix B.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

struct Demo {
    http: reqwest::Client,
    origin: String,
    port: u16,
    clock: Clock,
    folder: TempDir,
    server: JoinHandle<()>,
}

/// A browser without a session at first.
#[derive(Default)]
struct Browser {
    cookie: Option<String>,
}

impl Demo {
    async fn start() -> Self {
        Self::on(tempfile::tempdir().unwrap(), 0, Clock::manual()).await
    }

    async fn on(folder: TempDir, port: u16, clock: Clock) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", port)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let origin = format!("http://localhost:{port}");
        let file = folder.path().join("demo.json");
        let provider = Provider::open(&Url::parse(&origin).unwrap(), &file, clock.clone()).unwrap();
        let server = tokio::spawn(async move { axum::serve(listener, provider.router()).await.unwrap() });
        let http = reqwest::Client::builder()
            .redirect(Policy::none())
            .no_proxy()
            .resolve("localhost", ([127, 0, 0, 1], 0).into())
            .build()
            .unwrap();
        Self {
            http,
            origin,
            port,
            clock,
            folder,
            server,
        }
    }

    async fn restarted(self) -> Self {
        self.server.abort();
        let _aborted = self.server.await;
        Self::on(self.folder, self.port, self.clock).await
    }

    fn url(&self, path: &str) -> String {
        format!("{}/auth/demo/{path}", self.origin)
    }

    /// Returns an authorization request of the client, with changed parameters. An empty value omits one.
    fn query(&self, changes: &[(&str, &str)]) -> String {
        let redirect_uri = format!("{}/auth/callback", self.origin);
        let mut parameters = vec![
            ("client_id", CLIENT_ID),
            ("redirect_uri", &redirect_uri),
            ("response_type", "code"),
            ("scope", SCOPE),
            ("resource", RESOURCE),
            ("state", "s&1"),
            ("nonce", "n"),
            ("code_challenge", CHALLENGE),
            ("code_challenge_method", "S256"),
        ];
        for (name, value) in changes {
            parameters.retain(|(other, _)| other != name);
            if !value.is_empty() {
                parameters.push((name, value));
            }
        }
        url::form_urlencoded::Serializer::new(String::new())
            .extend_pairs(parameters)
            .finish()
    }

    async fn authorize(&self, browser: &Browser, changes: &[(&str, &str)]) -> Response {
        let request = self
            .http
            .get(format!("{}?{}", self.url("authorize"), self.query(changes)));
        browser.send(request).await
    }

    async fn choose(&self, browser: &mut Browser, account: &str) -> Response {
        let form = [("request", self.query(&[])), ("account", account.to_owned())];
        let request = self.http.post(self.url("sign-in")).header("origin", &self.origin);
        let response = browser.send(request.form(&form)).await;
        if let Some(cookie) = response.headers().get("set-cookie") {
            let (cookie, attributes) = cookie.to_str().unwrap().split_once(';').unwrap();
            assert_eq!(attributes, " Path=/auth/demo; HttpOnly; SameSite=Lax");
            browser.cookie = Some(cookie.to_owned());
        }
        response
    }

    async fn sign_in(&self, browser: &mut Browser, account: &str) -> Value {
        let code = code(&self.choose(browser, account).await);
        self.redeem(&code, &[]).await.unwrap()
    }

    async fn redeem(&self, code: &str, changes: &[(&str, &str)]) -> Result<Value, String> {
        let redirect_uri = format!("{}/auth/callback", self.origin);
        let mut form = vec![
            ("grant_type", "authorization_code"),
            ("client_id", CLIENT_ID),
            ("code", code),
            ("redirect_uri", &redirect_uri),
            ("code_verifier", VERIFIER),
        ];
        for (name, value) in changes {
            form.retain(|(other, _)| other != name);
            form.push((name, value));
        }
        self.token(&form).await
    }

    async fn refresh(&self, token: &Value) -> Result<Value, String> {
        let token = token.as_str().unwrap();
        self.token(&[
            ("grant_type", "refresh_token"),
            ("client_id", CLIENT_ID),
            ("refresh_token", token),
        ])
        .await
    }

    async fn token(&self, form: &[(&str, &str)]) -> Result<Value, String> {
        let response = self.http.post(self.url("token")).form(form).send().await.unwrap();
        let status = response.status();
        let body: Value = response.json().await.unwrap();
        match body["error"].as_str() {
            None => Ok(body),
            Some(error) => Err(format!("{} {error}", status.as_u16())),
        }
    }

    fn verifier(&self) -> Verifier {
        let provider = ProviderConfig {
            step_up: true,
            ..ProviderConfig::new(format!("{}/auth/demo", self.origin), RESOURCE)
        };
        Verifier::new(waypost_auth::Config {
            providers: vec![provider],
            ..waypost_auth::Config::default()
        })
        .unwrap()
    }
}

impl Browser {
    async fn send(&self, mut request: RequestBuilder) -> Response {
        if let Some(cookie) = &self.cookie {
            request = request.header("cookie", format!("other=1; {cookie}"));
        }
        request.send().await.unwrap()
    }
}

/// Returns a parameter of the response that the browser takes to the client.
fn returned(response: &Response, name: &str) -> Option<String> {
    let location = response.headers().get("location")?.to_str().unwrap();
    let location = Url::parse(location).unwrap();
    location
        .query_pairs()
        .find(|(key, _)| key == name)
        .map(|(_, value)| value.into_owned())
}

fn code(response: &Response) -> String {
    assert_eq!(response.status(), StatusCode::SEE_OTHER);
    returned(response, "code").unwrap()
}

fn claims(token: &Value) -> Value {
    let payload = token.as_str().unwrap().split('.').nth(1).unwrap();
    let payload = base64::Engine::decode(&base64::engine::general_purpose::URL_SAFE_NO_PAD, payload).unwrap();
    serde_json::from_slice(&payload).unwrap()
}

#[tokio::test]
async fn a_chosen_account_gets_tokens_that_the_server_accepts() {
    let demo = Demo::start().await;
    let mut browser = Browser::default();
    let page = demo.authorize(&browser, &[]).await;
    assert_eq!(page.status(), StatusCode::OK);
    let policy = page.headers()["content-security-policy"].to_str().unwrap();
    assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
    assert!(page.text().await.unwrap().contains("Ada Admin"));

    let response = demo.choose(&mut browser, "author").await;
    assert_eq!(returned(&response, "state").as_deref(), Some("s&1"));
    assert_eq!(
        returned(&response, "iss").unwrap(),
        format!("{}/auth/demo", demo.origin)
    );
    let tokens = demo.redeem(&code(&response), &[]).await.unwrap();

    let principal = demo
        .verifier()
        .verify(tokens["access_token"].as_str().unwrap())
        .await
        .unwrap();
    assert_eq!(principal.subject, "author");
    assert_eq!(principal.profile.name.as_deref(), Some("Otto Author"));
    assert_eq!(principal.roles, ["AUTHOR"]);
    assert_eq!(principal.authenticated_at, Some(demo.clock.unix()));
    let id_token = claims(&tokens["id_token"]);
    assert_eq!((&id_token["aud"], &id_token["nonce"]), (&CLIENT_ID.into(), &"n".into()));
    let rejected = demo.verifier().verify(tokens["id_token"].as_str().unwrap()).await;
    assert!(
        matches!(rejected, Err(Reject::Audience | Reject::IdToken)),
        "{rejected:?}"
    );
}

#[tokio::test]
async fn a_code_is_valid_once_for_its_request() {
    let demo = Demo::start().await;
    let mut browser = Browser::default();
    let other_uri = format!("{}/auth/popup.html", demo.origin);
    for (name, value) in [
        ("code_verifier", "wrong"),
        ("code_verifier", ""),
        ("redirect_uri", other_uri.as_str()),
    ] {
        let code = code(&demo.choose(&mut browser, "viewer").await);
        let refused = demo.redeem(&code, &[(name, value)]).await;
        assert_eq!(refused, Err("400 invalid_grant".to_owned()), "{name}={value}");
        assert_eq!(
            demo.redeem(&code, &[]).await,
            Err("400 invalid_grant".to_owned()),
            "after {name}={value}"
        );
    }
    let code_of_other = code(&demo.choose(&mut browser, "viewer").await);
    let refused = demo.redeem(&code_of_other, &[("client_id", "other")]).await;
    assert_eq!(refused, Err("400 invalid_client".to_owned()));
}

#[tokio::test]
async fn a_second_use_of_a_code_revokes_the_tokens_of_the_first() {
    let demo = Demo::start().await;
    let code = code(&demo.choose(&mut Browser::default(), "viewer").await);
    let tokens = demo.redeem(&code, &[]).await.unwrap();
    assert_eq!(demo.redeem(&code, &[]).await, Err("400 invalid_grant".to_owned()));
    assert_eq!(
        demo.refresh(&tokens["refresh_token"]).await,
        Err("400 invalid_grant".to_owned())
    );
}

#[tokio::test]
async fn a_code_expires_after_a_minute() {
    let demo = Demo::start().await;
    let mut browser = Browser::default();
    let (first, second) = (
        code(&demo.choose(&mut browser, "viewer").await),
        code(&demo.choose(&mut browser, "viewer").await),
    );
    demo.clock.advance(Duration::from_secs(59));
    demo.redeem(&first, &[]).await.unwrap();
    demo.clock.advance(Duration::from_secs(1));
    assert_eq!(demo.redeem(&second, &[]).await, Err("400 invalid_grant".to_owned()));
}

#[tokio::test]
async fn a_refresh_token_is_replaced_and_its_second_use_ends_the_grant() {
    let demo = Demo::start().await;
    let first = demo.sign_in(&mut Browser::default(), "publisher").await;
    let second = demo.refresh(&first["refresh_token"]).await.unwrap();
    let (before, after) = (claims(&first["id_token"]), claims(&second["id_token"]));
    assert_eq!(
        (&after["sub"], &after["sid"], &after["auth_time"]),
        (&before["sub"], &before["sid"], &before["auth_time"])
    );
    demo.verifier()
        .verify(second["access_token"].as_str().unwrap())
        .await
        .unwrap();

    assert_eq!(
        demo.refresh(&first["refresh_token"]).await,
        Err("400 invalid_grant".to_owned())
    );
    assert_eq!(
        demo.refresh(&second["refresh_token"]).await,
        Err("400 invalid_grant".to_owned())
    );
}

#[tokio::test]
async fn a_session_and_its_refresh_tokens_end_after_a_day() {
    let demo = Demo::start().await;
    let mut browser = Browser::default();
    let tokens = demo.sign_in(&mut browser, "viewer").await;
    demo.clock.advance(Duration::from_secs(24 * 3600));
    assert_eq!(
        demo.refresh(&tokens["refresh_token"]).await,
        Err("400 invalid_grant".to_owned())
    );
    let response = demo.authorize(&browser, &[("prompt", "none")]).await;
    assert_eq!(returned(&response, "error").as_deref(), Some("login_required"));
}

#[tokio::test]
async fn a_revoked_refresh_token_is_rejected() {
    let demo = Demo::start().await;
    let tokens = demo.sign_in(&mut Browser::default(), "viewer").await;
    let token = tokens["refresh_token"].as_str().unwrap();
    for token in [token, "unknown"] {
        let form = [("client_id", CLIENT_ID), ("token", token)];
        let response = demo.http.post(demo.url("revoke")).form(&form).send().await.unwrap();
        assert_eq!(response.status(), StatusCode::OK);
    }
    assert_eq!(
        demo.refresh(&tokens["refresh_token"]).await,
        Err("400 invalid_grant".to_owned())
    );
}

#[tokio::test]
async fn a_scope_without_offline_access_gets_no_refresh_token() {
    let demo = Demo::start().await;
    let mut browser = Browser::default();
    demo.sign_in(&mut browser, "viewer").await;
    let response = demo.authorize(&browser, &[("scope", "openid")]).await;
    let tokens = demo.redeem(&code(&response), &[]).await.unwrap();
    assert_eq!(tokens.get("refresh_token"), None);
}

#[tokio::test]
async fn nothing_is_sent_to_an_address_that_is_not_registered() {
    let demo = Demo::start().await;
    let mut browser = Browser::default();
    demo.sign_in(&mut browser, "admin").await;
    let unregistered = format!("{}/auth/not-registered", demo.origin);
    let suffixed = format!("{}/auth/callback?next=1", demo.origin);
    for changes in [
        [("redirect_uri", unregistered.as_str())],
        [("redirect_uri", suffixed.as_str())],
        [("redirect_uri", "https://evil.example/auth/callback")],
        [("redirect_uri", "")],
        [("client_id", "other")],
    ] {
        let response = demo.authorize(&browser, &changes).await;
        assert_eq!(response.status(), StatusCode::BAD_REQUEST, "{changes:?}");
        assert_eq!(response.headers().get("location"), None, "{changes:?}");
    }
    let twice = format!("{}?{}&client_id=other", demo.url("authorize"), demo.query(&[]));
    let response = browser.send(demo.http.get(twice)).await;
    assert_eq!(response.status(), StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn invalid_requests_are_returned_to_the_client() {
    let demo = Demo::start().await;
    for (name, value, error) in [
        ("response_type", "token", "unsupported_response_type"),
        ("response_mode", "fragment", "invalid_request"),
        ("scope", "profile", "invalid_scope"),
        ("resource", "urn:other", "invalid_target"),
        ("code_challenge", "", "invalid_request"),
        ("code_challenge_method", "plain", "invalid_request"),
        ("max_age", "soon", "invalid_request"),
        ("prompt", "none login", "invalid_request"),
        ("request", "e30.e30.", "request_not_supported"),
        ("prompt", "none", "login_required"),
    ] {
        let response = demo.authorize(&Browser::default(), &[(name, value)]).await;
        assert_eq!(returned(&response, "error").as_deref(), Some(error), "{name}={value}");
        assert_eq!(returned(&response, "state").as_deref(), Some("s&1"), "{name}={value}");
    }
}

#[tokio::test]
async fn a_session_answers_without_the_user_unless_the_request_forbids_it() {
    let demo = Demo::start().await;
    let mut browser = Browser::default();
    let tokens = demo.sign_in(&mut browser, "author").await;
    let other = demo.sign_in(&mut Browser::default(), "admin").await;
    demo.clock.advance(Duration::from_secs(100));
    let (hint, other_hint) = (
        tokens["id_token"].as_str().unwrap(),
        other["id_token"].as_str().unwrap(),
    );

    for (changes, is_answered) in [
        (vec![], true),
        (vec![("max_age", "100")], true),
        (vec![("id_token_hint", hint)], true),
        (vec![("max_age", "99")], false),
        (vec![("id_token_hint", other_hint)], false),
        (vec![("id_token_hint", "e30.e30.e30")], false),
    ] {
        let silent = [&changes[..], &[("prompt", "none")]].concat();
        let response = demo.authorize(&browser, &silent).await;
        assert_eq!(returned(&response, "code").is_some(), is_answered, "{silent:?}");
        let expected = (!is_answered).then_some("login_required");
        assert_eq!(returned(&response, "error").as_deref(), expected, "{silent:?}");
        let response = demo.authorize(&browser, &changes).await;
        assert_eq!(response.status() == StatusCode::OK, !is_answered, "{changes:?}");
    }
    for prompt in ["login", "select_account"] {
        let response = demo.authorize(&browser, &[("prompt", prompt)]).await;
        assert_eq!(response.status(), StatusCode::OK, "{prompt}");
    }
}

#[tokio::test]
async fn choosing_an_account_again_renews_the_sign_in_and_another_starts_a_session() {
    let demo = Demo::start().await;
    let mut browser = Browser::default();
    let first = claims(&demo.sign_in(&mut browser, "author").await["id_token"]);
    let old_cookie = browser.cookie.clone();
    demo.clock.advance(Duration::from_secs(100));
    let second = claims(&demo.sign_in(&mut browser, "author").await["id_token"]);
    assert_eq!(second["sid"], first["sid"]);
    assert_eq!(
        second["auth_time"].as_u64().unwrap(),
        first["auth_time"].as_u64().unwrap() + 100
    );
    let stale = Browser { cookie: old_cookie };
    let response = demo.authorize(&stale, &[("prompt", "none")]).await;
    assert_eq!(returned(&response, "error").as_deref(), Some("login_required"));

    let other = claims(&demo.sign_in(&mut browser, "admin").await["id_token"]);
    assert_ne!(other["sid"], first["sid"]);
}

#[tokio::test]
async fn forms_of_other_sites_are_rejected() {
    let demo = Demo::start().await;
    let form = [("request", demo.query(&[])), ("account", "admin".to_owned())];
    for path in ["sign-in", "sign-out"] {
        for origin in [None, Some("null"), Some("https://evil.example")] {
            let mut request = demo.http.post(demo.url(path)).form(&form);
            if let Some(origin) = origin {
                request = request.header("origin", origin);
            }
            let response = request.send().await.unwrap();
            assert_eq!(response.status(), StatusCode::BAD_REQUEST, "{path} {origin:?}");
            assert_eq!(response.headers().get("set-cookie"), None, "{path} {origin:?}");
        }
    }
    let unknown = demo.choose(&mut Browser::default(), "root").await;
    assert_eq!(unknown.status(), StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn pages_escape_the_request() {
    let demo = Demo::start().await;
    let get = async |query: &str| {
        let url = format!("{}?{query}", demo.url("authorize"));
        demo.http.get(url).send().await.unwrap().text().await.unwrap()
    };
    let accounts = get(&demo.query(&[])).await;
    assert!(accounts.contains("&amp;nonce=n&amp;"), "{accounts}");
    let twice = get("%3Cscript%3E=1&%3Cscript%3E=2").await;
    assert!(twice.contains("The parameter &lt;script&gt; occurs twice"), "{twice}");
}

#[tokio::test]
async fn the_page_is_in_german_if_the_browser_prefers_it() {
    let demo = Demo::start().await;
    for (languages, title) in [
        ("de-AT,de;q=0.9,en;q=0.8", "Konto auswählen"),
        ("fr,de;q=0.9", "Konto auswählen"),
        ("en-GB,de;q=0.9", "Choose an account"),
        ("ä", "Choose an account"),
    ] {
        let url = format!("{}?{}", demo.url("authorize"), demo.query(&[]));
        let request = demo.http.get(url).header("accept-language", languages);
        let page = request.send().await.unwrap().text().await.unwrap();
        assert!(page.contains(title), "{languages}");
    }
}

#[tokio::test]
async fn signing_out_ends_the_session_of_the_id_token() {
    let demo = Demo::start().await;
    let mut browser = Browser::default();
    let tokens = demo.sign_in(&mut browser, "admin").await;
    let id_token = tokens["id_token"].as_str().unwrap();
    let back = format!("{}/signed-out", demo.origin);
    let url = Url::parse_with_params(
        &demo.url("sign-out"),
        [
            ("id_token_hint", id_token),
            ("post_logout_redirect_uri", &back),
            ("state", "s"),
        ],
    )
    .unwrap();
    let response = browser.send(demo.http.get(url)).await;
    assert_eq!(response.headers()["location"], format!("{back}?state=s"));
    assert_eq!(
        demo.refresh(&tokens["refresh_token"]).await,
        Err("400 invalid_grant".to_owned())
    );
    let response = demo.authorize(&browser, &[("prompt", "none")]).await;
    assert_eq!(returned(&response, "error").as_deref(), Some("login_required"));
    let userinfo = demo
        .http
        .get(demo.url("userinfo"))
        .bearer_auth(tokens["access_token"].as_str().unwrap());
    assert_eq!(userinfo.send().await.unwrap().status(), StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn without_an_id_token_the_user_confirms_the_sign_out() {
    let demo = Demo::start().await;
    let mut browser = Browser::default();
    demo.sign_in(&mut browser, "admin").await;
    let silently = [("prompt", "none")];
    for (back, location) in [
        (format!("{}/signed-out", demo.origin), true),
        ("https://evil.example/".to_owned(), false),
    ] {
        let url = Url::parse_with_params(&demo.url("sign-out"), [("post_logout_redirect_uri", &back)]).unwrap();
        let query = url.query().unwrap().to_owned();
        let page = browser.send(demo.http.get(url)).await;
        assert_eq!(page.status(), StatusCode::OK);
        assert!(returned(&demo.authorize(&browser, &silently).await, "code").is_some());

        let confirm = demo.http.post(demo.url("sign-out")).header("origin", &demo.origin);
        let response = browser.send(confirm.form(&[("request", query)])).await;
        assert_eq!(response.headers().contains_key("location"), location, "{back}");
        assert!(
            response.headers()["set-cookie"]
                .to_str()
                .unwrap()
                .ends_with("; Max-Age=0")
        );
        let after = demo.authorize(&browser, &silently).await;
        assert_eq!(returned(&after, "error").as_deref(), Some("login_required"));
        demo.sign_in(&mut browser, "admin").await;
    }
}

#[tokio::test]
async fn userinfo_returns_the_claims_of_the_account() {
    let demo = Demo::start().await;
    let tokens = demo.sign_in(&mut Browser::default(), "viewer").await;
    let (access, id) = (
        tokens["access_token"].as_str().unwrap(),
        tokens["id_token"].as_str().unwrap(),
    );
    let request = |token: &str| demo.http.get(demo.url("userinfo")).bearer_auth(token).send();
    let claims: Value = request(access).await.unwrap().json().await.unwrap();
    assert_eq!(
        (&claims["sub"], &claims["email"]),
        (&"viewer".into(), &"viewer@waypost.example".into())
    );
    for token in [id, "e30.e30.e30", ""] {
        assert_eq!(
            request(token).await.unwrap().status(),
            StatusCode::UNAUTHORIZED,
            "{token}"
        );
    }
    demo.clock.advance(Duration::from_secs(300));
    assert_eq!(request(access).await.unwrap().status(), StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn users_stay_signed_in_when_the_server_starts_again() {
    let demo = Demo::start().await;
    let mut browser = Browser::default();
    let tokens = demo.sign_in(&mut browser, "admin").await;
    let secrets = [
        tokens["refresh_token"].as_str().unwrap(),
        browser.cookie.as_deref().unwrap(),
    ];
    let stored = std::fs::read_to_string(demo.folder.path().join("demo.json")).unwrap();
    for secret in secrets {
        let secret = secret.rsplit(['.', '=']).next().unwrap();
        assert!(!stored.contains(secret), "{stored}");
    }
    let demo = demo.restarted().await;
    demo.verifier()
        .verify(tokens["access_token"].as_str().unwrap())
        .await
        .unwrap();
    let renewed = demo.refresh(&tokens["refresh_token"]).await.unwrap();
    assert_eq!(claims(&renewed["id_token"])["sid"], claims(&tokens["id_token"])["sid"]);
    assert!(returned(&demo.authorize(&browser, &[("prompt", "none")]).await, "code").is_some());
}

#[tokio::test]
async fn the_data_of_a_demo_belongs_to_one_address() {
    let demo = Demo::start().await;
    let other = Url::parse("http://localhost:1").unwrap();
    let file = demo.folder.path().join("demo.json");
    let refused = Provider::open(&other, &file, Clock::system())
        .err()
        .unwrap()
        .to_string();
    assert!(
        refused.contains(&format!("belongs to {}/auth/demo", demo.origin)),
        "{refused}"
    );
    std::fs::write(&file, "{}").unwrap();
    let refused = Provider::open(&other, &file, Clock::system())
        .err()
        .unwrap()
        .to_string();
    assert!(
        refused.ends_with("is damaged, or another version wrote it"),
        "{refused}"
    );
}
