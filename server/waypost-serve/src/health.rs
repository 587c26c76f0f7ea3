//! `/healthz`: the process is alive. `/readyz`: it can serve, and if not, why not.
//!
//! An identity provider that is down does not make a server unready that has its keys: they serve for a day, and visitors'
//! tours need no sign-in at all. A server that never got any keys is not ready, because nobody could sign in.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use axum::{
    Router,
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
    routing::get,
};
use serde_json::{Value, json};
use tokio::time::timeout;
use waypost_auth::{ProviderStatus, Verifier};

use crate::Application;

/// A probe must be answered before the prober gives up.
const PATIENCE: Duration = Duration::from_secs(2);

/// What readiness depends on.
#[derive(Clone)]
pub(crate) struct Health {
    pub(crate) app: Arc<dyn Application>,
    pub(crate) verifier: Arc<Verifier>,
    pub(crate) draining: Arc<AtomicBool>,
}

/// The routes of both checks.
pub(crate) fn router(health: Health) -> Router {
    Router::new()
        .route("/healthz", get(alive))
        .route("/readyz", get(ready))
        .with_state(health)
}

async fn alive() -> Response {
    answer(
        StatusCode::OK,
        &json!({"alive": true, "version": env!("CARGO_PKG_VERSION")}),
    )
}

async fn ready(State(health): State<Health>) -> Response {
    let (database, providers) = tokio::join!(health.database(), health.providers());
    let draining = health.draining.load(Ordering::Relaxed);
    let ready = !draining && database.is_none() && providers.iter().all(ProviderStatus::is_ready);
    let body = json!({
        "ready": ready,
        "draining": draining,
        "database": {"ready": database.is_none(), "error": database},
        "providers": providers.iter().map(describe).collect::<Vec<_>>(),
    });
    answer(
        if ready {
            StatusCode::OK
        } else {
            StatusCode::SERVICE_UNAVAILABLE
        },
        &body,
    )
}

impl Health {
    /// Why the database does not answer; `None` when it does.
    async fn database(&self) -> Option<String> {
        match timeout(PATIENCE, self.app.ready()).await {
            Ok(Ok(())) => None,
            Ok(Err(error)) => Some(error.to_string()),
            Err(_elapsed) => Some("it does not answer".to_owned()),
        }
    }

    async fn providers(&self) -> Vec<ProviderStatus> {
        // A provider that hangs is described by what is known without it.
        timeout(PATIENCE, self.verifier.ready())
            .await
            .unwrap_or_else(|_elapsed| self.verifier.status())
    }
}

fn describe(status: &ProviderStatus) -> Value {
    json!({
        "id": status.id,
        "issuer": status.issuer,
        "ready": status.is_ready(),
        "keysAgeSeconds": status.keys_age.map(|age| age.as_secs()),
        "error": status.last_error,
    })
}

fn answer(status: StatusCode, body: &Value) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "application/json"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    (status, headers, body.to_string()).into_response()
}
