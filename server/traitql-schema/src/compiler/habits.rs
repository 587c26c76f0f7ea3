//! Mistakes that people bring along from other languages, from JSON and from word processors, recognised by what stands at
//! the place where the grammar was broken. Each gets a message that says what GraphQL wants instead.

use super::brackets::{KEYWORDS, begins_definition};
use super::{between, characters};

/// A place that breaks the grammar.
pub(super) struct Spot<'s> {
    /// What the parser says.
    pub(super) message: &'s str,
    /// The whole file.
    pub(super) text: &'s str,
    /// Offset in it, in bytes.
    pub(super) at: usize,
}

/// What to say instead of the parser's words.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Advice {
    pub(super) message: String,
    pub(super) help: String,
    /// The bytes to mark, where the parser's place is not the best.
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

    /// The name that begins at the place.
    pub(super) fn name(&self) -> &'s str {
        let after = self.after();
        &after[..after.find(|letter| !is_name(letter)).unwrap_or(after.len())]
    }

    /// The name that ends just before the place, blanks between left aside.
    pub(super) fn name_before(&self) -> &'s str {
        let before = self.before().trim_end();
        before.rsplit(|letter| !is_name(letter)).next().unwrap_or_default()
    }

    /// The line that begins the definition around the place.
    fn definition(&self) -> &'s str {
        let lines = self.text[..self.at].lines().rev();
        let mut lines = std::iter::once(self.line()).chain(lines);
        lines.find(|line| begins_definition(line)).unwrap_or_default()
    }

    /// Whether the file looks like operations, by what its other definitions are.
    pub(super) fn among_operations(&self) -> Option<bool> {
        let first = |line: &str| line.split([' ', '{', '(']).next().unwrap_or_default().to_owned();
        let word = self.text.lines().map(first).find(|word| KEYWORDS.contains(&&**word))?;
        Some(["query", "mutation", "subscription", "fragment"].contains(&&*word))
    }

    pub(super) fn says(&self, text: &str) -> bool {
        self.message.contains(text)
    }
}

/// What people may have meant; nothing when the place looks like none of these.
pub(super) fn advise(spot: &Spot) -> Option<Advice> {
    conflict(spot)
        .or_else(|| characters::advise(spot))
        .or_else(|| bracket(spot))
        .or_else(|| part(spot))
        .or_else(|| between::advise(spot))
}

/// Whether everything after this mistake is a consequence of it.
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
        "a merge conflict is left in the file",
        "decide between the two versions, and remove the lines of `<<<<<<<`, `=======` and `>>>>>>>`",
    )
}

/// Something stands where a bracket should close.
fn bracket(spot: &Spot) -> Option<Advice> {
    let quoted = |text: &str| {
        let inner = text.trim_matches('"').to_owned();
        say("names stand without quotes", format!("write `{inner}`"))
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
        '!' if before.ends_with('!') && !spot.says("R_BRACK") => say("`!` stands here twice", "once is enough"),
        '[' if after.starts_with("[]") => say(
            "the brackets of a list stand around its type",
            format!("write `[{}]`", spot.name_before()),
        ),
        '=' | ':' if spot.definition().contains("enum ") => say(
            "the values of an enum are names alone",
            "keep the name and remove the rest: what a value stands for is decided by those who read it",
        ),
        '!' if spot.says("R_PAREN") && spot.among_operations() == Some(true) => say(
            "a value is wanted here, and this is a type",
            "declare a variable of the type after the operation's name, and write `$id` here",
        ),
        '[' if is_directive(before) => say(
            "the arguments of a directive stand in `(` and `)`",
            format!(
                "write `@{}(…: {})`",
                spot.name_before(),
                after.split(']').next().unwrap_or_default().to_owned() + "]"
            ),
        ),
        '=' if spot.says("R_PAREN") => say(
            "between an argument and its value stands a `:`",
            format!("write `{}: …`", spot.name_before()),
        ),
        ':' if spot.says("R_PAREN") => say("a default value stands after a `=`", "write `= …` instead of `: …`"),
        ':' if after[1..].trim_start().starts_with('{') => {
            say("no `:` stands before the braces of a selection", "remove the `:`")
        }
        '"' => quoted(after[..after[1..].find('"')? + 2].trim()),
        '|' if spot.definition().starts_with("union") => {
            let name = spot.definition().split([' ', '{']).nth(1).unwrap_or("Found").to_owned();
            say(
                "the members of a union stand after a `=`, without braces",
                format!("write `union {name} = A | B`"),
            )
        }
        _ => None,
    }
}

/// Whether a line ends in the name of a directive.
fn is_directive(line: &str) -> bool {
    let name = line.rsplit(|letter| !is_name(letter)).next().unwrap_or_default();
    !name.is_empty() && line[..line.len() - name.len()].ends_with('@')
}

/// A part of a definition or an operation is missing or written in another way.
fn part(spot: &Spot) -> Option<Advice> {
    let found = spot.found();
    let empty = found == Some(')') && spot.before().trim_end().ends_with('(');
    match () {
        () if empty => say("nothing stands in the parentheses", "remove them"),
        () if spot.says("Variable Definition") && !spot.name().is_empty() => say(
            "the name of a variable begins with `$`",
            format!("write `${}: …`", spot.name()),
        ),
        () if spot.says("expected an Argument") && found == Some('$') => {
            let name: String = spot.after().chars().skip(1).take_while(|c| is_name(*c)).collect();
            say(
                "the argument has no name",
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
                "the argument has no name",
                format!("write its name and a `:` before `{value}`"),
            )
        }
        () if spot.says("expected a Type") && found == Some('@') => say(
            "the type of an argument stands before its directives",
            "write the type after the `:`, then the default value, then the directives",
        ),
        () if spot.says("invalid Enum Value") => say(
            format!("`{}` cannot be a value of an enum", spot.name()),
            "`true`, `false` and `null` have a meaning of their own: take another name",
        ),
        () if spot.says("Union Member Type") => between::member(&spot.text[..spot.at]),
        () if spot.says("Type System Extension") => {
            let rest = spot.after().trim_start_matches("extend").trim_start();
            let name: String = rest.chars().take_while(|c| is_name(*c)).collect();
            say(
                "`extend` is followed by what is extended",
                format!("write `extend type {name}`"),
            )
        }
        () if spot.says("Field Definition") && spot.after().starts_with("...") => say(
            "types of the schema spread no fragments",
            "repeat the fields here; `implements` says which interfaces the type has",
        ),
        () if spot.message.to_ascii_lowercase().contains("expected a name") && found == Some('=') => say(
            "the type stands before the default value",
            format!("write the type first, as in `{}: Int = 20`", spot.name_before()),
        ),
        () if spot.message.to_ascii_lowercase().contains("expected a name")
            && found == Some('$')
            && spot.before().trim_end().ends_with(':') =>
        {
            say(
                "the arguments of a field stand in parentheses",
                "write `(` before the first and `)` after the last",
            )
        }
        () if spot.says("Selection Set") && found == Some('$') => say(
            "the variables of an operation stand in parentheses",
            format!(
                "write `({})`",
                spot.after().split('{').next().unwrap_or_default().trim()
            ),
        ),
        () if spot.says("expected 'on'") => say(
            "the fragment does not say which type it is about",
            format!("write `fragment {} on {}`", spot.name_before(), spot.name()),
        ),
        () if spot.says("expected a Selection Set") => say(
            "the operation asks for nothing",
            "write the fields that it asks for, in `{` and `}`",
        ),
        () if spot.says("in a Const context") => say(
            "a variable cannot stand here",
            "write the value itself: operations alone have variables, and declare them with constant defaults",
        ),
        () if found == Some('}') && spot.text[..spot.at].trim_end().ends_with('{') => say(
            "nothing stands in the braces",
            "write at least one entry, or leave the braces out",
        ),
        () if found == Some('}') && spot.text[..spot.at].trim_end().ends_with('"') => say(
            "the description stands alone",
            "write what it describes behind it, or remove it",
        ),
        () if spot.says("Fragment Name cannot be") => {
            say("the fragment has no name", "write `fragment Row_tour on Tour`")
        }
        () if found == Some('{')
            && spot.before().trim_end().ends_with(':')
            && spot.among_operations() != Some(true) =>
        {
            say(
                "a type stands here, not its fields",
                "define the type by itself, `type Author { … }`, and write its name here",
            )
        }
        () if found == Some('{') && spot.before().trim_end().ends_with(':') => {
            say("no `:` stands before the braces of a selection", "remove the `:`")
        }
        () if found == Some('{') && spot.before().ends_with('$') => {
            say("a variable is written without braces", "write `$id`")
        }
        () if spot.says("expected a type") && found == Some('{') => say(
            "arguments stand in `(` and `)`, not in braces",
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
                "between a name and its type stands a `:`",
                format!("write `{dollar}{name}: {ty}`"),
            )
        }
        () => None,
    }
}
