//! `/healthz` for liveness, `/readyz` for readiness. Anyone can request both, so reasons are only logged.
//!
//! The server stays ready without its provider if it has cached keys: they are valid for a day, and tours need no
//! sign-in.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use axum::{
    Router,
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
    routing::get,
};
use serde_json::{Value, json};
use tokio::{sync::Mutex, time::timeout};
use waypost_auth::{ProviderStatus, Verifier};

use crate::Application;

/// Shorter than the timeouts of probes.
const CHECK_TIMEOUT: Duration = Duration::from_secs(2);

/// The check writes, and anyone may request it.
const DATABASE_CHECK_AGE: Duration = Duration::from_secs(1);

#[derive(Clone)]
pub(crate) struct Health {
    app: Arc<dyn Application>,
    verifier: Arc<Verifier>,
    draining: Arc<AtomicBool>,
    database: Arc<Mutex<Option<DatabaseCheck>>>,
    /// Changes are logged.
    was_ready: Arc<AtomicBool>,
}

struct DatabaseCheck {
    at: Instant,
    error: Option<String>,
}

impl Health {
    pub(crate) fn new(app: Arc<dyn Application>, verifier: Arc<Verifier>, draining: Arc<AtomicBool>) -> Self {
        Self {
            app,
            verifier,
            draining,
            database: Arc::default(),
            was_ready: Arc::new(AtomicBool::new(true)),
        }
    }
}

pub(crate) fn router(health: Health) -> Router {
    Router::new()
        .route("/healthz", get(alive))
        .route("/readyz", get(ready))
        .with_state(health)
}

async fn alive() -> Response {
    json_response(StatusCode::OK, &json!({"alive": true}))
}

struct Readiness {
    ready: bool,
    draining: bool,
    database: bool,
    /// The reason why some visits are not stored. Only for information: members can work, so load balancers must not take
    /// the server out of service.
    visits: Option<&'static str>,
    /// The reason why changes of other processes are noticed late. Only for information, too.
    changes: Option<&'static str>,
    providers: Vec<ProviderStatus>,
}

pub(crate) struct Summary {
    pub(crate) ready: bool,
    pub(crate) visits: bool,
    pub(crate) changes: bool,
    /// `None` if there is no replica.
    pub(crate) replica: Option<bool>,
}

async fn ready(State(health): State<Health>) -> Response {
    let Readiness {
        ready,
        draining,
        database,
        visits,
        changes,
        providers,
    } = health.check().await;
    let body = json!({
        "ready": ready,
        "draining": draining,
        "database": {"ready": database},
        "visits": {"ready": visits.is_none(), "problem": visits},
        "changes": {"ready": changes.is_none(), "problem": changes},
        "providers": providers.iter().map(describe).collect::<Vec<_>>(),
    });
    json_response(
        if ready {
            StatusCode::OK
        } else {
            StatusCode::SERVICE_UNAVAILABLE
        },
        &body,
    )
}

impl Health {
    /// True for each part that has no problem.
    pub(crate) async fn summary(&self) -> Summary {
        let Readiness {
            ready, visits, changes, ..
        } = self.check().await;
        Summary {
            ready,
            visits: visits.is_none(),
            changes: changes.is_none(),
            replica: self.app.uses_replica(),
        }
    }

    async fn check(&self) -> Readiness {
        let (database, providers) = tokio::join!(self.database(), self.providers());
        let visits = match database {
            None => self.app.storage_problem().await.ok().flatten(),
            Some(_) => Some("the database does not respond"),
        };
        let draining = self.draining.load(Ordering::Relaxed);
        let ready = !draining && database.is_none() && providers.iter().all(ProviderStatus::is_ready);
        if self.was_ready.swap(ready, Ordering::Relaxed) != ready {
            log_change(ready, draining, database.as_deref(), &providers);
        }
        Readiness {
            ready,
            draining,
            database: database.is_none(),
            visits,
            changes: self.app.notification_problem(),
            providers,
        }
    }

    async fn database(&self) -> Option<String> {
        let mut last = self.database.lock().await;
        if let Some(check) = &*last
            && check.at.elapsed() < DATABASE_CHECK_AGE
        {
            return check.error.clone();
        }
        let error = match timeout(CHECK_TIMEOUT, self.app.check()).await {
            Ok(Ok(())) => None,
            Ok(Err(error)) => Some(error.to_string()),
            Err(_elapsed) => Some("the database did not respond in time".to_owned()),
        };
        *last = Some(DatabaseCheck {
            at: Instant::now(),
            error: error.clone(),
        });
        error
    }

    async fn providers(&self) -> Vec<ProviderStatus> {
        // Otherwise the last known status.
        timeout(CHECK_TIMEOUT, self.verifier.ready())
            .await
            .unwrap_or_else(|_elapsed| self.verifier.status())
    }
}

fn log_change(ready: bool, draining: bool, database: Option<&str>, providers: &[ProviderStatus]) {
    if ready {
        tracing::info!("ready");
        return;
    }
    let failed = providers.iter().filter(|status| !status.is_ready());
    let failed = failed.map(|status| {
        format!(
            "{}: {}",
            status.issuer,
            status.last_error.as_deref().unwrap_or("not loaded")
        )
    });
    let providers = failed.collect::<Vec<_>>().join("; ");
    tracing::warn!(draining, database, providers, "not ready");
}

fn describe(status: &ProviderStatus) -> Value {
    json!({
        "id": status.id,
        "issuer": status.issuer,
        "ready": status.is_ready(),
        "keysAgeSeconds": status.keys_age.map(|age| age.as_secs()),
    })
}

pub(crate) fn json_response(status: StatusCode, body: &Value) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "application/json"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    (status, headers, body.to_string()).into_response()
}
