//! The named forms of texts that `@format` refers to. The client has the same ones, with the same words.

/// A named form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// 2 to 40 lower-case letters, digits and single hyphens, beginning with a letter.
    Slug,
    /// 1 to 40 lower-case letters, digits, `-` and `_`, beginning with a letter.
    Key,
    /// A web origin (RFC 6454): https, or http on a loopback host; no path.
    Origin,
    /// `#` and six hexadecimal digits.
    Color,
    /// One `@` with something on both sides and no blanks. Whether mail arrives there only mail can tell.
    Email,
    /// A language tag (BCP 47), by its outer form.
    Locale,
    /// A path in which `*` stands for any characters.
    PathPattern,
    /// Not empty, without control characters. Whether it is valid CSS the browser decides.
    Selector,
}

impl Format {
    /// Whether a text has the form.
    pub fn fits(self, text: &str) -> bool {
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
        }
    }

    /// What is wrong with a text that does not have the form.
    pub const fn problem(self) -> &'static str {
        match self {
            Self::Slug => "must be 2 to 40 lower-case letters, digits and single hyphens, beginning with a letter",
            Self::Key => "must be 1 to 40 lower-case letters, digits, `-` and `_`, beginning with a letter",
            Self::Origin => {
                "must be an origin such as `https://app.example.com`: https, or http on a loopback host, without a path"
            }
            Self::Color => "must be a colour such as `#2f5bea`",
            Self::Email => "must be an e-mail address",
            Self::Locale => "must be a language tag such as `de-CH`",
            Self::PathPattern => "must be a path that begins with `/`, in which `*` stands for any characters",
            Self::Selector => "must be a selector without control characters",
        }
    }
}

fn is_lower_or_digit(c: u8) -> bool {
    c.is_ascii_lowercase() || c.is_ascii_digit()
}

/// The text must be what a browser sends in `Origin`, so that it can be compared as a text: no path, no default port, no
/// upper case. A loopback host is one that never leaves the machine (W3C Secure Contexts, section 3.1).
fn is_origin(text: &str) -> bool {
    let Ok(url) = url::Url::parse(text) else { return false };
    let loopback = match url.host() {
        Some(url::Host::Domain(domain)) => domain == "localhost" || domain.ends_with(".localhost"),
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    };
    (url.scheme() == "https" || url.scheme() == "http" && loopback) && url.origin().ascii_serialization() == text
}

#[cfg(test)]
mod tests {
    use super::Format::{self, *};

    fn check(format: Format, good: &[&str], bad: &[&str]) {
        for text in good {
            assert!(format.fits(text), "{format:?} must take {text:?}");
        }
        for text in bad {
            assert!(!format.fits(text), "{format:?} must refuse {text:?}");
        }
    }

    #[test]
    fn each_form_takes_what_its_description_says() {
        check(
            Slug,
            &["getting-started", "a1", "a-1"],
            &["", "a", "-a", "a-", "a--b", "1a", "A1", "é1", &"a".repeat(41)],
        );
        check(
            Key,
            &["a", "first_step", "a-"],
            &["", "_a", "A", "a b", &"a".repeat(41)],
        );
        check(
            Origin,
            &[
                "https://app.example.com",
                "https://a.b:8443",
                "http://localhost:3000",
                "http://127.0.0.1",
                "http://[::1]:80".trim_end_matches(":80"),
                "http://a.localhost",
            ],
            &[
                "http://example.com",
                "https://a.b/",
                "https://a.b/x",
                "https://A.b",
                "https://a.b:443",
                "*",
                "null",
                "file:///x",
            ],
        );
        check(
            Color,
            &["#2f5bea", "#FFFFFF"],
            &["#fff", "2f5bea", "#2f5beg", "#2f5bea0", "#é1234"],
        );
        check(
            Email,
            &["a@b", "ann.b+c@example.com"],
            &["", "a", "@b", "a@", "a@b@c", "a b@c", "a@b\n"],
        );
        check(
            Locale,
            &["de", "de-CH", "zh-Hant-TW", "en-u-ca-buddhist"],
            &["", "d", "de_CH", "de-", "1e", "abcdefghi"],
        );
        check(
            PathPattern,
            &["/", "/billing", "/tours/*"],
            &["", "billing", "/a b", "/a\u{7}"],
        );
        check(Selector, &["#a > .b", "é"], &["", "  ", "a\u{0}b", "a\nb"]);
    }
}
