//! From names of GraphQL to names of Rust. The one place that knows them: the checks here and the generator in
//! `traitql-codegen` must agree, or a clash would be found by rustc in generated code instead of in the schema.

/// `themeId` -> `theme_id`, `sourceURL` -> `source_url`. Not yet safe from keywords: see [`ident`].
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

/// `tourRelease`, `tour_release` -> `TourRelease`. `_1` becomes `T1`: Rust wants a letter first.
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

/// `DATA_TOUR` -> `DataTour`: values of enums and codes of errors.
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

/// `tourRelease` -> `TOUR_RELEASE`.
pub fn screaming(name: &str) -> String {
    snake(name).to_ascii_uppercase()
}

/// Name of a resolver's parameter: those that a resolver has anyway are left to it.
pub fn parameter(name: &str) -> String {
    match snake(name) {
        name if PARAMETERS.contains(&name.as_str()) => name + "_",
        name => ident(&name),
    }
}

/// Makes an identifier of a name that may be a keyword.
pub fn ident(name: &str) -> String {
    match name {
        "self" | "Self" | "super" | "crate" | "_" => format!("{name}_"),
        _ if KEYWORDS.contains(&name) => format!("r#{name}"),
        _ if name.starts_with(|c: char| c.is_ascii_digit()) => format!("_{name}"),
        _ => name.to_owned(),
    }
}

/// How something is written in Rust.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A type.
    Type,
    /// A field of a struct.
    Field,
    /// A parameter of a resolver.
    Parameter,
    /// A value of an enum.
    Value,
    /// A variant of a `@oneOf` input.
    Variant,
}

impl Form {
    /// The name in Rust that is made of a name of the schema, or of another one that was given.
    pub fn rust(self, name: &str) -> String {
        match self {
            Self::Type => pascal(name),
            Self::Field => ident(&snake(name)),
            Self::Parameter => parameter(name),
            Self::Value => variant(name),
            Self::Variant => ident(&pascal(name)),
        }
    }

    /// A name of its own beside others that are made of the same name.
    pub(crate) fn numbered(self, name: &str, number: usize) -> String {
        match self {
            Self::Type | Self::Variant => format!("{}{number}", pascal(name)),
            Self::Field | Self::Parameter => format!("{}_{number}", snake(name)),
            Self::Value => format!("{}{number}", variant(name).trim_end_matches('_')),
        }
    }
}

/// Parameters that a resolver has beside the arguments of its field.
const PARAMETERS: [&str; 4] = ["cx", "viewer", "parents", "self"];

/// Names that no type of the schema can have but a scalar, which makes no item in Rust: the generated crate's own items and
/// modules, which stand beside the types, and what generated code calls by a short name.
pub const TAKEN: &[&str] = &[
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
    "mock",
    "resolve",
    "role",
    "sample",
    "seam",
    "self",
    "std",
    "str",
    "super",
    "traitql",
    "transition",
    "types",
    "usize",
];

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
