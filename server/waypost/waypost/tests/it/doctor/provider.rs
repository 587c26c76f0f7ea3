use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering::SeqCst},
    },
};

use axum::{
    Router,
    extract::State,
    http::{HeaderMap, HeaderValue, StatusCode, Uri},
    response::{Html, IntoResponse, Redirect, Response},
    routing::{get, post},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde_json::{Value, json};

use super::APP;
use crate::support::issuer::{header, jwk, now, sign, with};

/// None is `""`.
#[derive(Clone)]
pub struct FaultyProvider {
    pub url: String,
    fault: &'static str,
    /// Origin whose redirect URIs are registered.
    app: String,
    session: Arc<AtomicBool>,
    /// Times that the form was submitted.
    logins: Arc<AtomicU64>,
    revoked: Arc<AtomicBool>,
}

impl FaultyProvider {
    pub async fn with(fault: &'static str) -> Self {
        Self::of(APP.to_owned(), fault).await
    }

    pub async fn of(app: String, fault: &'static str) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://localhost:{}", listener.local_addr().unwrap().port());
        let provider = Self {
            url,
            fault,
            app,
            session: Arc::default(),
            logins: Arc::default(),
            revoked: Arc::default(),
        };
        let app = Router::new()
            .route("/.well-known/openid-configuration", get(discovery))
            .route("/jwks", get(jwks))
            .route("/authorize", get(authorize))
            .route("/login", get(login))
            .route("/login/done", get(submit_form))
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
        "dpop" | "dpop without preflight" => configuration["dpop_signing_alg_values_supported"] = json!(["ES256"]),
        "dpop with RS256" => configuration["dpop_signing_alg_values_supported"] = json!(["RS256"]),
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
    let prompt = query.get("prompt").map_or("", String::as_str);
    let has_session = provider.session.load(SeqCst) && prompt != "login";
    let error = match provider.fault {
        "wrong scope" => Some("invalid_scope"),
        "no resources" if query.contains_key("resource") => Some("invalid_target"),
        "asks for consent" if has_session => Some("consent_required"),
        "no second form" if prompt == "login" => Some("invalid_request"),
        "prompt ignored" | "own error page for unknown URIs" | "only sign-in pages" | "only pages" => None,
        _ if has_session => return continue_with_code(State(provider), uri).await,
        _ => (prompt == "none").then_some("login_required"),
    };
    match error {
        Some(error) => Redirect::to(&format!("{redirect}?error={error}&state={}", query["state"])).into_response(),
        None => Redirect::to(&format!("/login?{}", uri.query().unwrap())).into_response(),
    }
}

async fn submit_form(state: State<FaultyProvider>, uri: Uri) -> Response {
    state.logins.fetch_add(1, SeqCst);
    continue_with_code(state, uri).await
}

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
    if provider.has("unknown tokens rejected") && form.contains("no-token") {
        return (StatusCode::BAD_REQUEST, document(json!({"error": "invalid_request"}))).into_response();
    }
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
    let is_replaced = provider.has("one session") && provider.logins.load(SeqCst) > 1;
    let refreshes = refreshes && !is_replaced;
    if nonce.is_some() || refreshes {
        let mut response = tokens(&provider, nonce, form.get("resource"));
        if provider.has("dpop") {
            let Some(thumbprint) = headers.get("dpop").and_then(proven_key) else {
                response_headers.insert("dpop-nonce", "n1".parse().unwrap());
                let body = document(json!({"error": "use_dpop_nonce"}));
                return (StatusCode::BAD_REQUEST, response_headers, body).into_response();
            };
            let access = response["access_token"].as_str().unwrap();
            let claims = with(decoded(access, 1), "cnf", json!({ "jkt": thumbprint }));
            response["access_token"] = sign(0, &header("k1"), &claims).into();
            response["token_type"] = "DPoP".into();
        }
        return (response_headers, document(response)).into_response();
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
        "reports sign-outs" => {
            let claims = with(claims.clone(), "auth_time", json!(now()));
            sign(0, &header("k1"), &with(claims, "acr", json!("phr"))).into()
        }
        _ => sign(0, &header("k1"), &claims).into(),
    };
    let nonce = nonce.filter(|_| !provider.has("no nonce"));
    let mut id_claims = with(with(claims, "aud", json!("spa")), "nonce", json!(nonce));
    if provider.has("account time") {
        id_claims = with(id_claims, "auth_time", json!(now() + provider.logins.load(SeqCst) * 10));
    }
    let mut id_header = header("k1");
    id_header.typ = None;
    let refresh_token = (!provider.has("no refresh")).then_some("refresh");
    json!({
        "access_token": access, "id_token": sign(0, &id_header, &id_claims), "refresh_token": refresh_token,
        "token_type": "Bearer",
    })
}

fn proven_key(proof: &HeaderValue) -> Option<String> {
    let proof = proof.to_str().unwrap();
    (decoded(proof, 1)["nonce"] == "n1").then(|| waypost_auth::dpop::thumbprint(&decoded(proof, 0)["jwk"]))?
}

fn decoded(jwt: &str, part: usize) -> Value {
    let part = jwt.split('.').nth(part).unwrap();
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap()
}

async fn preflight(State(provider): State<FaultyProvider>) -> Response {
    let allowed = if provider.has("dpop") { "DPoP" } else { "content-type" };
    let headers = [
        ("access-control-allow-origin", "*"),
        ("access-control-allow-headers", allowed),
    ];
    (StatusCode::NO_CONTENT, headers).into_response()
}

async fn introspect(headers: HeaderMap) -> Response {
    match headers["authorization"].to_str().unwrap() {
        // api:right
        "Basic YXBpOnJpZ2h0" => document(json!({"active": false})).into_response(),
        _ => StatusCode::UNAUTHORIZED.into_response(),
    }
}
