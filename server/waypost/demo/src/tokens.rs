//! The endpoints that the client calls: tokens, revocation (RFC 7009) and userinfo.

use std::sync::Arc;

use aws_lc_rs::digest;
use axum::{
    body::Bytes,
    extract::State,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::Response,
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde_json::{Value, json};

use crate::{
    CLIENT_ID, Provider, RESOURCE,
    accounts::Account,
    json_response,
    keys::Kind,
    parameters::Parameters,
    sessions::{Granted, Session},
};

/// The lifetime of access tokens and ID tokens, in seconds. Short, so that a first look shows renewals.
const TOKEN_LIFETIME: u64 = 300;

pub(crate) async fn token(State(provider): State<Arc<Provider>>, body: Bytes) -> Response {
    let form = match read_form(&body) {
        Ok(form) => form,
        Err((code, description)) => return error(code, &description),
    };
    let required = |name: &str| form.get(name).unwrap_or_default();
    let now = provider.now();
    let granted = match form.get("grant_type") {
        Some("authorization_code") => provider.sessions().redeem(
            required("code"),
            required("redirect_uri"),
            required("code_verifier"),
            now,
        ),
        Some("refresh_token") => provider.sessions().refresh(required("refresh_token"), now),
        _ => return error("unsupported_grant_type", "The grant type is not supported."),
    };
    let granted = granted.and_then(|granted| Some((granted.session.account()?, granted)));
    match granted {
        Some((account, granted)) => json_response(StatusCode::OK, &provider.tokens(account, &granted, now)),
        None => error(
            "invalid_grant",
            "The code or refresh token is unknown, was used, has expired, or does not belong to this request.",
        ),
    }
}

/// Responds to an unknown token like to a known one (section 2.2).
pub(crate) async fn revoke(State(provider): State<Arc<Provider>>, body: Bytes) -> Response {
    match read_form(&body) {
        Ok(form) => {
            provider.sessions().revoke(form.get("token").unwrap_or_default());
            json_response(StatusCode::OK, &json!({}))
        }
        Err((code, description)) => error(code, &description),
    }
}

/// OpenID Connect Core 1.0, section 5.3.
pub(crate) async fn userinfo(State(provider): State<Arc<Provider>>, headers: HeaderMap) -> Response {
    match provider.account_of(&headers) {
        Some(account) => json_response(StatusCode::OK, &account.claims()),
        None => {
            let mut response = error("invalid_token", "The access token is missing, invalid or has expired.");
            *response.status_mut() = StatusCode::UNAUTHORIZED;
            let challenge = HeaderValue::from_static(r#"Bearer error="invalid_token""#);
            response.headers_mut().insert(header::WWW_AUTHENTICATE, challenge);
            response
        }
    }
}

impl Provider {
    fn tokens(&self, account: &Account, granted: &Granted, now: u64) -> Value {
        let Session {
            id, authenticated_at, ..
        } = &granted.session;
        let claims = |extra: Value| {
            let mut claims = account.claims();
            let common = json!({
                "iss": self.issuer, "iat": now, "exp": now + TOKEN_LIFETIME, "auth_time": authenticated_at, "sid": id,
            });
            for added in [common, extra] {
                let (Value::Object(claims), Value::Object(added)) = (&mut claims, added) else {
                    unreachable!("claims are objects")
                };
                claims.extend(added);
            }
            claims
        };
        let access = claims(json!({
            "aud": RESOURCE, "client_id": CLIENT_ID, "scope": granted.scope, "jti": crate::sessions::random(),
        }));
        let access = self.keys.sign(Kind::Access, &access);
        let mut id = json!({ "aud": CLIENT_ID, "at_hash": left_half_hash(&access) });
        if let Some(nonce) = &granted.nonce {
            id["nonce"] = json!(nonce);
        }
        let mut tokens = json!({
            "token_type": "Bearer",
            "expires_in": TOKEN_LIFETIME,
            "scope": granted.scope,
            "id_token": self.keys.sign(Kind::Id, &claims(id)),
            "access_token": access,
        });
        if let Some(refresh_token) = &granted.refresh_token {
            tokens["refresh_token"] = json!(refresh_token);
        }
        tokens
    }

    /// Returns the account of a valid access token, whose session has not ended.
    fn account_of(&self, headers: &HeaderMap) -> Option<&'static Account> {
        let header = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
        let (scheme, token) = header.split_once(' ')?;
        let claims = self.keys.verify(Kind::Access, token.trim())?;
        let now = self.now();
        if !scheme.eq_ignore_ascii_case("bearer") || claims["exp"].as_u64()? <= now {
            return None;
        }
        self.sessions().find(claims["sid"].as_str()?, now)?.account()
    }
}

/// OpenID Connect Core 1.0, section 3.1.3.6.
fn left_half_hash(token: &str) -> String {
    let hash = digest::digest(&digest::SHA256, token.as_bytes());
    URL_SAFE_NO_PAD.encode(&hash.as_ref()[..16])
}

/// Returns the code and description of an error.
fn read_form(body: &[u8]) -> Result<Parameters, (&'static str, String)> {
    let form = Parameters::read(body).map_err(|name| ("invalid_request", format!("The field {name} occurs twice.")))?;
    match form.get("client_id") {
        Some(CLIENT_ID) => Ok(form),
        _ => Err(("invalid_client", "The client is unknown.".to_owned())),
    }
}

fn error(code: &str, description: &str) -> Response {
    json_response(
        StatusCode::BAD_REQUEST,
        &json!({ "error": code, "error_description": description }),
    )
}
