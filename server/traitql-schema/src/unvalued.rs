//! Arguments and fields of input objects without a value, `tours(first)`. apollo-parser reads over them, so that the document would
//! ask for something else than its author sees. The grammar has a colon and a value there (2.6 Arguments, 2.9.8 Input Object
//! Values).
//! In a schema the same slip would drop an argument of a directive, or a field of a default.

use apollo_compiler::ast::Document;
use apollo_parser::{Lexer, Token, TokenKind as Kind};

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
    let found = names_alone(&source.text);
    for (what, name) in &found {
        let name_text = name.data();
        let at = At(file.map(|file| Span::new(file, name.index(), name.index() + name_text.len())));
        out.report(code::SYNTAX, at, format!("the {what} `{name_text}` has no value"))
            .help(format!("write `{name_text}: …`, or remove it"));
    }
    !found.is_empty()
}

/// What is between two brackets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    /// `( … )`: arguments, or definitions of arguments or variables.
    Arguments,
    /// The fields of an input object.
    Object,
    List,
    /// Selections, or the members of a type.
    Block,
}

/// The names that stand where a name and a colon must, without the colon, and what they would name. From the tokens alone: a
/// second syntax tree of a large schema would cost as much as the first.
fn names_alone(text: &str) -> Vec<(&'static str, Token<'_>)> {
    let mut tokens = Lexer::new(text)
        .filter_map(Result::ok)
        .filter(|token| !matches!(token.kind(), Kind::Whitespace | Kind::Comment | Kind::Comma))
        .peekable();
    let mut found = Vec::new();
    let mut inside = Vec::new();
    let mut before = None;
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
                    found.push((what, token.clone()));
                }
            }
            _ => (),
        }
        before = Some(token.kind());
    }
    found
}
