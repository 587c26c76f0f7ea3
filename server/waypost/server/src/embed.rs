//! The script for pages of other sites, and the bundles of tours.
//!
//! The client's build writes the scripts into `embed/`, with their hashes in their names, and lists them in
//! `embed/manifest.json`. `/embed/v1.js` is the current loader. A page with a pinned version gets the loader of that
//! version, which the database keeps after an update, but the current player.

use std::{sync::Arc, time::Instant};

use anyhow::Context;
use axum::{
    Router,
    body::Body,
    extract::{Path, State},
    http::{Extensions, HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
    routing::get,
};
use serde::Deserialize;
use tracing::error;
use traitql::{RateLimit, address_key};
use traitql_axum::{client_address, if_none_match};
use waypost_api::EmbedScript;

use crate::{Application, assets::Files, parse_url};

pub(crate) const LOADER: &str = "/embed/v1.js";

const MANIFEST: &str = "embed/manifest.json";

#[derive(Deserialize)]
struct Manifest {
    loader: Script,
    player: Script,
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

/// The limit per address, because each request reads the database.
const MISSING_BUNDLES: RateLimit = RateLimit {
    field: "missing bundles",
    limit: 100,
    window_seconds: 60,
};

/// Returns the current loader for [`LOADER`], and the current player for a former one.
pub(crate) fn current_file(files: &Files, path: &str) -> Option<String> {
    let Manifest { loader, player } = manifest(files)?;
    let file = if path == LOADER {
        loader.file
    } else if path.starts_with("/embed/player-") {
        player.file
    } else {
        return None;
    };
    Some(format!("embed/{file}"))
}

pub(crate) fn script(files: &Files, public_url: &url::Url) -> anyhow::Result<Option<EmbedScript>> {
    let Some(Manifest { loader, .. }) = manifest(files) else {
        return Ok(None);
    };
    let address = |path: &str| parse_url(public_url.join(path)?.as_str());
    Ok(Some(EmbedScript {
        src: address(LOADER)?,
        pinned_src: address(&format!("/embed/{}", loader.file))?,
        integrity: loader.integrity,
    }))
}

/// Stores the current loader, and adds those of all versions that have run.
pub(crate) async fn with_loaders(files: Files, app: &Arc<dyn Application>) -> anyhow::Result<Files> {
    let Some(Manifest { loader, .. }) = manifest(&files) else {
        return Ok(files);
    };
    let path = |file: &str| format!("embed/{file}");
    let script = files.get(&path(&loader.file)).with_context(|| {
        format!(
            "The client has no file `{}`; build the client again",
            path(&loader.file)
        )
    })?;
    let script = str::from_utf8(&script.bytes).context("The loader is not UTF-8; build the client again")?;
    let stored = app.loaders(&loader.file, script).await;
    let stored = stored.context("The loaders of earlier versions could not be read")?;
    Ok(files.with_loaders(
        stored
            .into_iter()
            .map(|(file, script)| (path(&file), script.into()))
            .collect(),
    ))
}

/// Allows pages of all sites to load and read a file that contains no private data.
pub(crate) fn write_public_headers(headers: &mut HeaderMap) {
    const CORP: HeaderName = HeaderName::from_static("cross-origin-resource-policy");
    headers.insert(CORP, HeaderValue::from_static("cross-origin"));
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
}

#[derive(Clone)]
struct Bundles {
    app: Arc<dyn Application>,
    trust_proxy: bool,
}

pub(crate) fn router(app: Arc<dyn Application>, trust_proxy: bool) -> Router {
    Router::new()
        .route("/t/{file}", get(bundle))
        .with_state(Bundles { app, trust_proxy })
}

/// A cache must not keep it, because a bundle may exist a moment later.
fn not_found() -> Response {
    (StatusCode::NOT_FOUND, [(header::CACHE_CONTROL, "no-store")]).into_response()
}

async fn bundle(
    State(Bundles { app, trust_proxy }): State<Bundles>,
    Path(file): Path<String>,
    headers: HeaderMap,
    extensions: Extensions,
) -> Response {
    let is_hash = |hash: &&str| hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    let Some(hash) = file.strip_suffix(".json").filter(is_hash) else {
        return not_found();
    };
    let tag = format!("\"{hash}\"");
    // A cached copy is always current.
    let mut response = if if_none_match(&headers, &tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let caller = client_address(&headers, &extensions, trust_proxy).map_or_else(String::new, address_key);
        if let Err(seconds) = app.rates().check(MISSING_BUNDLES, &caller, Instant::now()) {
            let retry = [(header::RETRY_AFTER, seconds.to_string())];
            return (StatusCode::TOO_MANY_REQUESTS, retry).into_response();
        }
        match app.bundle(hash.to_owned()).await {
            Ok(Some(json)) => {
                app.rates().uncount(MISSING_BUNDLES.field, &caller);
                let mut response = Response::new(Body::from(json));
                let kind = HeaderValue::from_static("application/json");
                response.headers_mut().insert(header::CONTENT_TYPE, kind);
                response
            }
            Ok(None) => return not_found(),
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
