//! Responses that caches may store if they revalidate (RFC 9110, section 13; RFC 9111, section 4.3): a `GET` of a
//! trusted query whose root fields are all `@public`, without errors. All other responses are `no-store`.
//!
//! The response is always computed, and its `ETag` is a hash of its bytes, so it can be neither stale nor another
//! user's. With a token it is `private`, because a public field may return more to signed-in callers.

use axum::{
    body::Body,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::Response,
};
use sha2::{Digest, Sha256};

use super::accept::Media;

#[derive(Debug)]
pub(super) struct ConditionalGet {
    if_none_match: Vec<HeaderValue>,
    signed_in: bool,
}

impl ConditionalGet {
    pub(super) fn of(headers: &HeaderMap) -> Self {
        Self {
            if_none_match: headers.get_all(header::IF_NONE_MATCH).iter().cloned().collect(),
            signed_in: headers.contains_key(header::AUTHORIZATION),
        }
    }

    /// Returns 304 without a body if the client has the current response.
    pub(super) fn validate(&self, media: Media, body: &[u8], response: Response) -> Response {
        let tag = etag(media, body);
        let mut response = if any_matches(&self.if_none_match, &tag) {
            let mut unchanged = Response::new(Body::empty());
            *unchanged.status_mut() = StatusCode::NOT_MODIFIED;
            unchanged
        } else {
            response
        };
        let tag = HeaderValue::try_from(tag).expect("an ETag is hexadecimal");
        response.headers_mut().insert(header::ETAG, tag);
        let control = HeaderValue::from_static(if self.signed_in {
            "private, no-cache"
        } else {
            "public, no-cache"
        });
        response.headers_mut().insert(header::CACHE_CONTROL, control);
        response
    }
}

/// True if `If-None-Match` contains the quoted `ETag`, so that the response is 304.
///
/// The comparison is weak (RFC 9110, section 8.8.3.2), because compressing proxies make tags weak.
pub fn if_none_match(headers: &HeaderMap, tag: &str) -> bool {
    any_matches(headers.get_all(header::IF_NONE_MATCH), tag)
}

fn any_matches<'a>(values: impl IntoIterator<Item = &'a HeaderValue>, tag: &str) -> bool {
    let tags = values.into_iter().filter_map(|value| value.to_str().ok());
    tags.flat_map(|value| value.split(','))
        .map(str::trim)
        .any(|candidate| candidate == "*" || candidate.strip_prefix("W/").unwrap_or(candidate) == tag)
}

/// Returns a tag that includes the media type, because both types have the same bytes.
fn etag(media: Media, body: &[u8]) -> String {
    let kind = match media {
        Media::Json => 'j',
        Media::GraphqlResponse => 'g',
    };
    format!("\"{}{kind}\"", hex::encode(&Sha256::digest(body)[..16]))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn matches(fields: &[&str], tag: &str) -> bool {
        let mut headers = HeaderMap::new();
        for field in fields {
            headers.append(header::IF_NONE_MATCH, field.parse().unwrap());
        }
        if_none_match(&headers, tag)
    }

    #[test]
    fn a_tag_is_found_in_every_form_of_the_header() {
        let tag = etag(Media::Json, b"{}");
        for fields in [
            &[tag.as_str()][..],
            &[&format!("W/{tag}")],
            &[&format!("\"a\" ,{tag},\"b\"")],
            &["\"a\"", &tag],
            &["*"],
        ] {
            assert!(matches(fields, &tag), "{fields:?}");
        }
        let bare = tag.trim_matches('"');
        for fields in [&[][..], &["\"a\""], &[bare], &["\"*\""], &[""]] {
            assert!(!matches(fields, &tag), "{fields:?}");
        }
    }

    #[test]
    fn a_tag_depends_on_the_body_and_the_media_type() {
        let tags = [
            etag(Media::Json, b"{}"),
            etag(Media::GraphqlResponse, b"{}"),
            etag(Media::Json, b"[]"),
        ];
        assert!(tags[0] != tags[1] && tags[0] != tags[2]);
    }
}
