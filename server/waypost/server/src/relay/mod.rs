//! The token relay, for providers whose token endpoint requires a client secret or does not support CORS. Off by
//! default.
//!
//! The browser uses its own PKCE verifier, and reads a copy of the discovery document that names this server as the
//! token endpoint and the userinfo endpoint. The relay adds the client secret to requests for tokens and stores nothing.
//! To prevent abuse:
//! - requests for tokens must come from a page of this installation: `Origin` must be exactly ours. Browsers do not send
//!   it with a GET of the same origin, but pages of other origins cannot send a token to userinfo without a preflight;
//! - client, redirect URIs and the provider's endpoint are the configured ones;
//! - only codes (with a PKCE verifier) and refresh tokens can be exchanged, and other parameters are rejected;
//! - each client address is limited to two hundred requests a minute for tokens, and as many to userinfo (behind a
//!   proxy, `WAYPOST_TRUST_PROXY=1` is required to distinguish addresses);
//! - nothing is cached, and no body is logged.

mod form;

use std::{sync::Arc, time::Instant};

use crate::{
    config::{Config, RelaySecret},
    form_body,
};
use axum::{
    Router,
    extract::{Path, Request, State},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use serde_json::{Value, json};
use traitql::{RateLimit, RateLimits, address_key};
use traitql_axum::client_address;
use url::Url;
use waypost_auth::{Reject, Verifier};

const PATH: &str = "/auth/oidc";

/// The limit per client address, which suffices for a thousand accounts with tokens of five minutes.
const RATE: RateLimit = RateLimit {
    field: "token relay",
    limit: 200,
    window_seconds: 60,
};

/// Separate, so that pages that are loaded often leave the renewals of an address their share.
const USERINFO_RATE: RateLimit = RateLimit {
    field: "userinfo relay",
    ..RATE
};

/// The time in seconds.
const RETRY_AFTER: u64 = 5;

pub(crate) fn metadata_url(public_url: &Url, id: &str) -> String {
    format!("{}{PATH}/{id}/openid-configuration", origin_of(public_url))
}

struct Relay {
    verifier: Arc<Verifier>,
    /// The origin of this installation, as browsers serialize it.
    origin: String,
    clients: Vec<RelayClient>,
    rates: RateLimits,
    trust_proxy: bool,
}

struct RelayClient {
    id: String,
    client_id: String,
    secret: RelaySecret,
}

pub(crate) fn router(config: &Config, verifier: &Arc<Verifier>) -> Router {
    let clients: Vec<_> = config
        .providers
        .iter()
        .filter_map(|provider| {
            Some(RelayClient {
                id: provider.id.clone(),
                client_id: provider.client_id.clone(),
                secret: provider.relay.clone()?,
            })
        })
        .collect();
    if clients.is_empty() {
        return Router::new();
    }
    let relay = Relay {
        verifier: Arc::clone(verifier),
        origin: origin_of(&config.public_url),
        clients,
        rates: RateLimits::default(),
        trust_proxy: config.trust_proxy,
    };
    Router::new()
        .route(&format!("{PATH}/{{id}}/openid-configuration"), get(metadata))
        .route(&format!("{PATH}/{{id}}/token"), post(token))
        .route(&format!("{PATH}/{{id}}/userinfo"), get(userinfo))
        .with_state(Arc::new(relay))
}

fn origin_of(url: &Url) -> String {
    url.origin().ascii_serialization()
}

/// Names the relay as the token and userinfo endpoints, and omits endpoints that browsers cannot call.
async fn metadata(State(relay): State<Arc<Relay>>, Path(id): Path<String>) -> Response {
    let Some(client) = relay.client(&id) else {
        return json_response(StatusCode::NOT_FOUND, &json!({"error": "not_found"}));
    };
    match relay.verifier.discovery(&client.id).await {
        Some(Ok(mut document)) => {
            let endpoint = |name: &str| format!("{}{PATH}/{}/{name}", relay.origin, client.id);
            if let Some(fields) = document.as_object_mut() {
                fields.insert("token_endpoint".into(), endpoint("token").into());
                fields.insert("token_endpoint_auth_methods_supported".into(), json!(["none"]));
                if let Some(userinfo) = fields.get_mut("userinfo_endpoint") {
                    *userinfo = endpoint("userinfo").into();
                }
                for unusable in ["revocation_endpoint", "introspection_endpoint", "mtls_endpoint_aliases"] {
                    fields.remove(unusable);
                }
            }
            json_response(StatusCode::OK, &document)
        }
        Some(Err(reject)) => unavailable(&client.id, &reject),
        None => json_response(StatusCode::NOT_FOUND, &json!({"error": "not_found"})),
    }
}

async fn token(State(relay): State<Arc<Relay>>, Path(id): Path<String>, request: Request) -> Response {
    let Some(client) = relay.client(&id) else {
        return json_response(StatusCode::NOT_FOUND, &json!({"error": "not_found"}));
    };
    if !relay.is_from_our_page(request.headers()) {
        let text = "The token relay accepts requests only from pages of this installation.";
        return oauth_error(StatusCode::FORBIDDEN, "access_denied", text);
    }
    if let Some(rejection) = relay.limit(RATE, &request) {
        return rejection;
    }
    let body = match form_body::receive(request).await {
        Ok(body) => body,
        Err(text) => return oauth_error(StatusCode::BAD_REQUEST, "invalid_request", text),
    };
    let form = match form::read(&body, &client.client_id, &relay.origin) {
        Ok(form) => form,
        Err((code, text)) => return oauth_error(StatusCode::BAD_REQUEST, code, text),
    };
    let credentials = match client.secret.credentials(&client.client_id) {
        Ok(credentials) => credentials,
        Err(problem) => return unavailable(&client.id, &Reject::Unavailable(problem)),
    };
    let result = relay
        .verifier
        .request_tokens(&client.id, &client.client_id, &credentials, form)
        .await;
    match result {
        Some(Ok((_, body))) if body["error"] == "invalid_client" => {
            // The secret is the operator's setting, so this is a server error.
            tracing::error!(
                provider = client.id,
                "the identity provider rejects the client secret; check the relay's settings"
            );
            let text =
                "The identity provider rejects this installation's client secret. An administrator has to replace it.";
            oauth_error(StatusCode::BAD_GATEWAY, "server_error", text)
        }
        Some(Ok((status, body))) => {
            json_response(StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_GATEWAY), &body)
        }
        Some(Err(reject)) => unavailable(&client.id, &reject),
        None => json_response(StatusCode::NOT_FOUND, &json!({"error": "not_found"})),
    }
}

async fn userinfo(State(relay): State<Arc<Relay>>, Path(id): Path<String>, request: Request) -> Response {
    let Some(client) = relay.client(&id) else {
        return json_response(StatusCode::NOT_FOUND, &json!({"error": "not_found"}));
    };
    if let Some(rejection) = relay.limit(USERINFO_RATE, &request) {
        return rejection;
    }
    let authorization = request.headers().get(header::AUTHORIZATION);
    let token = authorization
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.strip_prefix("Bearer "));
    let Some(token) = token else {
        let text = "The request has no access token.";
        return oauth_error(StatusCode::UNAUTHORIZED, "invalid_token", text);
    };
    match relay.verifier.userinfo(&client.id, token).await {
        Some(Ok(claims)) => json_response(StatusCode::OK, &Value::Object(claims)),
        Some(Err(Reject::Inactive)) => {
            let text = "The identity provider does not accept the access token.";
            oauth_error(StatusCode::UNAUTHORIZED, "invalid_token", text)
        }
        Some(Err(reject)) => unavailable(&client.id, &reject),
        None => json_response(StatusCode::NOT_FOUND, &json!({"error": "not_found"})),
    }
}

impl Relay {
    fn client(&self, id: &str) -> Option<&RelayClient> {
        self.clients.iter().find(|client| client.id == id)
    }

    /// Browsers set `Origin` on every POST, and pages cannot change it.
    fn is_from_our_page(&self, headers: &HeaderMap) -> bool {
        let mut origins = headers.get_all(header::ORIGIN).iter();
        let is_ours = |value: &axum::http::HeaderValue| value.as_bytes() == self.origin.as_bytes();
        let site = headers.get("sec-fetch-site");
        matches!((origins.next(), origins.next()), (Some(origin), None) if is_ours(origin))
            && site.is_none_or(|site| site == "same-origin")
    }

    /// Returns the response for an address that has sent too many requests.
    fn limit(&self, rate: RateLimit, request: &Request) -> Option<Response> {
        let seconds = self.rates.check(rate, &self.caller(request), Instant::now()).err()?;
        let text = "Too many requests from this address; try again later.";
        let mut response = oauth_error(StatusCode::TOO_MANY_REQUESTS, "temporarily_unavailable", text);
        response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
        Some(response)
    }

    fn caller(&self, request: &Request) -> String {
        let address = client_address(request.headers(), request.extensions(), self.trust_proxy);
        address.map(address_key).unwrap_or_default()
    }
}

fn unavailable(id: &str, reject: &Reject) -> Response {
    tracing::warn!(
        provider = id,
        ?reject,
        "the token relay cannot reach the identity provider"
    );
    let text = "The identity provider cannot be reached; try again shortly.";
    let mut response = oauth_error(StatusCode::SERVICE_UNAVAILABLE, "temporarily_unavailable", text);
    response.headers_mut().insert(header::RETRY_AFTER, RETRY_AFTER.into());
    response
}

fn oauth_error(status: StatusCode, code: &str, text: &str) -> Response {
    json_response(status, &json!({"error": code, "error_description": text}))
}

fn json_response(status: StatusCode, body: &Value) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "application/json"),
        // RFC 6749, section 5.1.
        (header::CACHE_CONTROL, "no-store"),
        (header::PRAGMA, "no-cache"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
    ];
    (status, headers, body.to_string()).into_response()
}
