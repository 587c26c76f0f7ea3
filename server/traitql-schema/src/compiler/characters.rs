//! Hints for characters that are not part of GraphQL: quotation marks, comments and line ends of other
//! languages, and characters
//! that word processors and web pages insert.

use super::habits::{Advice, Spot, is_name, say};

/// Returns a hint for an unexpected character.
pub(super) fn advise(spot: &Spot) -> Option<Advice> {
    if spot.says("unterminated string") {
        return say(
            "unterminated string",
            "close it with `\"`, or use `\"\"\"` for several lines",
        );
    }
    if spot.says("Unterminated spread operator") {
        let name: String = spot
            .after()
            .trim_start_matches('.')
            .chars()
            .take_while(|c| is_name(*c))
            .collect();
        return say("a fragment spread starts with three dots", format!("write `...{name}`"));
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
        return if spot.before().trim_end().ends_with([':', '=', '[', '(']) {
            say(
                format!("invalid number `{word}`"),
                format!("strings are quoted: `\"{word}\"`"),
            )
        } else {
            say(
                "a name cannot start with a digit",
                format!("start it with a letter or `_`: `_{word}`"),
            )
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
            format!("`{}` does not start a comment", &spot.after()[..2]),
            "write `# …`; documentation for tools goes before the definition, as `\"…\"`",
        ),
        '\'' => say("strings are enclosed in `\"`, not in `'`", quoted('\'')),
        '`' => say("strings are enclosed in `\"`, not in backticks", quoted('`')),
        '“' | '”' | '„' | '‘' | '’' | '«' | '»' => {
            let end = match found {
                '“' | '„' => '”',
                '‘' => '’',
                _ => '»',
            };
            say(
                format!("`{found}` is not a quotation mark in GraphQL"),
                format!("{}; word processors replace quotation marks", quoted(end)),
            )
        }
        ';' => say("unexpected `;`", "remove it; a line break is enough"),
        '?' => say(
            "unexpected `?`",
            "remove it; every value is nullable unless its type ends in `!`",
        ),
        '…' => say(
            "a fragment spread starts with three dots, not with one `…` character",
            "write `...`",
        ),
        '<' if spot.text[..spot.at].trim().is_empty() => say(
            "expected GraphQL, found HTML or XML",
            "check the address the file was downloaded from; it may require signing in",
        ),
        '<' => say(
            "unexpected `<`",
            "GraphQL has no generic types; lists are written `[Tour!]`",
        ),
        letter
            if letter.is_control()
                || letter.is_whitespace()
                || ('\u{200b}'..='\u{200f}').contains(&letter)
                || letter == '\u{feff}' =>
        {
            say(
                format!(
                    "invisible character U+{:04X}",
                    u32::from(letter)
                ),
                "replace it with a space; such characters are pasted from web pages and documents",
            )
        }
        letter if letter.is_alphabetic() => say(
            format!("`{letter}` is not allowed in a name"),
            "names consist of the letters a to z and A to Z, digits and `_`; other letters are allowed in descriptions",
        ),
        letter => say(format!("unexpected character `{letter}`"), String::new()),
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
        message: "a name cannot contain `-`".to_owned(),
        help: format!("write `{camel}`"),
        mark: Some((begin, begin + word.len())),
    })
}
