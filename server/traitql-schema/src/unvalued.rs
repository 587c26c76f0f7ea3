//! Arguments and fields of input objects without a value, `tours(first)`. apollo-parser reads over them, so that the document would
//! ask for something else than its author sees. The grammar has a colon and a value there (2.6 Arguments, 2.9.8 Input Object
//! Values).
//! In a schema the same slip would drop an argument of a directive, or a field of a default.

use apollo_compiler::ast::Document;
use apollo_parser::cst::CstNode;
use apollo_parser::{Parser, SyntaxKind};

use crate::code;
use crate::diagnostic::Collector;
use crate::source::{At, SourceText, Span};

/// Reports all of them; answers with whether there were some.
pub(crate) fn check(source: &SourceText, document: &Document, out: &mut Collector) -> bool {
    let first = document
        .definitions
        .first()
        .and_then(|definition| definition.location());
    let file = first.map(|location| location.file_id());
    let tree = Parser::new(&source.text).parse().document();
    let mut found = false;
    for node in tree.syntax().descendants() {
        let what = match node.kind() {
            SyntaxKind::ARGUMENT => "argument",
            SyntaxKind::OBJECT_FIELD => "field",
            _ => continue,
        };
        if node.children_with_tokens().any(|part| part.kind() == SyntaxKind::COLON) {
            continue;
        }
        let range = node.text_range();
        let start = usize::from(range.start());
        let name = node.text().to_string();
        let name = name.trim_end_matches(|letter: char| !letter.is_alphanumeric() && letter != '_');
        let at = At(file.map(|file| Span::new(file, start, start + name.len())));
        out.report(code::SYNTAX, at, format!("the {what} `{name}` has no value"))
            .help(format!("write `{name}: …`, or remove it"));
        found = true;
    }
    found
}
