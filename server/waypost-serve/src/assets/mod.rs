//! The client's files over HTTP: pages, scripts, styles.
//!
//! Files below `/assets` carry a hash of their content in their name and never change; everything else is checked again at
//! each use, by its ETag. An address without a file name is a screen of the application, so it gets the one page there is.
//! Compressed forms were written when the client was built; nothing is compressed here.

mod encoding;
mod files;

use axum::{
    body::Body,
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    response::Response,
};

use self::encoding::accepted;
pub(crate) use self::files::Files;
use waypost_auth::Origins;

use crate::pages::{Page, PageHeaders};

/// The client, ready to be sent.
#[derive(Debug, Clone)]
pub(crate) struct Assets {
    files: Files,
    pages: PageHeaders,
}

/// The screen at whose address a provider's answer arrives: with its code, which no cache should keep.
const ANSWERED: &str = "/auth/callback";
const INDEX: &str = "index.html";
const NO_ROBOTS: &str = "User-agent: *\nDisallow: /\n";
const NOT_BUILT: &str = include_str!("not-built.html");

impl Assets {
    pub(crate) fn new(files: Files, pages: PageHeaders) -> Self {
        Self { files, pages }
    }

    /// Answers a request for `path`, as it stood in the request. `origins` are the identity providers'.
    pub(crate) fn answer(&self, method: &Method, path: &str, headers: &HeaderMap, origins: &Origins) -> Response {
        let mut response = match method {
            &Method::GET | &Method::HEAD => self.find(path, headers),
            _ => with_header(
                text(StatusCode::METHOD_NOT_ALLOWED, "Only GET and HEAD are answered here.\n"),
                header::ALLOW,
                "GET, HEAD",
            ),
        };
        if path == ANSWERED {
            let headers = response.headers_mut();
            headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        }
        self.pages
            .write(page_of(path, &response), origins, response.headers_mut());
        response
    }

    fn find(&self, path: &str, headers: &HeaderMap) -> Response {
        let Some(name) = file_name(path) else {
            return not_found();
        };
        if let Some(response) = self.file(&name, headers) {
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

    fn file(&self, name: &str, headers: &HeaderMap) -> Option<Response> {
        // Compressed forms are no files of their own.
        if name.is_empty() || name.ends_with(".br") || name.ends_with(".gz") {
            return None;
        }
        let (encoding, file) = accepted(headers)
            .find_map(|encoding| Some((encoding, self.files.get(&format!("{name}{}", encoding.suffix()))?)))?;
        let tag = etag(&file.hash);
        let unchanged = headers
            .get_all(header::IF_NONE_MATCH)
            .iter()
            .any(|known| names_tag(known, &tag));
        let mut response = Response::new(if unchanged {
            Body::empty()
        } else {
            Body::from(file.bytes)
        });
        if unchanged {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
        }
        let answer = response.headers_mut();
        answer.insert(header::CACHE_CONTROL, HeaderValue::from_static(caching(name)));
        answer.insert(
            header::ETAG,
            HeaderValue::from_str(&tag).expect("a quoted hexadecimal number is a header value"),
        );
        answer.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        if !unchanged {
            answer.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type(name)));
            if let Some(name) = encoding.name() {
                answer.insert(header::CONTENT_ENCODING, HeaderValue::from_static(name));
            }
        }
        Some(response)
    }
}

/// The name of the file that a path asks for; `None` for paths that no file of the client has.
fn file_name(path: &str) -> Option<String> {
    let name = percent_decoded(path.strip_prefix('/')?)?;
    let harmless =
        |segment: &str| !segment.is_empty() && !segment.starts_with('.') && !segment.contains(['\\', '\0', ':']);
    match name.as_str() {
        "" => Some(INDEX.to_owned()),
        name if name.trim_end_matches('/').split('/').all(harmless) => Some(name.to_owned()),
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

/// A screen of the application: what a browser asks for when somebody follows a link to it, or the front page.
fn is_screen(path: &str, headers: &HeaderMap) -> bool {
    let last = path.rsplit('/').next().unwrap_or_default();
    let wants_page = headers.get_all(header::ACCEPT).iter().any(|accept| {
        accept
            .to_str()
            .is_ok_and(|accept| accept.to_ascii_lowercase().contains("text/html"))
    });
    path == "/" || (wants_page && !last.contains('.') && !path.starts_with("/assets/"))
}

fn is_callback(path: &str) -> bool {
    path.starts_with("/auth/") && path.ends_with(".html")
}

fn page_of(path: &str, response: &Response) -> Page {
    let is_page = response
        .headers()
        .get(header::CONTENT_TYPE)
        .is_none_or(|kind| kind.as_bytes().starts_with(b"text/html"));
    match (is_callback(path), is_page) {
        (true, _) => Page::Callback,
        // A 304 has no type; its headers are the ones that the browser goes on with.
        (false, true) => Page::App,
        (false, false) => Page::Asset,
    }
}

fn caching(name: &str) -> &'static str {
    match name {
        name if name.starts_with("assets/") => "public, max-age=31536000, immutable",
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

/// The hash of the bytes that are sent, so that each form of a file has its own tag (RFC 9110, section 8.8.3.3).
fn etag(hash: &[u8; 32]) -> String {
    let mut tag = String::with_capacity(34);
    tag.push('"');
    for byte in &hash[..16] {
        tag.push_str(&format!("{byte:02x}"));
    }
    tag.push('"');
    tag
}

fn names_tag(header: &HeaderValue, tag: &str) -> bool {
    let Ok(header) = header.to_str() else { return false };
    header
        .split(',')
        .map(str::trim)
        .any(|known| known == "*" || known.strip_prefix("W/").unwrap_or(known) == tag)
}

fn not_found() -> Response {
    text(StatusCode::NOT_FOUND, "There is nothing at this address.\n")
}

fn text(status: StatusCode, text: &'static str) -> Response {
    respond(status, "text/plain; charset=utf-8", text)
}

fn html(status: StatusCode, text: &'static str) -> Response {
    respond(status, "text/html; charset=utf-8", text)
}

fn respond(status: StatusCode, kind: &'static str, text: &'static str) -> Response {
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
