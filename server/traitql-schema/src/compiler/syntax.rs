//! Syntax errors. The parser goes on after a mistake and stumbles over its consequences, so only the first error of each
//! definition is shown.

use apollo_compiler::diagnostic::ToCliReport;
use apollo_compiler::validation::DiagnosticList;

use crate::code;
use crate::diagnostic::Collector;
use crate::source::{At, SourceText};
use crate::suggest::nearest;

/// Words that a definition begins with.
const KEYWORDS: [&str; 13] = [
    "type",
    "extend",
    "input",
    "enum",
    "interface",
    "union",
    "scalar",
    "directive",
    "schema",
    "query",
    "mutation",
    "subscription",
    "fragment",
];
/// Tokens by the parser's names for them.
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
        let at = At::from(diagnostic.error.location());
        let line = out.sources().place(at).map_or(1, |place| place.line);
        let message = diagnostic.error.to_string();
        if last_line.is_some_and(|last| !begins_definition(&lines, last, line)) {
            continue;
        }
        last_line = Some(line);
        if message.contains("limit reached") {
            out.report(
                code::TOO_DEEP,
                at,
                format!("{} is nested too deeply to be read", source.path),
            )
            .help("take parts of it out into fragments or types of their own");
        } else {
            let column = out.sources().place(at).map_or(1, |place| place.column);
            let text = lines.get(line - 1).copied().unwrap_or_default();
            out.report(code::SYNTAX, at, in_words(&message))
                .help(hint(&message, text, column));
        }
        if message.contains("unterminated string") {
            // Everything after the quote was taken for text.
            break;
        }
    }
}

/// Whether a definition begins on a line after `last`, up to and with `line`: then an error there stands for itself.
fn begins_definition(lines: &[&str], last: usize, line: usize) -> bool {
    let begins = |text: &&str| KEYWORDS.contains(&text.split([' ', '{']).next().unwrap_or_default());
    line > last && lines.get(last..line).unwrap_or_default().iter().any(begins)
}

/// `syntax error: expected R_CURLY, got EOF` as `expected `}`, found the end of the file`
fn in_words(message: &str) -> String {
    let message = message
        .strip_prefix("syntax error: ")
        .unwrap_or(message)
        .trim()
        .replace("exptected", "expected");
    if message == "Unexpected <EOF>." {
        return "the file ends too early".to_owned();
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
        Some("EOF") => format!("{expected}, found the end of the file"),
        Some(got) => format!("{expected}, found `{}`", got.lines().next().unwrap_or_default()),
    }
}

/// What to do, guessed from the line and the place in it.
fn hint(message: &str, line: &str, column: usize) -> String {
    let before: String = line.chars().take(column - 1).collect();
    let word = |text: &str| {
        text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    let found = word(&line.chars().skip(column - 1).collect::<String>());
    match () {
        () if message.contains("unterminated string") => {
            "close the text with `\"`, or with `\"\"\"` if it has several lines".to_owned()
        }
        () if before.trim().is_empty()
            && before.is_empty()
            && !found.is_empty()
            && !KEYWORDS.contains(&found.as_str()) =>
        {
            match nearest(&found, KEYWORDS) {
                Some(keyword) => format!("did you mean `{keyword}`?"),
                None => format!(
                    "a definition begins with {}",
                    KEYWORDS.map(|keyword| format!("`{keyword}`")).join(", ")
                ),
            }
        }
        () if !before.is_empty() && KEYWORDS.contains(&word(line).as_str()) && message.contains("expected a type") => {
            "the definition before this is not closed: a `}` is missing".to_owned()
        }
        () if !found.is_empty()
            && before.ends_with(' ')
            && before
                .trim_end()
                .ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_') =>
        {
            "between a name and its type stands a `:`".to_owned()
        }
        () if message.contains("R_CURLY") || message.contains("Field Definition") || message.contains("Selection") => {
            "a `{` before this has no `}`".to_owned()
        }
        () if message.contains("R_PAREN") => "a `(` before this has no `)`".to_owned(),
        () => String::new(),
    }
}
