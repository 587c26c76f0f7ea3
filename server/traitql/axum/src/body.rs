//! Type, size and time of a POST body.

use std::{pin::pin, time::Duration};

use axum::{
    body::{Body, BodyDataStream, HttpBody},
    http::{HeaderMap, HeaderValue, StatusCode, header},
};
use bytes::{Bytes, BytesMut};
use futures_util::StreamExt;
use tokio::time::{Instant, timeout_at};

use super::{deadline::with_deadline, problem::Problem};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MediaTypes {
    /// `application/json`. Browsers send it to another origin only after a preflight, so a foreign page cannot run a
    /// mutation in a signed-in user's browser.
    Json,
    /// For requests that any page may send.
    JsonOrText,
}

/// `limits` are the maximum bytes and the time to receive them.
pub(super) async fn read(
    headers: &HeaderMap,
    body: Body,
    types: MediaTypes,
    (limit, deadline): (usize, Duration),
) -> Result<Bytes, Problem> {
    check_content_type(headers, types)?;
    collect(headers, body, limit, deadline).await
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

/// Limits the bytes that are discarded if a body is too large, because a client that is still writing when the
/// connection closes never reads the response.
const MAX_DISCARDED_BYTES: usize = 4 * 1024 * 1024;
const DISCARD_TIMEOUT: Duration = Duration::from_secs(2);

async fn collect(headers: &HeaderMap, body: Body, limit: usize, deadline: Duration) -> Result<Bytes, Problem> {
    let declared = headers
        .get(header::CONTENT_LENGTH)
        .and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    let declared = declared.map(|length| usize::try_from(length).unwrap_or(usize::MAX));
    if declared.is_some_and(|length| length > limit) {
        // With `Expect: 100-continue`, no body follows.
        if !headers.contains_key(header::EXPECT) {
            discard(&mut body.into_data_stream(), 0).await;
        }
        return Err(Problem::too_large(limit));
    }
    with_deadline(deadline, pin!(chunks(body, declared, limit)))
        .await
        .unwrap_or_else(|_late| {
            Err(Problem::malformed("the body was not received in time")
                .status(StatusCode::REQUEST_TIMEOUT)
                .header(header::CONNECTION, HeaderValue::from_static("close")))
        })
}

async fn chunks(body: Body, declared: Option<usize>, limit: usize) -> Result<Bytes, Problem> {
    let mut chunks = body.into_data_stream();
    let mut read: Option<BytesMut> = None;
    loop {
        let so_far = read.as_ref().map_or(0, BytesMut::len);
        match chunks.next().await {
            None => return Ok(read.map(BytesMut::freeze).unwrap_or_default()),
            Some(Err(_)) => return Err(Problem::malformed("the body is incomplete")),
            Some(Ok(chunk)) if so_far + chunk.len() > limit => {
                discard(&mut chunks, so_far + chunk.len()).await;
                return Err(Problem::too_large(limit));
            }
            // Most bodies are one chunk, which is not copied.
            Some(Ok(chunk)) if read.is_none() && chunks.is_end_stream() => return Ok(chunk),
            Some(Ok(chunk)) => read
                .get_or_insert_with(|| BytesMut::with_capacity(declared.unwrap_or(0).max(chunk.len())))
                .extend_from_slice(&chunk),
        }
    }
}

async fn discard(chunks: &mut BodyDataStream, mut read: usize) {
    let deadline = Instant::now() + DISCARD_TIMEOUT;
    while let Ok(Some(Ok(chunk))) = timeout_at(deadline, chunks.next()).await {
        read += chunk.len();
        if read > MAX_DISCARDED_BYTES {
            return;
        }
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
