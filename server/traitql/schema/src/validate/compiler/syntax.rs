//! Syntax errors. Only the first error of each definition is shown, because the parser continues and reports
//! consequences.

use apollo_compiler::diagnostic::ToCliReport;
use apollo_compiler::validation::DiagnosticList;

use super::brackets::{begins_definition, unclosed};
use super::parse_hints::{self, ErrorContext};
use crate::diagnostics::code;
use crate::diagnostics::diagnostic::Collector;
use crate::parse::source::{Location, SourceText};

const TOKENS: [(&str, &str); 18] = [
    ("L_CURLY", "`{`"),
    ("R_CURLY", "`}`"),
    ("L_PAREN", "`(`"),
    ("R_PAREN", "`)`"),
    ("L_BRACK", "`[`"),
    ("R_BRACK", "`]`"),
    ("COLON", "`:`"),
    ("EQ", "`=`"),
    ("DOLLAR", "`$`"),
    ("BANG", "`!`"),
    ("AT", "`@`"),
    ("PIPE", "`|`"),
    ("SPREAD", "`...`"),
    ("IDENT", "a name"),
    ("on_KW", "`on`"),
    ("a Name", "a name"),
    ("a StringValue, Name or OperationDefinition", "a definition"),
    ("definition", "a definition"),
];

pub(super) fn report(source: &SourceText, errors: &DiagnosticList, out: &mut Collector) {
    let lines: Vec<&str> = source.text.lines().collect();
    let mut last_line = None;
    for diagnostic in errors.iter() {
        let at = Location::from(diagnostic.error.location());
        let line = out.sources().resolve(at).map_or(1, |span| span.line);
        let message = diagnostic.error.to_string();
        if last_line.is_some_and(|last| !definition_between(&lines, last, line)) {
            continue;
        }
        last_line = Some(line);
        if message.contains("limit reached") {
            out.report(
                code::TOO_DEEP,
                at,
                format!("{} is nested too deeply to parse", source.path),
            )
            .help("move parts of it to fragments or separate types");
            continue;
        }
        let context = ErrorContext {
            message: &message,
            text: &source.text,
            at: at.offset().min(source.text.len()),
        };
        describe(&context, at, out);
        if parse_hints::ends_the_file(&context) {
            break;
        }
    }
}

/// An error in a new definition is independent.
fn definition_between(lines: &[&str], last: usize, line: usize) -> bool {
    line > last
        && lines
            .get(last..line)
            .unwrap_or_default()
            .iter()
            .any(|line| begins_definition(line))
}

fn describe(context: &ErrorContext, at: Location, out: &mut Collector) {
    if let Some(hint) = parse_hints::find_hint(context) {
        let at = hint.mark.map_or(at, |(start, end)| at.moved(start, end));
        out.report(code::SYNTAX, at, hint.message).help(hint.help);
        return;
    }
    let closing = ["R_CURLY", "R_PAREN", "R_BRACK"]
        .into_iter()
        .find(|token| context.message.contains(token));
    let in_next = next_definition(context);
    let may_be_open = closing.is_some()
        || in_next.is_some()
        || ["Field Definition", "Selection", "EOF"]
            .iter()
            .any(|text| context.message.contains(text));
    let open = if may_be_open {
        let at = in_next.as_ref().map_or(context.at, |(_, start, _)| *start);
        unclosed(context.text, at.saturating_sub(1))
    } else {
        None
    };
    let message = match (&in_next, open, closing) {
        (Some((name, ..)), Some(_), _) => format!("the definition before `{name}` is not closed"),
        (_, None, Some(_)) => unexpected(context.message),
        _ => reword(context.message),
    };
    let at = match (&in_next, open) {
        (Some((_, start, end)), Some(_)) => at.moved(*start, *end),
        _ => at,
    };
    let draft = out.report(code::SYNTAX, at, message);
    match (open, closing) {
        (Some((offset, bracket)), _) => {
            let closing = match bracket {
                '{' => '}',
                '(' => ')',
                _ => ']',
            };
            draft
                .note(at.moved(offset, offset + 1), format!("unclosed `{bracket}`"))
                .help(format!("add a `{closing}` where it ends"));
        }
        (None, Some("R_CURLY")) => {
            draft.help("expected another entry, or the closing `}`");
        }
        (None, Some("R_PAREN")) => {
            draft.help("expected another argument, or `)`");
        }
        _ if is_end_of_file(context) => {
            draft.help("the file seems to be cut off: complete its last definition");
        }
        _ if context.message.contains("definition") => {
            draft.help(DEFINITIONS_HELP);
        }
        _ => {}
    }
}

fn next_definition(context: &ErrorContext) -> Option<(String, usize, usize)> {
    let start = context.text[..context.at].rfind('\n').map_or(0, |at| at + 1);
    let line = context.text[start..].lines().next().unwrap_or_default();
    if !begins_definition(line) || context.at == start || !context.message.contains("expected a") {
        return None;
    }
    let head = line.split(['{', '(', '@', '=']).next().unwrap_or_default().trim_end();
    Some((head.to_owned(), start, start + head.len()))
}

/// Returns ``unexpected `:` `` for `syntax error: expected R_CURLY, got :`.
fn unexpected(message: &str) -> String {
    match message.rsplit_once(", got ") {
        Some((_, "EOF")) => reword(message),
        Some((_, got)) => format!("unexpected `{}`", got.lines().next().unwrap_or_default().trim()),
        None => reword(message),
    }
}

/// Returns ``expected `}`, found end of file`` for `syntax error: expected R_CURLY, got EOF`.
fn reword(message: &str) -> String {
    let message = message
        .strip_prefix("syntax error: ")
        .unwrap_or(message)
        .trim()
        .replace("exptected", "expected");
    if message == "Unexpected <EOF>." {
        return "unexpected end of file".to_owned();
    }
    let (expected, got) = match message.split_once(", got ") {
        Some((expected, got)) => (expected, Some(got.trim())),
        None => (message.as_str(), None),
    };
    let token = expected
        .strip_prefix("expected ")
        .and_then(|name| TOKENS.iter().find(|(token, _)| *token == name));
    let expected = match token {
        Some((_, token)) => format!("expected {token}"),
        None => expected.to_owned(),
    };
    match got {
        None => expected,
        Some("EOF") => format!("{expected}, found end of file"),

        Some(got) => format!("{expected}, found `{}`", got.lines().next().unwrap_or_default()),
    }
}

const DEFINITIONS_HELP: &str = "a definition starts with a keyword such as `type`, `input`, `query` or `fragment`; if this is part of the \
    definition before, a bracket is closed too early";

fn is_end_of_file(context: &ErrorContext) -> bool {
    context.text[context.at..].trim().is_empty() || context.message.contains("EOF")
}
