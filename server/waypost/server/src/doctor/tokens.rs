//! Checks the token endpoint with a page's request, and introspection with the server's.

use reqwest::Method;
use serde_json::Value;
use url::{Url, form_urlencoded};
use waypost_auth::{Credentials, TokenKind};

use super::{Case, cors, discovery::endpoint as endpoint_url, http::Response, report::Findings};
use crate::config::RelaySecret;

/// An authorization code that no provider has issued.
const UNKNOWN_CODE: &str = "waypost-doctor-no-code";

/// The verifier of RFC 7636, appendix B.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

/// Sends an unknown code to the token endpoint. A working endpoint responds with `invalid_grant`.
pub(super) async fn endpoint(case: &Case<'_>, document: &Value, findings: &mut Findings) {
    let Some(url) = endpoint_url(document, "token_endpoint") else {
        return;
    };
    let relayed = case.provider.relay.is_some();
    let Some(mut response) = exchange(case, &url, !relayed, findings).await else {
        return;
    };
    let allowed = response.header(cors::ALLOW_ORIGIN).map(str::to_owned);
    if !relayed && !cors::is_allowed(case, allowed.as_deref()) {
        // Some providers reject an unknown origin before they check the client, so we retry without `Origin`.
        let Some(second_response) = exchange(case, &url, false, findings).await else {
            return;
        };
        response = second_response;
    }
    let code = response.json()["error"].as_str().unwrap_or_default().to_owned();
    client(case, &url, &code, response.status.as_u16(), findings);
    if !relayed {
        let discovered = cors::discovery(case, findings).await;
        cors::tokens(case, &url, allowed.as_deref(), discovered, findings);
        cors::preflight(case, &url, findings).await;
    }
}

/// Sends a token request like one of our pages (with `Origin`) or the relay. Reports a failure and returns `None`.
async fn exchange(case: &Case<'_>, url: &Url, as_page: bool, findings: &mut Findings) -> Option<Response> {
    let provider = case.provider;
    let mut form = vec![
        ("grant_type", "authorization_code".to_owned()),
        ("code", UNKNOWN_CODE.to_owned()),
        ("redirect_uri", format!("{}/auth/callback", case.origin)),
        ("code_verifier", VERIFIER.to_owned()),
    ];
    let mut request = case
        .http
        .request(Method::POST, url)
        .header("accept", "application/json");
    if as_page {
        request = request.header("origin", &case.origin);
    }
    let credentials = match &provider.relay {
        None => Credentials::Public,
        Some(secret) => match secret.credentials(&provider.client_id) {
            Ok(credentials) => credentials,
            Err(problem) => {
                findings.problem("relay", format!("{problem}."), None);
                return None;
            }
        },
    };
    match credentials {
        Credentials::Public => form.push(("client_id", provider.client_id.clone())),
        Credentials::Post(secret) => {
            form.push(("client_id", provider.client_id.clone()));
            form.push(("client_secret", secret.expose().to_owned()));
        }
        Credentials::Basic(secret) => {
            request = request.basic_auth(encode(&provider.client_id), Some(encode(secret.expose())));
        }
    }
    match case.http.send(request.form(&form)).await {
        Ok(response) => Some(response),
        Err(cause) => {
            findings.problem("token endpoint", format!("{url} cannot be reached: {cause}."), None);
            None
        }
    }
}

fn client(case: &Case<'_>, url: &Url, code: &str, status: u16, findings: &mut Findings) {
    let relayed = case.provider.relay.is_some();
    match code {
        "invalid_grant" => findings.ok(
            "token endpoint",
            "The token endpoint accepts the client. It rejects only the code, as expected.",
        ),
        "invalid_client" | "unauthorized_client" if relayed => findings.problem(
            "token endpoint",
            format!(
                "The token endpoint rejects the client {} with its secret ({code}).",
                case.provider.client_id
            ),
            Some(match case.provider.relay {
                Some(RelaySecret::Apple(_)) => format!(
                    "Check {}, {}, {} and {}.",
                    case.setting("CLIENT_ID"),
                    case.setting("APPLE_TEAM_ID"),
                    case.setting("APPLE_KEY_ID"),
                    case.setting("APPLE_KEY_FILE")
                ),
                _ => format!(
                    "Check {} and {}; some providers require {}=basic.",
                    case.setting("CLIENT_ID"),
                    case.setting("CLIENT_SECRET"),
                    case.setting("CLIENT_AUTH")
                ),
            }),
        ),
        "invalid_client" | "unauthorized_client" => findings.problem(
            "token endpoint",
            format!(
                "The token endpoint rejects the client {} without a secret ({code}).",
                case.provider.client_id
            ),
            Some(format!(
                "Make it a public client with PKCE (single-page application) at the provider, or use the token relay, which adds \
                 the secret: set {}=1 and {}.",
                case.setting("RELAY"),
                case.setting("CLIENT_SECRET")
            )),
        ),
        "" => findings.warning(
            "token endpoint",
            format!("{url} returned {status} without an error code."),
            None,
        ),
        other => findings.note(
            "token endpoint",
            format!("The token endpoint responds to an unknown code with {other} instead of invalid_grant."),
            None,
        ),
    }
}

pub(super) async fn introspection(case: &Case<'_>, document: &Value, findings: &mut Findings) {
    let TokenKind::Introspection(introspection) = &case.provider.tokens.token else {
        return;
    };
    let configured = introspection.endpoint.as_deref().and_then(|text| Url::parse(text).ok());
    let Some(url) = configured.or_else(|| endpoint_url(document, "introspection_endpoint")) else {
        findings.problem(
            "introspection",
            "The discovery document has no `introspection_endpoint`.",
            Some(format!("Set {} to its URL.", case.setting("INTROSPECTION_URL"))),
        );
        return;
    };
    let request = case
        .http
        .request(Method::POST, &url)
        .header("accept", "application/json")
        .basic_auth(
            encode(&introspection.client_id),
            Some(encode(introspection.client_secret.expose())),
        )
        .form(&[("token", "waypost-doctor-no-token")]);
    match case.http.send(request).await {
        Ok(response) if response.status == 200 && response.json()["active"] == false => {
            findings.ok(
                "introspection",
                "The introspection endpoint accepts this server's credentials.",
            );
        }
        Ok(response) => findings.problem(
            "introspection",
            format!(
                "{url} returned {} for a request with this server's credentials.",
                response.status
            ),
            Some(format!(
                "Check {} and {}; the client must have permission to introspect tokens.",
                case.setting("INTROSPECTION_CLIENT_ID"),
                case.setting("INTROSPECTION_SECRET")
            )),
        ),
        Err(cause) => findings.problem("introspection", format!("{url} cannot be reached: {cause}."), None),
    }
}

/// Form-encodes a part of Basic credentials (RFC 6749, section 2.3.1).
fn encode(text: &str) -> String {
    form_urlencoded::byte_serialize(text.as_bytes()).collect()
}
