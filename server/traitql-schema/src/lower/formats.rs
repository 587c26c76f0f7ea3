//! The forms that `@format` names, as far as a default value needs them. The runtime of traitql checks what callers send
//! (`formats.rs` there); this crate cannot use it, because it knows no runtime.

/// Names of all forms.
pub(super) const NAMES: [&str; 8] = [
    "SLUG",
    "KEY",
    "ORIGIN",
    "COLOR",
    "EMAIL",
    "LOCALE",
    "PATH_PATTERN",
    "SELECTOR",
];

/// Whether a text has a form; a form that nobody knows refuses nothing.
pub(super) fn fits(form: &str, text: &str) -> bool {
    let lower_or_digit = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit();
    let begins_lower = text.starts_with(|letter: char| letter.is_ascii_lowercase());
    match form {
        "SLUG" => {
            let parts = text
                .split('-')
                .all(|part| !part.is_empty() && part.chars().all(lower_or_digit));
            (2..=40).contains(&text.len()) && begins_lower && parts
        }
        "KEY" => {
            let letters = text
                .chars()
                .all(|letter| lower_or_digit(letter) || matches!(letter, '-' | '_'));
            (1..=40).contains(&text.len()) && begins_lower && letters
        }
        "ORIGIN" => {
            let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
            host.is_some_and(|host| !host.is_empty() && !host.contains(['/', ' ', '?', '#']))
        }
        "COLOR" => {
            let digits = text.strip_prefix('#');
            digits.is_some_and(|digits| digits.len() == 6 && digits.chars().all(|digit| digit.is_ascii_hexdigit()))
        }
        "EMAIL" => {
            let parts = text
                .split_once('@')
                .is_some_and(|(name, host)| !name.is_empty() && !host.is_empty() && !host.contains('@'));
            parts && !text.contains(char::is_whitespace)
        }
        "LOCALE" => text.split('-').enumerate().all(|(index, part)| {
            let shortest = if index == 0 { 2 } else { 1 };
            (shortest..=8).contains(&part.len()) && part.chars().all(|letter| letter.is_ascii_alphanumeric())
        }),
        "PATH_PATTERN" => {
            text.starts_with('/') && !text.contains(|letter: char| letter.is_whitespace() || letter.is_control())
        }
        "SELECTOR" => !text.trim().is_empty() && !text.contains(char::is_control),
        _ => true,
    }
}
