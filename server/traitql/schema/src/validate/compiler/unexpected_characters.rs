//! Quotation marks, comments and line ends of other languages, and characters that word processors and web pages
//! insert.

use super::parse_hints::{ErrorContext, Hint, hint, is_name};

pub(super) fn find_hint(context: &ErrorContext) -> Option<Hint> {
    if context.message_contains("unterminated string") {
        return hint(
            "unterminated string",
            "close it with `\"`, or use `\"\"\"` for several lines",
        );
    }
    if context.message_contains("Unterminated spread operator") {
        let name: String = context
            .after()
            .trim_start_matches('.')
            .chars()
            .take_while(|c| is_name(*c))
            .collect();
        return hint("a fragment spread starts with three dots", format!("write `...{name}`"));
    }
    let found = context.found()?;
    if !context.message_contains("Unexpected character") {
        return None;
    }
    let hyphenated = found == '-' && context.before().ends_with(is_name);
    if hyphenated {
        return hyphen(context);
    }
    if found.is_ascii_digit() || found == '-' {
        let word: String = context
            .after()
            .chars()
            .take_while(|c| is_name(*c) || matches!(c, '-' | '.'))
            .collect();
        return if context.before().trim_end().ends_with([':', '=', '[', '(']) {
            hint(
                format!("invalid number `{word}`"),
                format!("strings are quoted: `\"{word}\"`"),
            )
        } else {
            hint(
                "a name cannot start with a digit",
                format!("start it with a letter or `_`: `_{word}`"),
            )
        };
    }
    let quoted = |end: char| {
        let inner = context
            .after()
            .chars()
            .skip(1)
            .take_while(|ch| *ch != end)
            .collect::<String>();
        format!("write `\"{inner}\"`")
    };
    match found {
        '/' if context.after().starts_with("//") || context.after().starts_with("/*") => hint(
            format!("`{}` does not start a comment", &context.after()[..2]),
            "write `# …`; documentation for tools goes before the definition, as `\"…\"`",
        ),
        '\'' => hint("strings are enclosed in `\"`, not in `'`", quoted('\'')),
        '`' => hint("strings are enclosed in `\"`, not in backticks", quoted('`')),
        '“' | '”' | '„' | '‘' | '’' | '«' | '»' => {
            let end = match found {
                '“' | '„' => '”',
                '‘' => '’',
                _ => '»',
            };
            hint(
                format!("`{found}` is not a quotation mark in GraphQL"),
                format!("{}; word processors replace quotation marks", quoted(end)),
            )
        }
        ';' => hint("unexpected `;`", "remove it; a line break is enough"),
        '?' => hint(
            "unexpected `?`",
            "remove it; every value is nullable unless its type ends in `!`",
        ),
        '…' => hint(
            "a fragment spread starts with three dots, not with one `…` character",
            "write `...`",
        ),
        '<' if context.text[..context.at].trim().is_empty() => hint(
            "expected GraphQL, found HTML or XML",
            "check the address the file was downloaded from; it may require signing in",
        ),
        '<' => hint(
            "unexpected `<`",
            "GraphQL has no generic types; lists are written `[Tour!]`",
        ),
        ch if ch.is_control() || ch.is_whitespace() || ('\u{200b}'..='\u{200f}').contains(&ch) || ch == '\u{feff}' => {
            hint(
                format!("invisible character U+{:04X}", u32::from(ch)),
                "replace it with a space; such characters are pasted from web pages and documents",
            )
        }
        ch if ch.is_alphabetic() => hint(
            format!("`{ch}` is not allowed in a name"),
            "names consist of the letters a to z and A to Z, digits and `_`; other letters are allowed in descriptions",
        ),
        ch => hint(
            format!("unexpected character `{ch}`"),
            "remove it; such characters are allowed only in strings, descriptions and comments",
        ),
    }
}

fn hyphen(context: &ErrorContext) -> Option<Hint> {
    let begin = context.at - context.name_before().len();
    let rest = &context.text[begin..];
    let word = &rest[..rest.find(|c| !is_name(c) && c != '-').unwrap_or(rest.len())];
    let mut parts = word.split('-');
    let mut camel = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        camel.extend(part.chars().take(1).map(|ch| ch.to_ascii_uppercase()));
        camel.extend(part.chars().skip(1));
    }
    Some(Hint {
        message: "a name cannot contain `-`".to_owned(),
        help: format!("write `{camel}`"),
        mark: Some((begin, begin + word.len())),
    })
}
