//! Texts and places in them. A place is kept as apollo-compiler gives it (file and byte range) and becomes a path, a line
//! and a column only when a diagnostic is made, because that is the only time people see it.

use std::collections::HashMap;
use std::sync::Arc;

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

impl Span {
    /// The bytes from `start` to before `end`.
    pub(crate) fn new(file: FileId, start: usize, end: usize) -> Self {
        Self { file, start, end }
    }
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
    pub(crate) fn narrowed(self, sources: &Sources, name: &str) -> Self {
        let narrow = |span: Span| {
            let source = sources.files.get(&span.file)?.source_text();
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

    /// Another range of bytes in the same file.
    pub(crate) fn moved(self, start: usize, end: usize) -> Self {
        Self(self.0.map(|span| Span { start, end, ..span }))
    }

    /// Offset of the place in its file, in bytes.
    pub(crate) fn offset(self) -> usize {
        self.0.map_or(0, |span| span.start)
    }

    /// Path of the file.
    pub(crate) fn path<'s>(&self, sources: &'s Sources) -> Option<&'s str> {
        sources.files.get(&self.0?.file)?.path().to_str()
    }
}

impl From<Option<SourceSpan>> for At {
    fn from(span: Option<SourceSpan>) -> Self {
        Self(span.map(Span::from))
    }
}

/// All files, with the beginnings of their lines: a large schema has tens of thousands of places to find.
#[derive(Clone, Default)]
pub(crate) struct Sources {
    files: SourceMap,
    lines: HashMap<FileId, Vec<usize>>,
}

impl Sources {
    /// Makes the places of another set of files known.
    pub(crate) fn add(&mut self, sources: &SourceMap) {
        for (id, file) in sources.iter() {
            self.lines.entry(*id).or_insert_with(|| {
                let breaks = file.source_text().match_indices('\n').map(|(at, _)| at + 1);
                std::iter::once(0).chain(breaks).collect()
            });
        }
        let known = Arc::make_mut(&mut self.files);
        known.extend(sources.iter().map(|(id, file)| (*id, file.clone())));
    }

    /// The files as apollo-compiler keeps them.
    pub(crate) fn files(&self) -> &SourceMap {
        &self.files
    }

    /// Finds a span in its file; only the first line of a longer span is marked.
    pub(crate) fn place(&self, at: At) -> Option<Place> {
        let span = at.0?;
        let file = self.files.get(&span.file)?;
        let text = file.source_text();
        let mut offset = span.start.min(text.len());
        // The end of a file is shown at the end of its last line with something on it.
        if offset > 0 && text.get(offset..)?.trim_start().is_empty() {
            offset = text[..offset].trim_end().len();
        }
        let lines = self.lines.get(&span.file)?;
        let line = lines.partition_point(|start| *start <= offset);
        let line_start = lines[line - 1];
        let line_end = lines.get(line).map_or(text.len(), |next| next - 1);
        let line_text = text[line_start..line_end].trim_end_matches('\r');
        let end = span.end.clamp(offset, (line_start + line_text.len()).max(offset));
        let width = text
            .get(offset..end)
            .map_or(1, |marked| marked.trim_end().chars().count().max(1));
        Some(Place {
            file: file.path().to_string_lossy().into_owned(),
            line,
            column: text.get(line_start..offset)?.chars().count() + 1,
            text: line_text.to_owned(),
            width,
        })
    }

    /// Where a definition stands, for the model.
    pub(crate) fn origin(&self, span: Option<SourceSpan>) -> Origin {
        match self.place(span.into()) {
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
}
