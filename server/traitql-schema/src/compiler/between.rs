//! What stands between definitions and is none: fields without their braces, keywords of other languages, scripts.

use super::brackets::{KEYWORDS, begins_definition};
use super::habits::{Advice, Spot, say};
use crate::suggest::nearest;

/// The file of a script: everything after its first word is wrong.
pub(super) fn script(spot: &Spot) -> Option<Advice> {
    let is_script = ["export", "import", "const", "let", "var", "function"].contains(&spot.name());
    if !is_script || !spot.before().is_empty() {
        return None;
    }
    say(
        "this is no GraphQL",
        "the file holds GraphQL alone: move the text between the backticks here, and remove the rest",
    )
}

/// A union that ends before its first member, or behind a `|`. What begins the next definition may be a name, so the parser takes
/// it for the member.
pub(super) fn member(before: &str) -> Option<Advice> {
    let mut lines = before.trim_end();
    while let Some((above, last)) = lines.rsplit_once('\n')
        && last.trim_start().starts_with('#')
    {
        lines = above.trim_end();
    }
    let sign = lines.chars().next_back().filter(|sign| matches!(sign, '=' | '|'))?;
    Some(Advice {
        message: "a member of the union is missing".to_owned(),
        help: match sign {
            '|' => "name one after the `|`, or remove the `|`".to_owned(),
            _ => "name one after the `=`".to_owned(),
        },
        mark: Some((lines.len() - 1, lines.len())),
    })
}

/// What people may have meant there.
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
            "the text ends at its second `\"`",
            "write `\\\"` for a `\"` within a text, or put the text in `\"\"\"`",
        );
    }
    if spot.found() == Some('}') {
        return say(
            "a `}` without a `{`",
            "remove it, or look before it for one that closes too early",
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
