//! The discovery document, the keys, and what they offer.

use jiff::Timestamp;
use serde_json::Value;
use url::Url;
use waypost_auth::{
    TokenKind, is_loopback,
    preset::{Logout, Renewal},
};

use super::{Case, clock, report::Findings};

/// Reads the discovery document (OpenID Connect Discovery 1.0, section 4).
pub(super) async fn read(case: &Case<'_>, findings: &mut Findings) -> Option<Value> {
    let issuer = &case.provider.tokens.issuer;
    let url = Url::parse(&waypost_auth::discovery_address(issuer)).ok()?;
    let answer = match case.probe.get(&url).await {
        Ok(answer) => answer,
        Err(cause) => {
            findings.problem(
                "discovery",
                format!("{url} cannot be reached from this machine: {cause}."),
                Some(format!(
                    "Check {}, DNS, the firewall and, for your own authority, its certificate on this machine.",
                    case.setting("ISSUER")
                )),
            );
            return None;
        }
    };
    clock::compare(&answer, Timestamp::now(), findings);
    if let Some(target) = answer.location(&url) {
        let moved = target.as_str().trim_end_matches("/.well-known/openid-configuration");
        findings.problem(
            "discovery",
            format!("{url} leads on to {target}; redirects are not followed, because they could lead anywhere."),
            Some(format!(
                "Set {} to the issuer itself, perhaps {moved}.",
                case.setting("ISSUER")
            )),
        );
        return None;
    }
    let document = answer.json();
    if answer.status != 200 || !document.is_object() {
        findings.problem(
            "discovery",
            format!("{url} answers {} and no discovery document.", answer.status),
            Some(format!(
                "Set {} to an issuer of the form {}.",
                case.setting("ISSUER"),
                case.provider.preset.issuer
            )),
        );
        return None;
    }
    match document["issuer"].as_str() {
        Some(named) if named == issuer => findings.ok("discovery", format!("{url} names the issuer to the letter.")),
        Some(named) => {
            findings.problem(
                "discovery",
                format!(
                    "{url} names the issuer `{named}`, configured is `{issuer}`; they must be equal to the letter."
                ),
                Some(format!("Set {}={named}.", case.setting("ISSUER"))),
            );
            return None;
        }
        None => {
            findings.problem("discovery", format!("{url} names no issuer."), None);
            return None;
        }
    }
    Some(document)
}

/// Whether there are keys with which tokens can be checked.
pub(super) async fn keys(case: &Case<'_>, document: &Value, findings: &mut Findings) {
    if !matches!(case.provider.tokens.token, TokenKind::Jwt | TokenKind::IdToken) {
        return;
    }
    let Some(url) = endpoint(document, "jwks_uri") else {
        findings.problem(
            "keys",
            "Discovery names no `jwks_uri`, so no token can be checked.",
            None,
        );
        return;
    };
    let answer = match case.probe.get(&url).await {
        Ok(answer) if answer.status == 200 => answer,
        Ok(answer) => {
            findings.problem("keys", format!("{url} answers {}.", answer.status), None);
            return;
        }
        Err(cause) => {
            findings.problem("keys", format!("{url} cannot be reached: {cause}."), None);
            return;
        }
    };
    match waypost_auth::usable_keys(&answer.json()) {
        Ok(usable) => findings.ok(
            "keys",
            format!("Keys that can check signatures: {}.", usable.join(", ")),
        ),
        Err(problem) => findings.problem(
            "keys",
            format!("{url}: {problem}. Keys must be public: RSA, P-256, P-384 or Ed25519."),
            Some(format!("Change it at {}.", case.provider.preset.places.audience)),
        ),
    }
}

/// Whether the flows that a browser needs are offered. A list that is missing says nothing, so it is no finding.
pub(super) fn flows(case: &Case<'_>, document: &Value, findings: &mut Findings) {
    let lists = |name: &str, wanted: &str| -> Option<bool> {
        let list = document[name].as_array()?;
        Some(list.iter().any(|entry| entry == wanted))
    };
    let places = &case.provider.preset.places;
    match lists("response_types_supported", "code") {
        Some(false) => findings.problem(
            "flows",
            "The provider does not offer the authorization code flow.",
            None,
        ),
        _ => findings.ok("flows", "The authorization code flow is offered."),
    }
    match lists("code_challenge_methods_supported", "S256") {
        Some(true) => findings.ok("pkce", "PKCE with S256 is offered."),
        Some(false) => findings.problem("pkce", "The provider does not offer PKCE with S256.", None),
        None => findings.note(
            "pkce",
            "Discovery does not say whether PKCE is checked; Waypost sends it always.",
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
            "The provider signs with shared secrets only (HS…); Waypost accepts signatures of public keys.",
            Some(format!("Change it at {}.", places.audience)),
        );
    }
    if case.provider.relay.is_none() && lists("token_endpoint_auth_methods_supported", "none") == Some(false) {
        findings.note(
            "public client",
            "Discovery does not list clients without a secret (`none`). Some providers allow them all the same; see the token endpoint below.",
            None,
        );
    }
    let asked = |scope: &str| case.provider.scope.split_whitespace().any(|asked| asked == scope);
    for scope in case.provider.scope.split_whitespace() {
        if ["profile", "email", "offline_access"].contains(&scope) && lists("scopes_supported", scope) == Some(false) {
            findings.warning(
                "scopes",
                format!("Discovery does not list the scope `{scope}`, which is asked for."),
                Some(format!(
                    "If sign-in fails with invalid_scope, leave it out of {}.",
                    case.setting("SCOPE")
                )),
            );
        }
    }
    if !case.provider.renewals.contains(&Renewal::RefreshToken) {
        return;
    }
    match lists("grant_types_supported", "refresh_token") {
        Some(true) => findings.ok("refresh", "Refresh tokens are offered."),
        Some(false) => findings.warning(
            "refresh",
            "Refresh tokens are not offered, so sessions are renewed in a hidden frame or by a click.",
            Some(format!("Change it at {}.", places.refresh)),
        ),
        None => {}
    }
    if lists("scopes_supported", "offline_access") == Some(true)
        && !asked("offline_access")
        && case.provider.preset.slug == "generic"
    {
        findings.note(
            "refresh",
            "The scope `offline_access` is offered and not asked for; most providers give refresh tokens only with it.",
            Some(format!(
                "Set {}='{} offline_access'.",
                case.setting("SCOPE"),
                case.provider.scope
            )),
        );
    }
}

/// Endpoints beside sign-in.
pub(super) fn endpoints(case: &Case<'_>, document: &Value, findings: &mut Findings) {
    for name in ["authorization_endpoint", "token_endpoint"] {
        match endpoint(document, name) {
            None => findings.problem("endpoints", format!("Discovery names no `{name}`."), None),
            Some(url) if url.scheme() != "https" && !is_loopback(&url) => {
                findings.problem("endpoints", format!("`{name}` is {url}, which is not https."), None);
            }
            Some(_) => {}
        }
    }
    if case.provider.tokens.userinfo && endpoint(document, "userinfo_endpoint").is_none() {
        findings.warning(
            "userinfo",
            "Discovery names no userinfo endpoint, so what tokens do not tell stays unknown.",
            Some(format!("Set {}=0.", case.setting("USERINFO"))),
        );
    }
    let ends = endpoint(document, "end_session_endpoint");
    match (case.provider.logout, ends) {
        (Logout::Local, _) => findings.note("signing out", "Signing out ends the session in Waypost only.", None),
        (_, Some(_)) => findings.ok("signing out", "Signing out ends the session at the provider too."),
        (_, None) => findings.warning(
            "signing out",
            "Discovery names no `end_session_endpoint`: who signs out stays signed in at the provider.",
            Some(format!(
                "Change it at {}, or set {}=local.",
                case.provider.preset.places.logout,
                case.setting("LOGOUT")
            )),
        ),
    }
    let revokes = endpoint(document, "revocation_endpoint").is_some();
    if case.provider.preset.revocation && !revokes && case.provider.relay.is_none() {
        findings.note(
            "revocation",
            "Refresh tokens cannot be revoked; one that was stolen lives until it ends.",
            None,
        );
    }
    if document["authorization_response_iss_parameter_supported"] == true {
        findings.ok("mix-up", "Answers name their issuer (RFC 9207).");
    }
}

/// An address of the document.
pub(super) fn endpoint(document: &Value, name: &str) -> Option<Url> {
    Url::parse(document[name].as_str()?).ok()
}
