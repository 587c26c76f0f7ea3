use serde_json::Value;
use url::{Host, Url};
use waypost_auth::{
    TokenKind, is_loopback,
    preset::{Preset, Renewal},
};

use super::Case;
use crate::report::Findings;

/// Public suffixes with two labels. For others, the check is less accurate.
const PUBLIC_SUFFIXES: [&str; 10] = [
    "co.uk",
    "org.uk",
    "ac.uk",
    "com.au",
    "co.jp",
    "co.nz",
    "com.br",
    "co.in",
    "github.io",
    "auth0.com",
];

pub(super) fn secure_context(case: &Case<'_>, findings: &mut Findings) {
    let url = case.public_url;
    if url.scheme() == "https" || is_loopback(url) {
        findings.ok("secure", format!("{url} is a secure context, which sign-in requires."));
    } else {
        findings.problem(
            "secure",
            format!("{url} is not a secure context, so browsers disable the cryptography that sign-in requires."),
            Some("Put a reverse proxy with TLS in front, and set WAYPOST_PUBLIC_URL to its https URL.".into()),
        );
    }
}

pub(super) fn preset(case: &Case<'_>, findings: &mut Findings) {
    let provider = case.provider;
    if provider.preset.slug == "generic"
        && let Some(guess) = Preset::guess(&provider.tokens.issuer)
    {
        findings.note(
            "preset",
            format!("The issuer looks like {}, for which there is a preset.", guess.name),
            Some(format!(
                "Set {}={} to use its defaults.",
                case.setting("PRESET"),
                guess.slug
            )),
        );
    }
}

/// The userinfo endpoint accepts any token of the provider, regardless of its audience.
pub(super) fn audience(case: &Case<'_>, findings: &mut Findings) {
    if case.provider.tokens.token == TokenKind::Userinfo {
        findings.warning(
            "audience",
            "Tokens are verified by the userinfo endpoint, which does not check their audience: Waypost also accepts tokens that \
             this provider issued for other applications.",
            Some(format!(
                "Set {}=introspection or jwt if the provider supports either; otherwise do not use this provider for other \
                 applications.",
                case.setting("TOKEN")
            )),
        );
    }
}

pub(super) fn same_site(case: &Case<'_>, document: &Value, findings: &mut Findings) {
    if !case.provider.renewals.contains(&Renewal::Frame) {
        return;
    }
    let Some(authorization) = document["authorization_endpoint"]
        .as_str()
        .and_then(|text| Url::parse(text).ok())
    else {
        return;
    };
    if is_same_site(case, &authorization) {
        findings.ok(
            "same site",
            "Waypost and the provider are on the same site, so hidden frames can renew sessions.",
        );
        return;
    }
    let (own, other) = (site_name(case.public_url), site_name(&authorization));
    let message = format!(
        "Waypost ({own}) and the provider ({other}) are different sites, so many browsers block the provider's cookies in \
         hidden frames."
    );
    if case.provider.renewals.contains(&Renewal::RefreshToken) {
        findings.note(
            "same site",
            format!("{message} Sessions are renewed with refresh tokens instead."),
            None,
        );
    } else {
        findings.warning(
            "same site",
            format!("{message} Without refresh tokens, users have to click when a token expires."),
            Some(format!(
                "Use host names under one domain for both, or enable refresh tokens (at the provider: {}) and set \
                 {}=refresh,frame.",
                case.provider.preset.locations.refresh,
                case.setting("RENEWAL")
            )),
        );
    }
}

/// Returns a name with the scheme, because http and https of one host are different sites.
fn site_name(url: &Url) -> String {
    format!("{}://{}", url.scheme(), url.host_str().unwrap_or_default())
}

/// Browsers send cookies of the same site in a frame.
pub(super) fn is_same_site(case: &Case<'_>, url: &Url) -> bool {
    site(case.public_url) == site(url)
}

/// Returns scheme and approximate registrable domain. Cookies ignore ports.
fn site(url: &Url) -> (String, String) {
    let host = match url.host() {
        Some(Host::Domain(name)) => {
            let labels: Vec<_> = name.split('.').collect();
            let count = match labels.as_slice() {
                [.., second, first] if PUBLIC_SUFFIXES.contains(&format!("{second}.{first}").as_str()) => 3,
                _ => 2,
            };
            labels[labels.len().saturating_sub(count)..].join(".")
        }
        Some(host) => host.to_string(),
        None => String::new(),
    };
    (url.scheme().to_owned(), host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_and_subdomains_belong_to_the_same_site() {
        for (left, right, same) in [
            ("http://localhost:4000", "http://localhost:4001/auth", true),
            ("http://localhost:4000", "http://127.0.0.1:4001", false),
            ("https://tours.example.com", "https://login.example.com", true),
            ("https://tours.example.com", "http://login.example.com", false),
            ("https://tours.example.com", "https://example.okta.com", false),
            ("https://a.co.uk", "https://b.co.uk", false),
            ("https://tours.a.co.uk", "https://login.a.co.uk", true),
            ("https://one.auth0.com", "https://two.auth0.com", false),
        ] {
            let of = |text: &str| site(&Url::parse(text).expect("a URL"));
            assert_eq!(of(left) == of(right), same, "{left} {right}");
        }
    }
}
