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

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use futures_util::{StreamExt, stream};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_body_that_arrives_too_slowly_is_rejected() {
        let bytes = stream::iter(0..1000).then(|_| async {
            tokio::time::sleep(Duration::from_secs(1)).await;
            Ok::<_, std::io::Error>("a")
        });
        let request = Request::post("/")
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body(Body::from_stream(bytes))
            .unwrap_or_default();
        let started = tokio::time::Instant::now();
        let received = receive(request).await;
        assert_eq!(
            received.err().map(|(status, _)| status),
            Some(StatusCode::REQUEST_TIMEOUT)
        );
        assert_eq!(started.elapsed(), TIMEOUT);
    }
}
