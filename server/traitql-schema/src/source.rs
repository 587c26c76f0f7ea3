//! Texts and places in them. A place is kept as apollo-compiler gives it (file and byte range) and becomes a path, a line
//! and a column only when a diagnostic is made, because that is the only time people see it.

use apollo_compiler::parser::{FileId, SourceMap, SourceSpan};

use crate::model::Origin;

/// A schema or operation file, already read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceText {
    /// Path to show in messages, with `/` between its parts.
    pub path: String,
    /// Everything in the file.
    pub text: String,
}

impl SourceText {
    /// A file with its text.
    pub fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            text: text.into(),
        }
    }
}

impl SourceText {
    /// Whether there is nothing to read but blanks, commas and comments.
    pub(crate) fn is_blank(&self) -> bool {
        let text = self.text.trim_start_matches('\u{feff}');
        text.lines().all(|line| {
            line.split('#')
                .next()
                .unwrap_or_default()
                .trim_matches([' ', '\t', ',', '\r'])
                .is_empty()
        })
    }
}

/// A place in a file as people see it: lines and columns from 1, columns in characters.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) file: String,
    pub(crate) line: usize,
    pub(crate) column: usize,
    /// The source line, without its line break.
    pub(crate) text: String,
    /// How many characters of the line are meant; at least 1.
    pub(crate) width: usize,
}

/// A range of bytes in a file; unlike apollo-compiler's, it can be narrowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    file: FileId,
    start: usize,
    end: usize,
}

impl From<SourceSpan> for Span {
    fn from(span: SourceSpan) -> Self {
        Self {
            file: span.file_id(),
            start: span.offset(),
            end: span.end_offset(),
        }
    }
}

/// Where a problem is; nowhere for problems of the whole project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct At(pub(crate) Option<Span>);

impl At {
    pub(crate) const NOWHERE: At = At(None);

    /// The first whole word `name` within the span, or the last one before it on its line (the library marks the value of a
    /// field that nobody knows), or the span itself where the word does not occur.
    pub(crate) fn narrowed(self, sources: &SourceMap, name: &str) -> Self {
        let narrow = |span: Span| {
            let source = sources.get(&span.file)?.source_text();
            let line_start = source.get(..span.start)?.rfind('\n').map_or(0, |at| at + 1);
            let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
            let is_whole =
                |text: &str, at: usize| !text[..at].ends_with(is_part) && !text[at + name.len()..].starts_with(is_part);
            let inside = source.get(span.start..span.end)?;
            let before = &source[line_start..span.start];
            let within = inside.match_indices(name).find(|(at, _)| is_whole(inside, *at));
            let start = match within {
                Some((at, _)) => span.start + at,
                None => line_start + before.rmatch_indices(name).find(|(at, _)| is_whole(before, *at))?.0,
            };
            Some(Span {
                start,
                end: start + name.len(),
                ..span
            })
        };
        match self.0.filter(|_| !name.is_empty()) {
            Some(span) => Self(Some(narrow(span).unwrap_or(span))),
            None => self,
        }
    }

    /// Path of the file.
    pub(crate) fn path<'s>(&self, sources: &'s SourceMap) -> Option<&'s str> {
        sources.get(&self.0?.file)?.path().to_str()
    }
}

impl From<Option<SourceSpan>> for At {
    fn from(span: Option<SourceSpan>) -> Self {
        Self(span.map(Span::from))
    }
}

/// Finds a span in its file; only the first line of a longer span is marked.
pub(crate) fn place(sources: &SourceMap, at: At) -> Option<Place> {
    let span = at.0?;
    let file = sources.get(&span.file)?;
    let text = file.source_text();
    // The end of a file is shown at the end of its last line with something on it.
    let mut offset = span.start.min(text.len());
    if offset > 0 && text[offset..].trim().is_empty() {
        offset = text[..offset].trim_end().len();
    }
    let before = text.get(..offset)?;
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let line_end = text[offset..].find('\n').map_or(text.len(), |at| offset + at);
    let line_text = text[line_start..line_end].trim_end_matches('\r');
    let end = span.end.clamp(offset, (line_start + line_text.len()).max(offset));
    let width = text
        .get(offset..end)
        .map_or(1, |marked| marked.trim_end().chars().count().max(1));
    Some(Place {
        file: file.path().to_string_lossy().into_owned(),
        line: before.matches('\n').count() + 1,
        column: text[line_start..offset].chars().count() + 1,
        text: line_text.to_owned(),
        width,
    })
}

/// Where a definition stands, for the model.
pub(crate) fn origin(sources: &SourceMap, span: Option<SourceSpan>) -> Origin {
    match place(sources, span.into()) {
        Some(place) => Origin {
            file: place.file,
            line: place.line,
        },
        None => Origin {
            file: String::new(),
            line: 0,
        },
    }
}
