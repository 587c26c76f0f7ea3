//! Texts and places in them. A place is kept as apollo-compiler gives it (file and byte range) and becomes a path, a line
//! and a column only when a diagnostic is made, because that is the only time people see it.

use apollo_compiler::parser::{SourceMap, SourceSpan};

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

/// Finds a span in its file; only the first line of a longer span is marked.
pub(crate) fn place(sources: &SourceMap, span: SourceSpan) -> Option<Place> {
    let file = sources.get(&span.file_id())?;
    let text = file.source_text();
    let offset = span.offset().min(text.len());
    let before = text.get(..offset)?;
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let line_end = text[offset..].find('\n').map_or(text.len(), |at| offset + at);
    let line_text = text[line_start..line_end].trim_end_matches('\r');
    let end = span
        .end_offset()
        .clamp(offset, line_start + line_text.len().max(offset - line_start));
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
    match span.and_then(|span| place(sources, span)) {
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
