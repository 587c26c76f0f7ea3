//! The token endpoint as a page would use it, and introspection as the server does.

use reqwest::Method;
use serde_json::Value;
use url::{Url, form_urlencoded};
use waypost_auth::{Credentials, TokenKind};

use super::{Case, cors, discovery::endpoint as address, http::Answer, report::Findings};
use crate::config::RelaySecret;

/// A code that no provider has given to anybody.
const NO_CODE: &str = "waypost-doctor-no-code";

/// The verifier of RFC 7636, appendix B.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

/// Asks the token endpoint for tokens of a code that does not exist. The right answer is that it does not exist.
pub(super) async fn endpoint(case: &Case<'_>, document: &Value, findings: &mut Findings) {
    let Some(url) = address(document, "token_endpoint") else {
        return;
    };
    let relayed = case.provider.relay.is_some();
    let Some(mut answer) = exchange(case, &url, !relayed, findings).await else {
        return;
    };
    let allowed = answer.header(cors::ALLOWS).map(str::to_owned);
    if !relayed && !cors::is_allowed(case, allowed.as_deref()) {
        // Some providers refuse a foreign page before they look at its client.
        let Some(again) = exchange(case, &url, false, findings).await else {
            return;
        };
        answer = again;
    }
    let code = answer.json()["error"].as_str().unwrap_or_default().to_owned();
    client(case, &url, &code, answer.status.as_u16(), findings);
    if !relayed {
        let discovered = cors::discovery(case, findings).await;
        cors::tokens(case, &url, allowed.as_deref(), discovered, findings);
        cors::preflight(case, &url, findings).await;
    }
}

/// One request for tokens, as a page of ours would make it or as the relay would. `None` when the rest makes no sense.
async fn exchange(case: &Case<'_>, url: &Url, as_page: bool, findings: &mut Findings) -> Option<Answer> {
    let provider = case.provider;
    let mut form = vec![
        ("grant_type", "authorization_code".to_owned()),
        ("code", NO_CODE.to_owned()),
        ("redirect_uri", format!("{}/auth/callback", case.origin)),
        ("code_verifier", VERIFIER.to_owned()),
    ];
    let mut request = case
        .probe
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
    match case.probe.send(request.form(&form)).await {
        Ok(answer) => Some(answer),
        Err(cause) => {
            findings.problem("token endpoint", format!("{url} cannot be reached: {cause}."), None);
            None
        }
    }
}

/// What the error code says about the client.
fn client(case: &Case<'_>, url: &Url, code: &str, status: u16, findings: &mut Findings) {
    let relayed = case.provider.relay.is_some();
    match code {
        "invalid_grant" => findings.ok("token endpoint", "It knows the client, and only refuses the code that does not exist."),
        "invalid_client" | "unauthorized_client" if relayed => findings.problem(
            "token endpoint",
            format!("It refuses the client {} with its secret ({code}).", case.provider.client_id),
            Some(match case.provider.relay {
                Some(RelaySecret::Apple(_)) => format!(
                    "Check {}, {}, {} and {}.",
                    case.setting("CLIENT_ID"),
                    case.setting("APPLE_TEAM_ID"),
                    case.setting("APPLE_KEY_ID"),
                    case.setting("APPLE_KEY_FILE")
                ),
                _ => format!(
                    "Check {} and {}; some providers want {}=basic.",
                    case.setting("CLIENT_ID"),
                    case.setting("CLIENT_SECRET"),
                    case.setting("CLIENT_AUTH")
                ),
            }),
        ),
        "invalid_client" | "unauthorized_client" => findings.problem(
            "token endpoint",
            format!("It refuses the client {} without a secret ({code}).", case.provider.client_id),
            Some(format!(
                "Make it a public client with PKCE (single-page application) at the provider, or let the server add the secret: \
                 {}=1 and {}.",
                case.setting("RELAY"),
                case.setting("CLIENT_SECRET")
            )),
        ),
        "" => findings.warning("token endpoint", format!("{url} answers {status} without an error code."), None),
        other => findings.note(
            "token endpoint",
            format!("It answers a code that does not exist with {other}, where invalid_grant was expected."),
            None,
        ),
    }
}

/// Shows a token that does not exist to the introspection endpoint.
pub(super) async fn introspection(case: &Case<'_>, document: &Value, findings: &mut Findings) {
    let TokenKind::Introspection(introspection) = &case.provider.tokens.token else {
        return;
    };
    let configured = introspection.endpoint.as_deref().and_then(|text| Url::parse(text).ok());
    let Some(url) = configured.or_else(|| address(document, "introspection_endpoint")) else {
        findings.problem(
            "introspection",
            "Discovery names no `introspection_endpoint`.",
            Some(format!("Set {} to its address.", case.setting("INTROSPECTION_URL"))),
        );
        return;
    };
    let request = case
        .probe
        .request(Method::POST, &url)
        .header("accept", "application/json")
        .basic_auth(
            encode(&introspection.client_id),
            Some(encode(introspection.client_secret.expose())),
        )
        .form(&[("token", "waypost-doctor-no-token")]);
    match case.probe.send(request).await {
        Ok(answer) if answer.status == 200 && answer.json()["active"] == false => {
            findings.ok("introspection", "It accepts this server's credentials.");
        }
        Ok(answer) => findings.problem(
            "introspection",
            format!("{url} answers {} to this server's credentials.", answer.status),
            Some(format!(
                "Check {} and {}; the client must be allowed to introspect.",
                case.setting("INTROSPECTION_CLIENT_ID"),
                case.setting("INTROSPECTION_SECRET")
            )),
        ),
        Err(cause) => findings.problem("introspection", format!("{url} cannot be reached: {cause}."), None),
    }
}

/// RFC 6749, section 2.3.1: id and secret are form-encoded before they become Basic credentials.
fn encode(text: &str) -> String {
    form_urlencoded::byte_serialize(text.as_bytes()).collect()
}
