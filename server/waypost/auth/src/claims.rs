use serde_json::{Map, Value};

use crate::{
    config::{Audience, ProviderConfig, TokenKind},
    logout::MAX_TOKEN_LIFE,
    principal,
    reject::Reject,
};

/// OpenID Connect Core 1.0, section 2.
const MAX_SUBJECT: usize = 255;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Moment {
    pub(crate) now: u64,
    pub(crate) leeway: u64,
}

/// Expects a valid signature. Returns `exp`.
pub(crate) fn check_token(
    claims: &Map<String, Value>,
    provider: &ProviderConfig,
    moment: Moment,
) -> Result<u64, Reject> {
    match text(claims, "iss")? {
        Some(issuer) if provider.is_issuer(issuer) => {}
        Some(_) => return Err(Reject::Issuer),
        None => return Err(Reject::Missing("iss")),
    }
    let mut expires = check_times(claims, moment)?.ok_or(Reject::Missing("exp"))?;
    if provider.backchannel_logout {
        // A sign-out ends the tokens issued before it.
        let issued_at = seconds(claims, "iat")?.ok_or(Reject::Missing("iat"))?;
        expires = expires.min(issued_at.saturating_add(MAX_TOKEN_LIFE));
        if expires.saturating_add(moment.leeway) < moment.now {
            return Err(Reject::Expired);
        }
    }
    subject(claims)?;
    match (&provider.audience, &provider.token) {
        (audience, TokenKind::IdToken) => check_id_token_audience(claims, audience.names())?,
        (Audience::Aud(accepted), _) => check_audience(claims, accepted)?,
        (Audience::ClientId(accepted), _) => check_client(claims, accepted)?,
    }
    match (provider.token == TokenKind::IdToken, is_id_token(claims)) {
        (false, true) => return Err(Reject::IdToken),
        (true, _) if is_access_token(claims) => return Err(Reject::AccessToken),
        _ => {}
    }
    check_use(claims, provider)?;
    Ok(expires)
}

/// Only `sub` is required; other claims are checked if present. Returns `exp`.
pub(crate) fn check_response(
    claims: &Map<String, Value>,
    provider: &ProviderConfig,
    moment: Moment,
) -> Result<Option<u64>, Reject> {
    if text(claims, "iss")?.is_some_and(|issuer| !provider.is_issuer(issuer)) {
        return Err(Reject::Issuer);
    }
    let expires = check_times(claims, moment)?;
    subject(claims)?;
    match &provider.audience {
        Audience::Aud(accepted) if present(claims, "aud").is_some() => check_audience(claims, accepted)?,
        // Userinfo responses lack the audience. Introspection must name `aud` or the client.
        _ if matches!(provider.token, TokenKind::Userinfo) && present(claims, "client_id").is_none() => {}
        Audience::Aud(accepted) | Audience::ClientId(accepted) => check_client(claims, accepted)?,
    }
    check_use(claims, provider)?;
    Ok(expires)
}

/// Its signature is valid. Returns `iat`.
pub(crate) fn check_logout_token(
    claims: &Map<String, Value>,
    provider: &ProviderConfig,
    moment: Moment,
) -> Result<u64, Reject> {
    match text(claims, "iss")? {
        Some(issuer) if provider.is_issuer(issuer) => {}
        Some(_) => return Err(Reject::Issuer),
        None => return Err(Reject::Missing("iss")),
    }
    check_times(claims, moment)?.ok_or(Reject::Missing("exp"))?;
    let issued_at = seconds(claims, "iat")?.ok_or(Reject::Missing("iat"))?;
    check_audience(claims, provider.client_id.as_slice())?;
    Ok(issued_at)
}

pub(crate) fn authenticated_at(claims: &Map<String, Value>) -> Option<u64> {
    seconds(claims, "auth_time").ok().flatten()
}

pub(crate) fn authentication_class(claims: &Map<String, Value>) -> Option<String> {
    text(claims, "acr").ok().flatten().map(str::to_owned)
}

pub(crate) fn session(claims: &Map<String, Value>) -> Option<String> {
    text(claims, "sid").ok().flatten().map(str::to_owned)
}

/// Returns the thumbprint of the token's key (RFC 9449, section 6.1), or `None` for a bearer token. Rejects other
/// methods of binding.
pub(crate) fn key_thumbprint(claims: &Map<String, Value>) -> Result<Option<&str>, Reject> {
    let Some(confirmation) = present(claims, "cnf") else {
        return Ok(None);
    };
    match confirmation.as_object().filter(|methods| methods.len() == 1) {
        Some(methods) => methods
            .get("jkt")
            .and_then(Value::as_str)
            .map(Some)
            .ok_or(Reject::Bound),
        None => Err(Reject::Bound),
    }
}

pub(crate) fn issued_at(claims: &Map<String, Value>) -> Option<u64> {
    seconds(claims, "iat").ok().flatten()
}

pub(crate) fn subject(claims: &Map<String, Value>) -> Result<&str, Reject> {
    match text(claims, "sub")? {
        None => Err(Reject::Missing("sub")),
        Some(subject) if subject.is_empty() || subject.len() > MAX_SUBJECT => Err(Reject::Claim("sub")),
        Some(subject) => Ok(subject),
    }
}

fn check_times(claims: &Map<String, Value>, Moment { now, leeway }: Moment) -> Result<Option<u64>, Reject> {
    for name in ["nbf", "iat"] {
        if seconds(claims, name)?.is_some_and(|from| from > now.saturating_add(leeway)) {
            return Err(Reject::NotYet);
        }
    }
    let expires = seconds(claims, "exp")?;
    if expires.is_some_and(|expires| expires.saturating_add(leeway) < now) {
        return Err(Reject::Expired);
    }
    Ok(expires)
}

fn check_audience(claims: &Map<String, Value>, accepted: &[String]) -> Result<(), Reject> {
    if audiences(claims)?
        .iter()
        .any(|named| accepted.iter().any(|ours| ours == named))
    {
        Ok(())
    } else {
        Err(Reject::Audience)
    }
}

fn check_client(claims: &Map<String, Value>, accepted: &[String]) -> Result<(), Reject> {
    let client = match text(claims, "client_id")? {
        Some(client) => Some(client),
        None => text(claims, "azp")?,
    };
    match client {
        None => Err(Reject::Missing("client_id")),
        Some(client) if accepted.iter().any(|ours| ours == client) => Ok(()),
        Some(_) => Err(Reject::Audience),
    }
}

/// Checks `aud` and `azp`. A token with several audiences must name one of ours as the authorized party (OpenID Connect
/// Core 1.0, section 3.1.3.7).
fn check_id_token_audience(claims: &Map<String, Value>, accepted: &[String]) -> Result<(), Reject> {
    check_audience(claims, accepted)?;
    match text(claims, "azp")? {
        Some(party) if accepted.iter().any(|ours| ours == party) => Ok(()),
        None if audiences(claims)?.len() == 1 => Ok(()),
        _ => Err(Reject::Audience),
    }
}

fn check_use(claims: &Map<String, Value>, provider: &ProviderConfig) -> Result<(), Reject> {
    // Logout tokens and security events (RFC 8417) carry `events` even if their `typ` header is missing.
    if present(claims, "events").is_some() {
        return Err(Reject::Type("security event".into()));
    }
    match &provider.required_scope {
        Some(scope) if !principal::scopes(claims).contains(scope) => Err(Reject::Scope),
        _ => Ok(()),
    }
}

/// True if the claims include one that only ID tokens have. Some providers use the same `aud` for both kinds.
fn is_id_token(claims: &Map<String, Value>) -> bool {
    ["at_hash", "c_hash", "s_hash"]
        .iter()
        .any(|hash| claims.contains_key(*hash))
        || claims.get("token_use").is_some_and(|word| word == "id")
        || claims.get("typ").is_some_and(|word| word == "ID")
}

/// ID tokens are expected instead, because another service could replay an access token here.
fn is_access_token(claims: &Map<String, Value>) -> bool {
    claims.get("token_use").is_some_and(|word| word == "access")
        || claims.get("typ").is_some_and(|word| word == "Bearer")
        || (!is_id_token(claims) && (claims.contains_key("scope") || claims.contains_key("scp")))
}

/// Returns `client_id` of an access token, `azp` or `aud` of an ID token.
pub(crate) fn client(claims: &Map<String, Value>) -> Option<&str> {
    ["client_id", "azp", "aud"]
        .into_iter()
        .find_map(|name| claims.get(name)?.as_str())
}

fn audiences(claims: &Map<String, Value>) -> Result<Vec<&str>, Reject> {
    match present(claims, "aud") {
        None => Err(Reject::Missing("aud")),
        Some(Value::String(one)) => Ok(vec![one]),
        Some(Value::Array(many)) => many
            .iter()
            .map(|name| name.as_str().ok_or(Reject::Claim("aud")))
            .collect(),
        Some(_) => Err(Reject::Claim("aud")),
    }
}

fn present<'c>(claims: &'c Map<String, Value>, name: &str) -> Option<&'c Value> {
    claims.get(name).filter(|value| !value.is_null())
}

fn text<'c>(claims: &'c Map<String, Value>, name: &'static str) -> Result<Option<&'c str>, Reject> {
    match present(claims, name) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(Reject::Claim(name)),
    }
}

/// Reads a `NumericDate` (RFC 7519, section 2) in seconds; fractions are truncated.
fn seconds(claims: &Map<String, Value>, name: &'static str) -> Result<Option<u64>, Reject> {
    let Some(value) = present(claims, name) else {
        return Ok(None);
    };
    if let Some(whole) = value.as_u64() {
        return Ok(Some(whole));
    }
    match value.as_f64() {
        Some(fraction) if fraction >= 0.0 && fraction < u64::MAX as f64 => Ok(Some(fraction as u64)),
        _ => Err(Reject::Claim(name)),
    }
}
