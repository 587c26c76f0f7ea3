//! Whether pages of ours may read what the provider answers (the CORS protocol of the Fetch standard). All ways to sign in
//! need it, in this tab, in a window and in a hidden frame: the code that comes back is exchanged by the page. So does renewal by
//! refresh token. With the token relay, none of them does: the page asks this server.

use reqwest::Method;
use url::Url;

use super::{Case, report::Findings};

/// The header by which an answer lets pages read it.
pub(super) const ALLOWS: &str = "access-control-allow-origin";

pub(super) fn is_allowed(case: &Case<'_>, allowed: Option<&str>) -> bool {
    allowed.is_some_and(|origin| origin == "*" || origin == case.origin)
}

/// The discovery document, which a page reads first. Answers whether it can.
pub(super) async fn discovery(case: &Case<'_>, findings: &mut Findings) -> bool {
    let Ok(url) = Url::parse(&waypost_auth::discovery_address(&case.provider.tokens.issuer)) else {
        return false;
    };
    let request = case.probe.request(Method::GET, &url).header("origin", &case.origin);
    // That it can be reached at all was seen before.
    let Ok(answer) = case.probe.send(request).await else {
        return false;
    };
    let allowed = answer.header(ALLOWS);
    let may_read = is_allowed(case, allowed);
    if !may_read {
        refused(case, &url, allowed, findings);
    }
    may_read
}

/// The token endpoint, by what it sends with a refusal: only one can be seen from here, and some providers
/// (django-oauth-toolkit) let pages read nothing but what they grant. Its requests are simple ones, so this header alone
/// decides. Nothing is said twice where the discovery document cannot be read either.
pub(super) fn tokens(case: &Case<'_>, url: &Url, allowed: Option<&str>, discovered: bool, findings: &mut Findings) {
    match allowed {
        allowed if is_allowed(case, allowed) => {
            findings.ok("cors", format!("Pages of {} may call the token endpoint.", case.origin));
        }
        Some(_) => refused(case, url, allowed, findings),
        None if discovered => findings.warning(
            "cors",
            format!(
                "Pages of {} may not read what {url} refuses: it sends no Access-Control-Allow-Origin. If they may not read \
                 tokens either, nobody can sign in: not in the tab, not in a window, not in a frame.",
                case.origin
            ),
            Some(format!(
                "If signing in ends with “answers, but this page may not read it”, {}",
                instead(case)
            )),
        ),
        None => {}
    }
}

fn refused(case: &Case<'_>, url: &Url, allowed: Option<&str>, findings: &mut Findings) {
    let sends = allowed.map_or("sends no Access-Control-Allow-Origin".to_owned(), |other| {
        format!("allows {other} only")
    });
    findings.problem(
        "cors",
        format!(
            "Pages of {} may not read {url}: it {sends}. So nobody can sign in: not in the tab, not in a window, not in a frame.",
            case.origin
        ),
        Some(capitalised(&instead(case))),
    );
}

/// What to do, as the rest of a sentence.
fn instead(case: &Case<'_>) -> String {
    format!(
        "allow the origin {} at {}; or let this server ask in the place of pages: {}=1, and {} where the client has one.",
        case.origin,
        case.provider.preset.places.origins,
        case.setting("RELAY"),
        case.setting("CLIENT_SECRET")
    )
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map(|first| first.to_uppercase().chain(letters).collect())
        .unwrap_or_default()
}

/// Only bound tokens (DPoP) would need a preflight, which Waypost does not use.
pub(super) async fn preflight(case: &Case<'_>, url: &Url, findings: &mut Findings) {
    let request = case
        .probe
        .request(Method::OPTIONS, url)
        .header("origin", &case.origin)
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", "content-type");
    if let Ok(answer) = case.probe.send(request).await
        && !is_allowed(case, answer.header(ALLOWS))
    {
        findings.note(
            "cors",
            "The token endpoint answers no preflight; Waypost's requests need none.",
            None,
        );
    }
}
