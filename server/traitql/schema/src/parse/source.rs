//! Source texts and spans. Spans are resolved to path, line and column only for a diagnostic.

use std::collections::HashMap;
use std::sync::Arc;

use apollo_compiler::parser::{FileId, SourceMap, SourceSpan};

use crate::model::Origin;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceText {
    /// Path for diagnostics, separated by `/`.
    pub path: String,
    pub text: String,
}

impl SourceText {
    pub fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            text: text.into(),
        }
    }

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

/// Line and column start at 1 and count characters.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ResolvedSpan {
    pub(crate) file: String,
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) text: String,
    /// Number of marked characters; at least 1.
    pub(crate) width: usize,
}

/// A span that can be narrowed, which apollo-compiler's cannot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    file: FileId,
    start: usize,
    end: usize,
}

impl Span {
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

/// `NOWHERE` for problems of the whole project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Location(pub(crate) Option<Span>);

impl Location {
    pub(crate) const NOWHERE: Location = Location(None);

    /// Narrows the span to the first whole word `name`, or to the last one before it on the same line, because
    /// apollo-compiler marks the value of an unknown field.
    pub(crate) fn narrowed(self, sources: &Sources, name: &str) -> Self {
        let narrow = |span: Span| {
            let source = sources.files.get(&span.file)?.source_text();
            let line_start = source.get(..span.start)?.rfind('\n').map_or(0, |at| at + 1);
            let is_part = |ch: char| ch.is_ascii_alphanumeric() || ch == '_';
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

    pub(crate) fn moved(self, start: usize, end: usize) -> Self {
        Self(self.0.map(|span| Span { start, end, ..span }))
    }

    pub(crate) fn offset(self) -> usize {
        self.0.map_or(0, |span| span.start)
    }

    pub(crate) fn path<'s>(&self, sources: &'s Sources) -> Option<&'s str> {
        sources.files.get(&self.0?.file)?.path().to_str()
    }
}

impl From<Option<SourceSpan>> for Location {
    fn from(span: Option<SourceSpan>) -> Self {
        Self(span.map(Span::from))
    }
}

/// A large schema has tens of thousands of spans to resolve.
#[derive(Clone, Default)]
pub(crate) struct Sources {
    files: SourceMap,
    lines: HashMap<FileId, Vec<usize>>,
}

impl Sources {
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

    pub(crate) fn files(&self) -> &SourceMap {
        &self.files
    }

    /// Marks only the first of several lines.
    pub(crate) fn resolve(&self, at: Location) -> Option<ResolvedSpan> {
        let span = at.0?;
        let file = self.files.get(&span.file)?;
        let text = file.source_text();
        let mut offset = span.start.min(text.len());
        // The end of a file is marked at the end of its last non-blank line.
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
        Some(ResolvedSpan {
            file: file.path().to_string_lossy().into_owned(),
            line,
            column: text.get(line_start..offset)?.chars().count() + 1,
            text: line_text.to_owned(),
            width,
        })
    }

    pub(crate) fn origin(&self, span: Option<SourceSpan>) -> Origin {
        match self.resolve(span.into()) {
            Some(span) => Origin {
                file: span.file,
                line: span.line,
            },
            None => Origin {
                file: String::new(),
                line: 0,
            },
        }
    }
}
