use reqwest::Method;
use serde_json::Value;
use url::{Url, form_urlencoded};
use waypost_auth::{Credentials, TokenKind, token_kinds_for_opaque};
use waypost_server::config::RelaySecret;

use super::{
    Case, cors,
    discovery::endpoint as endpoint_url,
    dpop::{self, Prover},
};
use crate::{http::Response, report::Findings};

const UNKNOWN_CODE: &str = "waypost-doctor-no-code";

const UNKNOWN_TOKEN: &str = "waypost-doctor-no-token";

/// Errors of endpoints that reject an unknown token, but not the client.
const TOKEN_ERRORS: [&str; 4] = [
    "invalid_request",
    "invalid_token",
    "invalid_grant",
    "unsupported_token_type",
];

/// RFC 7636, appendix B.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

/// Sends an unknown code, to which a working endpoint responds with `invalid_grant`. Returns true if it accepts the
/// client.
pub(super) async fn endpoint(case: &Case<'_>, document: &Value, findings: &mut Findings) -> bool {
    let Some(url) = endpoint_url(document, "token_endpoint") else {
        return false;
    };
    let relayed = case.provider.relay.is_some();
    let Some(mut response) = exchange(case, &url, !relayed, findings).await else {
        return false;
    };
    let allowed = response.header(cors::ALLOW_ORIGIN).map(str::to_owned);
    if !relayed && !cors::is_allowed(case, &url, allowed.as_deref()) {
        // Some providers reject an unknown origin before they check the client.
        let Some(second_response) = exchange(case, &url, false, findings).await else {
            return false;
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
    code == "invalid_grant"
}

async fn exchange(case: &Case<'_>, url: &Url, as_page: bool, findings: &mut Findings) -> Option<Response> {
    let credentials = match client_credentials(case) {
        Ok(credentials) => credentials,
        Err(problem) => {
            findings.problem("relay", format!("{problem}."), None);
            return None;
        }
    };
    let form = vec![
        ("grant_type", "authorization_code".to_owned()),
        ("code", UNKNOWN_CODE.to_owned()),
        ("redirect_uri", format!("{}/auth/callback", case.origin)),
        ("code_verifier", VERIFIER.to_owned()),
    ];
    match post(case, url, &credentials, form, as_page, None).await {
        Ok(response) => Some(response),
        Err(cause) => {
            findings.obstacle("token endpoint", format!("{url} cannot be reached: {cause}."), None);
            None
        }
    }
}

/// Fails if Apple's key cannot sign.
pub(super) fn client_credentials(case: &Case<'_>) -> Result<Credentials, String> {
    case.provider.relay.as_ref().map_or(Ok(Credentials::Public), |secret| {
        secret.credentials(&case.provider.client_id)
    })
}

/// A `prover` adds a proof, and repeats the request if the proof needs a nonce.
pub(super) async fn post(
    case: &Case<'_>,
    url: &Url,
    credentials: &Credentials,
    mut form: Vec<(&str, String)>,
    as_page: bool,
    prover: Option<&Prover>,
) -> Result<Response, String> {
    let client_id = &case.provider.client_id;
    let mut request = case
        .http
        .request(Method::POST, url)
        .header("accept", "application/json");
    if as_page {
        request = request.header("origin", &case.origin);
    }
    match credentials {
        Credentials::Public => form.push(("client_id", client_id.clone())),
        Credentials::Post(secret) => {
            form.push(("client_id", client_id.clone()));
            form.push(("client_secret", secret.expose().to_owned()));
        }
        Credentials::Basic(secret) => {
            request = request.basic_auth(encode(client_id), Some(encode(secret.expose())));
        }
    }
    request = request.form(&form);
    let Some(prover) = prover else {
        return case.http.send(request).await;
    };
    let retry = request.try_clone();
    let response = case.http.send(prover.prove(request, url, None)?).await?;
    match (dpop::required_nonce(&response), retry) {
        (Some(nonce), Some(retry)) => case.http.send(prover.prove(retry, url, Some(&nonce))?).await,
        _ => Ok(response),
    }
}

/// Only a sign-in shows the form of access tokens.
pub(super) fn form(case: &Case<'_>, document: &Value, findings: &mut Findings) {
    // The presets of cloud providers contain the form.
    if case.provider.tokens.token != TokenKind::Jwt || !case.provider.preset.self_hosted {
        return;
    }
    findings.unverified("the form and audience of access tokens");
    let token = case.setting("TOKEN");
    let mut fixes = Vec::new();
    if case.provider.resource.is_none() {
        let resource = case.setting("RESOURCE");
        fixes.push(format!(
            "{resource} to the identifier of an API at the provider, so that it issues JWTs"
        ));
    }
    for kind in token_kinds_for_opaque(document) {
        fixes.push(match kind {
            "introspection" => format!(
                "{token}=introspection with {} and {}",
                case.setting("INTROSPECTION_CLIENT_ID"),
                case.setting("INTROSPECTION_SECRET")
            ),
            "userinfo" => {
                format!("{token}=userinfo, which also accepts tokens that the provider issued for other applications")
            }
            kind => format!("{token}={kind}"),
        });
    }
    findings.note(
        "access tokens",
        "Only a sign-in shows the form of access tokens. Waypost is configured for JWTs, and rejects opaque tokens, which many \
         providers issue by default.",
        Some(format!("If they are opaque, set {}.", fixes.join("; or "))),
    );
}

/// Tokens and introspection responses often lack names.
pub(super) fn names(case: &Case<'_>, document: &Value, findings: &mut Findings) {
    let tokens = &case.provider.tokens;
    let introspects = match tokens.token {
        TokenKind::Introspection(_) => true,
        TokenKind::Jwt => false,
        TokenKind::IdToken | TokenKind::Userinfo => return,
    };
    let setting = case.setting("USERINFO");
    match (endpoint_url(document, "userinfo_endpoint").is_some(), tokens.userinfo) {
        (true, true) => findings.ok("names", "Names that tokens lack are requested from the userinfo endpoint."),
        (true, false) if introspects => findings.note(
            "names",
            "Introspection responses rarely contain names, and members without a name appear by their id.",
            Some(format!("Set {setting}=1.")),
        ),
        (true, false) if case.provider.preset.self_hosted => findings.note(
            "names",
            "If access tokens contain no names, members appear by their id.",
            Some(format!("In that case, set {setting}=1.")),
        ),
        (false, true) if introspects => findings.note(
            "names",
            "Introspection responses rarely contain names, and the discovery document has no `userinfo_endpoint`, so members may \
             appear by their id.",
            None,
        ),
        (false, true) => findings.warning(
            "names",
            "The discovery document has no `userinfo_endpoint`, so profile claims that tokens lack stay unknown.",
            Some(format!("Set {setting}=0.")),
        ),
        (_, false) => {}
    }
}

/// A working endpoint responds to an unknown token with 200 (RFC 7009, section 2.2).
pub(super) async fn revocation(case: &Case<'_>, document: &Value, findings: &mut Findings) {
    // Pages do not revoke tokens of the relay.
    if !case.provider.preset.revocation || case.provider.relay.is_some() {
        return;
    }
    let Some(url) = endpoint_url(document, "revocation_endpoint") else {
        return;
    };
    let form = vec![
        ("token", UNKNOWN_TOKEN.to_owned()),
        ("token_type_hint", "refresh_token".to_owned()),
    ];
    let result = post(case, &url, &Credentials::Public, form, false, None).await;
    let problem = match result {
        Ok(response) if response.status == 200 => {
            findings.ok("revocation", "Clients without a secret can revoke their tokens.");
            return;
        }
        Ok(response) => {
            let body = response.json();
            let code = body["error"].as_str().unwrap_or_default();
            if response.status == 400 && TOKEN_ERRORS.contains(&code) {
                findings.note(
                    "revocation",
                    format!(
                        "{url} rejects an unknown token ({code}), so only a sign-in shows whether clients without a secret can \
                         revoke their tokens."
                    ),
                    None,
                );
                return;
            }
            let code = if code.is_empty() {
                String::new()
            } else {
                format!(" ({code})")
            };
            format!("returned {}{code}", response.status)
        }
        Err(cause) => format!("cannot be reached: {cause}"),
    };
    findings.warning(
        "revocation",
        format!(
            "{url} {problem} for a client without a secret, so refresh tokens stay valid after signing out until they expire."
        ),
        Some(format!(
            "Allow this client to revoke its tokens, or limit the lifetime of refresh tokens (at the provider: {}).",
            case.provider.preset.locations.refresh
        )),
    );
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
        .form(&[("token", UNKNOWN_TOKEN)]);
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

fn encode(text: &str) -> String {
    form_urlencoded::byte_serialize(text.as_bytes()).collect()
}
