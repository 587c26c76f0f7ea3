#![allow(dead_code, unreachable_pub, reason = "no test file uses all of it")]

use std::sync::{
    Arc, Mutex, OnceLock,
    atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::SeqCst},
};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use aws_lc_rs::{
    encoding::AsDer,
    rsa::{KeyPair, KeySize},
};
use axum::{
    Router,
    extract::State,
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode, jwk::Jwk};
use serde_json::{Value, json};

pub const AUDIENCE: &str = "api";

pub struct Issuer {
    pub url: String,
    pub state: Arc<Behaviour>,
}

/// The provider's responses and faults, and its recorded requests.
#[derive(Default)]
pub struct Behaviour {
    pub issuer: Mutex<String>,
    pub keys: Mutex<Value>,
    pub introspection: Mutex<(u16, Value)>,
    pub userinfo: Mutex<(u16, Value)>,
    pub tokens: Mutex<(u16, Value)>,
    pub token_requests: Mutex<Vec<(String, String)>>,
    pub down: AtomicBool,
    pub redirecting: AtomicBool,
    pub without_userinfo: AtomicBool,
    pub delay_ms: AtomicU64,
    pub key_fetches: AtomicUsize,
    pub verification_requests: AtomicUsize,
}

impl Issuer {
    pub async fn start(keys: Value) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let state = Arc::new(Behaviour {
            issuer: Mutex::new(url.clone()),
            keys: Mutex::new(keys),
            introspection: Mutex::new((200, json!({"active": false}))),
            userinfo: Mutex::new((401, json!({}))),
            tokens: Mutex::new((200, json!({"access_token": "a", "token_type": "Bearer"}))),
            ..Behaviour::default()
        });
        let app = Router::new()
            .route("/.well-known/openid-configuration", get(discovery))
            .route("/jwks", get(jwks))
            .route("/introspect", post(introspect))
            .route("/userinfo", get(userinfo))
            .route("/token", post(token))
            .with_state(Arc::clone(&state));
        tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        Self { url, state }
    }

    pub fn publish(&self, keys: Value) {
        *self.state.keys.lock().unwrap() = keys;
    }

    pub fn key_fetches(&self) -> usize {
        self.state.key_fetches.load(SeqCst)
    }

    pub fn claims(&self) -> Value {
        json!({
            "iss": self.url, "sub": "u1", "aud": AUDIENCE, "iat": now(), "exp": now() + 300,
            "scope": "waypost", "roles": ["author"], "name": "Alice Author", "email": "alice@example.com",
        })
    }
}

async fn discovery(State(state): State<Arc<Behaviour>>) -> Response {
    if state.down.load(SeqCst) {
        return StatusCode::BAD_GATEWAY.into_response();
    }
    let issuer = state.issuer.lock().unwrap().clone();
    let userinfo = (!state.without_userinfo.load(SeqCst)).then(|| format!("{issuer}/userinfo"));
    document(json!({
        "issuer": issuer, "jwks_uri": format!("{issuer}/jwks"), "userinfo_endpoint": userinfo,
        "introspection_endpoint": format!("{issuer}/introspect"), "token_endpoint": format!("{issuer}/token"),
        "authorization_endpoint": format!("{issuer}/authorize"),
        "id_token_signing_alg_values_supported": ["none", "HS256", "RS256"],
    }))
}

async fn jwks(State(state): State<Arc<Behaviour>>) -> Response {
    state.key_fetches.fetch_add(1, SeqCst);
    tokio::time::sleep(Duration::from_millis(state.delay_ms.load(SeqCst))).await;
    if state.redirecting.load(SeqCst) {
        return (StatusCode::FOUND, [("location", "http://169.254.169.254/")]).into_response();
    }
    document(json!({ "keys": *state.keys.lock().unwrap() }))
}

async fn introspect(State(state): State<Arc<Behaviour>>, headers: HeaderMap) -> Response {
    state.verification_requests.fetch_add(1, SeqCst);
    tokio::time::sleep(Duration::from_millis(state.delay_ms.load(SeqCst))).await;
    // Client id `api:1` and secret `s&cret`, form-encoded first (RFC 6749, section 2.3.1): `api%3A1` and `s%26cret`.
    if headers["authorization"] != "Basic YXBpJTNBMTpzJTI2Y3JldA==" {
        return StatusCode::UNAUTHORIZED.into_response();
    }
    respond(&state.introspection)
}

async fn token(State(state): State<Arc<Behaviour>>, headers: HeaderMap, form: String) -> Response {
    let authorization = headers.get("authorization").map_or("", |value| value.to_str().unwrap());
    state
        .token_requests
        .lock()
        .unwrap()
        .push((authorization.to_owned(), form));
    respond(&state.tokens)
}

async fn userinfo(State(state): State<Arc<Behaviour>>) -> Response {
    state.verification_requests.fetch_add(1, SeqCst);
    respond(&state.userinfo)
}

fn respond(response: &Mutex<(u16, Value)>) -> Response {
    let (status, body) = response.lock().unwrap().clone();
    (StatusCode::from_u16(status).unwrap(), document(body)).into_response()
}

fn document(value: Value) -> Response {
    ([("content-type", "application/json")], value.to_string()).into_response()
}

/// Returns the RSA key number `index` in PKCS#1 form, generated once per process.
pub fn rsa_der(index: usize) -> &'static [u8] {
    static KEYS: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    // PKCS#8 of a 2048-bit key wraps PKCS#1 in 26 bytes: version, algorithm and the header of the octet string.
    let generate = |_| KeyPair::generate(KeySize::Rsa2048).unwrap().as_der().unwrap().as_ref()[26..].to_vec();
    &KEYS.get_or_init(|| (0..3).map(generate).collect())[index]
}

pub fn jwk(index: usize, kid: &str) -> Value {
    let key = Jwk::from_encoding_key(&EncodingKey::from_rsa_der(rsa_der(index)), Algorithm::RS256).unwrap();
    let mut key = serde_json::to_value(key).unwrap();
    key["kid"] = json!(kid);
    key["use"] = json!("sig");
    key
}

pub fn header(kid: &str) -> Header {
    Header {
        kid: Some(kid.to_owned()),
        typ: Some("at+jwt".to_owned()),
        ..Header::new(Algorithm::RS256)
    }
}

pub fn sign(index: usize, header: &Header, claims: &Value) -> String {
    encode(header, claims, &EncodingKey::from_rsa_der(rsa_der(index))).unwrap()
}

pub fn with(mut claims: Value, name: &str, value: Value) -> Value {
    match value {
        Value::Null => {
            claims.as_object_mut().unwrap().remove(name);
        }
        value => claims[name] = value,
    }
    claims
}

pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs()
}
