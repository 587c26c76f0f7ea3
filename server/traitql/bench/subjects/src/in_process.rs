use std::error::Error;

use axum::{
    Router,
    body::{Body, Bytes, to_bytes},
    http::{Request, header},
};
use tower::ServiceExt;

/// Returns the length of the last response.
pub async fn send(router: &Router, body: &Bytes, times: usize) -> Result<usize, Box<dyn Error>> {
    let mut length = 0;
    for _ in 0..times {
        let request = Request::post("/graphql")
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::ACCEPT, "application/json")
            .body(Body::from(body.clone()))?;
        let response = router.clone().oneshot(request).await?;
        let status = response.status();
        length = to_bytes(response.into_body(), usize::MAX).await?.len();
        if !status.is_success() {
            return Err(format!("the response status is {status}").into());
        }
    }
    Ok(length)
}
