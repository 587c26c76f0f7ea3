//! Writing Rust: items as text in, one formatted file out.

use std::fmt::{Display, Write as _};

use crate::{GeneratedFile, HEADER, flow};

/// A Rust file in the making. Items are formatted one by one, so that a blank line can stand between them.
pub(crate) struct RustFile {
    path: String,
    source: String,
    module_doc: String,
    items: Vec<Text>,
}

/// An item, or several in one text.
pub(crate) enum Text {
    /// Still to be formatted.
    Raw(String),
    /// Laid out but for lines that may be too long, with the marks of [`flow`]; a blank line between two items.
    Flow(String),
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

    /// Adds one item that is laid out but for its long lines, or several with a blank line between them.
    pub(crate) fn flow(&mut self, text: impl Into<String>) {
        self.items.push(Text::Flow(text.into()));
    }

    /// Adds one item that is laid out already: what prettyplease cannot format, such as a macro's input, and what there is
    /// so much of that formatting would take most of the time.
    pub(crate) fn laid(&mut self, text: impl Into<String>) {
        self.items.push(Text::Laid(text.into()));
    }

    /// Adds one item, in either form.
    pub(crate) fn text(&mut self, text: Text) {
        self.items.push(text);
    }

    /// Declares modules: `mod tour;`
    pub(crate) fn modules(&mut self, names: impl IntoIterator<Item = impl Display>) {
        let lines = names.into_iter().map(|name| format!("mod {name};"));
        self.item(lines.collect::<String>());
    }

    /// Makes what is in modules known: `pub use tour::*;`
    pub(crate) fn exports(&mut self, names: impl IntoIterator<Item = impl Display>) {
        let lines = names.into_iter().map(|name| format!("pub use {name}::*;"));
        self.item(lines.collect::<String>());
    }

    /// Formats everything.
    pub(crate) fn finish(self) -> GeneratedFile {
        let mut contents = format!("// {HEADER}{}. Do not edit.\n", self.source);
        for line in self.module_doc.lines() {
            let _ = writeln!(contents, "//! {line}");
        }
        let mut before = None;
        for (list, text) in self.items.iter().flat_map(|text| formatted(text, &self.path)) {
            // Lists of imports and of modules stand close together; everything else has air around it.
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

/// The items of one text, formatted.
fn formatted(text: &Text, path: &str) -> Vec<(Option<List>, String)> {
    match text {
        Text::Laid(text) => vec![(None, format!("{}\n", text.trim_end()))],
        Text::Raw(text) => parsed(text, path),
        Text::Flow(text) => match flow::laid_out(text) {
            Some(laid) => {
                debug_assert_eq!(laid, joined(&parsed(&flow::plain(text), path)), "in {path}");
                vec![(None, laid)]
            }
            None => parsed(&flow::plain(text), path),
        },
    }
}

/// Items with a blank line between them.
fn joined(items: &[(Option<List>, String)]) -> String {
    let texts: Vec<&str> = items.iter().map(|(_, text)| text.as_str()).collect();
    texts.join("\n")
}

/// The items of a text, as prettyplease lays them out.
fn parsed(text: &str, path: &str) -> Vec<(Option<List>, String)> {
    let file = syn::parse_file(text)
        .unwrap_or_else(|problem| panic!("generated items must parse, but in {path}: {problem}\n{text}"));
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
    /// Whether something is mentioned.
    pub(crate) fn contains(&self, sign: &str) -> bool {
        let (Self::Raw(text) | Self::Flow(text) | Self::Laid(text)) = self;
        text.contains(sign)
    }
}

/// How long a line of a text that is laid out may be.
const WIDTH: usize = 110;

/// `head(a, b) tail` on one line, or a parameter a line where that is too long. `indent` is that of the line.
pub(crate) fn call(indent: &str, head: &str, parameters: &[String], tail: &str) -> String {
    let line = format!("{indent}{head}({}){tail}", parameters.join(", "));
    // `head` may begin with a comment on lines of its own.
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

/// A public field of a struct; `head` are its comments and attributes.
pub(crate) fn field(head: &str, name: &str, ty: &str) -> String {
    format!("{}    pub {name}: {ty},\n", indented(head, 1))
}

/// Lines in braces.
pub(crate) fn block(lines: &str) -> String {
    match lines {
        "" => "{}".to_owned(),
        lines => format!("{{\n{lines}}}"),
    }
}

/// Lines, so many levels further to the right.
pub(crate) fn indented(lines: &str, levels: usize) -> String {
    let indent = "    ".repeat(levels);
    lines.lines().map(|line| format!("{indent}{line}\n")).collect()
}

/// Which list an item is an entry of.
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

/// A description as a doc comment; `fallback` where the schema has none.
pub(crate) fn doc(description: Option<&str>, fallback: &str) -> String {
    let text = description
        .map(str::trim)
        .filter(|text| !text.is_empty())
        .unwrap_or(fallback);
    lines(text)
}

/// A text as a doc comment. rustc refuses one with a carriage return inside of a line, or with characters that turn the
/// direction of what one sees.
pub(crate) fn lines(text: &str) -> String {
    let mut out = String::new();
    let text = text.replace("\r\n", "\n").replace('\r', "\n").replace(turns, "");
    for line in text.lines() {
        let _ = writeln!(out, "{}", format!("/// {line}").trim_end());
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
    if text.contains(|letter| letter == '\r' || turns(letter)) {
        return literal(text);
    }
    let mut hashes = "#".to_owned();
    while text.contains(&format!("\"{hashes}")) {
        hashes.push('#');
    }
    format!("r{hashes}\"{text}\"{hashes}")
}

/// Whether a character turns the direction of the text behind it (Unicode's bidirectional controls).
fn turns(letter: char) -> bool {
    matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_become_comments_that_rustc_takes() {
        assert_eq!(lines("a\rb\r\nc\u{202e}d"), "/// a\n/// b\n/// cd\n");
        assert_eq!(raw("a \u{202e}"), r#""a \u{202e}""#);
        assert_eq!(raw("a \"#b"), "r##\"a \"#b\"##");
    }

    #[test]
    fn a_carriage_return_in_a_description_is_no_end_of_the_generator() {
        let text = lines("a\rb") + "pub struct T {}\n";
        assert_eq!(formatted(&Text::Raw(text), "types.rs").len(), 1);
    }
}
