//! Long lines of Rust, broken where prettyplease breaks them, without parsing them: parsing takes most of a generation's time.
//!
//! A text is laid out by whoever writes it, but for lines that may be too long: there the functions below put marks. From those
//! [`laid_out`] decides as prettyplease does (<https://docs.rs/prettyplease>, "Algorithm notes"): a group that does not fit into
//! its line is broken at all of its marks, an outer group before those inside of it. Whatever is too long and has no marks is
//! left to prettyplease. In debug builds each text is compared with what prettyplease makes of it: see `render`.

/// How long a line may be, its indentation included.
const WIDTH: usize = 89;
/// How much may stand in a line that is far to the right.
const LEAST: usize = 60;
const INDENT: usize = 4;
/// How long a struct literal on one line may be.
const LITERAL: usize = 34;

/// Begins a group. Where it is broken, its lines stand further to the right.
const OPEN: char = '\u{2}';
/// Begins one whose lines do not, and that is broken only where a line ends.
const FILL: char = '\u{3}';
/// Ends a group.
const CLOSE: char = '\u{4}';
/// Breaks the groups that it is in, however short.
const FORCE: char = '\u{5}';
/// Leaves the text that it is in to prettyplease.
const UNKNOWN: char = '\u{6}';
/// A break, and one that is a blank otherwise.
const BREAK: char = '\u{7}';
const SPACE: char = '\u{8}';
/// The same behind the last entry of a list.
const LAST: char = '\u{e}';
const LAST_SPACE: char = '\u{f}';
/// A break before what closes a group.
const BACK: char = '\u{10}';
/// Before and behind the body of an arm.
const BODY: char = '\u{11}';
const BODY_END: char = '\u{12}';

/// Entries of a list, for between its brackets.
pub(crate) fn list<T: AsRef<str>>(entries: &[T]) -> String {
    if entries.is_empty() {
        return String::new();
    }
    format!("{OPEN}{BREAK}{}{LAST}{CLOSE}", separated(entries))
}

/// The same in an attribute, where the last entry has no comma.
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

/// What stands between the brackets of a macro, in words: as many of them on a line as fit.
pub(crate) fn words<T: AsRef<str>>(words: &[T]) -> String {
    let words = words.iter().map(|word| match word.as_ref() {
        literal if literal.starts_with('"') => literal.to_owned(),
        path => path.replace('.', &format!("{BREAK}.")),
    });
    let words: Vec<String> = words.collect();
    format!(
        "{OPEN}{BREAK}{FILL}{}{CLOSE}{BACK}{CLOSE}",
        words.join(&SPACE.to_string())
    )
}

/// What only prettyplease lays out, such as code in a macro.
pub(crate) fn unknown(code: &str) -> String {
    format!("{UNKNOWN}{code}")
}

/// Calls of methods: `.await`, `.one(findings)?`. The first line ends with `receiver`.
pub(crate) fn chain<T: AsRef<str>>(receiver: &str, calls: &[T]) -> String {
    let mut out = format!("{OPEN}{receiver}");
    for call in calls {
        out.push(BREAK);
        out += call.as_ref();
    }
    out.push(CLOSE);
    out
}

/// A struct literal.
pub(crate) fn literal<T: AsRef<str>>(name: &str, fields: &[T]) -> String {
    if fields.is_empty() {
        return format!("{name} {{}}");
    }
    let fields = separated(fields);
    let force = match width(name) + width(&fields) + " {  ".len() > LITERAL {
        true => FORCE.to_string(),
        false => String::new(),
    };
    format!("{OPEN}{force}{name} {{{SPACE}{fields}{LAST_SPACE}{CLOSE}}}")
}

/// An arm of a `match`, without the end of its line.
pub(crate) fn arm(pattern: &str, body: &str) -> String {
    format!("{pattern} => {OPEN}{BODY}{body}{BODY_END}{CLOSE}")
}

/// The text with its long lines broken; `None` where that takes more than marks tell.
pub(crate) fn laid_out(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    for line in text.trim_end().split('\n') {
        let content = line.trim_start_matches(' ');
        let indent = line.len() - content.len();
        out.push_str(&line[..indent]);
        if is_comment(content) {
            out.push_str(content);
        } else {
            marked(content, indent, &mut out)?;
        }
        out.push('\n');
    }
    Some(out)
}

/// The text without marks, each group on one line.
pub(crate) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        match is_comment(line) {
            true => out.push_str(line),
            false => line.chars().for_each(|letter| match letter {
                SPACE | LAST_SPACE => out.push(' '),
                BODY_END => out.push(','),
                mark if is_mark(mark) => {}
                letter => out.push(letter),
            }),
        }
    }
    out
}

/// Whether a line is a comment: those are as long as they are.
fn is_comment(line: &str) -> bool {
    line.trim_start_matches(' ').starts_with("//")
}

/// What is left of a line behind its indentation.
fn space(indent: usize) -> isize {
    WIDTH.saturating_sub(indent).max(LEAST).cast_signed()
}

/// How wide a text is where nothing is broken. The comma behind an arm does not count.
fn width(text: &str) -> usize {
    text.split(is_mark).map(str::len).sum::<usize>() + text.matches([SPACE, LAST_SPACE]).count()
}

fn is_mark(letter: char) -> bool {
    matches!(letter, OPEN..=SPACE | LAST..=BODY_END)
}

/// The text before the first mark, and the mark with what follows it.
fn split(text: &str) -> (&str, Option<(char, &str)>) {
    let at = text.find(is_mark).unwrap_or(text.len());
    let (before, rest) = text.split_at(at);
    let mut letters = rest.chars();
    (before, letters.next().map(|mark| (mark, letters.as_str())))
}

/// A group that is being written.
struct Group {
    /// The indentation around it, if it is broken.
    broken: Option<usize>,
    fill: bool,
}

/// Lays out one line behind its indentation.
fn marked(line: &str, mut indent: usize, out: &mut String) -> Option<()> {
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
        let Some((mark, behind)) = next else { return Some(()) };
        rest = behind;
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

/// How wide a break is that is none.
fn blank(mark: char) -> isize {
    isize::from(matches!(mark, SPACE | LAST_SPACE))
}

/// Whether a text is one literal, which is as long as it is.
fn is_literal(text: &str) -> bool {
    text.starts_with('"') && text.trim_end_matches(',').ends_with('"')
}

/// Whether more than `left` is needed up to the end of `depth` groups, and from there to the next break.
fn is_longer(mut rest: &str, left: isize, mut depth: usize) -> bool {
    let mut used = 0;
    loop {
        let (text, next) = split(rest);
        used += text.len().cast_signed();
        if used > left {
            return true;
        }
        let Some((mark, behind)) = next else { return false };
        rest = behind;
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
