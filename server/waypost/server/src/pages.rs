//! Route of the client's pages and files, which handles all paths outside the API.

use std::{sync::Arc, time::Instant};

use crate::config::Config;
use axum::{
    Router,
    extract::{Request, State},
    http::{HeaderName, HeaderValue},
    response::Response,
};
use tracing::debug;
use uuid::Uuid;
use waypost_auth::{
    Origins, Verifier,
    preset::{Logout, Renewal},
};

use crate::{
    assets::{Assets, Files},
    page_headers::PageHeaders,
};

pub(crate) fn router(config: &Config, verifier: &Arc<Verifier>) -> Router {
    let files = config.client.clone().map_or(Files::Embedded, Files::Folder);
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
    Router::new().fallback(page).with_state(Arc::new(pages))
}

struct Pages {
    assets: Assets,
    verifier: Arc<Verifier>,
    providers: Vec<ProviderUse>,
}

struct ProviderUse {
    id: String,
    /// True if pages call its endpoints; false if the relay does.
    calls: bool,
    /// True if pages open it in a frame, to renew, end or monitor sessions.
    frames: bool,
}

impl Pages {
    /// Returns the origins that the Content-Security-Policy has to allow.
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

async fn page(State(pages): State<Arc<Pages>>, request: Request) -> Response {
    let started = Instant::now();
    let request_id = Uuid::now_v7().simple().to_string();
    let path = request.uri().path();
    let origins = pages.origins();
    let mut response = pages
        .assets
        .respond(request.method(), path, request.headers(), &origins);
    // The path is logged without the query, which may contain authorization codes.
    debug!(request_id, method = %request.method(), path, status = response.status().as_u16(), duration_us = started.elapsed().as_micros() as u64, "page");
    let id = HeaderValue::from_str(&request_id).expect("the id is hexadecimal");
    response
        .headers_mut()
        .insert(HeaderName::from_static("x-request-id"), id);
    response
}
