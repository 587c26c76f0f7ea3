//! Rejects requests from pages of other sites, except for [`Endpoint::routes`](super::Endpoint::routes). Scripts
//! cannot set `Sec-Fetch-Site` (Fetch Metadata) and `Origin` (RFC 6454).

use axum::{
    body::Body,
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    response::Response,
};

use super::problem::Problem;

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

pub(super) fn check(headers: &HeaderMap) -> Result<(), Problem> {
    let site = headers.get(&SEC_FETCH_SITE).map(HeaderValue::as_bytes);
    let own = match (site, headers.get(header::ORIGIN)) {
        // `none`: a URL entered by the user.
        (Some(b"same-origin" | b"none"), _) => true,
        (Some(_), _) => false,
        (None, None) => true,
        // Without Fetch Metadata. Only the reverse proxy knows the scheme.
        (None, Some(origin)) => same_host(origin, headers),
    };
    if own {
        return Ok(());
    }
    let problem = "requests from pages of other sites are not allowed";
    Err(Problem::malformed(problem).status(StatusCode::FORBIDDEN))
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

pub(super) fn options() -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    let allow = HeaderValue::from_static("GET, POST, OPTIONS");
    response.headers_mut().insert(header::ALLOW, allow);
    response
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn is_own(headers: &[(&'static str, &'static str)]) -> bool {
        let headers = headers
            .iter()
            .map(|(name, value)| (name.parse().unwrap(), HeaderValue::from_static(value)));
        check(&headers.collect()).is_ok()
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
            assert!(is_own(headers), "{headers:?}");
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
            assert!(!is_own(headers), "{headers:?}");
        }
    }
}
