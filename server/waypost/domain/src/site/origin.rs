/// `https://*.example.com` matches all subdomains of `example.com`, but not `example.com`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum OriginPattern {
    Exact(String),
    Subdomains {
        /// The scheme with `://`.
        scheme: String,
        /// Leading dot, domain, and the port if it is not the default.
        suffix: String,
    },
}

impl OriginPattern {
    pub(crate) fn new(listed: &str) -> Self {
        match listed.split_once("://*.") {
            Some((scheme, domain)) => Self::Subdomains {
                scheme: format!("{scheme}://"),
                suffix: format!(".{domain}"),
            },
            None => Self::Exact(listed.to_owned()),
        }
    }

    /// `origin` is as a browser serializes it.
    pub(crate) fn matches(&self, origin: &str) -> bool {
        match self {
            Self::Exact(listed) => listed == origin,
            Self::Subdomains { scheme, suffix } => {
                let host = origin.strip_prefix(scheme.as_str());
                let subdomain = host.and_then(|host| host.strip_suffix(suffix.as_str()));
                subdomain.is_some_and(|name| name.split('.').all(is_label))
            }
        }
    }
}

/// The limit of an origin in bytes; a host name has at most 253.
const MAX_ORIGIN_BYTES: usize = 270;

/// True for a serialized origin of web pages, which can be listed for a site, unlike `null` and those of extensions.
pub fn is_page_origin(origin: &str) -> bool {
    let is_web = origin.starts_with("https://") || origin.starts_with("http://");
    is_web
        && origin.len() <= MAX_ORIGIN_BYTES
        && origin
            .parse::<traitql::Url>()
            .is_ok_and(|url| url.parsed().origin().ascii_serialization() == origin)
}

/// True if a browser can serialize a host with this label (URL Standard, forbidden domain code points).
fn is_label(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-' || byte == b'_';
    !text.is_empty() && text.bytes().all(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wildcard_matches_subdomains_of_the_same_scheme_and_port() {
        for (listed, origin, expected) in [
            ("https://shop.example", "https://shop.example", true),
            ("https://shop.example", "https://a.shop.example", false),
            ("https://*.shop.example", "https://a.shop.example", true),
            ("https://*.shop.example", "https://a.b.shop.example", true),
            ("https://*.shop.example", "https://shop.example", false),
            ("https://*.shop.example", "https://.shop.example", false),
            ("https://*.shop.example", "https://evilshop.example", false),
            ("https://*.shop.example", "https://a.shop.example.evil.example", false),
            ("https://*.shop.example", "http://a.shop.example", false),
            ("https://*.shop.example", "https://a.shop.example:8443", false),
            ("https://*.shop.example:8443", "https://a.shop.example:8443", true),
            ("https://*.shop.example", "null", false),
            ("https://*.shop.example", "https://xn--bcher-kva.a_b.shop.example", true),
            ("https://*.shop.example", "https://evil.example/.shop.example", false),
            ("https://*.shop.example", "https://evil.example#.shop.example", false),
            ("https://*.shop.example", "https://evil.example?.shop.example", false),
            ("https://*.shop.example", "https://evil.example:443.shop.example", false),
            ("https://*.shop.example", "https://a@.shop.example", false),
            ("https://*.shop.example", "https://a..shop.example", false),
            ("https://*.shop.example", "https://A.shop.example", false),
            ("https://*.shop.example", "https://a .shop.example", false),
        ] {
            let matches = OriginPattern::new(listed).matches(origin);
            assert_eq!(matches, expected, "{listed} {origin}");
        }
    }
}
