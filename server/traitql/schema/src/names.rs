//! Conversion of GraphQL names to Rust names. Shared by the checks of this crate and the generator.

/// Converts to snake case: `themeId` -> `theme_id`, `sourceURL` -> `source_url`. May be a keyword: see [`ident`].
pub fn snake(name: &str) -> String {
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

/// Converts to Pascal case: `tourRelease`, `tour_release` -> `TourRelease`. `_1` becomes `T1`, because Rust
/// types start with a letter.
pub fn pascal(name: &str) -> String {
    match camel(name) {
        name if name.starts_with(|first: char| first.is_ascii_alphabetic()) => name,
        name => format!("T{name}"),
    }
}

fn camel(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for part in name.split('_').filter(|part| !part.is_empty()) {
        let mut chars = part.chars();
        out.extend(chars.next().map(|first| first.to_ascii_uppercase()));
        out.push_str(chars.as_str());
    }
    out
}

/// Converts an enum value or error code to a variant name: `DATA_TOUR` -> `DataTour`.
pub fn variant(name: &str) -> String {
    let camel = if name.chars().any(|c| c.is_ascii_lowercase()) {
        camel(name)
    } else {
        camel(&name.to_ascii_lowercase())
    };
    match camel.chars().next() {
        Some(first) if first.is_ascii_alphabetic() => ident(&camel),
        _ => format!("V{camel}"),
    }
}

/// Converts to the name of a constant: `tourRelease` -> `TOUR_RELEASE`.
pub fn screaming(name: &str) -> String {
    snake(name).to_ascii_uppercase()
}

/// Returns a parameter name, different from the parameters of every resolver.
pub fn parameter(name: &str) -> String {
    match snake(name) {
        name if PARAMETERS.contains(&name.as_str()) => name + "_",
        name => ident(&name),
    }
}

/// Escapes a keyword or a leading digit.
pub fn ident(name: &str) -> String {
    match name {
        "self" | "Self" | "super" | "crate" | "_" => format!("{name}_"),
        _ if KEYWORDS.contains(&name) => format!("r#{name}"),
        _ if name.starts_with(|c: char| c.is_ascii_digit()) => format!("_{name}"),
        _ => name.to_owned(),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameKind {
    Type,
    Field,
    Parameter,
    Value,
    Variant,
}

impl NameKind {
    /// Returns the Rust name for a schema name, or for one that the user has chosen.
    pub fn rust(self, name: &str) -> String {
        match self {
            Self::Type => pascal(name),
            Self::Field => ident(&snake(name)),
            Self::Parameter => parameter(name),
            Self::Value => variant(name),
            Self::Variant => ident(&pascal(name)),
        }
    }

    /// Differs from other names with the same base.
    pub(crate) fn numbered(self, name: &str, number: usize) -> String {
        match self {
            Self::Type | Self::Variant => format!("{}{number}", pascal(name)),
            Self::Field | Self::Parameter => format!("{}_{number}", snake(name)),
            Self::Value => format!("{}{number}", variant(name).trim_end_matches('_')),
        }
    }
}

/// The parameters of resolvers that are not arguments.
const PARAMETERS: [&str; 4] = ["cx", "viewer", "parents", "self"];

/// Names that types cannot have: items and modules of the generated crate, and names that it uses without a path.
pub const RESERVED_TYPE_NAMES: &[&str] = &[
    "Access",
    "Default",
    "Grant",
    "Resolvers",
    "Schema",
    "Self",
    "Subject",
    "access",
    "args",
    "audit",
    "bind",
    "bool",
    "coerce",
    "crate",
    "engine",
    "errors",
    "f64",
    "field",
    "i32",
    "load",
    "mock",
    "resolve",
    "role",
    "sample",
    "dispatch",
    "self",
    "std",
    "str",
    "super",
    "traitql",
    "transition",
    "types",
    "usize",
];

/// Keywords of edition 2024 that can be raw identifiers (Rust Reference, "Keywords").
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
    fn graphql_names_become_rust_names() {
        assert_eq!(snake("themeId"), "theme_id");
        assert_eq!(snake("sourceURL"), "source_url");
        assert_eq!(snake("HTTPServer"), "http_server");
        assert_eq!(snake("utf8Text"), "utf8_text");
        assert_eq!(pascal("tourRelease"), "TourRelease");
        assert_eq!(pascal("tour_bool_exp"), "TourBoolExp");
        assert_eq!((pascal("_1"), pascal("__")), ("T1".to_owned(), "T".to_owned()));
        assert_eq!(variant("DATA_TOUR"), "DataTour");
        assert_eq!(variant("inProgress"), "InProgress");
        assert_eq!(variant("SELF"), "Self_");
        assert_eq!(variant("_1"), "V1");
        assert_eq!(screaming("siteKeyRotate"), "SITE_KEY_ROTATE");
        assert_eq!(ident("type"), "r#type");
        assert_eq!(ident("crate"), "crate_");
        assert_eq!(parameter("viewer"), "viewer_");
        assert_eq!(parameter("type"), "r#type");
    }
}
