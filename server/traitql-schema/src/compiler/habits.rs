//! Mistakes that people bring along from other languages, from JSON and from word processors, recognised by what stands at
//! the place where the grammar was broken. Each gets a message that says what GraphQL wants instead.

use super::brackets::{KEYWORDS, begins_definition};
use crate::suggest::nearest;

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

fn say(message: impl Into<String>, help: impl Into<String>) -> Option<Advice> {
    Some(Advice {
        message: message.into(),
        help: help.into(),
        mark: None,
    })
}

fn is_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

impl<'s> Spot<'s> {
    fn line_start(&self) -> usize {
        self.text[..self.at].rfind('\n').map_or(0, |at| at + 1)
    }

    fn before(&self) -> &'s str {
        &self.text[self.line_start()..self.at]
    }

    fn after(&self) -> &'s str {
        self.text[self.at..].lines().next().unwrap_or_default()
    }

    fn line(&self) -> &'s str {
        self.text[self.line_start()..].lines().next().unwrap_or_default()
    }

    fn found(&self) -> Option<char> {
        self.after().chars().next()
    }

    /// The name that begins at the place.
    fn name(&self) -> &'s str {
        let after = self.after();
        &after[..after.find(|letter| !is_name(letter)).unwrap_or(after.len())]
    }

    /// The name that ends just before the place, blanks between left aside.
    fn name_before(&self) -> &'s str {
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
    fn among_operations(&self) -> Option<bool> {
        let first = |line: &str| line.split([' ', '{', '(']).next().unwrap_or_default().to_owned();
        let word = self.text.lines().map(first).find(|word| KEYWORDS.contains(&&**word))?;
        Some(["query", "mutation", "subscription", "fragment"].contains(&&*word))
    }

    fn says(&self, text: &str) -> bool {
        self.message.contains(text)
    }
}

/// What people may have meant; nothing when the place looks like none of these.
pub(super) fn advise(spot: &Spot) -> Option<Advice> {
    conflict(spot)
        .or_else(|| character(spot))
        .or_else(|| bracket(spot))
        .or_else(|| part(spot))
        .or_else(|| definition(spot))
}

/// Whether everything after this mistake is a consequence of it.
pub(super) fn ends_the_file(spot: &Spot) -> bool {
    conflict(spot).is_some() || spot.says("unterminated string") || script(spot).is_some()
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

/// Characters that GraphQL does not know.
fn character(spot: &Spot) -> Option<Advice> {
    if spot.says("unterminated string") {
        return say(
            "the text has no end",
            "close it with `\"`, or with `\"\"\"` if it has several lines",
        );
    }
    if spot.says("Unterminated spread operator") {
        let name: String = spot
            .after()
            .trim_start_matches('.')
            .chars()
            .take_while(|c| is_name(*c))
            .collect();
        return say("a fragment is spread with three dots", format!("write `...{name}`"));
    }
    let found = spot.found()?;
    if !spot.says("Unexpected character") {
        return None;
    }
    let hyphenated = found == '-' && spot.before().ends_with(is_name);
    if hyphenated {
        return hyphen(spot);
    }
    if found.is_ascii_digit() || found == '-' {
        let word: String = spot
            .after()
            .chars()
            .take_while(|c| is_name(*c) || matches!(c, '-' | '.'))
            .collect();
        return match spot.before().trim_end().ends_with([':', '=', '[', '(']) {
            true => say(
                format!("`{word}` is no number"),
                format!("a text stands in quotes: `\"{word}\"`"),
            ),
            false => say(
                "a name does not begin with a digit",
                format!("put a letter or a `_` first: `_{word}`"),
            ),
        };
    }
    let quoted = |end: char| {
        let inner = spot
            .after()
            .chars()
            .skip(1)
            .take_while(|letter| *letter != end)
            .collect::<String>();
        format!("write `\"{inner}\"`")
    };
    match found {
        '/' if spot.after().starts_with("//") || spot.after().starts_with("/*") => say(
            format!("`{}` does not begin a comment", &spot.after()[..2]),
            "write `# …`; what tools should show to people stands before the definition, as `\"…\"`",
        ),
        '\'' => say("texts stand in `\"`, not in `'`", quoted('\'')),
        '`' => say("texts stand in `\"`, not in backticks", quoted('`')),
        '“' | '”' | '„' | '‘' | '’' | '«' | '»' => {
            let end = match found {
                '“' | '„' => '”',
                '‘' => '’',
                _ => '»',
            };
            say(
                format!("`{found}` is no quotation mark of GraphQL"),
                format!("{}; word processors change the marks", quoted(end)),
            )
        }
        ';' => say("a `;` has no meaning in GraphQL", "remove it: a line break is enough"),
        '?' => say(
            "a `?` has no meaning in GraphQL",
            "remove it: every value may be missing unless its type ends in `!`",
        ),
        '…' => say(
            "a fragment is spread with three dots, and this is one character",
            "write `...`",
        ),
        '<' => say(
            "a `<` has no meaning in GraphQL",
            "there are no types with parameters but lists, which are written `[Tour!]`",
        ),
        letter
            if letter.is_control()
                || letter.is_whitespace()
                || ('\u{200b}'..='\u{200f}').contains(&letter)
                || letter == '\u{feff}' =>
        {
            say(
                format!(
                    "an invisible character that GraphQL does not know, U+{:04X}",
                    u32::from(letter)
                ),
                "replace it with a blank: such characters come along with text from web pages and documents",
            )
        }
        letter if letter.is_alphabetic() => say(
            format!("`{letter}` cannot stand in a name"),
            "names have the letters a to z and A to Z, digits and `_`; other letters belong into descriptions",
        ),
        letter => say(format!("a `{letter}` has no meaning in GraphQL"), String::new()),
    }
}

fn hyphen(spot: &Spot) -> Option<Advice> {
    let begin = spot.at - spot.name_before().len();
    let rest = &spot.text[begin..];
    let word = &rest[..rest.find(|c| !is_name(c) && c != '-').unwrap_or(rest.len())];
    let mut parts = word.split('-');
    let mut camel = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        camel.extend(part.chars().take(1).map(|letter| letter.to_ascii_uppercase()));
        camel.extend(part.chars().skip(1));
    }
    Some(Advice {
        message: "a name has no `-`".to_owned(),
        help: format!("write `{camel}`"),
        mark: Some((begin, begin + word.len())),
    })
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
        '=' if spot.definition().contains("enum ") => say(
            "the values of an enum are names alone",
            "remove the `=`: what a value stands for is decided by those who read it",
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
        () if spot.says("Fragment Name cannot be") => {
            say("the fragment has no name", "write `fragment Row_tour on Tour`")
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

fn script(spot: &Spot) -> Option<Advice> {
    let is_script = ["export", "import", "const", "let", "var", "function"].contains(&spot.name());
    if !is_script || !spot.before().is_empty() {
        return None;
    }
    say(
        "this is no GraphQL",
        "the file holds GraphQL alone: move the text between the backticks here, and remove the rest",
    )
}

/// Something stands between definitions.
fn definition(spot: &Spot) -> Option<Advice> {
    if !spot.says("definition") && !spot.says("StringValue") {
        return None;
    }
    let (line, name) = (spot.line(), spot.name());
    if let Some(advice) = script(spot) {
        return Some(advice);
    }
    if spot.found() == Some('}') {
        return say(
            "a `}` without a `{`",
            "remove it, or look before it for one that closes too early",
        );
    }
    if begins_definition(line) && !spot.before().is_empty() {
        let before = spot.before().trim_end_matches([' ', ',']);
        return match () {
            () if name == "extends" => say(
                "interfaces are named after `implements`",
                "write `implements` instead of `extends`",
            ),
            () if before.contains(" implements ") => {
                say("interfaces are parted by `&`", format!("write `{before} & {name}`"))
            }
            () if line.starts_with("union") => say(
                "the members of a union are parted by `|`",
                format!("write `{before} | {name}`"),
            ),
            () => None,
        };
    }
    if spot.before().trim().is_empty() && !spot.before().is_empty() {
        // The fields of a definition whose brace was forgotten.
        let above = spot.text[..spot.line_start()].trim_end();
        let start = above.rfind('\n').map_or(0, |at| at + 1);
        let head = Some(&above[start..]).filter(|line| begins_definition(line) && !line.contains('{'))?;
        return Some(Advice {
            message: "the definition has no `{`".to_owned(),
            help: format!("write `{head} {{`"),
            mark: Some((start, start + head.len())),
        });
    }
    if name.is_empty() {
        return None;
    }
    if ["class", "struct", "object", "model", "record"].contains(&name) {
        return say(
            format!("no definition begins with `{name}`"),
            "write `type`, or `input` for what clients send",
        );
    }
    let keywords = match spot.among_operations() {
        Some(true) => &KEYWORDS[9..],
        Some(false) => &KEYWORDS[..9],
        None => &KEYWORDS[..],
    };
    if let Some(keyword) = nearest(name, keywords.iter().copied()) {
        return say(
            format!("no definition begins with `{name}`"),
            format!("did you mean `{keyword}`?"),
        );
    }
    let listed: Vec<String> = keywords.iter().map(|keyword| format!("`{keyword}`")).collect();
    let listed = format!("a definition begins with {}", listed.join(", "));
    let help = match name.starts_with(|c: char| c.is_ascii_uppercase()) && line.contains('{') {
        true => match spot.among_operations() {
            Some(true) => format!("write `query {name} …`: {listed}"),
            Some(false) => format!("write `type {name} …`: {listed}"),
            None => format!("write `type {name} …` in a schema, `query {name} …` among the operations"),
        },
        false => listed,
    };
    say(format!("no definition begins with `{name}`"), help)
}
