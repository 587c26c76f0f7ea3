//! The account posts its token to `/auth/sign-out` (like RFC 7009), the provider a signed logout token to
//! `/auth/backchannel-logout` (OpenID Connect Back-Channel Logout 1.0). A page reads at
//! `/auth/sign-out/{provider}/key-ids` whether the provider can still verify its ID token.

use std::sync::Arc;

use axum::{
    Router,
    extract::{Path, Request, State},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use serde_json::json;
use url::form_urlencoded;
use waypost_auth::{Logout, Reject, Verifier};

use crate::{Application, config::Config, form_body};

const PATH: &str = "/auth/sign-out";

pub const BACKCHANNEL_PATH: &str = "/auth/backchannel-logout";

struct Endpoint {
    verifier: Arc<Verifier>,
    app: Arc<dyn Application>,
}

pub(crate) fn router(config: &Config, verifier: &Arc<Verifier>, app: &Arc<dyn Application>) -> Router {
    let endpoint = Endpoint {
        verifier: Arc::clone(verifier),
        app: Arc::clone(app),
    };
    let mut router = Router::new()
        .route(PATH, post(sign_out))
        .route(&format!("{PATH}/{{provider}}/key-ids"), get(key_ids));
    if config
        .providers
        .iter()
        .any(|provider| provider.tokens.backchannel_logout)
    {
        router = router.route(BACKCHANNEL_PATH, post(backchannel_logout));
    }
    router.with_state(Arc::new(endpoint))
}

/// Responds to an invalid token with 200, because its session has ended too (RFC 7009, section 2.2).
async fn sign_out(State(endpoint): State<Arc<Endpoint>>, request: Request) -> Response {
    respond(endpoint.sign_out(request).await, "a sign-out was rejected")
}

/// Not all providers allow pages to read the ids (CORS).
async fn key_ids(State(endpoint): State<Arc<Endpoint>>, Path(provider): Path<String>) -> Response {
    let ids = json!(endpoint.verifier.key_ids(&provider).await).to_string();
    (
        [
            (header::CACHE_CONTROL, "no-store"),
            (header::CONTENT_TYPE, "application/json"),
        ],
        ids,
    )
        .into_response()
}

/// Failures have status 400 (OpenID Connect Back-Channel Logout 1.0, section 2.8).
async fn backchannel_logout(State(endpoint): State<Arc<Endpoint>>, request: Request) -> Response {
    let result = endpoint.accept_report(request).await;
    respond(
        result.map_err(|failure| Failure {
            status: StatusCode::BAD_REQUEST,
            ..failure
        }),
        "a report of a sign-out was rejected",
    )
}

fn respond(result: Result<(), Failure>, message: &'static str) -> Response {
    let no_store = [(header::CACHE_CONTROL, "no-store")];
    match result {
        Ok(()) => (StatusCode::OK, no_store).into_response(),
        Err(Failure {
            status,
            code,
            description,
        }) => {
            tracing::warn!(code, description, "{message}");
            let body = json!({"error": code, "error_description": description}).to_string();
            let json = [
                (header::CONTENT_TYPE, "application/json"),
                (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
            ];
            (status, no_store, json, body).into_response()
        }
    }
}

struct Failure {
    status: StatusCode,
    code: &'static str,
    description: String,
}

impl Failure {
    fn invalid(description: impl Into<String>) -> Self {
        Self {
            status: StatusCode::BAD_REQUEST,
            code: "invalid_request",
            description: description.into(),
        }
    }
}

impl From<Reject> for Failure {
    fn from(reject: Reject) -> Self {
        let (status, code) = match reject {
            Reject::Unavailable(_) => (StatusCode::SERVICE_UNAVAILABLE, "temporarily_unavailable"),
            _ => (StatusCode::BAD_REQUEST, "invalid_request"),
        };
        // For both kinds of tokens.
        let description = match reject {
            Reject::Type(_) => "The token is not a logout token.".to_owned(),
            reject => reject.to_string().replace("access token", "logout token"),
        };
        Self {
            status,
            code,
            description,
        }
    }
}

impl Endpoint {
    async fn sign_out(&self, request: Request) -> Result<(), Failure> {
        match self.verifier.verify_sign_out(&token_of(request, "token").await?).await {
            Ok(logout) => self.record(&logout).await.map(drop),
            Err(reject @ Reject::Unavailable(_)) => Err(reject.into()),
            Err(_) => Ok(()),
        }
    }

    async fn accept_report(&self, request: Request) -> Result<(), Failure> {
        let token = token_of(request, "logout_token").await?;
        let logout = self.verifier.verify_logout(&token).await?;
        if !self.record(&logout).await? {
            return Err(Failure::invalid("The logout token has been used before."));
        }
        tracing::info!(issuer = logout.issuer, "the identity provider reported a sign-out");
        Ok(())
    }

    async fn record(&self, logout: &Logout) -> Result<bool, Failure> {
        let is_new = self.app.record_logout(logout).await.map_err(|error| {
            tracing::error!(error = format!("{error:#}"), "a sign-out could not be stored");
            Failure {
                status: StatusCode::INTERNAL_SERVER_ERROR,
                code: "server_error",
                description: "The sign-out could not be stored.".to_owned(),
            }
        })?;
        if is_new {
            // Other processes are notified.
            self.verifier.sign_out(std::slice::from_ref(logout));
        }
        Ok(is_new)
    }
}

async fn token_of(request: Request, name: &str) -> Result<String, Failure> {
    let body = form_body::receive(request).await.map_err(Failure::invalid)?;
    let mut tokens = form_urlencoded::parse(&body).filter(|(field, _)| field == name);
    match (tokens.next(), tokens.next()) {
        (Some((_, token)), None) => Ok(token.into_owned()),
        _ => Err(Failure::invalid(format!("The form must contain `{name}` once."))),
    }
}
