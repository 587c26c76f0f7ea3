//! From names of GraphQL to names of Rust.

/// `themeId` -> `theme_id`, `sourceURL` -> `source_url`. Not yet safe from keywords: see [`ident`].
pub(crate) fn snake(name: &str) -> String {
    let chars: Vec<char> = name.chars().collect();
    let mut out = String::with_capacity(name.len() + 4);
    for (at, &c) in chars.iter().enumerate() {
        if c.is_ascii_uppercase() && at > 0 {
            let before = chars[at - 1];
            let ends_acronym = before.is_ascii_uppercase() && chars.get(at + 1).is_some_and(char::is_ascii_lowercase);
            if before.is_ascii_lowercase() || before.is_ascii_digit() || ends_acronym {
                out.push('_');
            }
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}

/// `tourRelease`, `tour_release` -> `TourRelease`; names of types stay as they are.
pub(crate) fn pascal(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for part in name.split('_').filter(|part| !part.is_empty()) {
        let mut chars = part.chars();
        out.extend(chars.next().map(|first| first.to_ascii_uppercase()));
        out.push_str(chars.as_str());
    }
    out
}

/// `DATA_TOUR` -> `DataTour`: values of enums and codes of errors.
pub(crate) fn variant(name: &str) -> String {
    let camel = if name.chars().any(|c| c.is_ascii_lowercase()) {
        pascal(name)
    } else {
        pascal(&name.to_ascii_lowercase())
    };
    match camel.chars().next() {
        Some(first) if first.is_ascii_alphabetic() => ident(&camel),
        _ => format!("V{camel}"),
    }
}

/// `tourRelease` -> `TOUR_RELEASE`.
pub(crate) fn screaming(name: &str) -> String {
    snake(name).to_ascii_uppercase()
}

/// Makes an identifier of a name that may be a keyword.
pub(crate) fn ident(name: &str) -> String {
    match name {
        "self" | "Self" | "super" | "crate" | "_" => format!("{name}_"),
        _ if KEYWORDS.contains(&name) => format!("r#{name}"),
        _ if name.starts_with(|c: char| c.is_ascii_digit()) => format!("_{name}"),
        _ => name.to_owned(),
    }
}

/// Strict and reserved keywords of edition 2024 (Rust Reference, "Keywords"), without those that cannot be raw.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn", "else", "enum",
    "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod", "move",
    "mut", "override", "priv", "pub", "ref", "return", "static", "struct", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_graphql_become_names_of_rust() {
        assert_eq!(snake("themeId"), "theme_id");
        assert_eq!(snake("sourceURL"), "source_url");
        assert_eq!(snake("HTTPServer"), "http_server");
        assert_eq!(snake("utf8Text"), "utf8_text");
        assert_eq!(pascal("tourRelease"), "TourRelease");
        assert_eq!(pascal("tour_bool_exp"), "TourBoolExp");
        assert_eq!(variant("DATA_TOUR"), "DataTour");
        assert_eq!(variant("inProgress"), "InProgress");
        assert_eq!(variant("SELF"), "Self_");
        assert_eq!(variant("_1"), "V1");
        assert_eq!(screaming("siteKeyRotate"), "SITE_KEY_ROTATE");
        assert_eq!(ident("type"), "r#type");
        assert_eq!(ident("crate"), "crate_");
    }
}
