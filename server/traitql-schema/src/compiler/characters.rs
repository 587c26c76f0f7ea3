//! Characters that GraphQL does not know: quotation marks, comments and line ends of other languages, and what word processors
//! and web pages put into a text.

use super::habits::{Advice, Spot, is_name, say};

/// What a character that GraphQL does not know was meant to be.
pub(super) fn advise(spot: &Spot) -> Option<Advice> {
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
        '<' if spot.text[..spot.at].trim().is_empty() => say(
            "this is a page of HTML or XML, and no GraphQL",
            "look at the address from which it was saved: it may have asked to sign in first",
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
