//! Sign-outs that the identity provider reports (OpenID Connect Back-Channel Logout 1.0). Off by default.
//!
//! The provider posts a signed logout token. The application stores the sign-out, which notifies all processes, and each
//! then rejects the tokens of the session and ends its streams.

use std::sync::Arc;

use axum::{
    Router,
    body::Bytes,
    extract::{DefaultBodyLimit, State, rejection::BytesRejection},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
    routing::post,
};
use serde_json::json;
use url::form_urlencoded;
use waypost_auth::{Reject, Verifier};

use crate::{Application, config::Config, relay::is_form};

pub(crate) const PATH: &str = "/auth/backchannel-logout";

/// Longest accepted request body, in bytes.
const BODY_LIMIT: usize = 32 * 1024;

struct Endpoint {
    verifier: Arc<Verifier>,
    app: Arc<dyn Application>,
}

/// True if a provider reports sign-outs.
pub(crate) fn is_enabled(config: &Config) -> bool {
    config
        .providers
        .iter()
        .any(|provider| provider.tokens.backchannel_logout)
}

pub(crate) fn router(config: &Config, verifier: &Arc<Verifier>, app: &Arc<dyn Application>) -> Router {
    if !is_enabled(config) {
        return Router::new();
    }
    let endpoint = Endpoint {
        verifier: Arc::clone(verifier),
        app: Arc::clone(app),
    };
    Router::new()
        .route(PATH, post(logout))
        .layer(DefaultBodyLimit::max(BODY_LIMIT))
        .with_state(Arc::new(endpoint))
}

/// Accepts a logout token. All failures have status 400, as section 2.8 requires.
async fn logout(
    State(endpoint): State<Arc<Endpoint>>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Response {
    let result = match body {
        Ok(body) if is_form(&headers) => endpoint.accept(&body).await,
        Ok(_) => Err(Failure::invalid(
            "The content type must be application/x-www-form-urlencoded.",
        )),
        Err(_) => Err(Failure::invalid("The request is too long.")),
    };
    let no_store = [(header::CACHE_CONTROL, "no-store")];
    match result {
        Ok(()) => (StatusCode::OK, no_store).into_response(),
        Err(Failure { code, description }) => {
            tracing::warn!(code, description, "a report of a sign-out was rejected");
            let body = json!({"error": code, "error_description": description}).to_string();
            let json = [
                (header::CONTENT_TYPE, "application/json"),
                (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
            ];
            (StatusCode::BAD_REQUEST, no_store, json, body).into_response()
        }
    }
}

struct Failure {
    code: &'static str,
    description: String,
}

impl Failure {
    fn invalid(description: impl Into<String>) -> Self {
        Self {
            code: "invalid_request",
            description: description.into(),
        }
    }
}

impl From<Reject> for Failure {
    fn from(reject: Reject) -> Self {
        let code = match reject {
            Reject::Unavailable(_) => "temporarily_unavailable",
            _ => "invalid_request",
        };
        // The checks of both kinds of tokens have the same results.
        let description = match reject {
            Reject::Type(_) => "The token is not a logout token.".to_owned(),
            reject => reject.to_string().replace("access token", "logout token"),
        };
        Self { code, description }
    }
}

impl Endpoint {
    async fn accept(&self, body: &[u8]) -> Result<(), Failure> {
        let mut tokens = form_urlencoded::parse(body).filter(|(name, _)| name == "logout_token");
        let (Some((_, token)), None) = (tokens.next(), tokens.next()) else {
            return Err(Failure::invalid("The form must contain `logout_token` once."));
        };
        let logout = self.verifier.verify_logout(&token).await?;
        match self.app.record_logout(&logout).await {
            Ok(true) => {
                // The other processes are notified of it.
                self.verifier.sign_out(std::slice::from_ref(&logout));
                tracing::info!(issuer = logout.issuer, "the identity provider reported a sign-out");
                Ok(())
            }
            Ok(false) => Err(Failure::invalid("The logout token has been used before.")),
            Err(error) => {
                tracing::error!(error = format!("{error:#}"), "a sign-out could not be stored");
                Err(Failure {
                    code: "server_error",
                    description: "The sign-out could not be stored.".to_owned(),
                })
            }
        }
    }
}
