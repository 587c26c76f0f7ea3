//! Answers that a cache may keep if it asks each time whether they still hold (RFC 9110, section 13; RFC 9111, section 4.3).
//!
//! That is so for a `GET` of a trusted query whose root fields are all `@public`, if its answer has data and no error. Nothing
//! else: what needs a person has no place in a cache, a `POST` is never kept, and an error is of the moment.
//!
//! The answer is made anew each time, for whoever asks, and its `ETag` is a hash of its bytes. So it cannot be stale, nor can
//! it be somebody else's: `no-cache` makes every cache ask first, and 304 is said only when the very answer that this caller
//! would have got is the one that is kept. What is saved is the way, not the work. For the same reason a schema has no directive
//! that says how long an answer holds: nobody would have to keep it right.
//!
//! A request with a token is answered `private`: a public field may still tell more to those who are signed in.

use axum::{
    body::Body,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::Response,
};
use sha2::{Digest, Sha256};

use super::accept::Media;
use crate::documents::hexadecimal;

/// What a request for such an answer said about it.
#[derive(Debug)]
pub(super) struct Revalidation {
    /// `If-None-Match`, every field of it.
    known: Vec<HeaderValue>,
    /// The request had a token.
    signed_in: bool,
}

impl Revalidation {
    pub(super) fn of(headers: &HeaderMap) -> Self {
        Self {
            known: headers.get_all(header::IF_NONE_MATCH).iter().cloned().collect(),
            signed_in: headers.contains_key(header::AUTHORIZATION),
        }
    }

    /// Instead of the answer 304 without a body, if the client has it; else the answer with its validator.
    pub(super) fn validate(&self, media: Media, body: &[u8], response: Response) -> Response {
        let tag = etag(media, body);
        let mut response = match self.is_known(&tag) {
            true => {
                let mut unchanged = Response::new(Body::empty());
                *unchanged.status_mut() = StatusCode::NOT_MODIFIED;
                unchanged
            }
            false => response,
        };
        let tag = HeaderValue::try_from(tag).expect("an ETag is hexadecimal");
        response.headers_mut().insert(header::ETAG, tag);
        let control = HeaderValue::from_static(match self.signed_in {
            true => "private, no-cache",
            false => "public, no-cache",
        });
        response.headers_mut().insert(header::CACHE_CONTROL, control);
        response
    }

    /// Weak comparison (RFC 9110, section 8.8.3.2): a proxy that compresses makes a strong tag weak.
    fn is_known(&self, tag: &str) -> bool {
        let tags = self.known.iter().filter_map(|value| value.to_str().ok());
        tags.flat_map(|value| value.split(','))
            .map(str::trim)
            .any(|known| known == "*" || known.strip_prefix("W/").unwrap_or(known) == tag)
    }
}

/// A strong validator (RFC 9110, section 8.8.1). The media type is part of it, since both types have the same bytes.
fn etag(media: Media, body: &[u8]) -> String {
    let kind = match media {
        Media::Json => 'j',
        Media::GraphqlResponse => 'g',
    };
    format!("\"{}{kind}\"", hexadecimal(&Sha256::digest(body)[..16]))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn knows(fields: &[&str], tag: &str) -> bool {
        let mut headers = HeaderMap::new();
        for field in fields {
            headers.append(header::IF_NONE_MATCH, field.parse().unwrap());
        }
        Revalidation::of(&headers).is_known(tag)
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
            assert!(knows(fields, &tag), "{fields:?}");
        }
        let bare = tag.trim_matches('"');
        for fields in [&[][..], &["\"a\""], &[bare], &["\"*\""], &[""]] {
            assert!(!knows(fields, &tag), "{fields:?}");
        }
    }

    #[test]
    fn a_tag_is_of_one_body_in_one_type() {
        let tags = [
            etag(Media::Json, b"{}"),
            etag(Media::GraphqlResponse, b"{}"),
            etag(Media::Json, b"[]"),
        ];
        assert!(tags[0] != tags[1] && tags[0] != tags[2]);
    }
}
