//! The differences of `waypost demo` to other servers: it serves an identity provider whose accounts have no passwords,
//! so only its own machine may reach it.

use axum::{
    Router,
    extract::{Request, State},
    http::{HeaderMap, StatusCode, Uri, header, uri::PathAndQuery},
    middleware::{self, Next},
    response::{IntoResponse, Redirect, Response},
};
use url::Url;
use waypost_auth::is_loopback;

/// The parts of a demo that are not settings.
pub struct Demo {
    /// The routes of its identity provider.
    pub provider: Router,
    /// Called when the server listens.
    pub on_listening: Box<dyn FnOnce() + Send>,
}

const FOREIGN_HOST: &str = "The demo accepts requests to localhost only, because its accounts have no passwords.\n";

/// Rejects requests to other host names. A page of another site can let its own name resolve to a loopback address (DNS
/// rebinding), and could then read all responses.
pub(crate) fn only_local(router: Router, public_url: &Url) -> Router {
    router.layer(middleware::from_fn_with_state(public_url.clone(), check_host))
}

async fn check_host(State(public_url): State<Url>, request: Request, next: Next) -> Response {
    match requested_url(request.uri(), request.headers()) {
        None => (StatusCode::MISDIRECTED_REQUEST, FOREIGN_HOST).into_response(),
        // The provider redirects only to the public URL. Its pages share no storage with those of other loopback names.
        Some(host) if host.origin() != public_url.origin() && is_navigation(request.headers()) => {
            let path = request.uri().path_and_query().map_or("/", PathAndQuery::as_str);
            let target = format!("{}{path}", public_url.origin().ascii_serialization());
            Redirect::temporary(&target).into_response()
        }
        Some(_) => next.run(request).await,
    }
}

/// Returns the URL of the requested host if it is this machine.
fn requested_url(uri: &Uri, headers: &HeaderMap) -> Option<Url> {
    let mut hosts = headers.get_all(header::HOST).iter();
    let host = match (hosts.next(), hosts.next(), uri.authority()) {
        (Some(host), None, _) => host.to_str().ok()?,
        (None, None, Some(authority)) => authority.as_str(),
        _ => return None,
    };
    let url = Url::parse(&format!("http://{host}/")).ok()?;
    is_loopback(&url).then_some(url)
}

fn is_navigation(headers: &HeaderMap) -> bool {
    headers.get("sec-fetch-mode").is_some_and(|mode| mode == "navigate")
}
