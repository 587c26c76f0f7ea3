//! The identity provider of `waypost demo`: the authorization code flow of OpenID Connect with PKCE, for one client
//! without a secret. Its accounts have no passwords, because the server of the demo accepts requests of its own machine
//! only: signing in is choosing an account.
//!
//! The client and the server use it like any other provider, and nothing in them depends on it. It supports what they
//! use: sign-in in the tab, in a window and in a hidden frame, rotating refresh tokens, a maximum age of the sign-in, and
//! signing out. It does not support other clients, consent, bound tokens and monitoring of its sessions.

mod accounts;
mod authorization;
mod keys;
mod pages;
mod parameters;
mod sessions;
mod sign_out;
mod tokens;

use std::{
    path::Path,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use anyhow::Context;
use axum::{
    Router,
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use serde_json::{Value, json};
use url::Url;
use waypost_auth::Clock;

use self::{keys::Keys, sessions::Sessions};

/// The id of the only client, which is Waypost's.
pub const CLIENT_ID: &str = "waypost-demo";

/// The audience of access tokens, and the only resource that a request may name (RFC 8707).
pub const RESOURCE: &str = "urn:waypost:demo";

/// The scopes that the client requests.
pub const SCOPE: &str = "openid profile email offline_access";

/// The service worker of the client does not intercept pages below `/auth/`.
const PATH: &str = "/auth/demo";

/// Returns the issuer for an application at this origin.
pub fn issuer(origin: &Url) -> String {
    format!("{}{PATH}", origin.origin().ascii_serialization())
}

/// An identity provider for an application with the same origin.
pub struct Provider {
    origin: String,
    issuer: String,
    keys: Keys,
    sessions: Mutex<Sessions>,
    clock: Clock,
}

impl Provider {
    /// Opens the provider whose key and sessions are in `file`, and creates that file if it is missing.
    ///
    /// # Errors
    /// Fails if the file cannot be read or written, or belongs to an application with another origin.
    pub fn open(origin: &Url, file: &Path, clock: Clock) -> anyhow::Result<Self> {
        let issuer = issuer(origin);
        let sessions = Sessions::open(file, &issuer)?;
        let keys = Keys::read(sessions.key()).with_context(|| format!("{} has no usable key", file.display()))?;
        Ok(Self {
            origin: origin.origin().ascii_serialization(),
            issuer,
            keys,
            sessions: Mutex::new(sessions),
            clock,
        })
    }

    /// Returns the routes, all of them below the path of the issuer.
    pub fn router(self) -> Router {
        let at = |path: &str| format!("{PATH}{path}");
        Router::new()
            .route(&at("/.well-known/openid-configuration"), get(discovery))
            .route(&at("/keys"), get(keys))
            .route(&at("/authorize"), get(authorization::authorize))
            .route(&at("/sign-in"), post(authorization::sign_in))
            .route(&at("/token"), post(tokens::token))
            .route(&at("/revoke"), post(tokens::revoke))
            .route(&at("/userinfo"), get(tokens::userinfo).post(tokens::userinfo))
            .route(&at("/sign-out"), get(sign_out::request).post(sign_out::confirm))
            .route(&at("/page.css"), get(pages::stylesheet))
            .with_state(Arc::new(self))
    }

    fn sessions(&self) -> MutexGuard<'_, Sessions> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn now(&self) -> u64 {
        self.clock.unix()
    }

    fn redirect_uris(&self) -> [String; 3] {
        ["callback", "popup.html", "silent.html"].map(|page| format!("{}/auth/{page}", self.origin))
    }

    fn sign_out_uris(&self) -> [String; 3] {
        ["signed-out", "auth/popup.html", "auth/silent.html"].map(|page| format!("{}/{page}", self.origin))
    }
}

/// OpenID Connect Discovery 1.0, section 3.
async fn discovery(State(provider): State<Arc<Provider>>) -> Response {
    let Provider { issuer, .. } = &*provider;
    let at = |path: &str| format!("{issuer}/{path}");
    json_response(
        StatusCode::OK,
        &json!({
            "issuer": issuer,
            "authorization_endpoint": at("authorize"),
            "token_endpoint": at("token"),
            "revocation_endpoint": at("revoke"),
            "userinfo_endpoint": at("userinfo"),
            "end_session_endpoint": at("sign-out"),
            "jwks_uri": at("keys"),
            "response_types_supported": ["code"],
            "response_modes_supported": ["query"],
            "grant_types_supported": ["authorization_code", "refresh_token"],
            "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": ["none"],
            "revocation_endpoint_auth_methods_supported": ["none"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["ES256"],
            "scopes_supported": SCOPE.split(' ').collect::<Vec<_>>(),
            "prompt_values_supported": ["none", "login", "select_account"],
            "claims_supported": [
                "sub", "name", "preferred_username", "email", "email_verified", "roles", "auth_time", "sid",
            ],
            "authorization_response_iss_parameter_supported": true,
            "request_parameter_supported": false,
            "request_uri_parameter_supported": false,
        }),
    )
}

async fn keys(State(provider): State<Arc<Provider>>) -> Response {
    json_response(StatusCode::OK, &json!({ "keys": [provider.keys.public()] }))
}

fn json_response(status: StatusCode, body: &Value) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "application/json"),
        // RFC 6749, section 5.1.
        (header::CACHE_CONTROL, "no-store"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
    ];
    (status, headers, body.to_string()).into_response()
}
