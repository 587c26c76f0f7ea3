//! `waypost doctor oidc` at a provider that is well, and at one that has each of the usual troubles.

use std::{collections::HashMap, process::Output};

use axum::{
    Router,
    extract::State,
    http::{HeaderMap, StatusCode, Uri},
    response::{Html, IntoResponse, Redirect, Response},
    routing::{get, post},
};
use serde_json::{Value, json};

use crate::support::{issuer::jwk, waypost};

const APP: &str = "http://localhost:4000";

/// A provider with one trouble, or with none.
#[derive(Clone)]
struct Patient {
    url: String,
    trouble: &'static str,
}

impl Patient {
    async fn with(trouble: &'static str) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://localhost:{}", listener.local_addr().unwrap().port());
        let patient = Self { url, trouble };
        let app = Router::new()
            .route("/.well-known/openid-configuration", get(discovery))
            .route("/jwks", get(jwks))
            .route("/authorize", get(authorize))
            .route("/login", get(login))
            .route("/token", post(token).options(preflight))
            .route("/introspect", post(introspect))
            .route("/watch", get(watch))
            .with_state(patient.clone());
        tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        patient
    }

    fn has(&self, trouble: &str) -> bool {
        self.trouble == trouble
    }
}

fn document(value: Value) -> Response {
    ([("content-type", "application/json")], value.to_string()).into_response()
}

async fn discovery(State(patient): State<Patient>) -> Response {
    let url = &patient.url;
    if patient.has("moved") {
        return Redirect::permanent("https://new.example/.well-known/openid-configuration").into_response();
    }
    if patient.has("no document") {
        return Html("<h1>Welcome</h1>").into_response();
    }
    let mut configuration = json!({
        "issuer": url, "jwks_uri": format!("{url}/jwks"), "authorization_endpoint": format!("{url}/authorize"),
        "token_endpoint": format!("{url}/token"), "end_session_endpoint": format!("{url}/logout"),
        "revocation_endpoint": format!("{url}/revoke"), "introspection_endpoint": format!("{url}/introspect"),
        "response_types_supported": ["code"], "code_challenge_methods_supported": ["S256"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "scopes_supported": ["openid", "profile", "email"], "id_token_signing_alg_values_supported": ["RS256"],
    });
    match patient.trouble {
        "other issuer" => configuration["issuer"] = json!(format!("{url}/")),
        "no code flow" => configuration["response_types_supported"] = json!(["id_token"]),
        "no pkce" => configuration["code_challenge_methods_supported"] = json!(["plain"]),
        "no refresh" => configuration["grant_types_supported"] = json!(["authorization_code"]),
        "no sign-out" => configuration["end_session_endpoint"] = Value::Null,
        "secrets" => configuration["id_token_signing_alg_values_supported"] = json!(["HS256", "none"]),
        "no introspection" => configuration["introspection_endpoint"] = Value::Null,
        "plain http" => configuration["token_endpoint"] = json!("http://login.example.com/token"),
        "watch refuses" | "watch allows" | "watch away" => {
            configuration["check_session_iframe"] = json!(format!("{url}/watch"));
        }
        "offline" => configuration["scopes_supported"] = json!(["openid", "profile", "email", "offline_access"]),
        _ => {}
    }
    let mut headers = HeaderMap::new();
    match patient.trouble {
        "unreadable" | "unreadable, tokens too" => None,
        "another's" => headers.insert("access-control-allow-origin", "https://other.example".parse().unwrap()),
        _ => headers.insert("access-control-allow-origin", "*".parse().unwrap()),
    };
    if patient.has("clock") {
        headers.insert("date", "Tue, 01 Jan 2030 00:00:00 GMT".parse().unwrap());
    }
    (headers, document(configuration)).into_response()
}

async fn jwks(State(patient): State<Patient>) -> Response {
    let keys = match patient.trouble {
        "shared key" => json!([{"kty": "oct", "k": "c2VjcmV0"}]),
        _ => json!([jwk(0, "k1")]),
    };
    document(json!({ "keys": keys })).into_response()
}

async fn authorize(State(patient): State<Patient>, uri: Uri) -> Response {
    let query: HashMap<_, _> = url::form_urlencoded::parse(uri.query().unwrap().as_bytes())
        .into_owned()
        .collect();
    let redirect = &query["redirect_uri"];
    let path = redirect.strip_prefix(APP).unwrap_or_default();
    let registered = match patient.trouble {
        "silent page missing" => ["/auth/callback", "/auth/popup.html"].contains(&path),
        "any redirect" => true,
        _ => ["/auth/callback", "/auth/popup.html", "/auth/silent.html"].contains(&path),
    };
    assert_eq!(query["code_challenge_method"], "S256");
    if !registered {
        let told = json!({"error": "invalid_request", "error_description": "redirect_uri is not registered"});
        return (StatusCode::BAD_REQUEST, document(told)).into_response();
    }
    let error = match patient.trouble {
        "wrong scope" => Some("invalid_scope"),
        "prompt ignored" => None,
        _ => (query.get("prompt").map(String::as_str) == Some("none")).then_some("login_required"),
    };
    match error {
        Some(error) => Redirect::to(&format!("{redirect}?error={error}&state={}", query["state"])).into_response(),
        None => Redirect::to("/login").into_response(),
    }
}

async fn login(State(patient): State<Patient>) -> Response {
    let mut headers = HeaderMap::new();
    if !patient.has("framed") {
        headers.insert("x-frame-options", "DENY".parse().unwrap());
    }
    if patient.has("isolated") {
        headers.insert("cross-origin-opener-policy", "same-origin".parse().unwrap());
    }
    (headers, Html("<h1>Sign in</h1>")).into_response()
}

async fn watch(State(patient): State<Patient>) -> Response {
    let header = match patient.trouble {
        "watch away" => return StatusCode::NOT_FOUND.into_response(),
        "watch refuses" => ("x-frame-options", "deny".to_owned()),
        _ => ("content-security-policy", format!("frame-ancestors {APP}")),
    };
    ([header], Html("<p>Watching")).into_response()
}

async fn token(State(patient): State<Patient>, headers: HeaderMap, form: String) -> Response {
    let mut answer = HeaderMap::new();
    if !["no cors", "unreadable, tokens too"].contains(&patient.trouble) && headers.contains_key("origin") {
        answer.insert("access-control-allow-origin", APP.parse().unwrap());
    }
    let secret = form.contains("client_secret=right");
    let error = match patient.trouble {
        "secret wanted" if !secret => "invalid_client",
        _ => "invalid_grant",
    };
    (StatusCode::BAD_REQUEST, answer, document(json!({"error": error}))).into_response()
}

async fn preflight() -> Response {
    (StatusCode::NO_CONTENT, [("access-control-allow-origin", "*")]).into_response()
}

async fn introspect(headers: HeaderMap) -> Response {
    match headers["authorization"].to_str().unwrap() {
        // api:right
        "Basic YXBpOnJpZ2h0" => document(json!({"active": false})).into_response(),
        _ => StatusCode::UNAUTHORIZED.into_response(),
    }
}

async fn doctor(issuer: &str, settings: &[(&'static str, &'static str)], arguments: &[&'static str]) -> Output {
    let mut command = waypost(&["doctor", "oidc"]);
    command
        .args(arguments)
        .env("WAYPOST_PUBLIC_URL", APP)
        .env("WAYPOST_OIDC_ISSUER", issuer)
        .env("WAYPOST_OIDC_CLIENT_ID", "spa")
        .env("WAYPOST_OIDC_AUDIENCE", "api")
        .envs(settings.iter().copied());
    tokio::task::spawn_blocking(move || command.output().unwrap())
        .await
        .unwrap()
}

/// The findings as `level check says -> cure`, one a line.
fn findings(output: &Output) -> Vec<String> {
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    report["providers"][0]["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| {
            let text = |name: &str| finding[name].as_str().unwrap_or_default().to_owned();
            format!(
                "{} {}: {} -> {}",
                text("level"),
                text("check"),
                text("says"),
                text("cure")
            )
        })
        .collect()
}

#[tokio::test]
async fn a_provider_that_is_well_gets_a_clean_bill() {
    let patient = Patient::with("").await;
    let output = doctor(&patient.url, &[], &[]).await;
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = String::from_utf8(output.stdout)
        .unwrap()
        .replace(&patient.url, "PROVIDER");
    insta::assert_snapshot!(text);
}

#[tokio::test]
async fn each_trouble_is_named_with_its_cure() {
    const WARNED: i32 = 0;
    const FAILED: i32 = 1;
    for (trouble, settings, code, expected) in [
        (
            "moved",
            &[][..],
            FAILED,
            "problem discovery: PROVIDER/.well-known/openid-configuration leads on to https://new.example",
        ),
        (
            "no document",
            &[],
            FAILED,
            "-> Set WAYPOST_OIDC_ISSUER to an issuer of the form",
        ),
        ("other issuer", &[], FAILED, "-> Set WAYPOST_OIDC_ISSUER=PROVIDER/."),
        (
            "no code flow",
            &[],
            FAILED,
            "problem flows: The provider does not offer the authorization code flow",
        ),
        (
            "no pkce",
            &[],
            FAILED,
            "problem pkce: The provider does not offer PKCE with S256",
        ),
        (
            "no refresh",
            &[],
            WARNED,
            "warning refresh: Refresh tokens are not offered",
        ),
        ("no sign-out", &[], WARNED, "or set WAYPOST_OIDC_LOGOUT=local."),
        (
            "no monitor",
            &[("WAYPOST_OIDC_MONITOR", "1")],
            WARNED,
            "warning monitor: Discovery names no `check_session_iframe`",
        ),
        (
            "watch away",
            &[("WAYPOST_OIDC_MONITOR", "1")],
            WARNED,
            "warning monitor: PROVIDER/watch answers 404 Not Found, so the provider's sessions cannot be watched. -> Set WAYPOST_OIDC_MONITOR=0.",
        ),
        (
            "watch refuses",
            &[("WAYPOST_OIDC_MONITOR", "1")],
            WARNED,
            "warning monitor: Pages of http://localhost:4000 may not frame PROVIDER/watch: it sends `X-Frame-Options: deny`. -> Have \
             the provider, or the proxy in front of it, send `Content-Security-Policy: frame-ancestors http://localhost:4000` instead",
        ),
        (
            "watch allows",
            &[("WAYPOST_OIDC_MONITOR", "1")],
            WARNED,
            "ok monitor: Its sessions can be watched",
        ),
        (
            "watch allows",
            &[
                ("WAYPOST_OIDC_MONITOR", "1"),
                ("WAYPOST_PUBLIC_URL", "http://127.0.0.1:4000"),
            ],
            FAILED,
            "warning monitor: Pages of http://127.0.0.1:4000 may not frame PROVIDER/watch: it sends `Content-Security-Policy: \
             frame-ancestors http://localhost:4000`.",
        ),
        (
            "sign-out in a frame",
            &[("WAYPOST_OIDC_LOGOUT", "frame")],
            WARNED,
            "/auth/silent.html",
        ),
        (
            "secrets",
            &[],
            FAILED,
            "problem algorithms: The provider signs with shared secrets only",
        ),
        (
            "shared key",
            &[],
            FAILED,
            "problem keys: PROVIDER/jwks: the provider publishes no key",
        ),
        (
            "plain http",
            &[],
            FAILED,
            "problem endpoints: `token_endpoint` is http://login.example.com/token, which is not https.",
        ),
        (
            "offline",
            &[],
            WARNED,
            "-> Set WAYPOST_OIDC_SCOPE='openid profile email offline_access'.",
        ),
        ("clock", &[], FAILED, "problem clock: This machine's clock is"),
        (
            "silent page missing",
            &[],
            FAILED,
            "problem redirects: The provider does not answer at http://localhost:4000/auth/silent.html (redirect_uri is not registered).",
        ),
        (
            "any redirect",
            &[],
            WARNED,
            "warning redirects: The provider answers at http://localhost:4000/auth/not-registered too",
        ),
        (
            "prompt ignored",
            &[],
            WARNED,
            "warning prompt=none: The provider shows a page",
        ),
        (
            "wrong scope",
            &[],
            FAILED,
            "-> Set WAYPOST_OIDC_SCOPE to scopes that this client may ask for; it asks for `openid profile email`.",
        ),
        (
            "isolated",
            &[],
            WARNED,
            "note windows: Its sign-in page isolates its window (COOP)",
        ),
        (
            "framed",
            &[],
            WARNED,
            "warning frames: Its sign-in page lets itself be framed by any site",
        ),
        (
            "no cors",
            &[],
            WARNED,
            "warning cors: Pages of http://localhost:4000 may not read what PROVIDER/token refuses: it sends no Access-Control-Allow-Origin. \
             If they may not read tokens either, nobody can sign in: not in the tab, not in a window, not in a frame. -> If signing \
             in ends with “answers, but this page may not read it”, allow the origin http://localhost:4000 at",
        ),
        (
            "unreadable",
            &[],
            FAILED,
            "problem cors: Pages of http://localhost:4000 may not read PROVIDER/.well-known/openid-configuration: it sends no \
             Access-Control-Allow-Origin. So nobody can sign in: not in the tab, not in a window, not in a frame. -> Allow the origin",
        ),
        (
            "unreadable, tokens too",
            &[],
            FAILED,
            "or let this server ask in the place of pages: WAYPOST_OIDC_RELAY=1, and WAYPOST_OIDC_CLIENT_SECRET where the client \
             has one.",
        ),
        (
            "another's",
            &[],
            FAILED,
            "may not read PROVIDER/.well-known/openid-configuration: it allows https://other.example only.",
        ),
        (
            "unreadable, tokens too",
            &[("WAYPOST_OIDC_RELAY", "1")],
            WARNED,
            "ok token endpoint: It knows the client",
        ),
        (
            "secret wanted",
            &[],
            FAILED,
            "WAYPOST_OIDC_RELAY=1 and WAYPOST_OIDC_CLIENT_SECRET.",
        ),
        (
            "secret wanted",
            &[("WAYPOST_OIDC_RELAY", "1"), ("WAYPOST_OIDC_CLIENT_SECRET", "right")],
            WARNED,
            "ok token endpoint: It knows the client",
        ),
        (
            "secret wanted",
            &[("WAYPOST_OIDC_RELAY", "1"), ("WAYPOST_OIDC_CLIENT_SECRET", "wrong")],
            FAILED,
            "-> Check WAYPOST_OIDC_CLIENT_ID and WAYPOST_OIDC_CLIENT_SECRET",
        ),
        (
            "no cors",
            &[("WAYPOST_OIDC_RELAY", "1")],
            WARNED,
            "ok token endpoint: It knows the client",
        ),
        (
            "",
            &[("WAYPOST_OIDC_TOKEN", "userinfo")],
            WARNED,
            "warning audience: Tokens are tried at the userinfo endpoint",
        ),
        (
            "",
            &[
                ("WAYPOST_OIDC_TOKEN", "introspection"),
                ("WAYPOST_OIDC_INTROSPECTION_CLIENT_ID", "api"),
                ("WAYPOST_OIDC_INTROSPECTION_SECRET", "right"),
            ],
            WARNED,
            "ok introspection: It accepts this server's credentials.",
        ),
        (
            "",
            &[
                ("WAYPOST_OIDC_TOKEN", "introspection"),
                ("WAYPOST_OIDC_INTROSPECTION_CLIENT_ID", "api"),
                ("WAYPOST_OIDC_INTROSPECTION_SECRET", "wrong"),
            ],
            FAILED,
            "-> Check WAYPOST_OIDC_INTROSPECTION_CLIENT_ID and WAYPOST_OIDC_INTROSPECTION_SECRET",
        ),
        (
            "no introspection",
            &[
                ("WAYPOST_OIDC_TOKEN", "introspection"),
                ("WAYPOST_OIDC_INTROSPECTION_CLIENT_ID", "api"),
                ("WAYPOST_OIDC_INTROSPECTION_SECRET", "right"),
            ],
            FAILED,
            "-> Set WAYPOST_OIDC_INTROSPECTION_URL to its address.",
        ),
        (
            "no refresh",
            &[
                ("WAYPOST_PUBLIC_URL", "http://tours.example.com"),
                ("WAYPOST_OIDC_RENEWAL", "frame"),
            ],
            FAILED,
            "problem secure: http://tours.example.com/ is no secure context",
        ),
        (
            "",
            &[
                ("WAYPOST_PUBLIC_URL", "https://tours.example.com"),
                ("WAYPOST_OIDC_RENEWAL", "frame"),
            ],
            FAILED,
            "warning same site: Waypost (tours.example.com) and the provider (localhost) are different sites",
        ),
    ] {
        let patient = Patient::with(trouble).await;
        let output = doctor(&patient.url, settings, &["--json"]).await;
        let found = findings(&output);
        assert!(
            found
                .iter()
                .any(|line| line.replace(&patient.url, "PROVIDER").contains(expected)),
            "{trouble} {settings:?}: {found:#?}"
        );
        assert_eq!(output.status.code(), Some(code), "{trouble} {settings:?}: {found:#?}");
    }
}

#[tokio::test]
async fn a_provider_that_is_away_and_wrong_settings_end_differently() {
    let output = doctor("http://localhost:9", &[], &["--json"]).await;
    assert_eq!(output.status.code(), Some(1));
    let found = findings(&output);
    assert!(
        found
            .iter()
            .any(|line| line.contains("cannot be reached from this machine")),
        "{found:#?}"
    );
    let output = doctor("http://localhost:9", &[("WAYPOST_OIDC_PRESET", "entry")], &["--json"]).await;
    assert_eq!(output.status.code(), Some(2));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(
        report["problems"][0]
            .as_str()
            .unwrap()
            .starts_with("WAYPOST_OIDC_PRESET is `entry`")
    );
}

#[tokio::test]
async fn an_issuer_that_looks_familiar_gets_a_hint() {
    // The name never leaves this machine (RFC 6761): the hint is given before anything is asked.
    let output = doctor("https://localhost:9/realms/staff", &[], &["--json"]).await;
    let found = findings(&output);
    assert!(
        found.iter().any(|line| line.contains("WAYPOST_OIDC_PRESET=keycloak")),
        "{found:#?}"
    );
}
