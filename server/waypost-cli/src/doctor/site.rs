//! What the addresses of Waypost and of the provider mean for browsers.

use serde_json::Value;
use url::{Host, Url};
use waypost_auth::{
    TokenKind, is_loopback,
    preset::{Preset, Renewal},
};

use super::{Case, report::Findings};

/// Second-level domains below which everybody may have a name, among those that are often met. The full list is long and
/// changes; a wrong guess here only words a note differently.
const SHARED: [&str; 10] = [
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

pub(super) fn secure(case: &Case<'_>, findings: &mut Findings) {
    let url = case.public_url;
    if url.scheme() == "https" || is_loopback(url) {
        findings.ok(
            "secure",
            format!("{url} is a secure context, so browsers offer cryptography there."),
        );
    } else {
        findings.problem(
            "secure",
            format!("{url} is no secure context: browsers offer no cryptography there, and nobody can sign in."),
            Some("Put a proxy with TLS in front, and set WAYPOST_PUBLIC_URL to its https address.".into()),
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
            format!("The issuer looks like {}.", guess.name),
            Some(format!(
                "{}={} fills in what is usual for it.",
                case.setting("PRESET"),
                guess.slug
            )),
        );
    }
}

/// Userinfo answers for any token of the provider, whoever it was made for.
pub(super) fn audience(case: &Case<'_>, findings: &mut Findings) {
    if case.provider.tokens.token == TokenKind::Userinfo {
        findings.warning(
            "audience",
            "Tokens are tried at the userinfo endpoint, which cannot tell for whom they were made: a token that any other \
             application got from this provider opens Waypost too.",
            Some(format!(
                "Set {}=introspection or jwt, if the provider can do either; or keep other applications off this provider.",
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
    if is_ours(case, &authorization) {
        findings.ok(
            "same site",
            "Waypost and the provider are one site, so hidden frames can renew sessions.",
        );
        return;
    }
    let says = format!(
        "Waypost ({}) and the provider ({}) are different sites, so many browsers keep the provider's cookies from hidden \
         frames.",
        case.public_url.host_str().unwrap_or_default(),
        authorization.host_str().unwrap_or_default(),
    );
    if case.provider.renewals.contains(&Renewal::RefreshToken) {
        findings.note(
            "same site",
            format!("{says} Refresh tokens renew sessions all the same."),
            None,
        );
    } else {
        findings.warning(
            "same site",
            format!("{says} Without refresh tokens, people have to click when a token ends."),
            Some(format!(
                "Give both names below one domain, or have refresh tokens given (change it at {}) and set {}=refresh,frame.",
                case.provider.preset.places.refresh,
                case.setting("RENEWAL")
            )),
        );
    }
}

/// Whether an address is of the same site as Waypost, so that its cookies come along in a frame.
pub(super) fn is_ours(case: &Case<'_>, url: &Url) -> bool {
    site(case.public_url) == site(url)
}

/// Scheme and registrable domain, as far as names tell: ports do not matter to cookies.
fn site(url: &Url) -> (String, String) {
    let host = match url.host() {
        Some(Host::Domain(name)) => {
            let labels: Vec<_> = name.split('.').collect();
            let kept = match labels.as_slice() {
                [.., second, first] if SHARED.contains(&format!("{second}.{first}").as_str()) => 3,
                _ => 2,
            };
            labels[labels.len().saturating_sub(kept)..].join(".")
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
    fn ports_and_subdomains_do_not_part_a_site() {
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
