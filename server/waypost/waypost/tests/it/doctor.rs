//! `waypost doctor oidc` with a correct provider, and with one fault at a time.

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

/// A provider with one fault, or with none (`""`).
#[derive(Clone)]
struct FaultyProvider {
    url: String,
    fault: &'static str,
}

impl FaultyProvider {
    async fn with(fault: &'static str) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://localhost:{}", listener.local_addr().unwrap().port());
        let provider = Self { url, fault };
        let app = Router::new()
            .route("/.well-known/openid-configuration", get(discovery))
            .route("/jwks", get(jwks))
            .route("/authorize", get(authorize))
            .route("/login", get(login))
            .route("/token", post(token).options(preflight))
            .route("/introspect", post(introspect))
            .route("/watch", get(watch))
            .with_state(provider.clone());
        tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        provider
    }

    fn has(&self, fault: &str) -> bool {
        self.fault == fault
    }
}

fn document(value: Value) -> Response {
    ([("content-type", "application/json")], value.to_string()).into_response()
}

async fn discovery(State(provider): State<FaultyProvider>) -> Response {
    let url = &provider.url;
    if provider.has("moved") {
        return Redirect::permanent("https://new.example/.well-known/openid-configuration").into_response();
    }
    if provider.has("no document") {
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
    match provider.fault {
        "other issuer" => configuration["issuer"] = json!(format!("{url}/")),
        "no code flow" => configuration["response_types_supported"] = json!(["id_token"]),
        "no pkce" => configuration["code_challenge_methods_supported"] = json!(["plain"]),
        "no refresh" => configuration["grant_types_supported"] = json!(["authorization_code"]),
        "no sign-out" => configuration["end_session_endpoint"] = Value::Null,
        "symmetric algorithms" => configuration["id_token_signing_alg_values_supported"] = json!(["HS256", "none"]),
        "no introspection" => configuration["introspection_endpoint"] = Value::Null,
        "plain http" => configuration["token_endpoint"] = json!("http://login.example.com/token"),
        "watch refuses" | "watch allows" | "watch missing" => {
            configuration["check_session_iframe"] = json!(format!("{url}/watch"));
        }
        "offline" => configuration["scopes_supported"] = json!(["openid", "profile", "email", "offline_access"]),
        _ => {}
    }
    let mut headers = HeaderMap::new();
    match provider.fault {
        "unreadable" | "unreadable, tokens too" => None,
        "another origin" => headers.insert("access-control-allow-origin", "https://other.example".parse().unwrap()),
        _ => headers.insert("access-control-allow-origin", "*".parse().unwrap()),
    };
    if provider.has("clock") {
        headers.insert("date", "Tue, 01 Jan 2030 00:00:00 GMT".parse().unwrap());
    }
    (headers, document(configuration)).into_response()
}

async fn jwks(State(provider): State<FaultyProvider>) -> Response {
    let keys = match provider.fault {
        "symmetric key" => json!([{"kty": "oct", "k": "c2VjcmV0"}]),
        _ => json!([jwk(0, "k1")]),
    };
    document(json!({ "keys": keys })).into_response()
}

async fn authorize(State(provider): State<FaultyProvider>, uri: Uri) -> Response {
    let query: HashMap<_, _> = url::form_urlencoded::parse(uri.query().unwrap().as_bytes())
        .into_owned()
        .collect();
    let redirect = &query["redirect_uri"];
    let path = redirect.strip_prefix(APP).unwrap_or_default();
    let registered = match provider.fault {
        "silent page missing" => ["/auth/callback", "/auth/popup.html"].contains(&path),
        "any redirect" => true,
        _ => ["/auth/callback", "/auth/popup.html", "/auth/silent.html"].contains(&path),
    };
    assert_eq!(query["code_challenge_method"], "S256");
    if !registered {
        let error = json!({"error": "invalid_request", "error_description": "redirect_uri is not registered"});
        return (StatusCode::BAD_REQUEST, document(error)).into_response();
    }
    let error = match provider.fault {
        "wrong scope" => Some("invalid_scope"),
        "prompt ignored" => None,
        _ => (query.get("prompt").map(String::as_str) == Some("none")).then_some("login_required"),
    };
    match error {
        Some(error) => Redirect::to(&format!("{redirect}?error={error}&state={}", query["state"])).into_response(),
        None => Redirect::to("/login").into_response(),
    }
}

async fn login(State(provider): State<FaultyProvider>) -> Response {
    let mut headers = HeaderMap::new();
    if !provider.has("framed") {
        headers.insert("x-frame-options", "DENY".parse().unwrap());
    }
    if provider.has("isolated") {
        headers.insert("cross-origin-opener-policy", "same-origin".parse().unwrap());
    }
    (headers, Html("<h1>Sign in</h1>")).into_response()
}

async fn watch(State(provider): State<FaultyProvider>) -> Response {
    let header = match provider.fault {
        "watch missing" => return StatusCode::NOT_FOUND.into_response(),
        "watch refuses" => ("x-frame-options", "deny".to_owned()),
        _ => ("content-security-policy", format!("frame-ancestors {APP}")),
    };
    ([header], Html("<p>Watching")).into_response()
}

async fn token(State(provider): State<FaultyProvider>, headers: HeaderMap, form: String) -> Response {
    let mut response_headers = HeaderMap::new();
    if !["no cors", "unreadable, tokens too"].contains(&provider.fault) && headers.contains_key("origin") {
        response_headers.insert("access-control-allow-origin", APP.parse().unwrap());
    }
    let secret = form.contains("client_secret=right");
    let error = match provider.fault {
        "secret required" if !secret => "invalid_client",
        _ => "invalid_grant",
    };
    (
        StatusCode::BAD_REQUEST,
        response_headers,
        document(json!({"error": error})),
    )
        .into_response()
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

/// Formats the findings as `level check: message -> fix`.
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
                text("message"),
                text("fix")
            )
        })
        .collect()
}

#[tokio::test]
async fn a_correct_provider_has_no_problems() {
    let provider = FaultyProvider::with("").await;
    let output = doctor(&provider.url, &[], &[]).await;
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = String::from_utf8(output.stdout)
        .unwrap()
        .replace(&provider.url, "PROVIDER");
    insta::assert_snapshot!(text);
}

#[tokio::test]
async fn a_sign_out_redirect_is_requested_only_for_sign_out_at_the_provider() {
    let provider = FaultyProvider::with("").await;
    for (logout, path) in [
        ("provider", Some("/signed-out")),
        ("popup", Some("/auth/popup.html")),
        ("local", None),
    ] {
        let output = doctor(&provider.url, &[("WAYPOST_OIDC_LOGOUT", logout)], &["--json"]).await;
        let findings = findings(&output);
        let note = findings.iter().find(|finding| finding.contains("After signing out"));
        match path {
            Some(path) => assert!(note.is_some_and(|note| note.contains(path)), "{logout}: {findings:?}"),
            None => assert_eq!(note, None, "{logout}"),
        }
    }
}

#[tokio::test]
async fn each_fault_is_reported_with_its_fix() {
    const WARNING: i32 = 0;
    const PROBLEM: i32 = 1;
    for (fault, settings, code, expected) in [
        (
            "moved",
            &[][..],
            PROBLEM,
            "problem discovery: PROVIDER/.well-known/openid-configuration redirects to https://new.example",
        ),
        (
            "no document",
            &[],
            PROBLEM,
            "-> Set WAYPOST_OIDC_ISSUER to an issuer of the form",
        ),
        ("other issuer", &[], PROBLEM, "-> Set WAYPOST_OIDC_ISSUER=PROVIDER/."),
        (
            "no code flow",
            &[],
            PROBLEM,
            "problem flows: The provider does not support the authorization code flow",
        ),
        (
            "no pkce",
            &[],
            PROBLEM,
            "problem pkce: The provider does not support PKCE with S256",
        ),
        (
            "no refresh",
            &[],
            WARNING,
            "warning refresh: Refresh tokens are not supported",
        ),
        ("no sign-out", &[], WARNING, "Or set WAYPOST_OIDC_LOGOUT=local."),
        (
            "no monitor",
            &[("WAYPOST_OIDC_MONITOR", "1")],
            WARNING,
            "warning monitor: The discovery document has no `check_session_iframe`",
        ),
        (
            "watch missing",
            &[("WAYPOST_OIDC_MONITOR", "1")],
            WARNING,
            "warning monitor: PROVIDER/watch returned 404 Not Found, so the provider's sessions cannot be monitored. -> Set \
             WAYPOST_OIDC_MONITOR=0.",
        ),
        (
            "watch refuses",
            &[("WAYPOST_OIDC_MONITOR", "1")],
            WARNING,
            "warning monitor: Pages of http://localhost:4000 may not embed PROVIDER/watch: it sends `X-Frame-Options: deny`. -> \
             Configure the provider or its reverse proxy to send `Content-Security-Policy: frame-ancestors http://localhost:4000` \
             instead",
        ),
        (
            "watch allows",
            &[("WAYPOST_OIDC_MONITOR", "1")],
            WARNING,
            "ok monitor: The provider's sessions can be monitored",
        ),
        (
            "watch allows",
            &[
                ("WAYPOST_OIDC_MONITOR", "1"),
                ("WAYPOST_PUBLIC_URL", "http://127.0.0.1:4000"),
            ],
            PROBLEM,
            "warning monitor: Pages of http://127.0.0.1:4000 may not embed PROVIDER/watch: it sends `Content-Security-Policy: \
             frame-ancestors http://localhost:4000`.",
        ),
        (
            "sign-out in a frame",
            &[("WAYPOST_OIDC_LOGOUT", "frame")],
            WARNING,
            "/auth/silent.html",
        ),
        (
            "symmetric algorithms",
            &[],
            PROBLEM,
            "problem algorithms: The provider signs tokens only with shared secrets",
        ),
        (
            "symmetric key",
            &[],
            PROBLEM,
            "problem keys: PROVIDER/jwks: the provider's key set has no usable signing key",
        ),
        (
            "plain http",
            &[],
            PROBLEM,
            "problem endpoints: `token_endpoint` is http://login.example.com/token, but must use https.",
        ),
        (
            "offline",
            &[],
            WARNING,
            "-> Set WAYPOST_OIDC_SCOPE='openid profile email offline_access'.",
        ),
        ("clock", &[], PROBLEM, "problem clock: This machine's clock is"),
        (
            "silent page missing",
            &[],
            PROBLEM,
            "problem redirects: The provider does not redirect to http://localhost:4000/auth/silent.html (redirect_uri is not registered).",
        ),
        (
            "any redirect",
            &[],
            WARNING,
            "warning redirects: The provider also redirects to http://localhost:4000/auth/not-registered",
        ),
        (
            "prompt ignored",
            &[],
            WARNING,
            "warning prompt=none: The provider shows a page",
        ),
        (
            "wrong scope",
            &[],
            PROBLEM,
            "-> Set WAYPOST_OIDC_SCOPE to scopes that this client may request; it requests `openid profile email`.",
        ),
        (
            "isolated",
            &[],
            WARNING,
            "note windows: The sign-in page isolates its window (Cross-Origin-Opener-Policy)",
        ),
        (
            "framed",
            &[],
            WARNING,
            "warning frames: Any site may embed the sign-in page in a frame",
        ),
        (
            "no cors",
            &[],
            WARNING,
            "warning cors: Pages of http://localhost:4000 may not read error responses of PROVIDER/token, because they have no \
             Access-Control-Allow-Origin header. If successful responses lack it too, sign-in fails in the tab, in a window and in \
             a frame. -> If the sign-in page reports that it may not read the provider's response: Allow the origin \
             http://localhost:4000 (",
        ),
        (
            "unreadable",
            &[],
            PROBLEM,
            "problem cors: Pages of http://localhost:4000 may not read PROVIDER/.well-known/openid-configuration: the response has \
             no Access-Control-Allow-Origin header. Sign-in fails in the tab, in a window and in a frame. -> Allow the origin",
        ),
        (
            "unreadable, tokens too",
            &[],
            PROBLEM,
            "Or use the token relay: set WAYPOST_OIDC_RELAY=1, and WAYPOST_OIDC_CLIENT_SECRET if the client has a secret.",
        ),
        (
            "another origin",
            &[],
            PROBLEM,
            "may not read PROVIDER/.well-known/openid-configuration: the response allows only https://other.example.",
        ),
        (
            "unreadable, tokens too",
            &[("WAYPOST_OIDC_RELAY", "1")],
            WARNING,
            "ok token endpoint: The token endpoint accepts the client",
        ),
        (
            "secret required",
            &[],
            PROBLEM,
            "set WAYPOST_OIDC_RELAY=1 and WAYPOST_OIDC_CLIENT_SECRET.",
        ),
        (
            "secret required",
            &[("WAYPOST_OIDC_RELAY", "1"), ("WAYPOST_OIDC_CLIENT_SECRET", "right")],
            WARNING,
            "ok token endpoint: The token endpoint accepts the client",
        ),
        (
            "secret required",
            &[("WAYPOST_OIDC_RELAY", "1"), ("WAYPOST_OIDC_CLIENT_SECRET", "wrong")],
            PROBLEM,
            "-> Check WAYPOST_OIDC_CLIENT_ID and WAYPOST_OIDC_CLIENT_SECRET",
        ),
        (
            "no cors",
            &[("WAYPOST_OIDC_RELAY", "1")],
            WARNING,
            "ok token endpoint: The token endpoint accepts the client",
        ),
        (
            "",
            &[("WAYPOST_OIDC_TOKEN", "userinfo")],
            WARNING,
            "warning audience: Tokens are verified by the userinfo endpoint",
        ),
        (
            "",
            &[
                ("WAYPOST_OIDC_TOKEN", "introspection"),
                ("WAYPOST_OIDC_INTROSPECTION_CLIENT_ID", "api"),
                ("WAYPOST_OIDC_INTROSPECTION_SECRET", "right"),
            ],
            WARNING,
            "ok introspection: The introspection endpoint accepts this server's credentials.",
        ),
        (
            "",
            &[
                ("WAYPOST_OIDC_TOKEN", "introspection"),
                ("WAYPOST_OIDC_INTROSPECTION_CLIENT_ID", "api"),
                ("WAYPOST_OIDC_INTROSPECTION_SECRET", "wrong"),
            ],
            PROBLEM,
            "-> Check WAYPOST_OIDC_INTROSPECTION_CLIENT_ID and WAYPOST_OIDC_INTROSPECTION_SECRET",
        ),
        (
            "no introspection",
            &[
                ("WAYPOST_OIDC_TOKEN", "introspection"),
                ("WAYPOST_OIDC_INTROSPECTION_CLIENT_ID", "api"),
                ("WAYPOST_OIDC_INTROSPECTION_SECRET", "right"),
            ],
            PROBLEM,
            "-> Set WAYPOST_OIDC_INTROSPECTION_URL to its URL.",
        ),
        (
            "no refresh",
            &[
                ("WAYPOST_PUBLIC_URL", "http://tours.example.com"),
                ("WAYPOST_OIDC_RENEWAL", "frame"),
            ],
            PROBLEM,
            "problem secure: http://tours.example.com/ is not a secure context",
        ),
        (
            "",
            &[
                ("WAYPOST_PUBLIC_URL", "https://tours.example.com"),
                ("WAYPOST_OIDC_RENEWAL", "frame"),
            ],
            PROBLEM,
            "warning same site: Waypost (tours.example.com) and the provider (localhost) are different sites",
        ),
    ] {
        let provider = FaultyProvider::with(fault).await;
        let output = doctor(&provider.url, settings, &["--json"]).await;
        let found = findings(&output);
        assert!(
            found
                .iter()
                .any(|line| line.replace(&provider.url, "PROVIDER").contains(expected)),
            "{fault} {settings:?}: {found:#?}"
        );
        assert_eq!(output.status.code(), Some(code), "{fault} {settings:?}: {found:#?}");
    }
}

#[tokio::test]
async fn an_outage_and_invalid_settings_have_different_exit_codes() {
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
async fn a_preset_is_suggested_for_a_known_issuer_pattern() {
    // `localhost` never resolves to another machine (RFC 6761), and the hint needs no response.
    let output = doctor("https://localhost:9/realms/staff", &[], &["--json"]).await;
    let found = findings(&output);
    assert!(
        found.iter().any(|line| line.contains("WAYPOST_OIDC_PRESET=keycloak")),
        "{found:#?}"
    );
}
