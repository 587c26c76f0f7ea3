use std::fmt::{Display, Write as _};

use crate::{GeneratedFile, HEADER};

/// Items are formatted separately, because prettyplease puts no blank lines between them.
pub(crate) struct RustFile {
    path: String,
    source: String,
    module_doc: String,
    items: Vec<Text>,
}

pub(crate) enum Text {
    /// Items that prettyplease formats.
    Code(String),
    /// Text that prettyplease must not format: comments that are not documentation, input of macros, and lists whose
    /// entries have their own lines, so that git can merge additions.
    Verbatim(String),
}

impl RustFile {
    pub(crate) fn new(path: impl Into<String>, source: impl Into<String>, module_doc: &str) -> Self {
        Self {
            path: path.into(),
            source: source.into(),
            module_doc: module_doc.to_owned(),
            items: Vec::new(),
        }
    }

    pub(crate) fn item(&mut self, text: impl Into<String>) {
        self.items.push(Text::Code(text.into()));
    }

    pub(crate) fn verbatim(&mut self, text: impl Into<String>) {
        self.items.push(Text::Verbatim(text.into()));
    }

    pub(crate) fn text(&mut self, text: Text) {
        self.items.push(text);
    }

    pub(crate) fn modules(&mut self, names: impl IntoIterator<Item = impl Display>) {
        let lines = names.into_iter().map(|name| format!("mod {name};"));
        self.item(lines.collect::<String>());
    }

    pub(crate) fn exports(&mut self, names: impl IntoIterator<Item = impl Display>) {
        let lines = names.into_iter().map(|name| format!("pub use {name}::*;"));
        self.item(lines.collect::<String>());
    }

    pub(crate) fn finish(self) -> GeneratedFile {
        let mut contents = format!("// {HEADER}{}. Do not edit.\n", self.source);
        for line in self.module_doc.lines() {
            let _ = writeln!(contents, "//! {line}");
        }
        let mut before = None;
        for (list, text) in self.items.iter().flat_map(|text| formatted(text, &self.path)) {
            // Imports and module declarations form blocks; a blank line separates other items.
            if list.is_none() || list != before {
                contents.push('\n');
            }
            before = list;
            contents.push_str(&text);
        }
        GeneratedFile {
            path: self.path,
            contents,
        }
    }
}

fn formatted(text: &Text, path: &str) -> Vec<(Option<List>, String)> {
    match text {
        Text::Verbatim(text) => vec![(None, format!("{}\n", text.trim_end()))],
        Text::Code(text) => parsed(text, path),
    }
}

fn parsed(text: &str, path: &str) -> Vec<(Option<List>, String)> {
    let file =
        syn::parse_file(text).unwrap_or_else(|error| panic!("generated items of {path} must parse: {error}\n{text}"));
    let mut out = Vec::new();
    let mut unparse = |list: Option<List>, attrs: Vec<syn::Attribute>, items: Vec<syn::Item>| {
        let file = syn::File {
            shebang: None,
            frontmatter: None,
            attrs,
            items,
        };
        out.push((list, prettyplease::unparse(&file)));
    };
    if !file.attrs.is_empty() {
        unparse(None, file.attrs, Vec::new());
    }
    for item in file.items {
        unparse(list(&item), Vec::new(), vec![item]);
    }
    out
}

impl Text {
    pub(crate) fn contains(&self, pattern: &str) -> bool {
        let (Self::Code(text) | Self::Verbatim(text)) = self;
        text.contains(pattern)
    }
}

pub(crate) const WIDTH: usize = 110;

/// Writes one parameter per line if one line exceeds [`WIDTH`].
pub(crate) fn call(indent: &str, head: &str, parameters: &[String], tail: &str) -> String {
    let line = format!("{indent}{head}({}){tail}", parameters.join(", "));
    // Only the last line of `head` counts.
    let length = line.len() - line.rfind('\n').map_or(0, |end| end + 1);
    if length <= WIDTH || parameters.is_empty() {
        return line;
    }
    let lines: String = parameters
        .iter()
        .map(|parameter| format!("{indent}    {parameter},\n"))
        .collect();
    format!("{indent}{head}(\n{lines}{indent}){tail}")
}

/// `head` contains the comments and attributes.
pub(crate) fn field(head: &str, name: &str, ty: &str) -> String {
    format!("{}    pub {name}: {ty},\n", indented(head, 1))
}

pub(crate) fn block(lines: &str) -> String {
    match lines {
        "" => "{}".to_owned(),
        lines => format!("{{\n{lines}}}"),
    }
}

pub(crate) fn indented(lines: &str, levels: usize) -> String {
    let indent = "    ".repeat(levels);
    lines.lines().map(|line| format!("{indent}{line}\n")).collect()
}

#[derive(Clone, Copy, PartialEq)]
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

pub(crate) fn doc(description: Option<&str>, fallback: &str) -> String {
    let text = description
        .map(str::trim)
        .filter(|text| !text.is_empty())
        .unwrap_or(fallback);
    lines(text)
}

/// Removes carriage returns and bidirectional control characters, which rustc rejects in doc comments.
pub(crate) fn lines(text: &str) -> String {
    let mut out = String::new();
    let text = text
        .replace("\r\n", "\n")
        .replace('\r', "\n")
        .replace(is_bidi_control, "");
    for line in text.lines() {
        let _ = writeln!(out, "{}", format!("/// {line}").trim_end());
    }
    out
}

pub(crate) fn literal(text: &str) -> String {
    format!("{text:?}")
}

/// Prepares a text for `#[diagnostic::on_unimplemented]`, and replaces `\u{1}` with `{Self}`.
pub(crate) fn braces(text: &str) -> String {
    text.replace('{', "{{").replace('}', "}}").replace('\u{1}', "{Self}")
}

/// Uses as many `#` as the text needs, so that it stays readable in the generated file.
pub(crate) fn raw(text: &str) -> String {
    if text.contains(|c| c == '\r' || is_bidi_control(c)) {
        return literal(text);
    }
    let mut hashes = "#".to_owned();
    while text.contains(&format!("\"{hashes}")) {
        hashes.push('#');
    }
    format!("r{hashes}\"{text}\"{hashes}")
}

/// See UAX #9.
fn is_bidi_control(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doc_comments_contain_no_characters_that_rustc_rejects() {
        assert_eq!(lines("a\rb\r\nc\u{202e}d"), "/// a\n/// b\n/// cd\n");
        assert_eq!(raw("a \u{202e}"), r#""a \u{202e}""#);
        assert_eq!(raw("a \"#b"), "r##\"a \"#b\"##");
    }

    #[test]
    fn a_description_with_a_carriage_return_still_parses() {
        let text = lines("a\rb") + "pub struct T {}\n";
        assert_eq!(formatted(&Text::Code(text), "types.rs").len(), 1);
    }
}
