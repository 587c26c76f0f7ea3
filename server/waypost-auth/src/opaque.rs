//! Tokens that only the provider can judge: introspection (RFC 7662) and the userinfo endpoint.

use std::sync::Arc;

use reqwest::StatusCode;
use serde_json::{Map, Value};
use url::form_urlencoded;

use crate::{
    config::Introspection,
    fetch,
    provider::{Provider, Want},
    reject::Reject,
};

/// What may be sent as a bearer token at all (RFC 6750, section 2.1, is stricter; some providers are not).
pub(crate) fn check_characters(token: &str) -> Result<(), Reject> {
    if token.bytes().all(|byte| (0x21..0x7f).contains(&byte)) {
        Ok(())
    } else {
        Err(Reject::Malformed("it contains spaces or control characters"))
    }
}

/// Asks the introspection endpoint. Answers with what the provider says about an active token.
pub(crate) async fn introspect(
    provider: &Arc<Provider>,
    introspection: &Introspection,
    token: &str,
) -> Result<Map<String, Value>, Reject> {
    let endpoint = match &introspection.endpoint {
        Some(endpoint) => endpoint.clone(),
        None => provider
            .snapshot(Want::Known)
            .await?
            .metadata
            .introspection
            .clone()
            .ok_or_else(|| {
                Reject::Unavailable("discovery names no `introspection_endpoint`; configure its address".into())
            })?,
    };
    // RFC 6749, section 2.3.1: id and secret are form-encoded before they become Basic credentials.
    let encode = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
    let request = provider
        .http
        .post(endpoint)
        .basic_auth(
            encode(&introspection.client_id),
            Some(encode(introspection.client_secret.expose())),
        )
        .form(&[("token", token), ("token_type_hint", "access_token")]);
    let (status, answer) = ask(provider, request).await?;
    match (status, answer) {
        (StatusCode::OK, Value::Object(claims)) if claims.get("active") == Some(&Value::Bool(true)) => Ok(claims),
        (StatusCode::OK, Value::Object(_)) => Err(Reject::Inactive),
        (StatusCode::UNAUTHORIZED, _) => Err(Reject::Unavailable(
            "the introspection endpoint answered 401: are this server's client id and secret right?".into(),
        )),
        (status, _) => Err(Reject::Unavailable(format!(
            "the introspection endpoint answered {status}"
        ))),
    }
}

/// Asks the userinfo endpoint (OpenID Connect Core 1.0, section 5.3).
pub(crate) async fn userinfo(provider: &Arc<Provider>, token: &str) -> Result<Map<String, Value>, Reject> {
    let snapshot = provider.snapshot(Want::Known).await?;
    let endpoint = snapshot
        .metadata
        .userinfo
        .as_deref()
        .ok_or_else(|| Reject::Unavailable("discovery names no `userinfo_endpoint`".into()))?;
    match ask(provider, provider.http.get(endpoint).bearer_auth(token)).await? {
        (StatusCode::OK, Value::Object(claims)) => Ok(claims),
        (StatusCode::BAD_REQUEST | StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN, _) => Err(Reject::Inactive),
        (status, _) => Err(Reject::Unavailable(format!("the userinfo endpoint answered {status}"))),
    }
}

async fn ask(provider: &Provider, request: reqwest::RequestBuilder) -> Result<(StatusCode, Value), Reject> {
    let _permit = provider
        .questions
        .acquire()
        .await
        .map_err(|_closed| Reject::Unavailable("the server is shutting down".into()))?;
    fetch::json(request).await
}

/// RFC 7662 makes `sub` optional, and some servers tell the user's name only.
pub(crate) fn with_subject(mut claims: Map<String, Value>) -> Map<String, Value> {
    if claims.get("sub").is_none_or(Value::is_null)
        && let Some(username) = claims.get("username").filter(|name| name.is_string()).cloned()
    {
        claims.insert("sub".into(), username);
    }
    claims
}
