//! Type and bytes of a POST body.

use axum::{
    body::{Body, HttpBody},
    http::{HeaderMap, HeaderValue, StatusCode, header, request::Parts},
};
use bytes::{Bytes, BytesMut};
use futures_util::StreamExt;

use super::{
    limited::{BodyLimits, Cut, Limits},
    problem::Problem,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MediaTypes {
    /// `application/json`. Browsers send it to another origin only after a preflight, so a foreign page cannot run a
    /// mutation in a signed-in user's browser.
    Json,
    /// The body of requests that any page may send.
    JsonOrText,
}

pub(super) async fn read(parts: &Parts, body: Body, types: MediaTypes, limits: Limits) -> Result<Bytes, Problem> {
    check_content_type(&parts.headers, types)?;
    let (limits, body) = BodyLimits::replace(&parts.extensions, &parts.headers, body, limits);
    collect(body, &limits).await
}

fn check_content_type(headers: &HeaderMap, types: MediaTypes) -> Result<(), Problem> {
    let unsupported = |problem: String| {
        Problem::malformed(problem)
            .status(StatusCode::UNSUPPORTED_MEDIA_TYPE)
            .header(header::ACCEPT, HeaderValue::from_static("application/json"))
    };
    let mut values = headers.get_all(header::CONTENT_TYPE).iter();
    let (Some(value), None) = (values.next(), values.next()) else {
        return Err(unsupported(
            "it must have exactly one `Content-Type` header, `application/json`".into(),
        ));
    };
    let value = value.to_str().unwrap_or_default();
    let encoded = headers.get(header::CONTENT_ENCODING);
    if value == "application/json" && encoded.is_none() {
        return Ok(());
    }
    let mut parts = value.split(';');
    let media_type = parts.next().unwrap_or_default().trim();
    let is_text = types == MediaTypes::JsonOrText && media_type.eq_ignore_ascii_case("text/plain");
    if !is_text && !media_type.eq_ignore_ascii_case("application/json") {
        return Err(unsupported(format!(
            "`Content-Type` must be `application/json`, not `{media_type}`"
        )));
    }
    for parameter in parts {
        if let Some((name, charset)) = parameter.split_once('=')
            && name.trim().eq_ignore_ascii_case("charset")
            && !is_utf_8(charset.trim().trim_matches('"'))
        {
            return Err(unsupported(format!(
                "the charset must be UTF-8, not `{}`",
                charset.trim()
            )));
        }
    }
    match encoded {
        Some(encoding) if encoding != "identity" => Err(unsupported("compressed bodies are not supported".into())),
        _ => Ok(()),
    }
}

fn is_utf_8(charset: &str) -> bool {
    charset.eq_ignore_ascii_case("utf-8") || charset.eq_ignore_ascii_case("utf8")
}

async fn collect(body: Body, limits: &BodyLimits) -> Result<Bytes, Problem> {
    let declared = usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX);
    let mut chunks = body.into_data_stream();
    let mut read: Option<BytesMut> = None;
    while let Some(chunk) = chunks.next().await {
        let Ok(chunk) = chunk else {
            return Err(limits
                .cut()
                .map_or_else(|| Problem::malformed("the body is incomplete"), problem));
        };
        // Most bodies are one chunk, which is not copied.
        if read.is_none() && chunks.is_end_stream() {
            return Ok(chunk);
        }
        read.get_or_insert_with(|| BytesMut::with_capacity(declared.max(chunk.len())))
            .extend_from_slice(&chunk);
    }
    Ok(read.map(BytesMut::freeze).unwrap_or_default())
}

fn problem(cut: Cut) -> Problem {
    match cut {
        Cut::Late => Problem::malformed(cut.to_string())
            .status(StatusCode::REQUEST_TIMEOUT)
            .header(header::CONNECTION, HeaderValue::from_static("close")),
        Cut::TooLarge(limit) => Problem::too_large(limit),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn only_json_in_utf_8_is_read() {
        let check = |value: Option<&str>| {
            let mut headers = HeaderMap::new();
            if let Some(value) = value {
                headers.insert(header::CONTENT_TYPE, value.parse().unwrap());
            }
            let text = check_content_type(&headers, MediaTypes::JsonOrText).map_err(|problem| problem.status);
            let json = check_content_type(&headers, MediaTypes::Json).map_err(|problem| problem.status);
            assert!(
                json == text || value.is_some_and(|value| value.starts_with("text/plain")),
                "{value:?}"
            );
            json
        };
        for accepted in [
            "application/json",
            "Application/JSON; charset=UTF-8",
            r#"application/json;charset="utf-8""#,
        ] {
            assert_eq!(check(Some(accepted)), Ok(()), "{accepted}");
        }
        for rejected in [
            "text/plain",
            "application/x-www-form-urlencoded",
            "multipart/form-data; boundary=x",
            "application/graphql",
            "",
        ] {
            assert_eq!(
                check(Some(rejected)),
                Err(StatusCode::UNSUPPORTED_MEDIA_TYPE),
                "{rejected}"
            );
        }
        assert_eq!(check(None), Err(StatusCode::UNSUPPORTED_MEDIA_TYPE));
        assert_eq!(
            check(Some("application/json; charset=utf-16")),
            Err(StatusCode::UNSUPPORTED_MEDIA_TYPE)
        );
    }
}
