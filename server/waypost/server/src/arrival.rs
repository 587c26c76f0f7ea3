//! `/requestz` reports how a request arrived, with which `waypost doctor proxy` checks the proxy in front. It returns
//! only facts about the request itself, so anyone may request it.

use std::{convert::Infallible, time::Duration};

use axum::{
    Router,
    body::Body,
    extract::{Request, State},
    http::{HeaderMap, HeaderName, StatusCode, header},
    response::{IntoResponse, Response},
    routing::get,
};
use futures_util::{StreamExt, stream};
use serde_json::json;
use tokio::time::sleep;
use traitql_axum::client_address;

use crate::health::json_response;

/// Reports the request.
pub const ARRIVAL_PATH: &str = "/requestz";

/// Sends a line, waits, and sends another line, like a subscription.
pub const ARRIVAL_STREAM_PATH: &str = "/requestz/stream";

/// Long enough that a busy machine does not take a stream for a buffered one.
const PAUSE: Duration = Duration::from_secs(3);

pub(crate) fn router(trust_proxy: bool) -> Router {
    Router::new()
        .route(ARRIVAL_PATH, get(report))
        .route(ARRIVAL_STREAM_PATH, get(stream))
        .with_state(trust_proxy)
}

async fn report(State(trust_proxy): State<bool>, request: Request) -> Response {
    let headers = request.headers();
    let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    let body = json!({
        "address": client_address(headers, request.extensions(), trust_proxy),
        "trustsProxy": trust_proxy,
        "forwardedFor": forwarded_for(headers),
        "host": text(header::HOST),
        "origin": text(header::ORIGIN),
    });
    json_response(StatusCode::OK, &body)
}

/// Returns the number of addresses in `X-Forwarded-For`.
fn forwarded_for(headers: &HeaderMap) -> usize {
    let values = headers.get_all("x-forwarded-for").iter();
    values
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .filter(|address| !address.trim().is_empty())
        .count()
}

/// The headers are those of subscriptions, because proxies decide by them whether to buffer.
async fn stream() -> Response {
    let parts = stream::iter(["first\n", "last\n"])
        .enumerate()
        .then(|(index, part)| async move {
            if index > 0 {
                sleep(PAUSE).await;
            }
            Ok::<_, Infallible>(part)
        });
    let headers = [
        (header::CONTENT_TYPE, "multipart/mixed;boundary=\"graphql\""),
        (header::CACHE_CONTROL, "no-store"),
        (HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    (headers, Body::from_stream(parts)).into_response()
}
