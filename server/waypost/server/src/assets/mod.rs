//! Serves the client's files. Those below `/assets` and `/embed` have a hash in their names and are immutable; all
//! others are revalidated by their ETag. Paths without a file name are screens of the application.

mod encoding;
mod files;

use axum::{
    body::Body,
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    response::Response,
};

use self::encoding::accepted;
pub(crate) use self::files::Files;
use traitql_axum::if_none_match;
use waypost_auth::Origins;

use crate::{
    embed,
    page_headers::{Page, PageHeaders},
};

#[derive(Debug, Clone)]
pub(crate) struct Assets {
    files: Files,
    headers: PageHeaders,
}

/// The provider redirects here with the authorization code, so the URL must not be cached.
const SIGN_IN_CALLBACK: &str = "/auth/callback";
const INDEX: &str = "index.html";
const NO_ROBOTS: &str = "User-agent: *\nDisallow: /\n";
/// The client's build writes the licenses of its packages.
const LICENSES: &str = "licenses.txt";
const CRATE_LICENSES: &str = include_str!(concat!(env!("OUT_DIR"), "/licenses.txt"));
const NOT_BUILT: &str = include_str!("not-built.html");

impl Assets {
    pub(crate) fn new(files: Files, headers: PageHeaders) -> Self {
        Self { files, headers }
    }

    /// `path` is still percent-encoded. `origins` are those of the identity providers.
    pub(crate) fn respond(&self, method: &Method, path: &str, headers: &HeaderMap, origins: &Origins) -> Response {
        let mut response = match method {
            &Method::GET | &Method::HEAD => self.find(path, headers),
            _ => with_header(
                text(StatusCode::METHOD_NOT_ALLOWED, "Only GET and HEAD are supported.\n"),
                header::ALLOW,
                "GET, HEAD",
            ),
        };
        if path == SIGN_IN_CALLBACK {
            let headers = response.headers_mut();
            headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        }
        self.headers
            .write(page_of(path, &response), origins, response.headers_mut());
        if is_embed(path) && (response.status().is_success() || response.status() == StatusCode::NOT_MODIFIED) {
            embed::write_public_headers(response.headers_mut());
            if file_name(path).is_none_or(|name| self.files.get(&name).is_none()) {
                let headers = response.headers_mut();
                headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=300"));
            }
        }
        response
    }

    fn find(&self, path: &str, headers: &HeaderMap) -> Response {
        let Some(name) = file_name(path) else {
            return not_found();
        };
        if name == LICENSES {
            return self.licenses();
        }
        if let Some(response) = self.file(&name, headers) {
            return response;
        }
        if is_embed(path)
            && let Some(response) = embed::current_file(&self.files, path).and_then(|name| self.file(&name, headers))
        {
            return response;
        }
        if name == "robots.txt" {
            return text(StatusCode::OK, NO_ROBOTS);
        }
        match (is_screen(path, headers), self.file(INDEX, headers)) {
            (true, Some(index)) => index,
            (true, None) => html(StatusCode::SERVICE_UNAVAILABLE, NOT_BUILT),
            (false, _) => not_found(),
        }
    }

    fn licenses(&self) -> Response {
        let packages = self.files.get(LICENSES).map(|file| file.bytes).unwrap_or_default();
        let packages = String::from_utf8_lossy(&packages);
        let mut response = text(StatusCode::OK, "");
        *response.body_mut() = Body::from(format!("{packages}\n{CRATE_LICENSES}"));
        response
    }

    fn file(&self, name: &str, headers: &HeaderMap) -> Option<Response> {
        // Compressed files are only encodings.
        if name.is_empty() || name.ends_with(".br") || name.ends_with(".gz") {
            return None;
        }
        let (encoding, file) = accepted(headers)
            .find_map(|encoding| Some((encoding, self.files.get(&format!("{name}{}", encoding.suffix()))?)))?;
        let tag = etag(&file.hash);
        let unchanged = if_none_match(headers, &tag);
        let mut response = Response::new(if unchanged {
            Body::empty()
        } else {
            Body::from(file.bytes)
        });
        if unchanged {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
        }
        let response_headers = response.headers_mut();
        response_headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache_control(name)));
        response_headers.insert(
            header::ETAG,
            HeaderValue::from_str(&tag).expect("a quoted hexadecimal number is a header value"),
        );
        response_headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        if !unchanged {
            response_headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type(name)));
            if let Some(name) = encoding.name() {
                response_headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(name));
            }
        }
        Some(response)
    }
}

/// Returns `None` if no file can have that path.
fn file_name(path: &str) -> Option<String> {
    let name = percent_decoded(path.strip_prefix('/')?)?;
    let is_safe =
        |segment: &str| !segment.is_empty() && !segment.starts_with('.') && !segment.contains(['\\', '\0', ':']);
    match name.as_str() {
        "" => Some(INDEX.to_owned()),
        name if name.trim_end_matches('/').split('/').all(is_safe) => Some(name.to_owned()),
        _ => None,
    }
}

fn percent_decoded(path: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = tail;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let [high, low, tail @ ..] = rest else { return None };
        let digit = |byte: u8| char::from(byte).to_digit(16);
        bytes.push(u8::try_from(digit(*high)? * 16 + digit(*low)?).ok()?);
        rest = tail;
    }
    String::from_utf8(bytes).ok()
}

/// True for the front page, or a path without an extension that a browser navigates to.
fn is_screen(path: &str, headers: &HeaderMap) -> bool {
    let last = path.rsplit('/').next().unwrap_or_default();
    let accepts_html = headers.get_all(header::ACCEPT).iter().any(|accept| {
        accept
            .to_str()
            .is_ok_and(|accept| accept.to_ascii_lowercase().contains("text/html"))
    });
    path == "/" || (accepts_html && !last.contains('.') && !path.starts_with("/assets/"))
}

/// True if pages of other sites load it.
fn is_embed(path: &str) -> bool {
    path.starts_with("/embed/") && path.ends_with(".js")
}

fn is_callback(path: &str) -> bool {
    path.starts_with("/auth/") && path.ends_with(".html")
}

fn page_of(path: &str, response: &Response) -> Page {
    let is_page = response
        .headers()
        .get(header::CONTENT_TYPE)
        .is_none_or(|kind| kind.as_bytes().starts_with(b"text/html"));
    if is_embed(path) && response.status() != StatusCode::NOT_FOUND {
        return Page::Asset;
    }
    match (is_callback(path), is_page) {
        (true, _) => Page::Callback,
        // Browsers update the headers of the cached page from a 304, which has no content type.
        (false, true) => Page::App,
        (false, false) => Page::Asset,
    }
}

fn cache_control(name: &str) -> &'static str {
    match name {
        name if name.starts_with("assets/") || is_embed(&format!("/{name}")) => "public, max-age=31536000, immutable",
        name if is_callback(&format!("/{name}")) => "no-store",
        _ => "no-cache",
    }
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, extension)| extension) {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("json" | "map") => "application/json",
        Some("webmanifest") => "application/manifest+json",
        Some("txt") => "text/plain; charset=utf-8",
        Some("png") => "image/png",
        Some("jpg" | "jpeg") => "image/jpeg",
        Some("webp") => "image/webp",
        Some("ico") => "image/x-icon",
        Some("woff2") => "font/woff2",
        _ => "application/octet-stream",
    }
}

/// Hashes the encoded bytes, so that each encoding has its own tag (RFC 9110, section 8.8.3.3).
fn etag(hash: &[u8; 32]) -> String {
    format!("\"{}\"", hex::encode(&hash[..16]))
}

fn not_found() -> Response {
    text(StatusCode::NOT_FOUND, "Not found.\n")
}

fn text(status: StatusCode, text: &'static str) -> Response {
    static_response(status, "text/plain; charset=utf-8", text)
}

fn html(status: StatusCode, text: &'static str) -> Response {
    static_response(status, "text/html; charset=utf-8", text)
}

fn static_response(status: StatusCode, kind: &'static str, text: &'static str) -> Response {
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    with_header(
        with_header(response, header::CONTENT_TYPE, kind),
        header::CACHE_CONTROL,
        "no-cache",
    )
}

fn with_header(mut response: Response, name: header::HeaderName, value: &'static str) -> Response {
    response.headers_mut().insert(name, HeaderValue::from_static(value));
    response
}

#[cfg(test)]
mod tests;
