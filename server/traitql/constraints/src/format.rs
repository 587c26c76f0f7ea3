//! Formats of `@format` with examples, which tests run through the Rust and TypeScript implementations.

use crate::Problem;

/// A named string format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// 2 to 40 lowercase letters, digits and single hyphens, starting with a letter.
    Slug,
    /// 1 to 40 lowercase letters, digits, `-` and `_`, starting with a letter.
    Key,
    /// A web origin (RFC 6454): https, or http on a loopback host; no path.
    Origin,
    /// An http or https origin without a path, in which `*.` can match all subdomains: `https://*.example.com`.
    OriginPattern,
    /// `#` and six hexadecimal digits.
    Color,
    /// Exactly one `@` with text on both sides and no whitespace. Deliverability is not checked.
    Email,
    /// A language tag (BCP 47); only its syntax is checked.
    Locale,
    /// A path in which `*` matches any characters.
    PathPattern,
    /// Not empty and without control characters. Whether it is valid CSS is left to the browser.
    Selector,
    /// One line of text: no control characters, line separators or characters that change the order of others.
    Line,
    /// Text with line breaks and tabs, but no other character that [`Self::Line`] excludes.
    Text,
}

/// Example strings of a format.
#[derive(Debug, Clone, Copy)]
pub struct Examples {
    /// Strings that match the format.
    pub valid: &'static [&'static str],
    /// Strings that do not match, although they look similar.
    pub invalid: &'static [&'static str],
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 11] = [
        Self::Slug,
        Self::Key,
        Self::Origin,
        Self::OriginPattern,
        Self::Color,
        Self::Email,
        Self::Locale,
        Self::PathPattern,
        Self::Selector,
        Self::Line,
        Self::Text,
    ];

    /// Returns the name of the format in the schema's enum.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Slug => "SLUG",
            Self::Key => "KEY",
            Self::Origin => "ORIGIN",
            Self::OriginPattern => "ORIGIN_PATTERN",
            Self::Color => "COLOR",
            Self::Email => "EMAIL",
            Self::Locale => "LOCALE",
            Self::PathPattern => "PATH_PATTERN",
            Self::Selector => "SELECTOR",
            Self::Line => "LINE",
            Self::Text => "TEXT",
        }
    }

    /// Returns the format with this name in the schema's enum.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|form| form.name() == name)
    }

    /// True if `text` matches the format.
    pub fn matches(self, text: &str) -> bool {
        match self {
            Self::Slug => {
                (2..=40).contains(&text.len())
                    && text.starts_with(|c: char| c.is_ascii_lowercase())
                    && text
                        .split('-')
                        .all(|part| !part.is_empty() && part.bytes().all(is_lower_or_digit))
            }
            Self::Key => {
                (1..=40).contains(&text.len())
                    && text.starts_with(|c: char| c.is_ascii_lowercase())
                    && text.bytes().all(|c| is_lower_or_digit(c) || c == b'-' || c == b'_')
            }
            Self::Origin => is_origin(text),
            Self::OriginPattern => is_origin_pattern(text),
            Self::Color => {
                text.len() == 7
                    && text
                        .strip_prefix('#')
                        .is_some_and(|hex| hex.bytes().all(|c| c.is_ascii_hexdigit()))
            }
            Self::Email => match text.split_once('@') {
                Some((local, domain)) => {
                    !local.is_empty()
                        && !domain.is_empty()
                        && !domain.contains('@')
                        && !text.contains(char::is_whitespace)
                }
                None => false,
            },
            Self::Locale => {
                let mut parts = text.split('-');
                parts.next().is_some_and(|language| {
                    (2..=8).contains(&language.len()) && language.bytes().all(|c| c.is_ascii_alphabetic())
                }) && parts.all(|part| (1..=8).contains(&part.len()) && part.bytes().all(|c| c.is_ascii_alphanumeric()))
            }
            Self::PathPattern => text.starts_with('/') && !text.contains(|c: char| c.is_whitespace() || c.is_control()),
            Self::Selector => !text.trim().is_empty() && !text.contains(char::is_control),
            Self::Line => !text.contains(is_unprintable),
            Self::Text => !text.contains(|c| is_unprintable(c) && !matches!(c, '\n' | '\r' | '\t')),
        }
    }

    /// Returns the problem of a string that does not match the format.
    pub fn check(self, text: &str) -> Option<Problem> {
        (!self.matches(text)).then(|| Problem::Format {
            name: self.name().into(),
            message: self.error_message().into(),
        })
    }

    const fn error_message(self) -> &'static str {
        match self {
            Self::Slug => "must be 2 to 40 lowercase letters, digits and single hyphens, starting with a letter",
            Self::Key => "must be 1 to 40 lowercase letters, digits, `-` and `_`, starting with a letter",
            Self::Origin => {
                "must be an origin such as `https://app.example.com`: https, or http on a loopback host, without a path"
            }
            Self::OriginPattern => {
                "must be an origin such as `https://app.example.com` or `https://*.example.com`, without a path"
            }
            Self::Color => "must be a color such as `#2f5bea`",
            Self::Email => "must be an email address",
            Self::Locale => "must be a language tag such as `de-CH`",
            Self::PathPattern => "must be a path that starts with `/`; `*` matches any characters",
            Self::Selector => "must be a selector without control characters",
            Self::Line => "must be one line without control characters",
            Self::Text => "must not contain control characters except line breaks and tabs",
        }
    }

    /// Returns the examples of the format.
    pub const fn examples(self) -> Examples {
        let (valid, invalid): (&[&str], &[&str]) = match self {
            Self::Slug => (
                &[
                    "getting-started",
                    "a1",
                    "a-1",
                    "a234567890-234567890-234567890-234567890",
                ],
                &[
                    "",
                    "a",
                    "-a",
                    "a-",
                    "a--b",
                    "1a",
                    "A1",
                    "aB",
                    "a_b",
                    "é1",
                    "a\u{661}",
                    "ab\n",
                    " ab",
                    "a234567890-234567890-234567890-2345678901",
                ],
            ),
            Self::Key => (
                &[
                    "a",
                    "first_step",
                    "a-",
                    "a__",
                    "a234567890_234567890_234567890_234567890",
                ],
                &[
                    "",
                    "_a",
                    "-a",
                    "1",
                    "A",
                    "aB",
                    "a b",
                    "a.b",
                    "é",
                    "a\n",
                    "a234567890_234567890_234567890_2345678901",
                ],
            ),
            Self::Origin => (
                &[
                    "https://app.example.com",
                    "https://a.b:8443",
                    "http://localhost:3000",
                    "http://localhost",
                    "http://a.localhost",
                    "http://127.0.0.1",
                    "http://127.1.2.3:8080",
                    "http://[::1]",
                    "https://192.168.0.1",
                    "https://[2001:db8::1]:8443",
                    "https://xn--mnchen-3ya.example",
                ],
                &[
                    "",
                    "http://example.com",
                    "http://localhost.example.com",
                    "http://127.example.com",
                    "http://192.168.0.1",
                    "http://[::2]",
                    "https://a.b/",
                    "https://a.b/x",
                    "https://a.b?x",
                    "https://a.b#x",
                    "https://me@a.b",
                    "https://A.b",
                    "HTTPS://a.b",
                    "https://a.b:443",
                    "http://localhost:80",
                    "http://127.1",
                    "http://[0:0:0:0:0:0:0:1]",
                    "https://münchen.example",
                    "https://a b",
                    "https://",
                    " https://a.b",
                    "https://a.b\n",
                    "a.b",
                    "//a.b",
                    "*",
                    "https://*.a.b",
                    "null",
                    "file:///x",
                    "wss://a.b",
                    "blob:https://a.b",
                    "javascript:alert(1)",
                ],
            ),
            Self::OriginPattern => (
                &[
                    "https://app.example.com",
                    "https://*.example.com",
                    "https://*.a.b.example:8443",
                    "http://intranet",
                    "http://*.intranet.example:8080",
                    "http://*.localhost:3000",
                    "http://localhost",
                    "https://192.168.0.1",
                    "https://[2001:db8::1]:8443",
                ],
                &[
                    "",
                    "*",
                    "https://*",
                    "https://*.",
                    "https://*.com",
                    "https://*.com.",
                    "https://**.a.b",
                    "https://*.*.a.b",
                    "https://a.*.b",
                    "https://*a.b.c",
                    "https://*.a..b",
                    "https://*.192.168.0.1",
                    "https://*.[::1]",
                    "https://*.a.b/",
                    "https://*.a.b?x",
                    "https://*.a.b:443",
                    "https://*.A.b",
                    "https://me@*.a.b",
                    "*://a.b",
                    "*.a.b",
                    "wss://*.a.b",
                    "null",
                    "https://*.a.b\n",
                ],
            ),
            Self::Color => (
                &["#2f5bea", "#FFFFFF", "#000000", "#aBcDeF"],
                &[
                    "",
                    "#",
                    "#fff",
                    "2f5bea",
                    "#2f5beg",
                    "#2f5bea0",
                    "#é1234",
                    "#2f5bea\n",
                    " #2f5bea",
                    "#2f 5bea",
                    "red",
                ],
            ),
            Self::Email => (
                &[
                    "a@b",
                    "ann.b+c@example.com",
                    "é@ü",
                    "\u{1f9ed}@b",
                    "a@b.",
                    "\"a\"@b",
                    "a@\u{feff}b",
                ],
                &[
                    "",
                    "a",
                    "@",
                    "@b",
                    "a@",
                    "a@b@c",
                    "a b@c",
                    "a@b c",
                    "a@b\n",
                    "\ta@b",
                    "a@b\u{85}",
                    "a\u{a0}@b",
                    "a@\u{3000}b",
                ],
            ),
            Self::Locale => (
                &[
                    "de",
                    "de-CH",
                    "DE-ch",
                    "zh-Hant-TW",
                    "en-u-ca-buddhist",
                    "sl-1994",
                    "abcdefgh-12345678",
                ],
                &[
                    "",
                    "d",
                    "de_CH",
                    "de-",
                    "-de",
                    "de--CH",
                    "1e",
                    "abcdefghi",
                    "de-123456789",
                    "dé",
                    "de-ß",
                    "de CH",
                    "de\n",
                ],
            ),
            Self::PathPattern => (
                &["/", "//", "/billing", "/tours/*", "/ü/\u{1f9ed}", "/a?b#c", "/\u{feff}"],
                &[
                    "",
                    "billing",
                    "*",
                    " /",
                    "/a b",
                    "/a\u{7}",
                    "/a\n",
                    "/\u{85}",
                    "/\u{a0}",
                    "/\u{2028}",
                    "/\u{3000}",
                    "https://a.b/",
                ],
            ),
            Self::Selector => (
                &["#a > .b", "é", "[data-x='\u{1f9ed}']", " a ", "\u{feff}"],
                &[
                    "",
                    " ",
                    "  ",
                    "\u{a0}\u{3000}",
                    "a\u{7}b",
                    "a\nb",
                    "\ta",
                    "a\u{7f}",
                    "a\u{85}",
                    "a\u{9f}",
                ],
            ),
            Self::Line => (
                &[
                    "",
                    " ",
                    "Wélcome \u{1f44b}",
                    "a\u{a0}b",
                    "\u{5e9}\u{5dc}\u{5d5}\u{5dd}",
                    "\u{200f}a",
                ],
                &[
                    "a\nb",
                    "a\tb",
                    "a\r",
                    "\u{1b}[31m",
                    "a\u{7}",
                    "a\u{7f}",
                    "a\u{85}",
                    "\u{9b}2J",
                    "a\u{2028}b",
                    "a\u{202e}b",
                    "\u{2066}a",
                ],
            ),
            Self::Text => (
                &["", "a\nb", "a\r\nb", "\ta", "Wélcome \u{1f44b}"],
                &[
                    "\u{1b}[31m",
                    "a\u{7}",
                    "a\u{b}",
                    "a\u{7f}",
                    "a\u{85}",
                    "\u{9b}2J",
                    "a\u{2029}b",
                    "a\u{202a}b",
                    "a\u{2069}",
                ],
            ),
        };
        Examples { valid, invalid }
    }
}

/// True for characters that a terminal executes, that end a line, or that change the order of others, such as U+202E.
fn is_unprintable(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn is_lower_or_digit(c: u8) -> bool {
    c.is_ascii_lowercase() || c.is_ascii_digit()
}

/// Accepts origins as a browser sends them, so that they can be compared: no path, default port or uppercase. A
/// loopback host never leaves the machine (W3C Secure Contexts, section 3.1).
fn is_origin(text: &str) -> bool {
    let Ok(url) = url::Url::parse(text) else { return false };
    let loopback = match url.host() {
        Some(url::Host::Domain(domain)) => domain == "localhost" || domain.ends_with(".localhost"),
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    };
    let secure = url.scheme() == "https" || url.scheme() == "http" && loopback;
    secure && !text.contains('*') && url.origin().ascii_serialization() == text
}

/// Allows `*.` before two labels or `localhost`. `*.com` would match the sites of other owners.
fn is_origin_pattern(text: &str) -> bool {
    let is_wildcard = text.contains("://*.");
    let origin = text.replacen("://*.", "://", 1);
    let Ok(url) = url::Url::parse(&origin) else {
        return false;
    };
    let is_parent = |domain: &str| {
        domain == "localhost" || domain.contains('.') && domain.split('.').all(|label| !label.is_empty())
    };
    matches!(url.scheme(), "https" | "http")
        && !origin.contains('*')
        && url.origin().ascii_serialization() == origin
        && (!is_wildcard || matches!(url.host(), Some(url::Host::Domain(domain)) if is_parent(domain)))
}

#[cfg(test)]
mod tests {
    use super::Format;

    #[test]
    fn each_format_matches_its_valid_examples_only() {
        for form in Format::ALL {
            for text in form.examples().valid {
                assert!(form.matches(text), "{form:?} should accept {text:?}");
            }
            for text in form.examples().invalid {
                assert!(!form.matches(text), "{form:?} should reject {text:?}");
            }
        }
    }

    #[test]
    fn a_format_is_found_by_its_name() {
        for form in Format::ALL {
            assert_eq!(Format::from_name(form.name()), Some(form));
        }
        assert_eq!(Format::from_name("Slug"), None);
    }
}
