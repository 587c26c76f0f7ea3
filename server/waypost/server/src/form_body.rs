use std::time::Duration;

use axum::{
    body::Bytes,
    extract::{DefaultBodyLimit, FromRequest, Request},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::Response,
};
use tokio::time::timeout;

/// In bytes. More than a token or a code with a verifier.
const LIMIT: usize = 32 * 1024;

const TIMEOUT: Duration = Duration::from_secs(10);

pub(crate) fn limit() -> DefaultBodyLimit {
    DefaultBodyLimit::max(LIMIT)
}

/// Fails with the status of the response and a description.
pub(crate) async fn receive(request: Request) -> Result<Bytes, (StatusCode, &'static str)> {
    if !is_form(request.headers()) {
        return Err((
            StatusCode::BAD_REQUEST,
            "The content type must be application/x-www-form-urlencoded.",
        ));
    }
    match timeout(TIMEOUT, Bytes::from_request(request, &())).await {
        Ok(Ok(body)) => Ok(body),
        Ok(Err(_)) => Err((StatusCode::PAYLOAD_TOO_LARGE, "The request is too long.")),
        Err(_) => Err((StatusCode::REQUEST_TIMEOUT, "The request was not received in time.")),
    }
}

fn is_form(headers: &HeaderMap) -> bool {
    headers
        .get(header::CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok())
        .and_then(|kind| kind.split(';').next())
        .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/x-www-form-urlencoded"))
}

/// Used if the rest of the request has not been received.
pub(crate) fn close_if_late(mut response: Response) -> Response {
    if response.status() == StatusCode::REQUEST_TIMEOUT {
        let close = HeaderValue::from_static("close");
        response.headers_mut().insert(header::CONNECTION, close);
    }
    response
}
