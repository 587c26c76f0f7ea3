//! Text at the top level that is not a definition.

use super::brackets::{KEYWORDS, begins_definition};
use super::parse_hints::{ErrorContext, Hint, hint};
use crate::diagnostics::suggest::nearest;

pub(super) fn script(context: &ErrorContext) -> Option<Hint> {
    let is_script = ["export", "import", "const", "let", "var", "function"].contains(&context.name());
    if !is_script || !context.before().is_empty() {
        return None;
    }
    hint(
        "expected GraphQL, found a script",
        "this file may contain only GraphQL: keep the text between the backticks and remove the rest",
    )
}

/// The next definition may start with a name, which the parser takes for the missing member.
pub(super) fn member(before: &str) -> Option<Hint> {
    let mut lines = before.trim_end();
    while let Some((above, last)) = lines.rsplit_once('\n')
        && last.trim_start().starts_with('#')
    {
        lines = above.trim_end();
    }
    let sign = lines.chars().next_back().filter(|sign| matches!(sign, '=' | '|'))?;
    Some(Hint {
        message: "missing union member".to_owned(),
        help: match sign {
            '|' => "add a member after the `|`, or remove the `|`".to_owned(),
            _ => "add a member after the `=`".to_owned(),
        },
        mark: Some((lines.len() - 1, lines.len())),
    })
}

pub(super) fn find_hint(context: &ErrorContext) -> Option<Hint> {
    if !context.message_contains("definition") && !context.message_contains("StringValue") {
        return None;
    }
    let (line, name) = (context.line(), context.name());
    if let Some(hint) = script(context) {
        return Some(hint);
    }
    let quotes = line.matches('"').count();
    if line.trim_start().starts_with('"') && quotes > 2 && !line.contains("\"\"\"") {
        return hint(
            "the string ends at its second `\"`",
            "escape a `\"` in a string as `\\\"`, or use a block string, `\"\"\"`",
        );
    }
    if context.found() == Some('}') {
        return hint(
            "unmatched `}`",
            "remove it, or check for an earlier `}` in the wrong place",
        );
    }
    if KEYWORDS.contains(&context.before().trim_end())
        && let Some(hint) = member(&context.text[..context.line_start()])
    {
        return Some(hint);
    }
    if begins_definition(line) && !context.before().is_empty() {
        let before = context.before().trim_end_matches([' ', ',']);
        return match () {
            () if name == "extends" => hint(
                "expected `implements`, found `extends`",
                "write `implements` instead of `extends`",
            ),
            () if before.contains(" implements ") => {
                hint("interfaces are separated by `&`", format!("write `{before} & {name}`"))
            }
            () if line.starts_with("union") => hint(
                "union members are separated by `|`",
                format!("write `{before} | {name}`"),
            ),
            () => None,
        };
    }
    if context.before().trim().is_empty() && !context.before().is_empty() {
        // Fields without an opening brace.
        let above = context.text[..context.line_start()].trim_end();
        let start = above.rfind('\n').map_or(0, |at| at + 1);
        let head = Some(&above[start..]).filter(|line| begins_definition(line) && !line.contains('{'))?;
        return Some(Hint {
            message: "missing `{` in this definition".to_owned(),
            help: format!("write `{head} {{`"),
            mark: Some((start, start + head.len())),
        });
    }
    if name.is_empty() {
        return None;
    }
    if ["class", "struct", "object", "model", "record"].contains(&name) {
        return hint(
            format!("expected a definition, found `{name}`"),
            "use `type`, or `input` for values that clients send",
        );
    }
    let keywords = match context.among_operations() {
        Some(true) => &KEYWORDS[9..],
        Some(false) => &KEYWORDS[..9],
        None => &KEYWORDS[..],
    };
    if let Some(keyword) = nearest(name, keywords.iter().copied()) {
        return hint(
            format!("expected a definition, found `{name}`"),
            format!("did you mean `{keyword}`?"),
        );
    }
    let listed: Vec<String> = keywords.iter().map(|keyword| format!("`{keyword}`")).collect();
    let listed = format!("definitions start with {}", listed.join(", "));
    let help = if name.starts_with(|c: char| c.is_ascii_uppercase()) && line.contains('{') {
        match context.among_operations() {
            Some(true) => format!("write `query {name} …`; {listed}"),
            Some(false) => format!("write `type {name} …`; {listed}"),
            None => format!("write `type {name} …` in a schema, or `query {name} …` in an operation file"),
        }
    } else {
        listed
    };
    hint(format!("expected a definition, found `{name}`"), help)
}
