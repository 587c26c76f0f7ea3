//! Pages must be able to read the provider's responses (the CORS protocol of the Fetch standard). Responses of their own
//! origin need no permission.

use reqwest::Method;
use url::Url;

use super::Case;
use crate::report::Findings;

pub(super) const ALLOW_ORIGIN: &str = "access-control-allow-origin";

pub(super) fn is_allowed(case: &Case<'_>, url: &Url, allowed: Option<&str>) -> bool {
    is_own(case, url) || allowed.is_some_and(|origin| origin == "*" || origin == case.origin)
}

fn is_own(case: &Case<'_>, url: &Url) -> bool {
    url.origin() == case.public_url.origin()
}

/// True if pages may read it.
pub(super) async fn discovery(case: &Case<'_>, findings: &mut Findings) -> bool {
    let Ok(url) = Url::parse(&waypost_auth::discovery_address(&case.provider.tokens.issuer)) else {
        return false;
    };
    let request = case.http.request(Method::GET, &url).header("origin", &case.origin);
    // `discovery::read` has reported it.
    let Ok(response) = case.http.send(request).await else {
        return false;
    };
    let allowed = response.header(ALLOW_ORIGIN);
    let may_read = is_allowed(case, &url, allowed);
    if !may_read {
        blocked(case, &url, allowed, findings);
    }
    may_read
}

/// Token requests are simple requests, so only this header matters. Some providers (django-oauth-toolkit) send it only
/// with successful responses, which the doctor does not see, so a missing header is a warning, unless the discovery
/// document is blocked too.
pub(super) fn tokens(case: &Case<'_>, url: &Url, allowed: Option<&str>, discovered: bool, findings: &mut Findings) {
    match allowed {
        allowed if is_allowed(case, url, allowed) => {
            findings.ok("cors", format!("Pages of {} may call the token endpoint.", case.origin));
        }
        Some(_) => blocked(case, url, allowed, findings),
        None if discovered => findings.warning(
            "cors",
            format!(
                "Pages of {} may not read error responses of {url}, because they have no Access-Control-Allow-Origin header. \
                 If successful responses lack it too, sign-in fails in the tab, in a window and in a frame.",
                case.origin
            ),
            Some(format!(
                "If the sign-in page reports that it may not read the provider's response: {}",
                fix(case)
            )),
        ),
        None => {}
    }
}

fn blocked(case: &Case<'_>, url: &Url, allowed: Option<&str>, findings: &mut Findings) {
    let reason = allowed.map_or(
        "the response has no Access-Control-Allow-Origin header".to_owned(),
        |other| format!("the response allows only {other}"),
    );
    findings.problem(
        "cors",
        format!(
            "Pages of {} may not read {url}: {reason}. Sign-in fails in the tab, in a window and in a frame.",
            case.origin
        ),
        Some(fix(case)),
    );
}

fn fix(case: &Case<'_>) -> String {
    format!(
        "Allow the origin {} (at the provider: {}). Or use the token relay: set {}=1, and {} if the client has a secret.",
        case.origin,
        case.provider.preset.locations.origins,
        case.setting("RELAY"),
        case.setting("CLIENT_SECRET")
    )
}

/// Checks the support of preflight requests, which the proofs of bound tokens (DPoP) need.
pub(super) async fn preflight(case: &Case<'_>, url: &Url, findings: &mut Findings) {
    if is_own(case, url) {
        return;
    }
    let needed = case.provider.tokens.dpop;
    let request = case
        .http
        .request(Method::OPTIONS, url)
        .header("origin", &case.origin)
        .header("access-control-request-method", "POST")
        .header(
            "access-control-request-headers",
            if needed { "dpop" } else { "content-type" },
        );
    let Ok(response) = case.http.send(request).await else {
        return;
    };
    let allows_proofs = || {
        let headers = response.header("access-control-allow-headers").unwrap_or_default();
        headers
            .split(',')
            .map(str::trim)
            .any(|name| name == "*" || name.eq_ignore_ascii_case("dpop"))
    };
    let is_allowed = is_allowed(case, url, response.header(ALLOW_ORIGIN));
    if needed && !(is_allowed && allows_proofs()) {
        findings.problem(
            "cors",
            format!(
                "Pages of {} may not send DPoP proofs to {url}, so every sign-in fails.",
                case.origin
            ),
            Some(format!(
                "Allow the request header `DPoP` for this origin (at the provider: {}), or remove {}.",
                case.provider.preset.locations.origins,
                case.setting("DPOP")
            )),
        );
    } else if !is_allowed {
        findings.note(
            "cors",
            "The token endpoint does not support preflight requests; Waypost does not need them.",
            None,
        );
    }
}
