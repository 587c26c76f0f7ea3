//! Requests like those of a browser without a session.

use serde_json::Value;
use url::Url;
use waypost_auth::{
    is_loopback,
    preset::{Logout, Renewal},
};

use waypost_server::{REDIRECT_PATHS, config::Provider};

use super::{Case, discovery::endpoint};
use crate::{http::Response, report::Findings};

/// A path that is not registered. If a provider accepts it, codes could be stolen.
const UNREGISTERED_PATH: &str = "/auth/not-registered";

/// The browser is not signed in (OpenID Connect Core 1.0, section 3.1.2.6).
const NOT_SIGNED_IN: [&str; 4] = [
    "login_required",
    "interaction_required",
    "consent_required",
    "account_selection_required",
];

/// S256 of RFC 7636, appendix B.
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

/// The maximum number of redirects to the sign-in page.
const MAX_REDIRECTS: usize = 6;

#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    Registered,
    /// The provider redirects to the URI with another error.
    Rejected {
        code: String,
        description: String,
    },
    /// The provider shows an error page instead of a redirect to the URI.
    Unregistered {
        reason: Option<String>,
    },
    /// The provider shows a sign-in page in spite of `prompt=none`.
    SignInPage,
    Unclear,
}

pub(super) async fn redirects(case: &Case<'_>, document: &Value, findings: &mut Findings) {
    let Some(authorization) = endpoint(document, "authorization_endpoint") else {
        return;
    };
    let mut missing = Vec::new();
    let mut pages = Vec::new();
    let mut page = "a sign-in page";
    let mut first_reason = None;
    let mut rejected = None;
    let mut registered = 0;
    for path in REDIRECT_PATHS {
        let redirect = format!("{}{path}", case.origin);
        match try_redirect(case, &authorization, &redirect).await {
            Ok(Outcome::Registered) => registered += 1,
            Ok(Outcome::Rejected { code, description }) => {
                registered += 1;
                rejected = Some((code, description));
            }
            Ok(Outcome::Unregistered { reason }) => {
                first_reason = first_reason.or(reason);
                missing.push(redirect);
            }
            Ok(Outcome::SignInPage) => pages.push(redirect),
            Ok(Outcome::Unclear) => {
                page = "a page";
                pages.push(redirect);
            }
            Err(cause) => {
                findings.obstacle(
                    "redirects",
                    format!("{authorization} cannot be reached: {cause}."),
                    None,
                );
                return;
            }
        }
    }
    let locations = &case.provider.preset.locations;
    if !missing.is_empty() {
        let reason = first_reason.map(|reason| format!(" ({reason})")).unwrap_or_default();
        findings.problem(
            "redirects",
            format!("The provider does not redirect to {}{reason}.", missing.join(", ")),
            Some(format!(
                "Check {}={}, and register these redirect URIs (at the provider: {}).",
                case.setting("CLIENT_ID"),
                case.provider.client_id,
                locations.redirects
            )),
        );
    }
    if let Some((code, description)) = rejected {
        findings.problem(
            "sign-in",
            format!("The provider rejects the authorization request: {code}. {description}"),
            fix(case, &code),
        );
    }
    let unregistered = format!("{}{UNREGISTERED_PATH}", case.origin);
    let counterexample = match registered + pages.len() {
        0 => None,
        _ => try_redirect(case, &authorization, &unregistered).await.ok(),
    };
    if registered == REDIRECT_PATHS.len() {
        findings.ok(
            "redirects",
            "All three redirect URIs are registered, and `prompt=none` is supported.",
        );
    }
    if !pages.is_empty() {
        let message =
            format!("The provider shows {page} in spite of `prompt=none`, so renewal in hidden frames times out");
        let renewal = format!("{}=refresh", case.setting("RENEWAL"));
        // If it rejects an unregistered URI, the others are registered.
        if matches!(counterexample, Some(Outcome::Unregistered { .. })) {
            findings.warning("prompt=none", format!("{message}."), Some(format!("Set {renewal}.")));
            findings.ok(
                "redirects",
                format!("The provider accepts {}, and rejects {unregistered}.", pages.join(", ")),
            );
        } else {
            findings.unverified("the redirect URIs");
            findings.warning(
                "prompt=none",
                format!("{message}, and the doctor cannot check whether the redirect URIs are registered."),
                Some(format!(
                    "Register {} (at the provider: {}), and set {renewal}.",
                    pages.join(", "),
                    locations.redirects,
                )),
            );
        }
    }
    if matches!(counterexample, Some(Outcome::Registered | Outcome::Rejected { .. })) {
        findings.warning(
            "redirects",
            format!(
                "The provider also redirects to {unregistered}, which should not be registered: it does not compare redirect \
                 URIs exactly."
            ),
            Some(format!(
                "Register exact redirect URIs without wildcards (at the provider: {}).",
                locations.redirects
            )),
        );
    }
    let sign_out_path = match case.provider.logout {
        Logout::Popup => "auth/popup.html",
        Logout::Frame => "auth/silent.html",
        Logout::Provider | Logout::Cognito => "signed-out",
        // Signing out does not leave Waypost.
        Logout::Local => return,
    };
    findings.note(
        "redirects",
        format!(
            "After signing out, users return to {}/{sign_out_path}; the doctor cannot check whether this URI is registered.",
            case.origin
        ),
        Some(format!("Register it (at the provider: {}).", locations.logout)),
    );
}

pub(super) fn fix(case: &Case<'_>, code: &str) -> Option<String> {
    match code {
        "invalid_scope" => Some(format!(
            "Set {} to scopes that this client may request; it requests `{}`.",
            case.setting("SCOPE"),
            case.provider.scope
        )),
        "invalid_target" => Some(format!(
            "Set {} to a resource that is registered at the provider, or remove it.",
            case.setting("RESOURCE")
        )),
        "unauthorized_client" | "unsupported_response_type" => {
            Some("Allow the authorization code flow for this client at the provider.".to_owned())
        }
        _ => None,
    }
}

pub(super) async fn sign_in_page(case: &Case<'_>, document: &Value, findings: &mut Findings) {
    let Some(mut url) = endpoint(document, "authorization_endpoint") else {
        return;
    };
    let redirect = format!("{}{}", case.origin, REDIRECT_PATHS[0]);
    add_parameters(case, &mut url, &redirect, &case.provider.into());
    add_proof(&mut url, "waypost-doctor", CHALLENGE);
    for _ in 0..MAX_REDIRECTS {
        let Ok(response) = case.http.get(&url).await else {
            return;
        };
        match response.location(&url) {
            // `redirects` has already reported an error response.
            Some(next) if next.as_str().starts_with(&case.origin) => return,
            Some(next) if error_of(&next).is_none() && (next.scheme() == "https" || is_loopback(&next)) => url = next,
            Some(_) => return,
            None => {
                if !matches!(outcome_of_page(&response), Outcome::Unregistered { .. }) {
                    check_headers(case, &response, findings);
                }
                return;
            }
        }
    }
}

fn check_headers(case: &Case<'_>, page: &Response, findings: &mut Findings) {
    let isolates_window = page
        .header("cross-origin-opener-policy")
        .is_some_and(|policy| policy.trim_start().starts_with("same-origin"));
    if isolates_window {
        findings.note(
            "windows",
            "The sign-in page isolates its window (Cross-Origin-Opener-Policy), so Waypost cannot detect that it was closed; \
             users have to press Cancel.",
            None,
        );
    } else {
        findings.ok("windows", "The sign-in page can be opened in a window.");
    }
    let can_be_framed = page.header("x-frame-options").is_none()
        && page
            .header("content-security-policy")
            .is_none_or(|policy| !policy.contains("frame-ancestors"));
    if can_be_framed && case.provider.renewals.contains(&Renewal::Frame) {
        findings.warning(
            "frames",
            "Any site may embed the sign-in page in a frame, which allows clickjacking.",
            Some(
                "Configure the provider to send `Content-Security-Policy: frame-ancestors 'none'` with the sign-in page. Renewal \
                 in a frame still works, because it shows no page."
                    .into(),
            ),
        );
    }
}

async fn try_redirect(case: &Case<'_>, authorization: &Url, redirect: &str) -> Result<Outcome, String> {
    let mut url = authorization.clone();
    add_parameters(case, &mut url, redirect, &case.provider.into());
    add_proof(&mut url, "waypost-doctor", CHALLENGE);
    url.query_pairs_mut().append_pair("prompt", "none");
    for _ in 0..MAX_REDIRECTS {
        let response = case.http.get(&url).await?;
        match response.location(&url) {
            Some(next) if next.as_str().starts_with(redirect) => return Ok(outcome_of_redirect(&next)),
            Some(next) if error_of(&next).is_some_and(|(code, _)| !NOT_SIGNED_IN.contains(&code.as_str())) => {
                let reason = error_of(&next).map(|(code, description)| match description {
                    Some(description) => format!("{code}: {description}"),
                    None => code,
                });
                return Ok(Outcome::Unregistered { reason });
            }
            // Some redirect through their own pages first.
            Some(next) if next.origin() == url.origin() => url = next,
            _ => return Ok(outcome_of_page(&response)),
        }
    }
    Ok(Outcome::Unclear)
}

/// The parameters of an authorization request of which some providers reject the configured ones.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Requested {
    pub(super) scope: String,
    pub(super) resource: Option<String>,
}

impl From<&Provider> for Requested {
    fn from(provider: &Provider) -> Self {
        Self {
            scope: provider.scope.clone(),
            resource: provider.resource.clone(),
        }
    }
}

pub(super) fn add_parameters(case: &Case<'_>, url: &mut Url, redirect: &str, requested: &Requested) {
    let provider = case.provider;
    let mut query = url.query_pairs_mut();
    query
        .append_pair("response_type", "code")
        .append_pair("client_id", &provider.client_id)
        .append_pair("redirect_uri", redirect)
        .append_pair("scope", &requested.scope);
    if let Some(resource) = &requested.resource {
        query.append_pair("resource", resource);
    }
    for (name, value) in &provider.parameters {
        query.append_pair(name, value);
    }
}

pub(super) fn add_proof(url: &mut Url, secret: &str, challenge: &str) {
    url.query_pairs_mut()
        .append_pair("state", secret)
        .append_pair("nonce", secret)
        .append_pair("code_challenge", challenge)
        .append_pair("code_challenge_method", "S256");
}

fn outcome_of_redirect(target: &Url) -> Outcome {
    match error_of(target) {
        Some((code, description)) if !NOT_SIGNED_IN.contains(&code.as_str()) => Outcome::Rejected {
            description: description.unwrap_or_default(),
            code,
        },
        _ => Outcome::Registered,
    }
}

fn error_of(url: &Url) -> Option<(String, Option<String>)> {
    let get = |name: &str| {
        url.query_pairs()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.into_owned())
    };
    Some((get("error")?, get("error_description")))
}

fn outcome_of_page(response: &Response) -> Outcome {
    let body = response.json();
    let reason = body["error_description"]
        .as_str()
        .or(body["error"].as_str())
        .map(str::to_owned);
    let has_form = has_form(&response.body);
    let reason = reason.or_else(|| error_in_page(&response.body, has_form));
    if response.status.is_client_error() || response.status.is_server_error() || reason.is_some() {
        Outcome::Unregistered {
            reason: reason.or_else(|| Some(format!("it returned {}", response.status))),
        }
    } else if has_form {
        Outcome::SignInPage
    } else {
        Outcome::Unclear
    }
}

const PAGE_ERRORS: [&str; 7] = [
    "redirect_uri_mismatch",
    "aadsts50011",
    "invalid_redirect_uri",
    "redirect_mismatch",
    "invalid redirect",
    "mismatching redirect",
    "redirect uri is not",
];

/// These also occur on sign-in pages, such as the name of a hidden field.
const FORMLESS_PAGE_ERRORS: [&str; 8] = [
    "redirect_uri",
    "redirect uri",
    "invalid_client",
    "invalid client",
    "unknown client",
    "client not found",
    "unauthorized_client",
    "invalid_request",
];

/// Some providers show error pages with status 200.
fn error_in_page(page: &str, has_form: bool) -> Option<String> {
    let text = visible_text(page).to_lowercase();
    let formless = FORMLESS_PAGE_ERRORS.iter().filter(|_| !has_form);
    PAGE_ERRORS
        .iter()
        .chain(formless)
        .find(|error| text.contains(**error))
        .map(|error| format!("its page contains \"{error}\""))
}

fn has_form(page: &str) -> bool {
    let page = page.to_lowercase();
    ["<form", "type=\"password\"", "type='password'", "type=password"]
        .iter()
        .any(|markup| page.contains(markup))
}

fn visible_text(page: &str) -> String {
    let mut text = String::new();
    let mut rest = page;
    while let Some((before, tag)) = rest.split_once('<') {
        text.push_str(before);
        let hidden = ["script", "style"].into_iter().find(|name| {
            tag.get(..name.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(name))
        });
        let end = hidden.map_or(Some(0), |name| tag.to_ascii_lowercase().find(&format!("</{name}")));
        rest = end
            .and_then(|end| tag[end..].split_once('>'))
            .map_or("", |(_, rest)| rest);
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_pages_are_distinguished_from_sign_in_pages() {
        for (page, error) in [
            ("<h1>Error</h1> Mismatching redirect URI.", true),
            ("<h1>Error</h1> Mismatching redirect URI. <form>Search</form>", true),
            ("<title>Oops</title><p>invalid_client</p>", true),
            ("<form><input name=redirect_uri><input type=password></form>", false),
            ("<form>You continue to the registered redirect URI</form>", false),
            (
                "<script>const errors = ['invalid_client']</script><div id=app></div>",
                false,
            ),
            ("<SCRIPT>'Invalid redirect'", false),
            ("Loading", false),
        ] {
            assert_eq!(error_in_page(page, has_form(page)).is_some(), error, "{page}");
        }
    }
}
