//! The provider's frame by which a page watches its session (OpenID Connect Session Management 1.0, section 3.2).

use serde_json::Value;
use url::Url;

use super::{Case, discovery::endpoint, http::Answer, report::Findings, site};

/// Whether our pages may frame it, and whether it sees the session there.
pub(super) async fn frame(case: &Case<'_>, document: &Value, findings: &mut Findings) {
    if !case.provider.monitored {
        return;
    }
    let off = format!("Set {}=0.", case.setting("MONITOR"));
    let Some(url) = endpoint(document, "check_session_iframe") else {
        findings.warning(
            "monitor",
            "Discovery names no `check_session_iframe`, so its sessions cannot be watched.",
            Some(off),
        );
        return;
    };
    let answer = match case.probe.get(&url).await {
        Ok(answer) if answer.status == 200 => answer,
        Ok(answer) => {
            let says = format!(
                "{url} answers {}, so the provider's sessions cannot be watched.",
                answer.status
            );
            findings.warning("monitor", says, Some(off));
            return;
        }
        Err(cause) => {
            findings.warning("monitor", format!("{url} cannot be reached: {cause}."), Some(off));
            return;
        }
    };
    if let Some(header) = refusal(&answer, &url, &case.origin) {
        findings.warning(
            "monitor",
            format!("Pages of {} may not frame {url}: it sends `{header}`.", case.origin),
            Some(format!(
                "Have the provider, or the proxy in front of it, send `Content-Security-Policy: frame-ancestors {}` instead, at \
                 this address only; or set {}=0.",
                case.origin,
                case.setting("MONITOR")
            )),
        );
    } else if site::is_ours(case, &url) {
        findings.ok("monitor", "Its sessions can be watched: ending one there ends it here.");
    } else {
        findings.warning(
            "monitor",
            format!(
                "{} is another site than Waypost: browsers that keep its cookies from frames take everybody for signed out.",
                url.host_str().unwrap_or_default()
            ),
            Some(format!(
                "Give both names below one domain, or set {}=0.",
                case.setting("MONITOR")
            )),
        );
    }
}

/// The header by which a page refuses to be framed by ours. `frame-ancestors` overrules `X-Frame-Options` (Content Security
/// Policy Level 3, section 6.4.2.2).
fn refusal(page: &Answer, url: &Url, ours: &str) -> Option<String> {
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
                    .any(|source| covers(source, &own, ours))
            })
            .map(|policy| format!("Content-Security-Policy: {policy}"));
    }
    let option = page.header("x-frame-options")?;
    let refuses = match option.trim().to_ascii_lowercase().as_str() {
        "deny" => true,
        "sameorigin" => own != ours,
        // Browsers know no other value, and ignore it.
        _ => false,
    };
    refuses.then(|| format!("X-Frame-Options: {option}"))
}

/// Whether a source of a policy stands for our origin: everybody, itself, a scheme, or a host with or without its scheme.
fn covers(source: &str, own: &str, ours: &str) -> bool {
    let (scheme, host) = ours.split_once("://").unwrap_or_default();
    let names_host = |pattern: &str| match pattern.strip_prefix('*') {
        Some(end) => end.starts_with('.') && host.ends_with(end),
        None => pattern == host,
    };
    match source.trim_end_matches('/').to_ascii_lowercase().as_str() {
        "*" => true,
        "'self'" => own == ours,
        source => match source.split_once("://") {
            Some((named, pattern)) => named == scheme && names_host(pattern),
            None => source.strip_suffix(':') == Some(scheme) || names_host(source),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OURS: &str = "https://tours.example.com";

    #[test]
    fn sources_stand_for_origins_as_in_browsers() {
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
            assert_eq!(covers(source, "https://login.example.com", OURS), expected, "{source}");
        }
        assert!(covers("'self'", OURS, OURS));
    }
}
