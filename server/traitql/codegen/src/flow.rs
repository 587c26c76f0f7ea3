//! Breaks long lines of Rust like prettyplease, but without parsing, which takes most of the time of a generator run.
//!
//! The functions insert marks (control characters). [`break_lines`] then applies prettyplease's algorithm
//! (<https://docs.rs/prettyplease>, "Algorithm notes"): a group that does not fit on its line is broken at all of its
//! marks, outer groups first. A long line without marks is left to prettyplease. Debug builds compare the results: see
//! `render`.

/// The maximum length of a line, including its indentation.
const WIDTH: usize = 89;
/// Minimum width of code on a deeply indented line, even beyond [`WIDTH`].
const MIN_SPACE: usize = 60;
const INDENT: usize = 4;
const MAX_INLINE_LITERAL: usize = 34;

/// Starts a group, whose lines are indented if it is broken.
const OPEN: char = '\u{2}';
/// Starts a group without indentation that breaks only where the next part does not fit.
const FILL: char = '\u{3}';
/// Ends a group.
const CLOSE: char = '\u{4}';
/// Breaks the enclosing groups.
const FORCE: char = '\u{5}';
/// Leaves the text to prettyplease.
const UNKNOWN: char = '\u{6}';
/// A possible break that is otherwise empty.
const BREAK: char = '\u{7}';
/// A possible break that is otherwise a space.
const SPACE: char = '\u{8}';
/// A [`BREAK`] that adds a trailing comma.
const LAST: char = '\u{e}';
/// A [`SPACE`] that adds a trailing comma where it breaks.
const LAST_SPACE: char = '\u{f}';
/// The position before the closing delimiter of a group.
const BACK: char = '\u{10}';
/// Start of a match arm's body, where a break adds `{`.
const BODY: char = '\u{11}';
/// End of a match arm's body, where a break adds `}`, and otherwise a comma follows.
const BODY_END: char = '\u{12}';

/// Entries, without the list's brackets.
pub(crate) fn list<T: AsRef<str>>(entries: &[T]) -> String {
    if entries.is_empty() {
        return String::new();
    }
    format!("{OPEN}{BREAK}{}{LAST}{CLOSE}", separated(entries))
}

/// Returns a [`list`] without a trailing comma, which attributes do not have.
pub(crate) fn attributes<T: AsRef<str>>(entries: &[T]) -> String {
    format!("{OPEN}{BREAK}{}{BACK}{CLOSE}", separated(entries))
}

fn separated<T: AsRef<str>>(entries: &[T]) -> String {
    let mut out = String::new();
    for (at, entry) in entries.iter().enumerate() {
        if at > 0 {
            out.push(',');
            out.push(SPACE);
        }
        out += entry.as_ref();
    }
    out
}

/// Fills each line.
pub(crate) fn tokens<T: AsRef<str>>(tokens: &[T]) -> String {
    let tokens = tokens.iter().map(|token| match token.as_ref() {
        literal if literal.starts_with('"') => literal.to_owned(),
        path => path.replace('.', &format!("{BREAK}.")),
    });
    let tokens: Vec<String> = tokens.collect();
    format!(
        "{OPEN}{BREAK}{FILL}{}{CLOSE}{BACK}{CLOSE}",
        tokens.join(&SPACE.to_string())
    )
}

/// Only prettyplease can format such code, for example `vec![…]`.
pub(crate) fn unknown(code: &str) -> String {
    format!("{UNKNOWN}{code}")
}

/// Marks up method calls: `.await`, `.one(violations)?`.
pub(crate) fn chain<T: AsRef<str>>(receiver: &str, calls: &[T]) -> String {
    let mut out = format!("{OPEN}{receiver}");
    for call in calls {
        out.push(BREAK);
        out += call.as_ref();
    }
    out.push(CLOSE);
    out
}

pub(crate) fn literal<T: AsRef<str>>(name: &str, fields: &[T]) -> String {
    if fields.is_empty() {
        return format!("{name} {{}}");
    }
    let fields = separated(fields);
    let force = if width(name) + width(&fields) + " {  ".len() > MAX_INLINE_LITERAL {
        FORCE.to_string()
    } else {
        String::new()
    };
    format!("{OPEN}{force}{name} {{{SPACE}{fields}{LAST_SPACE}{CLOSE}}}")
}

pub(crate) fn arm(pattern: &str, body: &str) -> String {
    format!("{pattern} => {OPEN}{BODY}{body}{BODY_END}{CLOSE}")
}

/// Returns `None` if prettyplease must format the text.
pub(crate) fn break_lines(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    for line in text.trim_end().split('\n') {
        let content = line.trim_start_matches(' ');
        let indent = line.len() - content.len();
        out.push_str(&line[..indent]);
        if is_comment(content) {
            out.push_str(content);
        } else {
            break_line(content, indent, &mut out)?;
        }
        out.push('\n');
    }
    Some(out)
}

/// Leaves each group on one line.
pub(crate) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        if is_comment(line) {
            out.push_str(line);
            continue;
        }
        line.chars().for_each(|c| match c {
            SPACE | LAST_SPACE => out.push(' '),
            BODY_END => out.push(','),
            mark if is_mark(mark) => {}
            c => out.push(c),
        });
    }
    out
}

/// Comments are never broken.
fn is_comment(line: &str) -> bool {
    line.trim_start_matches(' ').starts_with("//")
}

fn space(indent: usize) -> isize {
    WIDTH.saturating_sub(indent).max(MIN_SPACE).cast_signed()
}

/// Does not count the comma after a match arm.
fn width(text: &str) -> usize {
    text.split(is_mark).map(str::len).sum::<usize>() + text.matches([SPACE, LAST_SPACE]).count()
}

fn is_mark(c: char) -> bool {
    matches!(c, OPEN..=SPACE | LAST..=BODY_END)
}

/// Returns the text before the mark, the mark, and the rest.
fn split(text: &str) -> (&str, Option<(char, &str)>) {
    let at = text.find(is_mark).unwrap_or(text.len());
    let (before, rest) = text.split_at(at);
    let mut chars = rest.chars();
    (before, chars.next().map(|mark| (mark, chars.as_str())))
}

struct Group {
    /// `None` if the group is not broken.
    broken: Option<usize>,
    fill: bool,
}

/// Its indentation is already in `out`.
fn break_line(line: &str, mut indent: usize, out: &mut String) -> Option<()> {
    let mut left = space(indent);
    let mut groups: Vec<Group> = Vec::new();
    let mut rest = line;
    loop {
        let (text, next) = split(rest);
        left -= text.len().cast_signed();
        if left < 0 && !is_literal(text) {
            return None;
        }
        out.push_str(text);
        let Some((mark, after)) = next else { return Some(()) };
        rest = after;
        let breaks = groups
            .last()
            .is_some_and(|group| group.broken.is_some() && (!group.fill || is_longer(rest, left - blank(mark), 0)));
        match mark {
            OPEN | FILL => {
                let broken = is_longer(rest, left, 1).then_some(indent);
                let fill = mark == FILL;
                groups.push(Group { broken, fill });
                indent += if broken.is_some() && !fill { INDENT } else { 0 };
            }
            CLOSE => indent = groups.pop()?.broken.unwrap_or(indent),
            UNKNOWN => return None,
            FORCE => {}
            _ if breaks => {
                let (before, after) = match mark {
                    LAST | LAST_SPACE => (",", ""),
                    BODY => ("{", ""),
                    BODY_END => ("", "}"),
                    _ => ("", ""),
                };
                let column = match mark {
                    LAST | LAST_SPACE | BODY_END | BACK => indent - INDENT,
                    _ => indent,
                };
                out.push_str(before);
                out.push('\n');
                out.extend(std::iter::repeat_n(' ', column));
                out.push_str(after);
                left = space(column) - after.len().cast_signed();
            }
            SPACE | LAST_SPACE => {
                out.push(' ');
                left -= blank(mark);
            }
            BODY_END => out.push(','),
            _ => {}
        }
    }
}

fn blank(mark: char) -> isize {
    isize::from(matches!(mark, SPACE | LAST_SPACE))
}

/// True if a text is a single string literal, which cannot be broken.
fn is_literal(text: &str) -> bool {
    text.starts_with('"') && text.trim_end_matches(',').ends_with('"')
}

/// Compares the text up to the next break after `depth` groups.
fn is_longer(mut rest: &str, left: isize, mut depth: usize) -> bool {
    let mut used = 0;
    loop {
        let (text, next) = split(rest);
        used += text.len().cast_signed();
        if used > left {
            return true;
        }
        let Some((mark, after)) = next else { return false };
        rest = after;
        match mark {
            OPEN | FILL => depth += 1,
            CLOSE => depth = depth.saturating_sub(1),
            FORCE if depth > 0 => return true,
            FORCE => {}
            _ if depth == 0 => return false,
            _ => used += blank(mark),
        }
    }
}
