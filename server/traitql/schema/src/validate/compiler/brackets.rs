//! Finds unclosed brackets, which the parser notices only at the next invalid token.

pub(super) const KEYWORDS: [&str; 13] = [
    "type",
    "extend",
    "input",
    "enum",
    "interface",
    "union",
    "scalar",
    "directive",
    "schema",
    "query",
    "mutation",
    "subscription",
    "fragment",
];

pub(super) fn begins_definition(line: &str) -> bool {
    KEYWORDS.contains(&line.split([' ', '{', '(']).next().unwrap_or_default())
}

/// Returns `None` if all brackets are closed, or if a closing one was never opened.
pub(super) fn unclosed(text: &str, at: usize) -> Option<(usize, char)> {
    let (start, end) = definition(text, at);
    let mut open: Vec<(usize, char)> = Vec::new();
    let mut suspect = None;
    for (offset, bracket) in brackets(text, start, end) {
        let Some(opening) = partner(bracket) else {
            open.push((offset, bracket));
            continue;
        };
        match open.pop() {
            Some((begin, found)) if found == opening => {
                let alone = indentation(text, offset).is_some();
                if alone && indentation(text, offset) != Some(depth_of_line(text, begin)) {
                    suspect = suspect.or(Some((begin, found)));
                }
            }
            Some(found) => return Some(found),
            None => return None,
        }
    }
    let last = open.pop()?;
    // A misplaced `}` cannot close a `(`.
    Some(suspect.filter(|(_, bracket)| *bracket == last.1).unwrap_or(last))
}

fn definition(text: &str, at: usize) -> (usize, usize) {
    let (mut start, mut offset) = (0, 0);
    for line in text.split_inclusive('\n') {
        if begins_definition(line) {
            if offset > at {
                return (start, offset);
            }
            start = offset;
        }
        offset += line.len();
    }
    (start, text.len())
}

fn brackets(text: &str, start: usize, end: usize) -> Vec<(usize, char)> {
    let mut found = Vec::new();
    let (mut in_text, mut in_comment, mut offset) = (false, false, start);
    let slice = &text[start..end];
    let mut rest = slice;
    while let Some(ch) = rest.chars().next() {
        let mut step = ch.len_utf8();
        match ch {
            '\n' => (in_text, in_comment) = (false, false),
            _ if in_comment => {}
            '"' if !in_text && rest.starts_with("\"\"\"") => {
                step = rest[3..].find("\"\"\"").map_or(rest.len(), |close| close + 6);
            }
            '\\' if in_text => step = rest.chars().take(2).map(char::len_utf8).sum(),
            '"' => in_text = !in_text,
            _ if in_text => {}
            '#' => in_comment = true,
            '{' | '}' | '(' | ')' | '[' | ']' => found.push((offset, ch)),
            _ => {}
        }
        offset += step;
        rest = &rest[step..];
    }
    found
}

fn partner(closing: char) -> Option<char> {
    match closing {
        '}' => Some('{'),
        ')' => Some('('),
        ']' => Some('['),
        _ => None,
    }
}

fn indentation(text: &str, at: usize) -> Option<usize> {
    let start = text[..at].rfind('\n').map_or(0, |at| at + 1);
    text[start..at].trim().is_empty().then_some(at - start)
}

fn depth_of_line(text: &str, at: usize) -> usize {
    let start = text[..at].rfind('\n').map_or(0, |at| at + 1);
    let line = &text[start..];
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Option<&str> {
        unclosed(text, text.len()).map(|(at, _)| text[..at].lines().last().unwrap_or_default())
    }

    #[test]
    fn the_bracket_without_a_closing_bracket_of_its_indentation_is_unclosed() {
        assert_eq!(found("query A {\n  b {\n    c\n}\n"), Some("  b "));
        assert_eq!(found("query A {\n  b {\n    c\n  }\n"), Some("query A "));
        assert_eq!(found("query A(\n  $b: Int {\n  c\n}\n"), Some("query A"));
        assert_eq!(found("query A {\n  b\n}\n"), None);
    }

    #[test]
    fn only_the_definition_around_the_offset_is_searched() {
        let text = "type A {\n  b: Int\n\ntype C {\n  d: Int\n}\n";
        assert_eq!(unclosed(text, text.find("type C").unwrap_or(0) - 1), Some((7, '{')));
        assert_eq!(unclosed(text, text.len()), None);
    }

    #[test]
    fn brackets_in_strings_and_comments_are_ignored() {
        assert_eq!(found("type A {\n  # {\n  b(c: Int = \"{\"): Int\n}\n"), None);
        assert_eq!(found("type A {\n  \"\"\"\n  {\n  \"\"\"\n  b: Int\n}\n"), None);
    }
}
