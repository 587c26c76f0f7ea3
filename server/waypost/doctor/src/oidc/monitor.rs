//! OpenID Connect Session Management 1.0, section 3.2.

use serde_json::Value;
use url::Url;

use super::{Case, discovery::endpoint, site};
use crate::{http::Response, report::Findings};

/// Checks that our pages may embed the frame, and that the frame can read the session's cookies.
pub(super) async fn session_frame(case: &Case<'_>, document: &Value, findings: &mut Findings) {
    if !case.provider.monitored {
        return;
    }
    let turn_off = format!("Set {}=0.", case.setting("MONITOR"));
    let Some(url) = endpoint(document, "check_session_iframe") else {
        findings.warning(
            "monitor",
            "The discovery document has no `check_session_iframe`, so the provider's sessions cannot be monitored.",
            Some(turn_off),
        );
        return;
    };
    let response = match case.http.get(&url).await {
        Ok(response) if response.status == 200 => response,
        Ok(response) => {
            let message = format!(
                "{url} returned {}, so the provider's sessions cannot be monitored.",
                response.status
            );
            findings.warning("monitor", message, Some(turn_off));
            return;
        }
        Err(cause) => {
            findings.warning("monitor", format!("{url} cannot be reached: {cause}."), Some(turn_off));
            return;
        }
    };
    if let Some(header) = embedding_restriction(&response, &url, &case.origin) {
        findings.warning(
            "monitor",
            format!("Pages of {} may not embed {url}: it sends `{header}`.", case.origin),
            Some(format!(
                "Configure the provider or its reverse proxy to send `Content-Security-Policy: frame-ancestors {}` instead, for \
                 this URL only; or set {}=0.",
                case.origin,
                case.setting("MONITOR")
            )),
        );
    } else if site::is_same_site(case, &url) {
        findings.ok(
            "monitor",
            "The provider's sessions can be monitored: signing out there ends the session in Waypost.",
        );
    } else {
        findings.warning(
            "monitor",
            format!(
                "{} and Waypost are different sites: browsers that block third-party cookies will report every session as \
                 signed out.",
                url.host_str().unwrap_or_default()
            ),
            Some(format!(
                "Use host names under one domain for both, or set {}=0.",
                case.setting("MONITOR")
            )),
        );
    }
}

/// `frame-ancestors` overrides `X-Frame-Options` (Content Security Policy Level 3, section 6.4.2.2).
fn embedding_restriction(page: &Response, url: &Url, ours: &str) -> Option<String> {
    let policies: Vec<_> = page
        .headers
        .get_all("content-security-policy")
        .iter()
        .filter_map(|policy| policy.to_str().ok())
        .flat_map(|policies| policies.split(','))
        .filter_map(|policy| {
            policy
                .split(';')
                .map(str::trim)
                .find(|directive| directive.split_whitespace().next() == Some("frame-ancestors"))
        })
        .collect();
    let own = url.origin().ascii_serialization();
    if !policies.is_empty() {
        return policies
            .into_iter()
            .find(|policy| {
                !policy
                    .split_whitespace()
                    .skip(1)
                    .any(|source| matches_source(source, &own, ours))
            })
            .map(|policy| format!("Content-Security-Policy: {policy}"));
    }
    let option = page.header("x-frame-options")?;
    let forbids = match option.trim().to_ascii_lowercase().as_str() {
        "deny" => true,
        "sameorigin" => own != ours,
        // Browsers ignore other values.
        _ => false,
    };
    forbids.then(|| format!("X-Frame-Options: {option}"))
}

/// `*`, `'self'`, a scheme, or a host with or without one.
fn matches_source(source: &str, own: &str, ours: &str) -> bool {
    let (scheme, host) = ours.split_once("://").unwrap_or_default();
    let matches_host = |pattern: &str| match pattern.strip_prefix('*') {
        Some(end) => end.starts_with('.') && host.ends_with(end),
        None => pattern == host,
    };
    match source.trim_end_matches('/').to_ascii_lowercase().as_str() {
        "*" => true,
        "'self'" => own == ours,
        source => match source.split_once("://") {
            Some((source_scheme, pattern)) => source_scheme == scheme && matches_host(pattern),
            None => source.strip_suffix(':') == Some(scheme) || matches_host(source),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OURS: &str = "https://tours.example.com";

    #[test]
    fn source_expressions_match_origins_as_in_browsers() {
        for (source, expected) in [
            ("*", true),
            ("https:", true),
            ("http:", false),
            ("'none'", false),
            ("'self'", false),
            ("https://tours.example.com", true),
            ("https://tours.example.com/", true),
            ("http://tours.example.com", false),
            ("tours.example.com", true),
            ("*.example.com", true),
            ("https://*.example.com", true),
            ("*.ample.com", false),
            ("tours.example.com:8443", false),
        ] {
            assert_eq!(
                matches_source(source, "https://login.example.com", OURS),
                expected,
                "{source}"
            );
        }
        assert!(matches_source("'self'", OURS, OURS));
    }
}
