//! The authorization endpoint, asked as a browser without a session would ask.

use serde_json::Value;
use url::Url;
use waypost_auth::{
    is_loopback,
    preset::{Logout, Renewal},
};

use super::{Case, discovery::endpoint, http::Answer, report::Findings};

/// Where answers of the provider arrive.
const REDIRECTS: [&str; 3] = ["/auth/callback", "/auth/popup.html", "/auth/silent.html"];

/// An address that nobody registers. A provider that answers there takes any address, and codes could be led away.
const STRAY: &str = "/auth/not-registered";

/// Errors by which a provider says that nobody is signed in (OpenID Connect Core 1.0, section 3.1.2.6).
const NOBODY: [&str; 4] = [
    "login_required",
    "interaction_required",
    "consent_required",
    "account_selection_required",
];

/// The S256 challenge of RFC 7636, appendix B.
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

/// So many redirects lead to a sign-in page at most.
const HOPS: usize = 6;

/// What an answer to `prompt=none` says about a redirect address.
#[derive(Debug, PartialEq, Eq)]
enum Verdict {
    /// The provider answers there: nobody is signed in.
    Registered,
    /// It answers there that something else is wrong.
    Refused { code: String, text: String },
    /// It shows an error page instead of answering there.
    Unknown { reason: Option<String> },
    /// It shows a sign-in page although it was asked not to.
    Unclear,
}

pub(super) async fn redirects(case: &Case<'_>, document: &Value, findings: &mut Findings) {
    let Some(authorization) = endpoint(document, "authorization_endpoint") else {
        return;
    };
    let mut missing = Vec::new();
    let mut unclear = Vec::new();
    let mut reason = None;
    let mut refused = None;
    let mut registered = 0;
    for path in REDIRECTS {
        let redirect = format!("{}{path}", case.origin);
        match ask(case, &authorization, &redirect).await {
            Ok(Verdict::Registered) => registered += 1,
            Ok(Verdict::Refused { code, text }) => {
                registered += 1;
                refused = Some((code, text));
            }
            Ok(Verdict::Unknown { reason: told }) => {
                reason = reason.or(told);
                missing.push(redirect);
            }
            Ok(Verdict::Unclear) => unclear.push(redirect),
            Err(cause) => {
                findings.problem(
                    "redirects",
                    format!("{authorization} cannot be reached: {cause}."),
                    None,
                );
                return;
            }
        }
    }
    let places = &case.provider.preset.places;
    if !missing.is_empty() {
        let told = reason.map(|reason| format!(" ({reason})")).unwrap_or_default();
        findings.problem(
            "redirects",
            format!("The provider does not answer at {}{told}.", missing.join(", ")),
            Some(format!(
                "Check {}={}, and register the addresses at {}.",
                case.setting("CLIENT_ID"),
                case.provider.client_id,
                places.redirects
            )),
        );
    }
    if let Some((code, text)) = refused {
        findings.problem(
            "sign-in",
            format!("The provider refuses the request of the client: {code}. {text}"),
            cure(case, &code),
        );
    }
    if !unclear.is_empty() {
        findings.warning(
            "prompt=none",
            "The provider shows a page although it was asked not to (`prompt=none`), so hidden frames end by a timeout, and \
             whether the redirect addresses are registered cannot be seen from here.",
            Some(format!(
                "Register {} at {}; set {}=refresh.",
                unclear.join(", "),
                places.redirects,
                case.setting("RENEWAL")
            )),
        );
    }
    if registered == REDIRECTS.len() {
        findings.ok(
            "redirects",
            "All three redirect addresses are registered, and `prompt=none` is understood.",
        );
    }
    if registered > 0 {
        let stray = format!("{}{STRAY}", case.origin);
        if matches!(
            ask(case, &authorization, &stray).await,
            Ok(Verdict::Registered | Verdict::Refused { .. })
        ) {
            findings.warning(
                "redirects",
                format!(
                    "The provider answers at {stray} too, which nobody registered: it takes more than exact addresses."
                ),
                Some(format!(
                    "Register the exact addresses, without wildcards, at {}.",
                    places.redirects
                )),
            );
        }
    }
    let back = match case.provider.logout {
        Logout::Popup => "auth/popup.html",
        Logout::Frame => "auth/silent.html",
        Logout::Provider | Logout::Cognito | Logout::Local => "signed-out",
    };
    findings.note(
        "redirects",
        format!("After signing out, people come back to {}/{back}.", case.origin),
        Some(format!("It has to be registered too, at {}.", places.logout)),
    );
}

/// What to do about an error code of an authorization request.
fn cure(case: &Case<'_>, code: &str) -> Option<String> {
    match code {
        "invalid_scope" => Some(format!(
            "Set {} to scopes that this client may ask for; it asks for `{}`.",
            case.setting("SCOPE"),
            case.provider.scope
        )),
        "invalid_target" => Some(format!(
            "Set {} to a resource that the provider knows, or leave it out.",
            case.setting("RESOURCE")
        )),
        "unauthorized_client" | "unsupported_response_type" => {
            Some("Allow the authorization code flow for this client at the provider.".to_owned())
        }
        _ => None,
    }
}

/// The headers of the sign-in page, which decide about windows.
pub(super) async fn window(case: &Case<'_>, document: &Value, findings: &mut Findings) {
    let Some(mut url) = endpoint(document, "authorization_endpoint") else {
        return;
    };
    let redirect = format!("{}{}", case.origin, REDIRECTS[0]);
    request(case, &mut url, &redirect, None);
    for _ in 0..HOPS {
        let Ok(answer) = case.probe.get(&url).await else { return };
        match answer.location(&url) {
            // Back at ours: an error, which the redirects have told already.
            Some(next) if next.as_str().starts_with(&case.origin) => return,
            Some(next) if next.scheme() == "https" || is_loopback(&next) => url = next,
            Some(_) => return,
            // An error page is not the one that people sign in on.
            None if answer.status != 200 => return,
            None => {
                describe(case, &answer, findings);
                return;
            }
        }
    }
}

fn describe(case: &Case<'_>, page: &Answer, findings: &mut Findings) {
    let isolates = page
        .header("cross-origin-opener-policy")
        .is_some_and(|policy| policy.trim_start().starts_with("same-origin"));
    if isolates {
        findings.note(
            "windows",
            "Its sign-in page isolates its window (COOP): a window that is closed is not noticed, and people press Cancel.",
            None,
        );
    } else {
        findings.ok("windows", "Its sign-in page can be opened in a window.");
    }
    let framed = page.header("x-frame-options").is_none()
        && page
            .header("content-security-policy")
            .is_none_or(|policy| !policy.contains("frame-ancestors"));
    if framed && case.provider.renewals.contains(&Renewal::Frame) {
        findings.warning(
            "frames",
            "Its sign-in page lets itself be framed by any site, which invites clickjacking.",
            Some("Have the provider send `Content-Security-Policy: frame-ancestors 'none'`: renewal in a frame shows no page.".into()),
        );
    }
}

async fn ask(case: &Case<'_>, authorization: &Url, redirect: &str) -> Result<Verdict, String> {
    let mut url = authorization.clone();
    request(case, &mut url, redirect, Some("none"));
    for _ in 0..HOPS {
        let answer = case.probe.get(&url).await?;
        match answer.location(&url) {
            Some(next) if next.as_str().starts_with(redirect) => return Ok(read(&next)),
            // Some providers pass through pages of their own before they answer.
            Some(next) if next.origin() == url.origin() => url = next,
            _ => return Ok(judge(&answer)),
        }
    }
    Ok(Verdict::Unclear)
}

fn request(case: &Case<'_>, url: &mut Url, redirect: &str, prompt: Option<&str>) {
    let provider = case.provider;
    let mut query = url.query_pairs_mut();
    query
        .append_pair("response_type", "code")
        .append_pair("client_id", &provider.client_id)
        .append_pair("redirect_uri", redirect)
        .append_pair("scope", &provider.scope)
        .append_pair("state", "waypost-doctor")
        .append_pair("nonce", "waypost-doctor")
        .append_pair("code_challenge", CHALLENGE)
        .append_pair("code_challenge_method", "S256");
    if let Some(prompt) = prompt {
        query.append_pair("prompt", prompt);
    }
    if let Some(resource) = &provider.resource {
        query.append_pair("resource", resource);
    }
    for (name, value) in &provider.parameters {
        query.append_pair(name, value);
    }
}

/// Reads an answer at the redirect address.
fn read(answer: &Url) -> Verdict {
    let get = |name: &str| {
        answer
            .query_pairs()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.into_owned())
    };
    match get("error") {
        Some(code) if !NOBODY.contains(&code.as_str()) => Verdict::Refused {
            text: get("error_description").unwrap_or_default(),
            code,
        },
        _ => Verdict::Registered,
    }
}

/// Reads an answer that is a page.
fn judge(answer: &Answer) -> Verdict {
    let told = answer.json();
    let reason = told["error_description"]
        .as_str()
        .or(told["error"].as_str())
        .map(str::to_owned);
    let reason = reason.or_else(|| words_about_redirects(&answer.body));
    if answer.status.is_client_error() || answer.status.is_server_error() || reason.is_some() {
        Verdict::Unknown {
            reason: reason.or_else(|| Some(format!("it answers {}", answer.status))),
        }
    } else {
        Verdict::Unclear
    }
}

/// Providers that answer an error with status 200 name it all the same.
fn words_about_redirects(page: &str) -> Option<String> {
    let lower = page.to_lowercase();
    [
        "redirect_uri_mismatch",
        "aadsts50011",
        "invalid_redirect_uri",
        "redirect_mismatch",
        "invalid redirect",
    ]
    .into_iter()
    .find(|words| lower.contains(words))
    .map(str::to_owned)
}
