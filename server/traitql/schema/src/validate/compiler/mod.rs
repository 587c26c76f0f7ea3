//! Rewords the findings of apollo-compiler: a stable code, the narrowest span, and help.
//!
//! This module parses the names in backticks of its messages. The fixtures in `tests/fixtures/invalid` fail if a
//! message changes.
//!
//! Findings about names in a file with a syntax error are suppressed, because it may lack definitions.

mod brackets;
mod conflicts;
mod documents;
mod input_cycles;
mod parse_hints;
mod schema;
mod shared;
mod suppression;
mod syntax;
mod top_level;
mod unexpected_characters;

use std::collections::HashSet;

use apollo_compiler::diagnostic::ToCliReport;
use apollo_compiler::parser::SourceSpan;
use apollo_compiler::validation::{DiagnosticData, DiagnosticList};
use apollo_compiler::{ExecutableDocument, Schema};

use crate::diagnostics::code::Code;
use crate::diagnostics::diagnostic::Collector;
use crate::parse::source::{Location, SourceText, Sources};

struct Finding {
    code: Code,
    message: String,
    mark: String,
    help: Vec<String>,
    notes: Vec<(Option<SourceSpan>, String)>,
}

impl Finding {
    fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            mark: String::new(),
            help: Vec::new(),
            notes: Vec::new(),
        }
    }

    fn mark(mut self, name: &str) -> Self {
        self.mark = name.trim_start_matches('@').to_owned();
        self
    }

    fn help(mut self, text: impl Into<String>) -> Self {
        self.help.push(text.into());
        self
    }

    fn note(mut self, at: Option<SourceSpan>, text: impl Into<String>) -> Self {
        self.notes.push((at, text.into()));
        self
    }

    fn report(self, at: Option<SourceSpan>, out: &mut Collector) {
        let at = Location::from(at).narrowed(out.sources(), &self.mark);
        let mut draft = out.report(self.code, at, self.message);
        for (at, text) in self.notes {
            draft = draft.note(at, text);
        }
        for help in self.help {
            draft = draft.help(help);
        }
    }
}

/// Knows the files that could not be parsed completely.
#[derive(Clone, Default)]
pub(crate) struct Translator {
    broken_files: HashSet<String>,
    /// The names in files with syntax errors.
    mentioned: HashSet<String>,
}

impl Translator {
    pub(crate) fn syntax(&mut self, source: &SourceText, errors: &DiagnosticList, out: &mut Collector) {
        self.mark_broken(source);
        syntax::report(source, errors, out);
    }

    pub(crate) fn mark_broken(&mut self, source: &SourceText) {
        self.broken_files.insert(source.path.clone());
        let is_part = |ch: char| ch.is_ascii_alphanumeric() || ch == '_';
        self.mentioned
            .extend(source.text.split(|ch| !is_part(ch)).map(str::to_owned));
    }

    pub(crate) fn is_broken(&self, path: &str) -> bool {
        self.broken_files.contains(path)
    }

    pub(crate) fn schema(&self, schema: &Schema, errors: &DiagnosticList, out: &mut Collector) {
        for diagnostic in errors.iter() {
            if self.may_follow_from_syntax_error(diagnostic.error, out) {
                continue;
            }
            let text = snippet(out.sources(), diagnostic.error.location());
            if let Some(finding) = schema::finding(schema, diagnostic.error, text) {
                finding.report(diagnostic.error.location(), out);
            }
        }
    }

    pub(crate) fn document(
        &self,
        schema: &Schema,
        document: &ExecutableDocument,
        errors: &DiagnosticList,
        out: &mut Collector,
    ) {
        let findings: Vec<_> = errors
            .iter()
            .filter(|diagnostic| {
                diagnostic.error.location().is_some() && !self.may_follow_from_syntax_error(diagnostic.error, out)
            })
            .filter_map(|diagnostic| {
                let text = snippet(out.sources(), diagnostic.error.location());
                let finding = documents::finding(schema, document, diagnostic.error, text)?;
                Some((finding, diagnostic.error.location()))
            })
            .collect();
        for (finding, at) in suppression::without_consequences(findings, out) {
            finding.report(at, out);
        }
    }

    /// A missing root may be defined after the error.
    fn may_follow_from_syntax_error(&self, error: &DiagnosticData, out: &Collector) -> bool {
        let at = Location::from(error.location());
        let file = at.path(out.sources());
        let is_root = error.unstable_error_name() == Some("UndefinedRootOperation");
        !self.broken_files.is_empty() && (is_root || file.is_none() || self.is_unreliable(file, &error.to_string()))
    }

    pub(crate) fn is_unreliable(&self, file: Option<&str>, message: &str) -> bool {
        let in_broken_file = file.is_some_and(|file| self.broken_files.contains(file));
        in_broken_file || quoted(message).iter().any(|name| self.is_mentioned(name))
    }

    fn is_mentioned(&self, name: &str) -> bool {
        let name = name.split('(').next().unwrap_or_default();
        let name = name
            .rsplit('.')
            .next()
            .unwrap_or_default()
            .trim_start_matches(['@', '$']);
        self.mentioned.contains(name)
    }
}

fn snippet(sources: &Sources, at: Option<SourceSpan>) -> &str {
    let file = at.and_then(|at| Some((sources.files().get(&at.file_id())?, at)));
    file.and_then(|(file, at)| file.source_text().get(at.offset()..at.end_offset()))
        .unwrap_or_default()
}

fn leading_name(text: &str) -> &str {
    let end = text.find(|ch: char| !ch.is_ascii_alphanumeric() && ch != '_');
    &text[..end.unwrap_or(text.len())]
}

/// Ignores its arguments.
fn type_in(definition: &str) -> &str {
    let rest = match (definition.find('('), definition.find(':'), definition.rfind("):")) {
        (Some(open), Some(colon), Some(close)) if open < colon => &definition[close + 2..],
        (_, Some(colon), _) => &definition[colon + 1..],
        _ => "",
    };
    leading_name(rest.trim_start_matches([' ', '[', '\n']))
}

fn quoted(message: &str) -> Vec<&str> {
    message.split('`').skip(1).step_by(2).collect()
}

struct FindingMessage {
    text: String,
}

impl FindingMessage {
    fn of(error: &DiagnosticData) -> Self {
        Self {
            text: error.to_string(),
        }
    }

    fn name(&self, index: usize) -> &str {
        quoted(&self.text).get(index).copied().unwrap_or_default()
    }

    fn starts_with(&self, text: &str) -> bool {
        self.text.starts_with(text)
    }

    fn contains(&self, text: &str) -> bool {
        self.text.contains(text)
    }
}
