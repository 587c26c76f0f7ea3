use std::{sync::Arc, time::Instant};

use crate::config::Config;
use axum::{
    Router,
    body::Bytes,
    extract::{Request, State},
    http::{HeaderName, HeaderValue, StatusCode, Uri, header},
    response::{IntoResponse, Response},
    routing::post,
};
use tracing::debug;
use url::form_urlencoded;
use uuid::Uuid;
use waypost_auth::{
    Origins, Verifier,
    preset::{Logout, Renewal},
};

use crate::{
    assets::{Assets, Files},
    page_headers::PageHeaders,
};

/// Providers redirect to these.
pub const REDIRECT_PATHS: [&str; 3] = ["/auth/callback", "/auth/popup.html", "/auth/silent.html"];

const MAX_RESPONSE_LENGTH: usize = 8 * 1024;

pub(crate) fn router(config: &Config, verifier: &Arc<Verifier>, files: Files) -> Router {
    let pages = Pages {
        assets: Assets::new(files, PageHeaders::new(config.public_url.scheme() == "https")),
        verifier: Arc::clone(verifier),
        providers: config
            .providers
            .iter()
            .map(|provider| ProviderUse {
                id: provider.id.clone(),
                calls: provider.relay.is_none(),
                frames: provider.renewals.contains(&Renewal::Frame)
                    || provider.logout == Logout::Frame
                    || provider.monitored,
            })
            .collect(),
    };
    let mut router = Router::new().fallback(page);
    for path in REDIRECT_PATHS {
        router = router.route(path, post(form_post).fallback(page));
    }
    router.with_state(Arc::new(pages))
}

struct Pages {
    assets: Assets,
    verifier: Arc<Verifier>,
    providers: Vec<ProviderUse>,
}

struct ProviderUse {
    id: String,
    /// True if pages call its endpoints, not the relay.
    calls: bool,
    /// True if pages open it in a frame.
    frames: bool,
}

impl Pages {
    fn origins(&self) -> Origins {
        let mut all = Origins::default();
        for provider in &self.providers {
            let origins = self.verifier.origins(&provider.id).unwrap_or_default();
            if provider.calls {
                all.called.extend(origins.called);
            }
            if provider.frames {
                all.framed.extend(origins.framed);
            }
        }
        all
    }
}

/// The client reads the response in the query. Some providers always use `form_post`.
async fn form_post(uri: Uri, body: Bytes) -> Response {
    let query = form_urlencoded::Serializer::new(String::new())
        .extend_pairs(form_urlencoded::parse(&body))
        .finish();
    if query.len() > MAX_RESPONSE_LENGTH {
        return StatusCode::PAYLOAD_TOO_LARGE.into_response();
    }
    let headers = [
        (header::LOCATION, format!("{}?{query}", uri.path())),
        (header::CACHE_CONTROL, "no-store".to_owned()),
        (header::REFERRER_POLICY, "no-referrer".to_owned()),
    ];
    (StatusCode::SEE_OTHER, headers).into_response()
}

async fn page(State(pages): State<Arc<Pages>>, request: Request) -> Response {
    let started = Instant::now();
    let request_id = Uuid::now_v7().simple().to_string();
    let path = request.uri().path();
    let origins = pages.origins();
    let mut response = pages
        .assets
        .respond(request.method(), path, request.headers(), &origins);
    // The query may contain authorization codes.
    debug!(request_id, method = %request.method(), path, status = response.status().as_u16(), duration_us = started.elapsed().as_micros() as u64, "page");
    let id = HeaderValue::from_str(&request_id).expect("the id is hexadecimal");
    response
        .headers_mut()
        .insert(HeaderName::from_static("x-request-id"), id);
    response
}
