//! `waypost doctor oidc` with a correct provider, and with one fault at a time.

use std::{
    collections::HashMap,
    io::{BufRead, BufReader},
    process::{Output, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
};

use axum::{
    Router,
    extract::State,
    http::{HeaderMap, StatusCode, Uri},
    response::{Html, IntoResponse, Redirect, Response},
    routing::{get, post},
};
use serde_json::{Value, json};

use crate::support::{
    issuer::{header, jwk, now, sign, with},
    waypost,
};

const APP: &str = "http://localhost:4000";

/// A provider with one fault, or with none (`""`).
#[derive(Clone)]
struct FaultyProvider {
    url: String,
    fault: &'static str,
    /// Origin whose redirect URIs are registered.
    app: String,
    session: Arc<AtomicBool>,
    revoked: Arc<AtomicBool>,
}

impl FaultyProvider {
    async fn with(fault: &'static str) -> Self {
        Self::of(APP.to_owned(), fault).await
    }

    async fn of(app: String, fault: &'static str) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://localhost:{}", listener.local_addr().unwrap().port());
        let provider = Self {
            url,
            fault,
            app,
            session: Arc::default(),
            revoked: Arc::default(),
        };
        let app = Router::new()
            .route("/.well-known/openid-configuration", get(discovery))
            .route("/jwks", get(jwks))
            .route("/authorize", get(authorize))
            .route("/login", get(login))
            .route("/login/done", get(continue_with_code))
            .route("/error", get(async || Html("<h1>Something went wrong</h1>")))
            .route("/userinfo", get(userinfo))
            .route("/revoke", post(revoke))
            .route("/logout", get(logout))
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
        "userinfo_endpoint": format!("{url}/userinfo"),
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
        "no userinfo" => configuration["userinfo_endpoint"] = Value::Null,
        "plain http" => configuration["token_endpoint"] = json!("http://login.example.com/token"),
        "watch refuses" | "watch allows" | "watch missing" => {
            configuration["check_session_iframe"] = json!(format!("{url}/watch"));
        }
        "reports sign-outs" => configuration["backchannel_logout_supported"] = json!(true),
        "offline" | "opaque" | "no offline scope" => {
            configuration["scopes_supported"] = json!(["openid", "profile", "email", "offline_access"])
        }
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
    let path = redirect.strip_prefix(&provider.app).unwrap_or_default();
    let registered = match provider.fault {
        "silent page missing" => ["/auth/callback", "/auth/popup.html"].contains(&path),
        "any redirect" | "only sign-in pages" | "only pages" => true,
        _ => ["/auth/callback", "/auth/popup.html", "/auth/silent.html"].contains(&path),
    };
    assert_eq!(query["code_challenge_method"], "S256");
    if provider.has("own error page") || (!registered && provider.has("own error page for unknown URIs")) {
        return Redirect::to("/error?error=invalid_client&error_description=unknown").into_response();
    }
    if provider.has("error page with status 200") {
        return Html("<h1>Error</h1><p>Mismatching redirect URI.").into_response();
    }
    if !registered {
        let error = json!({"error": "invalid_request", "error_description": "redirect_uri is not registered"});
        return (StatusCode::BAD_REQUEST, document(error)).into_response();
    }
    let error = match provider.fault {
        "wrong scope" => Some("invalid_scope"),
        "prompt ignored" | "own error page for unknown URIs" | "only sign-in pages" | "only pages" => None,
        _ if provider.session.load(SeqCst) => return continue_with_code(State(provider), uri).await,
        _ => (query.get("prompt").map(String::as_str) == Some("none")).then_some("login_required"),
    };
    match error {
        Some(error) => Redirect::to(&format!("{redirect}?error={error}&state={}", query["state"])).into_response(),
        None => Redirect::to(&format!("/login?{}", uri.query().unwrap())).into_response(),
    }
}

/// Continues after the sign-in page, as if its form was submitted.
async fn continue_with_code(State(provider): State<FaultyProvider>, uri: Uri) -> Response {
    provider.session.store(true, SeqCst);
    let query: HashMap<_, _> = url::form_urlencoded::parse(uri.query().unwrap().as_bytes())
        .into_owned()
        .collect();
    let (redirect, state, nonce) = (&query["redirect_uri"], &query["state"], &query["nonce"]);
    if provider.has("no offline scope") && query["scope"].contains("offline_access") {
        return Redirect::to(&format!("{redirect}?error=invalid_scope&state={state}")).into_response();
    }
    Redirect::to(&format!("{redirect}?code=code-{nonce}&state={state}")).into_response()
}

async fn userinfo(State(provider): State<FaultyProvider>) -> Response {
    let subject = if provider.has("other subject") { "u2" } else { "u1" };
    document(json!({"sub": subject, "name": "Alice Author"})).into_response()
}

async fn revoke(State(provider): State<FaultyProvider>, form: String) -> Response {
    if provider.has("no public revocation") {
        return (StatusCode::UNAUTHORIZED, document(json!({"error": "invalid_client"}))).into_response();
    }
    provider.revoked.fetch_or(form.contains("token=refresh"), SeqCst);
    StatusCode::OK.into_response()
}

async fn logout(uri: Uri) -> Redirect {
    let query: HashMap<_, _> = url::form_urlencoded::parse(uri.query().unwrap().as_bytes())
        .into_owned()
        .collect();
    assert_eq!(query["client_id"], "spa");
    assert!(query.contains_key("id_token_hint"));
    Redirect::to(&query["post_logout_redirect_uri"])
}

async fn login(State(provider): State<FaultyProvider>) -> Response {
    let mut headers = HeaderMap::new();
    if !provider.has("framed") {
        headers.insert("x-frame-options", "DENY".parse().unwrap());
    }
    if provider.has("isolated") {
        headers.insert("cross-origin-opener-policy", "same-origin".parse().unwrap());
    }
    let page = match provider.fault {
        "only pages" => "<h1>Sign in</h1>",
        _ => "<h1>Sign in</h1><form><input name=redirect_uri type=hidden><input type=password></form>",
    };
    (headers, Html(page)).into_response()
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
        response_headers.insert("access-control-allow-origin", provider.app.parse().unwrap());
    }
    let form: HashMap<_, _> = url::form_urlencoded::parse(form.as_bytes()).into_owned().collect();
    let nonce = form.get("code").and_then(|code| code.strip_prefix("code-"));
    let refreshes = form.get("refresh_token").is_some_and(|token| token == "refresh") && !provider.revoked.load(SeqCst);
    if nonce.is_some() || refreshes {
        return (
            response_headers,
            document(tokens(&provider, nonce, form.get("resource"))),
        )
            .into_response();
    }
    let secret = form.get("client_secret").is_some_and(|secret| secret == "right");
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

fn tokens(provider: &FaultyProvider, nonce: Option<&str>, resource: Option<&String>) -> Value {
    let claims = json!({
        "iss": provider.url, "sub": "u1", "aud": resource.map_or("api", String::as_str), "iat": now(), "exp": now() + 300,
    });
    let access = match provider.fault {
        "opaque" => json!("opaque"),
        "reports sign-outs" => sign(0, &header("k1"), &with(claims.clone(), "auth_time", json!(now()))).into(),
        _ => sign(0, &header("k1"), &claims).into(),
    };
    let id_claims = with(with(claims, "aud", json!("spa")), "nonce", json!(nonce));
    let mut id_header = header("k1");
    id_header.typ = None;
    let refresh_token = (!provider.has("no refresh")).then_some("refresh");
    json!({
        "access_token": access, "id_token": sign(0, &id_header, &id_claims), "refresh_token": refresh_token,
        "token_type": "Bearer",
    })
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
            "own error page",
            &[],
            PROBLEM,
            "problem redirects: The provider does not redirect to http://localhost:4000/auth/callback, \
             http://localhost:4000/auth/popup.html, http://localhost:4000/auth/silent.html (invalid_client: unknown).",
        ),
        (
            "error page with status 200",
            &[],
            PROBLEM,
            "(its page contains \"mismatching redirect\"). -> Check WAYPOST_OIDC_CLIENT_ID=spa, and register these redirect URIs",
        ),
        (
            "own error page for unknown URIs",
            &[],
            WARNING,
            "ok redirects: The provider accepts http://localhost:4000/auth/callback, http://localhost:4000/auth/popup.html, \
             http://localhost:4000/auth/silent.html, and rejects http://localhost:4000/auth/not-registered.",
        ),
        (
            "only sign-in pages",
            &[],
            WARNING,
            "warning prompt=none: The provider shows a sign-in page in spite of `prompt=none`, so renewal in hidden frames times \
             out, and the doctor cannot check",
        ),
        (
            "only pages",
            &[],
            WARNING,
            "warning prompt=none: The provider shows a page in spite of `prompt=none`",
        ),
        (
            "no public revocation",
            &[],
            WARNING,
            "warning revocation: PROVIDER/revoke returned 401 Unauthorized (invalid_client) for a client without a secret, so \
             refresh tokens stay valid after signing out until they expire.",
        ),
        (
            "",
            &[],
            WARNING,
            "note access tokens: Only a sign-in shows the form of access tokens. Waypost is configured for JWTs, and rejects \
             opaque tokens, which many providers issue by default. -> If they are opaque, set WAYPOST_OIDC_RESOURCE to the \
             identifier of an API at the provider, so that it issues JWTs; or WAYPOST_OIDC_TOKEN=introspection with \
             WAYPOST_OIDC_INTROSPECTION_CLIENT_ID and WAYPOST_OIDC_INTROSPECTION_SECRET; or WAYPOST_OIDC_TOKEN=id_token; or \
             WAYPOST_OIDC_TOKEN=userinfo, which",
        ),
        (
            "no introspection",
            &[],
            WARNING,
            "so that it issues JWTs; or WAYPOST_OIDC_TOKEN=id_token; or",
        ),
        (
            "",
            &[
                ("WAYPOST_OIDC_TOKEN", "introspection"),
                ("WAYPOST_OIDC_INTROSPECTION_CLIENT_ID", "api"),
                ("WAYPOST_OIDC_INTROSPECTION_SECRET", "right"),
            ],
            WARNING,
            "ok names: Names that tokens lack are requested from the userinfo endpoint.",
        ),
        (
            "no userinfo",
            &[
                ("WAYPOST_OIDC_TOKEN", "introspection"),
                ("WAYPOST_OIDC_INTROSPECTION_CLIENT_ID", "api"),
                ("WAYPOST_OIDC_INTROSPECTION_SECRET", "right"),
            ],
            WARNING,
            "note names: Introspection responses rarely contain names, and the discovery document has no `userinfo_endpoint`",
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
            "warning prompt=none: The provider shows a sign-in page",
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

#[tokio::test]
async fn the_verdict_names_the_facts_that_could_not_be_checked() {
    for (fault, expected) in [
        (
            "",
            "No problems found, but the doctor could not check the form and audience of access tokens.",
        ),
        (
            "only pages",
            "No problems found, but the doctor could not check the redirect URIs and the form and audience of access tokens.",
        ),
    ] {
        let provider = FaultyProvider::with(fault).await;
        let output = doctor(&provider.url, &[], &[]).await;
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains(expected), "{fault}: {text}");
    }
}

/// Signs in like a browser, with issuer and client id as the only settings. Returns the findings and the settings.
async fn sign_in(fault: &'static str, settings: &[(&str, &str)]) -> (Vec<String>, Vec<String>) {
    let port = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let app = format!("http://localhost:{port}");
    let provider = FaultyProvider::of(app.clone(), fault).await;
    let mut child = waypost(&["doctor", "oidc", "--sign-in", "--json"])
        .env("PORT", port.to_string())
        .env("WAYPOST_OIDC_ISSUER", &provider.url)
        .env("WAYPOST_OIDC_CLIENT_ID", "spa")
        .envs(settings.iter().copied())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut messages = BufReader::new(child.stderr.take().unwrap());
    let messages = tokio::task::spawn_blocking(move || {
        let mut first = String::new();
        messages.read_line(&mut first).unwrap();
        assert!(first.starts_with("Open http://localhost:"), "{first}");
        messages
    });
    let messages = messages.await.unwrap();

    let browser = reqwest::Client::new();
    let open = async |url: String| {
        let response = browser.get(url).send().await.unwrap();
        let url = response.url().clone();
        (url, response.text().await.unwrap())
    };
    let (mut url, mut page) = open(app.clone()).await;
    while page.contains("<form>") {
        (url, page) = open(format!("{}/login/done?{}", provider.url, url.query().unwrap())).await;
    }
    if let Some((_, frame)) = page.split_once("<iframe hidden src=\"") {
        // The frame, whose script continues.
        let (_, script) = open(format!("{app}{}", frame.split_once('"').unwrap().0)).await;
        // A frame without a response has no script, so the page continues after a time.
        let refresh = page.split_once("url=").unwrap().1;
        let next = refresh.split_once('"').unwrap().0;
        assert!(script.contains(next) || script.contains("<form>"), "{script}");
        (url, page) = open(format!("{app}{next}")).await;
        assert!(
            page.contains("<h1>Done</h1>") && url.path() == "/signed-out",
            "{url} {page}"
        );
    }
    let output = tokio::task::spawn_blocking(move || (child.wait_with_output().unwrap(), messages));
    let (output, _messages) = output.await.unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let settings = report["providers"][0]["settings"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    assert_eq!(output.status.code(), Some(i32::from(settings.is_empty())), "{report:#}");
    let clean = |text: &str| text.replace(&provider.url, "PROVIDER").replace(&app, "APP");
    (
        findings(&output).iter().map(|finding| clean(finding)).collect(),
        settings.iter().map(|line| clean(line.as_str().unwrap())).collect(),
    )
}

#[tokio::test]
async fn a_sign_in_finds_the_settings_that_work() {
    const COMMON: [&str; 3] = [
        "WAYPOST_PUBLIC_URL=APP",
        "WAYPOST_OIDC_ISSUER=PROVIDER",
        "WAYPOST_OIDC_CLIENT_ID=spa",
    ];
    for (fault, given, settings, findings) in [
        (
            "",
            &[][..],
            &["WAYPOST_OIDC_AUDIENCE=api", "WAYPOST_OIDC_USERINFO=1"][..],
            &[
                "note tokens: Access tokens are JWTs. WAYPOST_OIDC_AUDIENCE is not set. -> WAYPOST_OIDC_AUDIENCE=api works.",
                "ok names: Waypost knows the account as Alice Author.",
                "ok renewal: The refresh token renews the session.",
                "ok frames: The provider continued the session in a hidden frame.",
                "ok revocation: The refresh token was revoked.",
                "ok sign-out: After signing out, the provider redirects to APP/signed-out.",
            ][..],
        ),
        (
            "",
            &[("WAYPOST_OIDC_RESOURCE", "urn:tours"), ("WAYPOST_OIDC_USERINFO", "1")],
            &[
                "WAYPOST_OIDC_RESOURCE=urn:tours",
                "WAYPOST_OIDC_AUDIENCE=urn:tours",
                "WAYPOST_OIDC_USERINFO=1",
            ],
            &["ok tokens: Access tokens are JWTs. Waypost accepts them."],
        ),
        (
            "",
            &[("WAYPOST_OIDC_AUDIENCE", "other"), ("WAYPOST_OIDC_USERINFO", "1")],
            &["WAYPOST_OIDC_AUDIENCE=api", "WAYPOST_OIDC_USERINFO=1"],
            &[
                "warning tokens: Access tokens are JWTs. With the present settings, they are rejected: The access token was issued \
                 for another service. -> WAYPOST_OIDC_AUDIENCE=api",
            ],
        ),
        (
            "opaque",
            &[],
            &[
                "WAYPOST_OIDC_SCOPE='openid profile email offline_access'",
                "WAYPOST_OIDC_TOKEN=id_token",
            ],
            &[
                "warning tokens: Access tokens are opaque. With the present settings, they are rejected: The access token is opaque",
                "-> WAYPOST_OIDC_TOKEN=id_token works. To verify access tokens instead, set WAYPOST_OIDC_RESOURCE to an API at the \
                 provider, or WAYPOST_OIDC_TOKEN=introspection with",
            ],
        ),
        (
            "reports sign-outs",
            &[],
            &["WAYPOST_OIDC_AUDIENCE=api", "WAYPOST_OIDC_USERINFO=1"],
            &[
                "note back-channel logout: The provider can report when a session ends elsewhere, but Waypost does not accept these \
                 reports. -> Set WAYPOST_OIDC_BACKCHANNEL_LOGOUT=1, and register APP/auth/backchannel-logout as back-channel logout URI.",
                "note step-up: Tokens contain the time of the sign-in (`auth_time`), but Waypost does not check it. -> \
                 WAYPOST_OIDC_STEP_UP=on requires a recent sign-in before critical changes.",
            ],
        ),
        (
            "",
            &[("WAYPOST_OIDC_BACKCHANNEL_LOGOUT", "1"), ("WAYPOST_OIDC_STEP_UP", "on")],
            &[
                "WAYPOST_OIDC_BACKCHANNEL_LOGOUT=1",
                "WAYPOST_OIDC_STEP_UP=on",
                "WAYPOST_OIDC_AUDIENCE=api",
                "WAYPOST_OIDC_USERINFO=1",
            ],
            &[
                "warning back-channel logout: WAYPOST_OIDC_BACKCHANNEL_LOGOUT is on, but the discovery document does not announce \
                 back-channel logout. -> Check whether the provider supports it",
                "warning step-up: Tokens do not contain `auth_time`, so WAYPOST_OIDC_STEP_UP=on rejects all critical changes.",
            ],
        ),
        (
            "no offline scope",
            &[],
            &["WAYPOST_OIDC_AUDIENCE=api", "WAYPOST_OIDC_USERINFO=1"],
            &["ok sign-in: The sign-in with the scopes `openid profile email` succeeded."],
        ),
        (
            "unreadable, tokens too",
            &[],
            &[
                "WAYPOST_OIDC_RELAY=1",
                "WAYPOST_OIDC_AUDIENCE=api",
                "WAYPOST_OIDC_USERINFO=1",
            ],
            &["warning cors: Pages of APP may not read the discovery document or the tokens."],
        ),
        (
            "only sign-in pages",
            &[],
            &[
                "WAYPOST_OIDC_RENEWAL=refresh",
                "WAYPOST_OIDC_AUDIENCE=api",
                "WAYPOST_OIDC_USERINFO=1",
            ],
            &["note frames: The provider did not continue the session in a hidden frame"],
        ),
        (
            "no refresh",
            &[],
            &[
                "WAYPOST_OIDC_RENEWAL=frame",
                "WAYPOST_OIDC_AUDIENCE=api",
                "WAYPOST_OIDC_USERINFO=1",
            ],
            &["note renewal: The provider issued no refresh token."],
        ),
        (
            "no public revocation",
            &[],
            &["WAYPOST_OIDC_AUDIENCE=api", "WAYPOST_OIDC_USERINFO=1"],
            &["warning revocation: The refresh token still works after its revocation"],
        ),
        (
            "other subject",
            &[],
            &["WAYPOST_OIDC_AUDIENCE=api"],
            &[
                "warning userinfo: The userinfo endpoint returns another `sub`",
                "warning names: The server receives no name for the account",
            ],
        ),
    ] {
        let (found, lines) = sign_in(fault, given).await;
        let expected: Vec<_> = COMMON.iter().chain(settings).collect();
        assert_eq!(lines.iter().collect::<Vec<_>>(), expected, "{fault}: {found:#?}");
        for finding in findings {
            assert!(
                found.iter().any(|line| line.contains(finding)),
                "{fault}: {finding} {found:#?}"
            );
        }
    }
}
