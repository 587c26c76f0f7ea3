//! Hints for syntax errors that come from habits of other languages and of JSON. They are recognized by the
//! text at the
//! position of the error, and state what GraphQL expects instead.

use super::brackets::{KEYWORDS, begins_definition};
use super::{between, characters};

/// A syntax error with its context.
pub(super) struct Spot<'s> {
    /// The parser's message.
    pub(super) message: &'s str,
    /// The whole file.
    pub(super) text: &'s str,
    /// Byte offset of the error.
    pub(super) at: usize,
}

/// Message and help that replace the parser's message.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Advice {
    pub(super) message: String,
    pub(super) help: String,
    /// Byte range to mark, if the parser's position is not the best.
    pub(super) mark: Option<(usize, usize)>,
}

pub(super) fn say(message: impl Into<String>, help: impl Into<String>) -> Option<Advice> {
    Some(Advice {
        message: message.into(),
        help: help.into(),
        mark: None,
    })
}

pub(super) fn is_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

impl<'s> Spot<'s> {
    pub(super) fn line_start(&self) -> usize {
        self.text[..self.at].rfind('\n').map_or(0, |at| at + 1)
    }

    pub(super) fn before(&self) -> &'s str {
        &self.text[self.line_start()..self.at]
    }

    pub(super) fn after(&self) -> &'s str {
        self.text[self.at..].lines().next().unwrap_or_default()
    }

    pub(super) fn line(&self) -> &'s str {
        self.text[self.line_start()..].lines().next().unwrap_or_default()
    }

    pub(super) fn found(&self) -> Option<char> {
        self.after().chars().next()
    }

    /// Returns the name that starts at the error.
    pub(super) fn name(&self) -> &'s str {
        let after = self.after();
        &after[..after.find(|letter| !is_name(letter)).unwrap_or(after.len())]
    }

    /// Returns the name that ends before the error, ignoring whitespace in between.
    pub(super) fn name_before(&self) -> &'s str {
        let before = self.before().trim_end();
        before.rsplit(|letter| !is_name(letter)).next().unwrap_or_default()
    }

    /// Returns the first line of the definition that contains the error.
    fn definition(&self) -> &'s str {
        let lines = self.text[..self.at].lines().rev();
        let mut lines = std::iter::once(self.line()).chain(lines);
        lines.find(|line| begins_definition(line)).unwrap_or_default()
    }

    /// True if the file contains operations, false if it contains a schema, judged by its first definition.
    pub(super) fn among_operations(&self) -> Option<bool> {
        let first = |line: &str| line.split([' ', '{', '(']).next().unwrap_or_default().to_owned();
        let word = self.text.lines().map(first).find(|word| KEYWORDS.contains(&&**word))?;
        Some(["query", "mutation", "subscription", "fragment"].contains(&&*word))
    }

    pub(super) fn says(&self, text: &str) -> bool {
        self.message.contains(text)
    }
}

/// Returns a hint for the error, or `None` if it matches no known pattern.
pub(super) fn advise(spot: &Spot) -> Option<Advice> {
    conflict(spot)
        .or_else(|| characters::advise(spot))
        .or_else(|| bracket(spot))
        .or_else(|| part(spot))
        .or_else(|| between::advise(spot))
}

/// True if everything after this error is a consequence of it.
pub(super) fn ends_the_file(spot: &Spot) -> bool {
    conflict(spot).is_some()
        || spot.says("unterminated string")
        || between::script(spot).is_some()
        || spot.text.trim_start().starts_with('<')
}

fn conflict(spot: &Spot) -> Option<Advice> {
    if !["<<<<<<<", "=======", ">>>>>>>"]
        .iter()
        .any(|mark| spot.line().starts_with(mark))
    {
        return None;
    }
    say(
        "unresolved merge conflict",
        "choose one of the versions, and remove the lines with `<<<<<<<`, `=======` and `>>>>>>>`",
    )
}

/// Handles unexpected text where a closing bracket was expected.
fn bracket(spot: &Spot) -> Option<Advice> {
    let quoted = |text: &str| {
        let inner = text.trim_matches('"').to_owned();
        say("names are not quoted", format!("write `{inner}`"))
    };
    if spot.message.to_ascii_lowercase().contains("expected a name")
        && spot.found() == Some(':')
        && spot.before().trim_end().ends_with('"')
    {
        let before = spot.before().trim_end();
        let begin = before[..before.len() - 1].rfind('"')?;
        let start = spot.line_start();
        let mut advice = quoted(&before[begin..])?;
        advice.mark = Some((start + begin, start + before.len()));
        return Some(advice);
    }
    if !["R_CURLY", "R_PAREN", "R_BRACK"].iter().any(|token| spot.says(token)) {
        return None;
    }
    let (before, after) = (spot.before().trim_end(), spot.after());
    match spot.found()? {
        '!' if before.ends_with('!') && !spot.says("R_BRACK") => say("duplicate `!`", "remove one of them"),
        '[' if after.starts_with("[]") => say(
            "the brackets of a list enclose its type",
            format!("write `[{}]`", spot.name_before()),
        ),
        '=' | ':' if spot.definition().contains("enum ") => say(
            "enum values have no explicit values",
            "keep the name and remove the rest; the server and its clients decide what it stands for",
        ),
        '!' if spot.says("R_PAREN") && spot.among_operations() == Some(true) => say(
            "expected a value, found a type",
            "declare a variable of this type after the operation name, and write `$id` here",
        ),
        '[' if is_directive(before) => say(
            "directive arguments are enclosed in `(` and `)`",
            format!(
                "write `@{}(…: {})`",
                spot.name_before(),
                after.split(']').next().unwrap_or_default().to_owned() + "]"
            ),
        ),
        '=' if spot.says("R_PAREN") => say(
            "expected `:` between an argument and its value",
            format!("write `{}: …`", spot.name_before()),
        ),
        ':' if spot.says("R_PAREN") => say("expected `=` before a default value", "write `= …` instead of `: …`"),
        ':' if after[1..].trim_start().starts_with('{') => {
            say("unexpected `:` before a selection set", "remove the `:`")
        }
        '"' => quoted(after[..after[1..].find('"')? + 2].trim()),
        '|' if spot.definition().starts_with("union") => {
            let name = spot.definition().split([' ', '{']).nth(1).unwrap_or("Found").to_owned();
            say(
                "union members follow a `=`, without braces",
                format!("write `union {name} = A | B`"),
            )
        }
        _ => None,
    }
}

/// True if the line ends in the name of a directive.
fn is_directive(line: &str) -> bool {
    let name = line.rsplit(|letter| !is_name(letter)).next().unwrap_or_default();
    !name.is_empty() && line[..line.len() - name.len()].ends_with('@')
}

/// Handles missing and misplaced parts of a definition or an operation.
fn part(spot: &Spot) -> Option<Advice> {
    let found = spot.found();
    let empty = found == Some(')') && spot.before().trim_end().ends_with('(');
    match () {
        () if empty => say("empty parentheses", "remove them"),
        () if spot.says("Variable Definition") && !spot.name().is_empty() => say(
            "variable names start with `$`",
            format!("write `${}: …`", spot.name()),
        ),
        () if spot.says("expected an Argument") && found == Some('$') => {
            let name: String = spot.after().chars().skip(1).take_while(|c| is_name(*c)).collect();
            say(
                "missing argument name",
                format!("write `{name}: ${name}`, with the name of the argument first"),
            )
        }
        () if spot.says("expected an Argument") && found.is_some_and(|c| is_name(c) || c == '"' || c == '[') => {
            let value = spot
                .after()
                .split([')', ','])
                .next()
                .unwrap_or_default()
                .trim()
                .to_owned();
            say(
                "missing argument name",
                format!("write its name and a `:` before `{value}`"),
            )
        }
        () if spot.says("expected a Type") && found == Some('@') => say(
            "the type of an argument comes before its directives",
            "write the type after the `:`, then the default value, then the directives",
        ),
        () if spot.says("invalid Enum Value") => say(
            format!("`{}` cannot be an enum value", spot.name()),
            "`true`, `false` and `null` are reserved; choose another name",
        ),
        () if spot.says("Union Member Type") => between::member(&spot.text[..spot.at]),
        () if spot.says("Type System Extension") => {
            let rest = spot.after().trim_start_matches("extend").trim_start();
            let name: String = rest.chars().take_while(|c| is_name(*c)).collect();
            say(
                "missing kind of definition after `extend`",
                format!("write `extend type {name}`"),
            )
        }
        () if spot.says("Field Definition") && spot.after().starts_with("...") => say(
            "type definitions cannot contain fragment spreads",
            "repeat the fields here; use `implements` to declare the interfaces of the type",
        ),
        () if spot.message.to_ascii_lowercase().contains("expected a name") && found == Some('=') => say(
            "missing type before the default value",
            format!("add the type, as in `{}: Int = 20`", spot.name_before()),
        ),
        () if spot.message.to_ascii_lowercase().contains("expected a name")
            && found == Some('$')
            && spot.before().trim_end().ends_with(':') =>
        {
            say(
                "field arguments are enclosed in parentheses",
                "write `(` before the first argument and `)` after the last one",
            )
        }
        () if spot.says("Selection Set") && found == Some('$') => say(
            "variable declarations are enclosed in parentheses",
            format!(
                "write `({})`",
                spot.after().split('{').next().unwrap_or_default().trim()
            ),
        ),
        () if spot.says("expected 'on'") => say(
            "missing type condition of the fragment",
            format!("write `fragment {} on {}`", spot.name_before(), spot.name()),
        ),
        () if spot.says("expected a Selection Set") => say(
            "the operation selects nothing",
            "list the fields to select in `{` and `}`",
        ),
        () if spot.says("in a Const context") => say(
            "variables are not allowed here",
            "write a constant; only operations have variables, and default values are constants",
        ),
        () if found == Some('}') && spot.text[..spot.at].trim_end().ends_with('{') => say(
            "empty braces",
            "add at least one entry, or remove the braces",
        ),
        () if found == Some('}') && spot.text[..spot.at].trim_end().ends_with('"') => say(
            "description without a definition",
            "add the definition that it describes, or remove it",
        ),
        () if spot.says("Fragment Name cannot be") => {
            say("missing fragment name", "write `fragment Row_tour on Tour`")
        }
        () if found == Some('{')
            && spot.before().trim_end().ends_with(':')
            && spot.among_operations() != Some(true) =>
        {
            say(
                "expected the name of a type, found its fields",
                "define the type separately, `type Author { … }`, and write its name here",
            )
        }
        () if found == Some('{') && spot.before().trim_end().ends_with(':') => {
            say("unexpected `:` before a selection set", "remove the `:`")
        }
        () if found == Some('{') && spot.before().ends_with('$') => {
            say("variables are written without braces", "write `$id`")
        }
        () if spot.says("expected a type") && found == Some('{') => say(
            "arguments are enclosed in `(` and `)`, not in braces",
            format!("write `{}(…)`", spot.name_before()),
        ),
        () if !spot.name().is_empty()
            && spot.before().ends_with(' ')
            && spot.before().trim_end().ends_with(is_name)
            && !spot.says("definition")
            && (!begins_definition(spot.line()) || spot.before().contains(['(', '{'])) =>
        {
            let (name, ty) = (
                spot.name_before(),
                spot.after().split([',', ')', ' ', '@']).next().unwrap_or_default(),
            );
            let is_variable = spot.before().trim_end().ends_with(&format!("${name}"));
            let dollar = if is_variable { "$" } else { "" };
            say(
                "expected `:` between a name and its type",
                format!("write `{dollar}{name}: {ty}`"),
            )
        }
        () => None,
    }
}
