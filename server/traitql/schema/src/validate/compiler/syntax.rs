//! Syntax errors. Only the first error of each definition is shown, because the parser continues and reports
//! consequences.
//!
//! The message is the parser's, with the names of its tokens replaced. [`HINTS`] adds the fix of frequent mistakes.

use apollo_compiler::diagnostic::ToCliReport;
use apollo_compiler::validation::DiagnosticList;

use super::brackets::{KEYWORDS, begins_definition, unclosed};
use crate::diagnostics::code;
use crate::diagnostics::diagnostic::Collector;
use crate::diagnostics::suggest::nearest;
use crate::parse::source::{Location, SourceText};

const TOKENS: [(&str, &str); 19] = [
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
    ("'on'", "`on`"),
];

/// Part of the parser's message, the characters of which one is at the error (empty: any), and the fix.
#[rustfmt::skip]
const HINTS: &[(&str, &str, &str)] = &[
    ("unterminated string", "", "close it with `\"`, or use `\"\"\"` for several lines"),
    ("Unexpected character", "'`“”„‘’«»", "strings are enclosed in `\"`"),
    ("Unexpected character", "/", "a comment starts with `#`; documentation is a string before the definition"),
    ("Unexpected character", ";", "remove it; a line break is enough"),
    ("Unexpected character", "?", "remove it; every value is nullable unless its type ends in `!`"),
    ("Unexpected character", "<", "GraphQL has no generic types; lists are written `[Tour!]`"),
    ("Unexpected character", "…", "a fragment spread starts with three dots"),
    ("Unexpected character", "-0123456789", "names consist of letters, digits and `_`, and start with a letter or `_`; strings are quoted"),
    ("Unexpected character", "", "other characters are allowed only in strings, descriptions and comments"),
    ("spread operator", "", "a fragment spread starts with three dots"),
    ("Const context", "", "only operations have variables, and default values are constants"),
    ("Variable Definition", "", "declare variables as `$name: Type`"),
    ("Argument Definition", ")", "remove the empty parentheses"),
    ("an Argument", "", "write the name of the argument and a `:` before its value"),
    ("Field Definition", "}", "add at least one entry, or remove the braces"),
    ("Field Definition", ".", "repeat the fields; `implements` declares the interfaces of a type"),
    ("Input Value Definition", "}", "add at least one entry, or remove the braces"),
    ("a Type", "{", "write the name of a type that is defined separately, and arguments in `(` and `)`"),
    ("a Type", "@", "write the type after the `:`, then the default value, then the directives"),
    ("a Type", "", "write `:` between a name and its type"),
    ("a Name", ":", "names are not quoted, and a selection set follows its field without `:`"),
    ("a Name", "$", "arguments and variables are enclosed in `(` and `)`"),
    ("a Name", "{", "variables are written without braces: `$id`"),
    ("a Name", "=", "write the type before the default value: `first: Int = 20`"),
    ("a Name", "", "write `:` between a name and its type"),
    ("R_CURLY", "\"", "names are not quoted"),
    ("R_CURLY", "=", "enum values and fields have no values; only arguments and input fields have defaults"),
    ("R_CURLY", "|", "union members follow a `=`, without braces: `union Found = A | B`"),
    ("R_CURLY", ":", "a selection set follows its field without `:`, and enum values have no values"),
    ("R_CURLY", "", "expected another entry, or the closing `}`"),
    ("R_PAREN", "=", "write `:` between an argument and its value"),
    ("R_PAREN", ":", "write `=` before a default value"),
    ("R_PAREN", "", "expected another argument, or the closing `)`"),
    ("Enum Value", "", "`true`, `false` and `null` are reserved; choose another name"),
    ("Union Member", "", "add a member, or remove the `|`"),
    ("Type System Extension", "", "name the kind of definition: `extend type Tour`"),
    ("a Selection Set", "$", "variable declarations are enclosed in `(` and `)`"),
    ("a Selection Set", "", "select at least one field: `{ id }`"),
    ("'on'", "", "name the type of the fragment: `fragment TourTitle on Tour`"),
];

const DEFINITIONS_HELP: &str = "a definition starts with a keyword such as `type`, `input`, `query` or `fragment`; if this is part of the \
    definition before, a bracket is closed too early";

struct Problem<'s> {
    sentence: &'s str,
    text: &'s str,
    at: usize,
}

impl<'s> Problem<'s> {
    fn line_start(&self) -> usize {
        self.text[..self.at].rfind('\n').map_or(0, |at| at + 1)
    }

    fn line(&self) -> &'s str {
        self.text[self.line_start()..].lines().next().unwrap_or_default()
    }

    /// Returns the name at the error.
    fn name(&self) -> &'s str {
        super::leading_name(&self.text[self.at..])
    }

    /// Returns the name or the character at the error.
    fn found(&self) -> &'s str {
        let rest = self.text[self.at..].trim_start();
        match super::leading_name(rest) {
            "" => &rest[..rest.chars().next().map_or(0, char::len_utf8)],
            name => name,
        }
    }

    fn is_merge_conflict(&self) -> bool {
        ["<<<<<<<", "=======", ">>>>>>>"]
            .iter()
            .any(|mark| self.line().starts_with(mark))
    }

    /// Web pages, and scripts with GraphQL in backticks.
    fn is_another_language(&self) -> bool {
        let scripts = ["export", "import", "const", "let", "var", "function"];
        self.text.trim_start().starts_with('<') || self.line_start() == self.at && scripts.contains(&self.name())
    }

    /// True if all further errors are consequences.
    fn ends_the_file(&self) -> bool {
        self.is_merge_conflict() || self.is_another_language() || self.sentence.contains("unterminated string")
    }

    fn help(&self) -> String {
        if self.text[self.at..].trim().is_empty() || self.sentence.contains("EOF") {
            return "the file seems to be cut off: complete its last definition".to_owned();
        }
        if self.sentence.contains("definition") {
            let misspelt = Some(self.name()).filter(|name| self.line_start() == self.at && !name.is_empty());
            return match misspelt.and_then(|name| nearest(name, KEYWORDS)) {
                Some(keyword) => format!("did you mean `{keyword}`?"),
                None => DEFINITIONS_HELP.to_owned(),
            };
        }
        let found = self.text[self.at..].chars().next();
        // The parser writes both `a Name` and `a name`.
        let hint = HINTS.iter().find(|(sentence, characters, _)| {
            self.sentence.to_lowercase().contains(&sentence.to_lowercase())
                && (characters.is_empty() || found.is_some_and(|found| characters.contains(found)))
        });
        #[cfg(test)]
        hint.iter()
            .for_each(|(sentence, characters, _)| super::record("hint ", &format!("{sentence} {characters}")));
        hint.map_or("", |(.., help)| help).to_owned()
    }
}

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
        let problem = Problem {
            sentence: &message,
            text: &source.text,
            at: at.offset().min(source.text.len()),
        };
        describe(&problem, at, out);
        if problem.ends_the_file() {
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

fn describe(problem: &Problem, at: Location, out: &mut Collector) {
    if problem.is_merge_conflict() {
        out.report(code::SYNTAX, at, "unresolved merge conflict")
            .help("choose one of the versions, and remove the lines with `<<<<<<<`, `=======` and `>>>>>>>`");
        return;
    }
    if problem.is_another_language() {
        out.report(code::SYNTAX, at, "expected GraphQL, found another language")
            .help("this file may contain only GraphQL; a downloaded file may be the page of a sign-in");
        return;
    }
    // The parser notices an unclosed bracket only where the next definition begins.
    let in_next = next_definition(problem);
    let may_be_open = ["R_CURLY", "R_PAREN", "R_BRACK", "Field Definition", "Selection", "EOF"]
        .iter()
        .any(|text| problem.sentence.contains(text));
    let open = if may_be_open || in_next.is_some() {
        let at = in_next.as_ref().map_or(problem.at, |(_, start, _)| *start);
        unclosed(problem.text, at.saturating_sub(1))
    } else {
        None
    };
    let Some((offset, bracket)) = open else {
        out.report(code::SYNTAX, at, reword(problem)).help(problem.help());
        return;
    };
    let (at, message) = match in_next {
        Some((name, start, end)) => (
            at.moved(start, end),
            format!("the definition before `{name}` is not closed"),
        ),
        None => (at, reword(problem)),
    };
    let closing = match bracket {
        '{' => '}',
        '(' => ')',
        _ => ']',
    };
    out.report(code::SYNTAX, at, message)
        .note(at.moved(offset, offset + 1), format!("unclosed `{bracket}`"))
        .help(format!("add a `{closing}` where it ends"));
}

fn next_definition(problem: &Problem) -> Option<(String, usize, usize)> {
    let start = problem.text[..problem.at].rfind('\n').map_or(0, |at| at + 1);
    let line = problem.text[start..].lines().next().unwrap_or_default();
    if !begins_definition(line) || problem.at == start || !problem.sentence.contains("expected a") {
        return None;
    }
    let head = line.split(['{', '(', '@', '=']).next().unwrap_or_default().trim_end();
    Some((head.to_owned(), start, start + head.len()))
}

/// Returns ``expected `}`, found end of file`` for `syntax error: expected R_CURLY, got EOF`.
fn reword(problem: &Problem) -> String {
    let sentence = problem.sentence.trim_start_matches("syntax error: ").trim();
    let sentence = sentence.replacen("Unexpected character", "unexpected character", 1);
    let sentence = sentence.as_str();
    let found = problem.text[problem.at..].chars().next();
    if let Some(found) = found.filter(|found| !found.is_ascii() && !found.is_alphanumeric()) {
        // An invisible or confusable character must be recognizable.
        return format!(
            "unexpected character `{}` (U+{:04X})",
            found.escape_debug(),
            u32::from(found)
        );
    }
    let (expected, found) = match sentence.split_once(", got ") {
        Some((expected, found)) => (expected, found.lines().next().unwrap_or_default().trim()),
        None if sentence.starts_with("expected") => (sentence, problem.found()),
        None => (sentence, ""),
    };
    let expected = expected.trim_start_matches("expected ");
    let expected = match TOKENS.iter().find(|(token, _)| *token == expected) {
        Some((_, token)) => format!("expected {token}"),
        None => sentence.split(", got ").next().unwrap_or_default().to_owned(),
    };
    match found {
        "" => expected,
        "EOF" => format!("{expected}, found end of file"),
        found => format!("{expected}, found `{found}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn apollo_parser_still_uses_each_sentence_of_the_hints() {
        let hints = HINTS.iter();
        let hints = hints.map(|(sentence, characters, _)| format!("{sentence} {characters}"));
        crate::validate::compiler::check_table("hint ", hints);
    }
}
