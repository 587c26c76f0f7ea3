//! Everything that is not the API: the client's pages and files.

use std::{sync::Arc, time::Instant};

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
use waypost_cli::config::Config;

use crate::{
    assets::{Assets, Files},
    pages::PageHeaders,
};

/// The routes of pages and files.
pub(crate) fn router(config: &Config, verifier: &Arc<Verifier>) -> Router {
    let files = config.client.clone().map_or(Files::Embedded, Files::Folder);
    let pages = Pages {
        assets: Assets::new(files, PageHeaders::new(config.public_url.scheme() == "https")),
        verifier: Arc::clone(verifier),
        visited: config
            .providers
            .iter()
            .map(|provider| Visited {
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

/// What pages need.
struct Pages {
    assets: Assets,
    verifier: Arc<Verifier>,
    visited: Vec<Visited>,
}

/// What a page does with a provider.
struct Visited {
    id: String,
    /// It calls its endpoints: not, where the relay does.
    calls: bool,
    /// It opens it in a frame: to renew sessions, to end or to watch them.
    frames: bool,
}

impl Pages {
    /// The origins that the policy of pages has to allow.
    fn origins(&self) -> Origins {
        let mut all = Origins::default();
        for visited in &self.visited {
            let found = self.verifier.origins(&visited.id).unwrap_or_default();
            if visited.calls {
                all.called.extend(found.called);
            }
            if visited.frames {
                all.framed.extend(found.framed);
            }
        }
        all
    }
}

async fn page(State(pages): State<Arc<Pages>>, request: Request) -> Response {
    let began = Instant::now();
    let request_id = Uuid::now_v7().simple().to_string();
    let path = request.uri().path();
    let origins = pages.origins();
    let mut response = pages.assets.answer(request.method(), path, request.headers(), &origins);
    // The path is logged without its query, which holds codes and states of sign-in.
    debug!(request_id, method = %request.method(), path, status = response.status().as_u16(), duration_us = began.elapsed().as_micros() as u64, "page");
    let id = HeaderValue::from_str(&request_id).expect("an id is hexadecimal");
    response
        .headers_mut()
        .insert(HeaderName::from_static("x-request-id"), id);
    response
}
