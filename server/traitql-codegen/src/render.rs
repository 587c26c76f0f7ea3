//! Writing Rust: items as text in, one formatted file out.

use std::fmt::Write as _;

use crate::{GeneratedFile, HEADER};

/// A Rust file in the making. Items are formatted one by one, so that a blank line can stand between them.
pub(crate) struct RustFile {
    path: String,
    source: String,
    module_doc: String,
    items: Vec<Text>,
}

/// An item, or several in one text.
enum Text {
    /// Still to be formatted.
    Raw(String),
    /// Laid out by whoever wrote it.
    Laid(String),
}

impl RustFile {
    /// `source` says what the file is generated from.
    pub(crate) fn new(path: impl Into<String>, source: impl Into<String>, module_doc: &str) -> Self {
        Self {
            path: path.into(),
            source: source.into(),
            module_doc: module_doc.to_owned(),
            items: Vec::new(),
        }
    }

    /// Adds one item, or several in one text.
    pub(crate) fn item(&mut self, text: impl Into<String>) {
        self.items.push(Text::Raw(text.into()));
    }

    /// Adds one item that is laid out already: what prettyplease cannot format, such as a macro's input, and what there is
    /// so much of that formatting would take most of the time.
    pub(crate) fn laid(&mut self, text: impl Into<String>) {
        self.items.push(Text::Laid(text.into()));
    }

    /// Formats everything.
    pub(crate) fn finish(self) -> GeneratedFile {
        let mut contents = format!("{HEADER}{}. Do not edit.\n", self.source);
        for line in self.module_doc.lines() {
            let _ = writeln!(contents, "//! {line}");
        }
        let mut before = None;
        for text in &self.items {
            let text = match text {
                Text::Raw(text) => text,
                Text::Laid(text) => {
                    let _ = write!(contents, "\n{}\n", text.trim_end());
                    before = None;
                    continue;
                }
            };
            let file = syn::parse_file(text).unwrap_or_else(|problem| {
                panic!("generated items must parse, but in {}: {problem}\n{text}", self.path)
            });
            if !file.attrs.is_empty() {
                contents.push('\n');
                let attributes = prettyplease::unparse(&syn::File {
                    items: Vec::new(),
                    ..file.clone()
                });
                let _ = writeln!(contents, "{}", attributes.trim_end());
            }
            for item in file.items {
                // Lists of imports and of modules stand close together; everything else has air around it.
                let list = list(&item);
                if list.is_none() || list != before {
                    contents.push('\n');
                }
                before = list;
                let file = syn::File {
                    shebang: None,
                    frontmatter: None,
                    attrs: Vec::new(),
                    items: vec![item],
                };
                contents.push_str(&prettyplease::unparse(&file));
            }
        }
        GeneratedFile {
            path: self.path,
            contents,
        }
    }
}

/// Which list an item is an entry of.
#[derive(PartialEq)]
enum List {
    Imports,
    Modules,
}

fn list(item: &syn::Item) -> Option<List> {
    match item {
        syn::Item::Use(_) => Some(List::Imports),
        syn::Item::Mod(module) if module.content.is_none() => Some(List::Modules),
        _ => None,
    }
}

/// A description as a doc comment; `fallback` where the schema has none.
pub(crate) fn doc(description: Option<&str>, fallback: &str) -> String {
    let text = description
        .map(str::trim)
        .filter(|text| !text.is_empty())
        .unwrap_or(fallback);
    lines(text)
}

/// A text as a doc comment.
pub(crate) fn lines(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let _ = writeln!(out, "/// {}", line.trim_end());
    }
    out
}

/// A text as a literal of Rust.
pub(crate) fn literal(text: &str) -> String {
    format!("{text:?}")
}

/// Escapes braces for the format strings of `#[diagnostic::on_unimplemented]`; `\u{1}` becomes `{Self}`.
pub(crate) fn braces(text: &str) -> String {
    text.replace('{', "{{").replace('}', "}}").replace('\u{1}', "{Self}")
}

/// A literal that keeps its lines, so that the text can be read where it is generated. A default such as `"#2f5bea"` must not
/// end it.
pub(crate) fn raw(text: &str) -> String {
    let mut hashes = "#".to_owned();
    while text.contains(&format!("\"{hashes}")) {
        hashes.push('#');
    }
    format!("r{hashes}\"{text}\"{hashes}")
}
