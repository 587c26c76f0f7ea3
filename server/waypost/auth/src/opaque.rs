use std::sync::Arc;

use reqwest::StatusCode;
use serde_json::{Map, Value};
use tokio::time::timeout;
use url::form_urlencoded;

use crate::{
    config::{Introspection, ProviderConfig},
    fetch,
    provider::Provider,
    reject::Reject,
};

/// Rejects characters that a header cannot contain. Some providers use more than RFC 6750, section 2.1, allows.
pub(crate) fn check_characters(token: &str) -> Result<(), Reject> {
    if token.bytes().all(|byte| (0x21..0x7f).contains(&byte)) {
        Ok(())
    } else {
        Err(Reject::Malformed("it contains spaces or control characters"))
    }
}

/// Returns values of the setting `TOKEN`, best first, that the discovery document permits.
pub fn token_kinds_for_opaque(document: &Value) -> Vec<&'static str> {
    let announces = |name: &str| document.is_null() || document[name].is_string();
    [
        ("introspection", announces("introspection_endpoint")),
        ("id_token", true),
        ("userinfo", announces("userinfo_endpoint")),
    ]
    .into_iter()
    .filter_map(|(kind, works)| works.then_some(kind))
    .collect()
}

/// Describes the settings with which the opaque tokens can be accepted. `document` can be `null`.
pub(crate) fn fix(provider: &ProviderConfig, document: &Value) -> String {
    let prefix = format!("WAYPOST_{}", provider.id.to_uppercase().replace('-', "_"));
    let kinds = token_kinds_for_opaque(document).join("|");
    format!("Set {prefix}_RESOURCE, or {prefix}_TOKEN={kinds}; see `waypost doctor oidc`.")
}

pub(crate) async fn introspect(
    provider: &Arc<Provider>,
    introspection: &Introspection,
    token: &str,
) -> Result<Map<String, Value>, Reject> {
    let endpoint = match &introspection.endpoint {
        Some(endpoint) => endpoint.clone(),
        None => provider
            .snapshot()
            .await?
            .metadata
            .introspection
            .clone()
            .ok_or_else(|| {
                Reject::Unavailable("the discovery document has no `introspection_endpoint`; configure its URL".into())
            })?,
    };
    // Basic credentials are form-encoded first (RFC 6749, section 2.3.1).
    let encode = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
    let request = provider
        .http
        .post(endpoint)
        .basic_auth(
            encode(&introspection.client_id),
            Some(encode(introspection.client_secret.expose())),
        )
        .form(&[("token", token), ("token_type_hint", "access_token")]);
    let (status, body) = send(provider, request).await?;
    match (status, body) {
        (StatusCode::OK, Value::Object(claims)) if claims.get("active") == Some(&Value::Bool(true)) => Ok(claims),
        (StatusCode::OK, Value::Object(_)) => Err(Reject::Inactive),
        (StatusCode::UNAUTHORIZED, _) => Err(Reject::Unavailable(
            "the introspection endpoint returned 401; check this server's client id and secret".into(),
        )),
        (status, _) => Err(Reject::Unavailable(format!(
            "the introspection endpoint returned {status}"
        ))),
    }
}

/// Calls the userinfo endpoint (OpenID Connect Core 1.0, section 5.3). Returns its claims.
pub(crate) async fn userinfo(provider: &Arc<Provider>, token: &str) -> Result<Map<String, Value>, Reject> {
    let snapshot = provider.snapshot().await?;
    let endpoint = snapshot
        .metadata
        .userinfo
        .as_deref()
        .ok_or_else(|| Reject::Unavailable("the discovery document has no `userinfo_endpoint`".into()))?;
    match send(provider, provider.http.get(endpoint).bearer_auth(token)).await? {
        (StatusCode::OK, Value::Object(claims)) => Ok(claims),
        (StatusCode::BAD_REQUEST | StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN, _) => Err(Reject::Inactive),
        (status, _) => Err(Reject::Unavailable(format!("the userinfo endpoint returned {status}"))),
    }
}

/// The time limit includes the wait for other requests, so that a slow provider is reported as soon as one that hangs.
async fn send(provider: &Provider, request: reqwest::RequestBuilder) -> Result<(StatusCode, Value), Reject> {
    let response = async {
        let permit = provider.token_requests.acquire().await;
        let _permit = permit.map_err(|_closed| Reject::Unavailable("the server is shutting down".into()))?;
        fetch::json(request).await
    };
    timeout(provider.timeout(), response).await.unwrap_or_else(|_elapsed| {
        Err(Reject::Unavailable(
            "the provider is too slow to verify all tokens".into(),
        ))
    })
}

/// Uses `username` if `sub` is missing. RFC 7662 makes both optional, and some servers return only the name.
pub(crate) fn with_subject(mut claims: Map<String, Value>) -> Map<String, Value> {
    if claims.get("sub").is_none_or(Value::is_null)
        && let Some(username) = claims.get("username").filter(|name| name.is_string()).cloned()
    {
        claims.insert("sub".into(), username);
    }
    claims
}
