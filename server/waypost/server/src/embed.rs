//! The script for pages of other sites, and the bundles of tours.
//!
//! The client's build writes hashed scripts into `embed/`, and lists them in `embed/manifest.json`. `/embed/v1.js` is
//! the current loader.

use std::sync::Arc;

use axum::{
    Router,
    body::Body,
    extract::{Path, State},
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
    routing::get,
};
use serde::Deserialize;
use tracing::error;
use traitql_axum::if_none_match;
use waypost_api::EmbedScript;

use crate::{Application, assets::Files, parse_url};

pub(crate) const LOADER: &str = "/embed/v1.js";

const MANIFEST: &str = "embed/manifest.json";

#[derive(Deserialize)]
struct Manifest {
    loader: Script,
}

#[derive(Deserialize)]
struct Script {
    file: String,
    integrity: String,
}

fn manifest(files: &Files) -> Option<Manifest> {
    let file = files.get(MANIFEST)?;
    match serde_json::from_slice(&file.bytes) {
        Ok(manifest) => Some(manifest),
        Err(problem) => {
            error!(%problem, "`{MANIFEST}` of the client is invalid; build the client again");
            None
        }
    }
}

pub(crate) fn loader_file(files: &Files) -> Option<String> {
    Some(format!("embed/{}", manifest(files)?.loader.file))
}

/// Fails if the manifest contains an invalid file name.
pub(crate) fn script(files: &Files, public_url: &url::Url) -> anyhow::Result<Option<EmbedScript>> {
    let Some(Manifest { loader }) = manifest(files) else {
        return Ok(None);
    };
    let address = |path: &str| parse_url(public_url.join(path)?.as_str());
    Ok(Some(EmbedScript {
        src: address(LOADER)?,
        pinned_src: address(&format!("/embed/{}", loader.file))?,
        integrity: loader.integrity,
    }))
}

/// Pages of all sites may read the file, which is not private.
pub(crate) fn write_public_headers(headers: &mut HeaderMap) {
    const CORP: HeaderName = HeaderName::from_static("cross-origin-resource-policy");
    headers.insert(CORP, HeaderValue::from_static("cross-origin"));
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
}

pub(crate) fn router(app: Arc<dyn Application>) -> Router {
    Router::new().route("/t/{file}", get(bundle)).with_state(app)
}

async fn bundle(State(app): State<Arc<dyn Application>>, Path(file): Path<String>, headers: HeaderMap) -> Response {
    let is_hash = |hash: &&str| hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    let Some(hash) = file.strip_suffix(".json").filter(is_hash) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let tag = format!("\"{hash}\"");
    // A cached copy is always current.
    let mut response = if if_none_match(&headers, &tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        match app.bundle(hash.to_owned()).await {
            Ok(Some(json)) => {
                let mut response = Response::new(Body::from(json));
                let kind = HeaderValue::from_static("application/json");
                response.headers_mut().insert(header::CONTENT_TYPE, kind);
                response
            }
            Ok(None) => return StatusCode::NOT_FOUND.into_response(),
            Err(problem) => {
                error!(error = ?problem, "a bundle could not be read");
                return StatusCode::SERVICE_UNAVAILABLE.into_response();
            }
        }
    };
    let out = response.headers_mut();
    write_public_headers(out);
    out.insert(
        header::CACHE_CONTROL,
        HeaderValue::from_static("public, max-age=31536000, immutable"),
    );
    out.insert(header::ETAG, HeaderValue::from_str(&tag).expect("a hash is ASCII"));
    response
}
