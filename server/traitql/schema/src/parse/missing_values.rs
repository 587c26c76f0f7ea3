//! Reports arguments and input fields without a value, such as `tours(first)`, and root operations without a type
//! (`schema { query: }`), because apollo-parser silently skips them.

use apollo_compiler::ast::Document;
use apollo_parser::{Lexer, Token, TokenKind as Kind};

use crate::diagnostics::code;
use crate::diagnostics::diagnostic::Collector;
use crate::parse::source::{Location, SourceText, Span};

pub(crate) fn check(source: &SourceText, document: &Document, out: &mut Collector) -> bool {
    let first = document
        .definitions
        .first()
        .and_then(|definition| definition.location());
    let file = first.map(|location| location.file_id());
    let found = names_without_value(&source.text);
    for (what, missing, name) in &found {
        let name_text = name.data();
        let at = Location(file.map(|file| Span::new(file, name.index(), name.index() + name_text.len())));
        out.report(code::SYNTAX, at, format!("{what} `{name_text}` has no {missing}"))
            .help(format!("add a {missing}, `{name_text}: …`, or remove it"));
    }
    !found.is_empty()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    /// Arguments, or definitions of arguments or variables.
    Arguments,
    /// The fields of an input object.
    Object,
    List,
    /// Selections, or the members of a type.
    Block,
}

/// Returns each name with what it is and what it lacks. Works on tokens, because a second syntax tree of a large schema would be as expensive as the first.
fn names_without_value(text: &str) -> Vec<(&'static str, &'static str, Token<'_>)> {
    let mut tokens = Lexer::new(text)
        .filter_map(Result::ok)
        .filter(|token| !matches!(token.kind(), Kind::Whitespace | Kind::Comment | Kind::Comma))
        .peekable();
    let mut found = Vec::new();
    let mut inside = Vec::new();
    let mut before = None;
    let mut name = None;
    while let Some(token) = tokens.next() {
        let is_value = matches!(before, Some(Kind::Colon | Kind::Eq));
        match token.kind() {
            Kind::LParen => inside.push(Inside::Arguments),
            Kind::LBracket => inside.push(Inside::List),
            Kind::LCurly => inside.push(match inside.last() {
                None | Some(Inside::Block) if !is_value => Inside::Block,
                _ => Inside::Object,
            }),
            Kind::RParen | Kind::RBracket | Kind::RCurly => {
                inside.pop();
            }
            Kind::Name if !is_value && !matches!(before, Some(Kind::At | Kind::Dollar)) => {
                let what = match inside.last() {
                    Some(Inside::Arguments) => "argument",
                    Some(Inside::Object) => "field",
                    _ => "",
                };
                let has_value = tokens.peek().is_some_and(|next| next.kind() == Kind::Colon);
                if !what.is_empty() && !has_value {
                    found.push((what, "value", token.clone()));
                }
                name = Some(token.clone());
            }
            // The parser reports other names in braces that end with a colon.
            Kind::Colon if inside.last() == Some(&Inside::Block) => {
                let has_type = !tokens.peek().is_some_and(|next| next.kind() == Kind::RCurly);
                if let Some(name) = name.take().filter(|_| !has_type) {
                    found.push(("root operation", "type", name));
                }
            }
            _ => (),
        }
        before = Some(token.kind());
    }
    found
}
