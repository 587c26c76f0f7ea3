use jiff::Timestamp;
use serde_json::Value;
use url::Url;
use waypost_auth::{
    TokenKind, is_loopback,
    preset::{Logout, Renewal},
};

use super::Case;
use crate::{clock, report::Findings};

/// Reports a problem and returns `None` if the document is unusable.
pub(super) async fn read(case: &Case<'_>, findings: &mut Findings) -> Option<Value> {
    let issuer = &case.provider.tokens.issuer;
    let url = Url::parse(&waypost_auth::discovery_address(issuer)).ok()?;
    let response = match case.http.get(&url).await {
        Ok(response) => response,
        Err(cause) => {
            findings.problem(
                "discovery",
                format!("{url} cannot be reached from this machine: {cause}."),
                Some(format!(
                    "Check {}, DNS and the firewall. If the provider uses a private certificate authority, install its \
                     certificate on this machine.",
                    case.setting("ISSUER")
                )),
            );
            return None;
        }
    };
    clock::compare_with_provider(&response, Timestamp::now(), findings);
    if let Some(target) = response.location(&url) {
        let issuer = target.as_str().trim_end_matches("/.well-known/openid-configuration");
        findings.problem(
            "discovery",
            format!("{url} redirects to {target}; for security, Waypost does not follow redirects."),
            Some(format!(
                "Set {} to the issuer that it redirects to, probably {issuer}.",
                case.setting("ISSUER")
            )),
        );
        return None;
    }
    let document = response.json();
    if response.status != 200 || !document.is_object() {
        let setting = case.setting("ISSUER");
        let fix = match case.provider.preset.slug {
            "generic" => format!(
                "Set {setting} to the provider's issuer: its discovery URL without `/.well-known/openid-configuration`."
            ),
            _ => format!(
                "Set {setting} to an issuer of the form {}.",
                case.provider.preset.issuer
            ),
        };
        let problem = format!("{url} returned {} but no discovery document.", response.status);
        findings.problem("discovery", problem, Some(fix));
        return None;
    }
    match document["issuer"].as_str() {
        Some(named) if named == issuer => {
            findings.ok("discovery", format!("{url} contains exactly the configured issuer."));
        }
        Some(named) => {
            findings.problem(
                "discovery",
                format!("{url} contains the issuer `{named}`, but `{issuer}` is configured; they must be identical."),
                Some(format!("Set {}={named}.", case.setting("ISSUER"))),
            );
            return None;
        }
        None => {
            findings.problem("discovery", format!("{url} does not contain an issuer."), None);
            return None;
        }
    }
    Some(document)
}

pub(super) async fn keys(case: &Case<'_>, document: &Value, findings: &mut Findings) {
    if !matches!(case.provider.tokens.token, TokenKind::Jwt | TokenKind::IdToken) {
        return;
    }
    let Some(url) = endpoint(document, "jwks_uri") else {
        findings.obstacle(
            "keys",
            "The discovery document has no `jwks_uri`, so tokens cannot be verified.",
            None,
        );
        return;
    };
    let response = match case.http.get(&url).await {
        Ok(response) if response.status == 200 => response,
        Ok(response) => {
            findings.obstacle("keys", format!("{url} returned {}.", response.status), None);
            return;
        }
        Err(cause) => {
            findings.obstacle("keys", format!("{url} cannot be reached: {cause}."), None);
            return;
        }
    };
    match waypost_auth::usable_keys(&response.json()) {
        Ok(usable) => findings.ok("keys", format!("Usable signing keys: {}.", usable.join(", "))),
        Err(problem) => findings.problem(
            "keys",
            format!("{url}: {problem}. Waypost supports public RSA, P-256, P-384 and Ed25519 keys."),
            Some(format!(
                "Check at the provider: {}.",
                case.provider.preset.locations.audience
            )),
        ),
    }
}

/// The lists in the document are optional.
pub(super) fn flows(case: &Case<'_>, document: &Value, findings: &mut Findings) {
    let lists = |name: &str, value: &str| -> Option<bool> {
        let list = document[name].as_array()?;
        Some(list.iter().any(|entry| entry == value))
    };
    let locations = &case.provider.preset.locations;
    match lists("response_types_supported", "code") {
        Some(false) => findings.obstacle(
            "flows",
            "The provider does not support the authorization code flow.",
            None,
        ),
        _ => findings.ok("flows", "The authorization code flow is supported."),
    }
    match lists("code_challenge_methods_supported", "S256") {
        Some(true) => findings.ok("pkce", "PKCE with S256 is supported."),
        Some(false) => findings.problem("pkce", "The provider does not support PKCE with S256.", None),
        None => findings.note(
            "pkce",
            "The discovery document does not state whether PKCE is supported; Waypost always uses it.",
            None,
        ),
    }
    let algorithms = document["id_token_signing_alg_values_supported"].as_array();
    if let Some(algorithms) = algorithms
        && !algorithms
            .iter()
            .filter_map(Value::as_str)
            .any(|name| !name.starts_with("HS") && name != "none")
    {
        findings.problem(
            "algorithms",
            "The provider signs tokens only with shared secrets (HS…); Waypost requires asymmetric keys.",
            Some(format!("Check at the provider: {}.", locations.audience)),
        );
    }
    if case.provider.relay.is_none() && lists("token_endpoint_auth_methods_supported", "none") == Some(false) {
        findings.note(
            "public client",
            "The discovery document does not list clients without a secret (`none`). Some providers allow them anyway; see the \
             check of the token endpoint below.",
            None,
        );
    }
    let requests = |scope: &str| {
        case.provider
            .scope
            .split_whitespace()
            .any(|requested| requested == scope)
    };
    for scope in case.provider.scope.split_whitespace() {
        if ["profile", "email", "offline_access"].contains(&scope) && lists("scopes_supported", scope) == Some(false) {
            findings.warning(
                "scopes",
                format!("The discovery document does not list the scope `{scope}`, which Waypost requests."),
                Some(format!(
                    "If sign-in fails with invalid_scope, remove it from {}.",
                    case.setting("SCOPE")
                )),
            );
        }
    }
    if !case.provider.renewals.contains(&Renewal::RefreshToken) {
        return;
    }
    match lists("grant_types_supported", "refresh_token") {
        Some(true) => findings.ok("refresh", "Refresh tokens are supported."),
        Some(false) => findings.warning(
            "refresh",
            "Refresh tokens are not supported, so sessions are renewed in a hidden frame or by a click.",
            Some(format!("Check at the provider: {}.", locations.refresh)),
        ),
        None => {}
    }
    if lists("scopes_supported", "offline_access") == Some(true)
        && !requests("offline_access")
        && case.provider.preset.slug == "generic"
    {
        findings.note(
            "refresh",
            "The provider supports the scope `offline_access`, but Waypost does not request it. Most providers issue refresh \
             tokens only with this scope.",
            Some(format!(
                "Set {}='{} offline_access'.",
                case.setting("SCOPE"),
                case.provider.scope
            )),
        );
    }
}

pub(super) fn endpoints(case: &Case<'_>, document: &Value, findings: &mut Findings) {
    for name in ["authorization_endpoint", "token_endpoint"] {
        match endpoint(document, name) {
            None => findings.obstacle("endpoints", format!("The discovery document has no `{name}`."), None),
            Some(url) if url.scheme() != "https" && !is_loopback(&url) => {
                findings.obstacle("endpoints", format!("`{name}` is {url}, but must use https."), None);
            }
            Some(_) => {}
        }
    }
    let end_session = endpoint(document, "end_session_endpoint");
    match (case.provider.logout, end_session) {
        (Logout::Local, _) => findings.note("signing out", "Signing out ends the session in Waypost only.", None),
        (_, Some(_)) => findings.ok("signing out", "Signing out also ends the session at the provider."),
        (_, None) => findings.warning(
            "signing out",
            "The discovery document has no `end_session_endpoint`, so signing out of Waypost does not end the session at the \
             provider.",
            Some(format!(
                "Set {}=local, so that the page after signing out says so and offers another account.",
                case.setting("LOGOUT")
            )),
        ),
    }
    reported_sign_outs(case, document, findings);
    let can_revoke = endpoint(document, "revocation_endpoint").is_some();
    if case.provider.preset.revocation && !can_revoke && case.provider.relay.is_none() {
        findings.note(
            "revocation",
            "Refresh tokens cannot be revoked; a stolen one is valid until it expires.",
            None,
        );
    }
    if document["authorization_response_iss_parameter_supported"] == true {
        findings.ok("mix-up", "Authorization responses contain their issuer (RFC 9207).");
    }
}

fn reported_sign_outs(case: &Case<'_>, document: &Value, findings: &mut Findings) {
    let is_supported = document["backchannel_logout_supported"] == true;
    let setting = case.setting("BACKCHANNEL_LOGOUT");
    let uri = format!("{}{}", case.origin, waypost_server::BACKCHANNEL_PATH);
    match (is_supported, case.provider.tokens.backchannel_logout) {
        (true, true) => findings.ok(
            "back-channel logout",
            format!("The provider reports sign-outs if {uri} is registered as back-channel logout URI."),
        ),
        (true, false) => findings.note(
            "back-channel logout",
            "The provider can report when a session ends elsewhere, but Waypost does not accept these reports.",
            Some(format!(
                "Set {setting}=1, and register {uri} as back-channel logout URI."
            )),
        ),
        (false, true) => findings.warning(
            "back-channel logout",
            format!("{setting} is on, but the discovery document does not announce back-channel logout."),
            Some(format!("Check whether the provider supports it, or remove {setting}.")),
        ),
        (false, false) => {}
    }
}

pub(super) fn endpoint(document: &Value, name: &str) -> Option<Url> {
    Url::parse(document[name].as_str()?).ok()
}
