//! The token relay: for providers whose token endpoint no browser can use, because it wants a secret or answers no other
//! origin. Off by default.
//!
//! The browser does everything else itself, with its own PKCE verifier; it reads a copy of the discovery document here that
//! names this server as the token endpoint. What is posted there goes on to the provider with the client's secret, and the
//! answer comes back. Nothing is kept. The relay must be of no use to anybody else, so:
//! - the request comes from a page of this installation: its `Origin` is exactly ours;
//! - the client, the redirect addresses and the provider's endpoint are the configured ones;
//! - only the code (with a PKCE verifier) and the refresh token can be exchanged, and no parameter is passed on that these
//!   two do not have;
//! - each address may ask two hundred times a minute (behind a proxy, `WAYPOST_TRUST_PROXY=1` tells addresses apart);
//! - nothing is cached, and no body is logged.

mod form;

use std::{sync::Arc, time::Instant};

use axum::{
    Router,
    body::Bytes,
    extract::{DefaultBodyLimit, FromRequest, Path, Request, State},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use serde_json::{Value, json};
use traitql::{Rate, Rates, address_key, http::client_address};
use url::Url;
use waypost_auth::{Reject, Verifier};
use waypost_cli::config::{Config, RelaySecret};

/// Where the relay is, below the public address.
const PATH: &str = "/auth/oidc";

/// A form of a token request has a code or a token and a verifier, all together below this.
const BODY_LIMIT: usize = 32 * 1024;

/// One request for each sign-in and each renewal: with tokens of five minutes, this is enough for a thousand people behind one
/// address.
const RATE: Rate = Rate {
    field: "token relay",
    limit: 200,
    window_seconds: 60,
};

/// When to try again while a provider is down, in seconds.
const RETRY_AFTER: u64 = 5;

/// Where the browser reads the discovery document of a provider that is relayed.
pub(crate) fn metadata_url(public_url: &Url, id: &str) -> String {
    format!("{}{PATH}/{id}/openid-configuration", origin_of(public_url))
}

/// What the relay knows.
struct Relay {
    verifier: Arc<Verifier>,
    /// Our own origin, as browsers write it.
    origin: String,
    clients: Vec<Relayed>,
    rates: Rates,
    trust_proxy: bool,
}

/// A provider that is relayed.
struct Relayed {
    id: String,
    client_id: String,
    secret: RelaySecret,
}

/// The routes of the relay; none, when no provider is relayed.
pub(crate) fn router(config: &Config, verifier: &Arc<Verifier>) -> Router {
    let clients: Vec<_> = config
        .providers
        .iter()
        .filter_map(|provider| {
            Some(Relayed {
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
        rates: Rates::default(),
        trust_proxy: config.trust_proxy,
    };
    Router::new()
        .route(&format!("{PATH}/{{id}}/openid-configuration"), get(metadata))
        .route(&format!("{PATH}/{{id}}/token"), post(token))
        .layer(DefaultBodyLimit::max(BODY_LIMIT))
        .with_state(Arc::new(relay))
}

fn origin_of(url: &Url) -> String {
    url.origin().ascii_serialization()
}

/// The provider's discovery document, with us as its token endpoint and without what a browser could not use.
async fn metadata(State(relay): State<Arc<Relay>>, Path(id): Path<String>) -> Response {
    let Some(client) = relay.client(&id) else {
        return answer(StatusCode::NOT_FOUND, &json!({"error": "not_found"}));
    };
    match relay.verifier.discovery(&client.id).await {
        Some(Ok(mut document)) => {
            let token = format!("{}{PATH}/{}/token", relay.origin, client.id);
            if let Some(fields) = document.as_object_mut() {
                fields.insert("token_endpoint".into(), token.into());
                fields.insert("token_endpoint_auth_methods_supported".into(), json!(["none"]));
                for unusable in [
                    "userinfo_endpoint",
                    "revocation_endpoint",
                    "introspection_endpoint",
                    "mtls_endpoint_aliases",
                ] {
                    fields.remove(unusable);
                }
            }
            answer(StatusCode::OK, &document)
        }
        Some(Err(reject)) => unavailable(&client.id, &reject),
        None => answer(StatusCode::NOT_FOUND, &json!({"error": "not_found"})),
    }
}

/// Exchanges a code or a refresh token.
async fn token(State(relay): State<Arc<Relay>>, Path(id): Path<String>, request: Request) -> Response {
    let Some(client) = relay.client(&id) else {
        return answer(StatusCode::NOT_FOUND, &json!({"error": "not_found"}));
    };
    if !relay.is_from_our_page(request.headers()) {
        let text = "The token relay answers pages of this installation only.";
        return refusal(StatusCode::FORBIDDEN, "access_denied", text);
    }
    if let Err(seconds) = relay.rates.check(RATE, &relay.caller(&request), Instant::now()) {
        let text = "Too many token requests from this address.";
        let mut response = refusal(StatusCode::TOO_MANY_REQUESTS, "temporarily_unavailable", text);
        response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
        return response;
    }
    if !is_form(request.headers()) {
        let text = "A token request is a form (application/x-www-form-urlencoded).";
        return refusal(StatusCode::BAD_REQUEST, "invalid_request", text);
    }
    let Ok(body) = Bytes::from_request(request, &()).await else {
        let text = "The token request is too long.";
        return refusal(StatusCode::PAYLOAD_TOO_LARGE, "invalid_request", text);
    };
    let form = match form::read(&body, &client.client_id, &relay.origin) {
        Ok(form) => form,
        Err((code, text)) => return refusal(StatusCode::BAD_REQUEST, code, text),
    };
    let credentials = match client.secret.credentials(&client.client_id) {
        Ok(credentials) => credentials,
        Err(problem) => return unavailable(&client.id, &Reject::Unavailable(problem)),
    };
    let asked = relay
        .verifier
        .ask_for_tokens(&client.id, &client.client_id, &credentials, form)
        .await;
    match asked {
        Some(Ok((_, told))) if told["error"] == "invalid_client" => {
            // Neither the person nor the page can do anything about our secret.
            tracing::error!(
                provider = client.id,
                "the identity provider refuses the secret of the client"
            );
            let text =
                "The identity provider refuses this installation's secret. Its administrator has to set it anew.";
            refusal(StatusCode::BAD_GATEWAY, "server_error", text)
        }
        Some(Ok((status, told))) => answer(StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_GATEWAY), &told),
        Some(Err(reject)) => unavailable(&client.id, &reject),
        None => answer(StatusCode::NOT_FOUND, &json!({"error": "not_found"})),
    }
}

impl Relay {
    fn client(&self, id: &str) -> Option<&Relayed> {
        self.clients.iter().find(|client| client.id == id)
    }

    /// Browsers write the origin of the page on every POST, and no page can change it. A request without one is no page's.
    fn is_from_our_page(&self, headers: &HeaderMap) -> bool {
        let mut origins = headers.get_all(header::ORIGIN).iter();
        let ours = |value: &axum::http::HeaderValue| value.as_bytes() == self.origin.as_bytes();
        let site = headers.get("sec-fetch-site");
        matches!((origins.next(), origins.next()), (Some(origin), None) if ours(origin))
            && site.is_none_or(|site| site == "same-origin")
    }

    /// Who is counted.
    fn caller(&self, request: &Request) -> String {
        let address = client_address(request.headers(), request.extensions(), self.trust_proxy);
        address.map(address_key).unwrap_or_default()
    }
}

fn is_form(headers: &HeaderMap) -> bool {
    headers
        .get(header::CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok())
        .and_then(|kind| kind.split(';').next())
        .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/x-www-form-urlencoded"))
}

fn unavailable(id: &str, reject: &Reject) -> Response {
    tracing::warn!(
        provider = id,
        ?reject,
        "the token relay cannot reach the identity provider"
    );
    let text = "The identity provider cannot be reached; try again shortly.";
    let mut response = refusal(StatusCode::SERVICE_UNAVAILABLE, "temporarily_unavailable", text);
    response.headers_mut().insert(header::RETRY_AFTER, RETRY_AFTER.into());
    response
}

/// An error of a token endpoint (RFC 6749, section 5.2).
fn refusal(status: StatusCode, code: &str, text: &str) -> Response {
    answer(status, &json!({"error": code, "error_description": text}))
}

fn answer(status: StatusCode, body: &Value) -> Response {
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
