//! Hints for text at the top level that is not a definition: fields without braces, keywords of other
//! languages, scripts.

use super::brackets::{KEYWORDS, begins_definition};
use super::habits::{Advice, Spot, say};
use crate::suggest::nearest;

/// Detects a script, in which everything after the first word is wrong.
pub(super) fn script(spot: &Spot) -> Option<Advice> {
    let is_script = ["export", "import", "const", "let", "var", "function"].contains(&spot.name());
    if !is_script || !spot.before().is_empty() {
        return None;
    }
    say(
        "expected GraphQL, found a script",
        "this file may contain only GraphQL: keep the text between the backticks and remove the rest",
    )
}

/// Detects a union that ends before its first member, or after a `|`. The next definition may start with a
/// name, so the parser
/// takes it for the member.
pub(super) fn member(before: &str) -> Option<Advice> {
    let mut lines = before.trim_end();
    while let Some((above, last)) = lines.rsplit_once('\n')
        && last.trim_start().starts_with('#')
    {
        lines = above.trim_end();
    }
    let sign = lines.chars().next_back().filter(|sign| matches!(sign, '=' | '|'))?;
    Some(Advice {
        message: "missing union member".to_owned(),
        help: match sign {
            '|' => "add a member after the `|`, or remove the `|`".to_owned(),
            _ => "add a member after the `=`".to_owned(),
        },
        mark: Some((lines.len() - 1, lines.len())),
    })
}

/// Returns a hint for invalid text at the top level.
pub(super) fn advise(spot: &Spot) -> Option<Advice> {
    if !spot.says("definition") && !spot.says("StringValue") {
        return None;
    }
    let (line, name) = (spot.line(), spot.name());
    if let Some(advice) = script(spot) {
        return Some(advice);
    }
    let quotes = line.matches('"').count();
    if line.trim_start().starts_with('"') && quotes > 2 && !line.contains("\"\"\"") {
        return say(
            "the string ends at its second `\"`",
            "escape a `\"` in a string as `\\\"`, or use a block string, `\"\"\"`",
        );
    }
    if spot.found() == Some('}') {
        return say(
            "unmatched `}`",
            "remove it, or check for an earlier `}` in the wrong place",
        );
    }
    if KEYWORDS.contains(&spot.before().trim_end())
        && let Some(advice) = member(&spot.text[..spot.line_start()])
    {
        return Some(advice);
    }
    if begins_definition(line) && !spot.before().is_empty() {
        let before = spot.before().trim_end_matches([' ', ',']);
        return match () {
            () if name == "extends" => say(
                "expected `implements`, found `extends`",
                "write `implements` instead of `extends`",
            ),
            () if before.contains(" implements ") => {
                say("interfaces are separated by `&`", format!("write `{before} & {name}`"))
            }
            () if line.starts_with("union") => say(
                "union members are separated by `|`",
                format!("write `{before} | {name}`"),
            ),
            () => None,
        };
    }
    if spot.before().trim().is_empty() && !spot.before().is_empty() {
        // The fields of a definition without an opening brace.
        let above = spot.text[..spot.line_start()].trim_end();
        let start = above.rfind('\n').map_or(0, |at| at + 1);
        let head = Some(&above[start..]).filter(|line| begins_definition(line) && !line.contains('{'))?;
        return Some(Advice {
            message: "missing `{` in this definition".to_owned(),
            help: format!("write `{head} {{`"),
            mark: Some((start, start + head.len())),
        });
    }
    if name.is_empty() {
        return None;
    }
    if ["class", "struct", "object", "model", "record"].contains(&name) {
        return say(
            format!("expected a definition, found `{name}`"),
            "use `type`, or `input` for values that clients send",
        );
    }
    let keywords = match spot.among_operations() {
        Some(true) => &KEYWORDS[9..],
        Some(false) => &KEYWORDS[..9],
        None => &KEYWORDS[..],
    };
    if let Some(keyword) = nearest(name, keywords.iter().copied()) {
        return say(
            format!("expected a definition, found `{name}`"),
            format!("did you mean `{keyword}`?"),
        );
    }
    let listed: Vec<String> = keywords.iter().map(|keyword| format!("`{keyword}`")).collect();
    let listed = format!("definitions start with {}", listed.join(", "));
    let help = if name.starts_with(|c: char| c.is_ascii_uppercase()) && line.contains('{') {
        match spot.among_operations() {
            Some(true) => format!("write `query {name} …`; {listed}"),
            Some(false) => format!("write `type {name} …`; {listed}"),
            None => format!("write `type {name} …` in a schema, or `query {name} …` in an operation file"),
        }
    } else {
        listed
    };
    say(format!("expected a definition, found `{name}`"), help)
}
