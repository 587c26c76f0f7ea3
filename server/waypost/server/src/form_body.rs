use axum::{
    body::Bytes,
    extract::{FromRequest, Request},
    http::{HeaderMap, header},
};

/// Fails with a description. The server limits the size and the time of every body, and then sets the status of the
/// response.
pub(crate) async fn receive(request: Request) -> Result<Bytes, &'static str> {
    if !is_form(request.headers()) {
        return Err("The content type must be application/x-www-form-urlencoded.");
    }
    let body = Bytes::from_request(request, &()).await;
    body.map_err(|_| "The form is too long or was not received in time.")
}

fn is_form(headers: &HeaderMap) -> bool {
    headers
        .get(header::CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok())
        .and_then(|kind| kind.split(';').next())
        .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/x-www-form-urlencoded"))
}
