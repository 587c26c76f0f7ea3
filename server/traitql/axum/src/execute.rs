//! Runs operations for HTTP and WebSocket: with a deadline, and without a panic that ends the connection.

use std::{panic::AssertUnwindSafe, pin::pin, sync::Arc};

use futures_util::FutureExt;
use tracing::error;

use super::{Endpoint, deadline::with_deadline, problem::Problem};
use traitql::{Ctx, Document, Variables, engine};

/// Applies the deadline, and converts a panic to an error.
pub(super) async fn execute(
    endpoint: &Endpoint,
    cx: &Ctx,
    document: &Document,
    variables: Variables,
) -> Result<engine::Response, Problem> {
    let execution = async { endpoint.engine.execute(cx, document, variables).await };
    match with_deadline(
        endpoint.operation_timeout,
        pin!(AssertUnwindSafe(execution).catch_unwind()),
    )
    .await
    {
        Ok(Ok(response)) => Ok(response),
        Ok(Err(_)) => Err(panicked(cx.request_id())),
        Err(_late) => Err(Problem::timeout()),
    }
}

pub(super) type StartedSubscription =
    Result<futures_util::stream::BoxStream<'static, engine::Response>, engine::Response>;

/// Applies the deadline, and converts a panic to an error.
pub(super) async fn subscribe(
    endpoint: &Endpoint,
    cx: Ctx,
    document: &Arc<Document>,
    variables: Variables,
) -> Result<StartedSubscription, Problem> {
    let id = cx.request_id().to_owned();
    let started = async { endpoint.engine.subscribe(cx, Arc::clone(document), variables).await };
    match with_deadline(
        endpoint.operation_timeout,
        pin!(AssertUnwindSafe(started).catch_unwind()),
    )
    .await
    {
        Ok(Ok(started)) => Ok(started),
        Ok(Err(_)) => Err(panicked(&id)),
        Err(_late) => Err(Problem::timeout()),
    }
}

pub(super) fn panicked(request_id: &str) -> Problem {
    error!(request_id, "the engine panicked");
    Problem::internal(request_id)
}
