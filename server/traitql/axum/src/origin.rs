//! Requests from pages of other sites.
//!
//! The endpoint serves pages of its own origin, and clients that are not browsers. Pages of other sites are rejected,
//! unless the application allows their origin to embed it; those may run the listed operations only. Scripts cannot
//! forge this, because browsers do not let them set `Sec-Fetch-Site` (Fetch Metadata) and `Origin` (RFC 6454).

use std::{collections::HashSet, fmt, sync::Arc};

use axum::{
    body::Body,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::Response,
};

use super::problem::Problem;
use traitql::Document;

/// The operations that other sites may run, and the allowed origins.
#[derive(Clone)]
pub(super) struct Embeds {
    pub(super) operations: HashSet<String>,
    pub(super) allow_origin: Arc<dyn Fn(&str) -> bool + Send + Sync>,
}

impl fmt::Debug for Embeds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Embeds")
            .field("operations", &self.operations)
            .finish_non_exhaustive()
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum RequestOrigin {
    /// One of our own pages, or not a page at all.
    Own,
    /// An allowed page of another site, with its origin.
    Embed(HeaderValue),
}

/// Determines the origin of a request, and rejects disallowed sites.
pub(super) fn request_origin(headers: &HeaderMap, embeds: Option<&Embeds>) -> Result<RequestOrigin, Problem> {
    let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
    let origin = headers.get(header::ORIGIN);
    let own = match (site, origin) {
        // `none`: the user entered the URL directly.
        (Some(b"same-origin" | b"none"), _) => true,
        (Some(_), _) => false,
        (None, None) => true,
        // Browsers without Fetch Metadata. The scheme is not compared, because only the reverse proxy knows it.
        (None, Some(origin)) => same_host(origin, headers),
    };
    if own {
        return Ok(RequestOrigin::Own);
    }
    match (origin, embeds) {
        (Some(origin), Some(embeds)) if origin.to_str().is_ok_and(|origin| (embeds.allow_origin)(origin)) => {
            Ok(RequestOrigin::Embed(origin.clone()))
        }
        _ => {
            let problem = "requests from pages of other sites are not allowed";
            Err(Problem::malformed(problem).status(StatusCode::FORBIDDEN))
        }
    }
}

fn same_host(origin: &HeaderValue, headers: &HeaderMap) -> bool {
    let host = |value: Option<&HeaderValue>| value.and_then(|value| value.to_str().ok()).map(str::to_ascii_lowercase);
    let origin = host(Some(origin));
    let authority = origin
        .as_deref()
        .and_then(|origin| origin.split_once("://"))
        .map(|(_, authority)| authority);
    authority.is_some() && authority == host(headers.get(header::HOST)).as_deref()
}

impl RequestOrigin {
    /// Checks that a document may be executed for this origin.
    pub(super) fn check(&self, document: &Document, embeds: Option<&Embeds>) -> Result<(), Problem> {
        let named = || {
            document
                .name
                .as_ref()
                .zip(embeds)
                .is_some_and(|(name, embeds)| embeds.operations.contains(name))
        };
        match self {
            Self::Own => Ok(()),
            Self::Embed(_) if document.trusted && named() => Ok(()),
            Self::Embed(_) => {
                let problem = "pages of other sites must not run this operation";
                Err(Problem::malformed(problem).status(StatusCode::FORBIDDEN))
            }
        }
    }

    /// Allows the foreign page to read the response. Credentials are never allowed, because no cookies are used.
    pub(super) fn write_headers(&self, headers: &mut HeaderMap) {
        if let Self::Embed(origin) = self {
            headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
            let exposed = HeaderValue::from_static("x-request-id, retry-after");
            headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, exposed);
        }
    }
}

/// Answers `OPTIONS`: a CORS preflight (Fetch, section 4.8) from an allowed page, or a query of the allowed methods.
pub(super) fn options(headers: &HeaderMap, embeds: Option<&Embeds>) -> Result<Response, Problem> {
    let request_origin = request_origin(headers, embeds)?;
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    let out = response.headers_mut();
    out.insert(header::ALLOW, HeaderValue::from_static("GET, POST, OPTIONS"));
    if let RequestOrigin::Embed(_) = request_origin {
        out.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("POST"));
        out.insert(
            header::ACCESS_CONTROL_ALLOW_HEADERS,
            HeaderValue::from_static("content-type, x-request-id"),
        );
        out.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
    }
    request_origin.write_headers(out);
    Ok(response)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn source_of(headers: &[(&'static str, &'static str)], embeds: Option<&Embeds>) -> Option<RequestOrigin> {
        let headers = headers
            .iter()
            .map(|(name, value)| (name.parse().unwrap(), HeaderValue::from_static(value)));
        request_origin(&headers.collect(), embeds).ok()
    }

    #[test]
    fn pages_of_other_sites_are_rejected() {
        let own = [
            &[][..],
            &[("sec-fetch-site", "same-origin")],
            &[("sec-fetch-site", "none")],
            &[("origin", "https://tours.example"), ("host", "tours.example")],
            &[("origin", "http://localhost:4000"), ("host", "LOCALHOST:4000")],
            &[
                ("origin", "http://localhost:5173"),
                ("host", "localhost:4000"),
                ("sec-fetch-site", "same-origin"),
            ],
        ];
        for headers in own {
            assert_eq!(source_of(headers, None), Some(RequestOrigin::Own), "{headers:?}");
        }
        let foreign = [
            &[("sec-fetch-site", "cross-site")][..],
            &[("sec-fetch-site", "same-site"), ("origin", "https://a.example")],
            &[("origin", "https://evil.example"), ("host", "tours.example")],
            &[("origin", "http://tours.example:81"), ("host", "tours.example")],
            &[("origin", "null"), ("host", "null")],
            &[("origin", "https://tours.example")],
        ];
        for headers in foreign {
            assert_eq!(source_of(headers, None), None, "{headers:?}");
        }
    }

    #[test]
    fn an_allowed_page_of_another_site_is_recognized() {
        let allow_origin = Arc::new(|origin: &str| origin == "https://shop.example");
        let embeds = Embeds {
            operations: HashSet::from(["Boot".to_owned()]),
            allow_origin,
        };
        let shop = [("origin", "https://shop.example"), ("sec-fetch-site", "cross-site")];
        let expected = RequestOrigin::Embed(HeaderValue::from_static("https://shop.example"));
        assert_eq!(source_of(&shop, Some(&embeds)), Some(expected));
        assert_eq!(
            source_of(
                &[("origin", "https://evil.example"), ("sec-fetch-site", "cross-site")],
                Some(&embeds)
            ),
            None
        );
        assert_eq!(source_of(&[("sec-fetch-site", "cross-site")], Some(&embeds)), None);
    }
}
