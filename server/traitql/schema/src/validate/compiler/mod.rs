//! Reports the findings of apollo-compiler with a stable code, the narrowest span, and help.
//!
//! apollo-compiler does not expose the data of a finding, so [`rules`] takes names from its sentences.
//!
//! Findings about names in a file with a syntax error are suppressed, because it may lack definitions.

mod brackets;
mod conflicts;
mod input_cycles;
mod own;
mod rules;
mod suppression;
mod syntax;

use std::collections::HashSet;

use apollo_compiler::diagnostic::ToCliReport;
use apollo_compiler::parser::SourceSpan;
use apollo_compiler::validation::{DiagnosticData, DiagnosticList};
use apollo_compiler::{ExecutableDocument, Schema};

use crate::diagnostics::code::{self, Code};
use crate::diagnostics::diagnostic::Collector;
use crate::parse::source::{Location, SourceText, Sources};

struct Finding {
    code: Code,
    message: String,
    mark: String,
    /// The missing name, or `null`, by which [`suppression`] recognizes consequences.
    about: String,
    help: Vec<String>,
    notes: Vec<(Option<SourceSpan>, String)>,
}

impl Finding {
    fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            mark: String::new(),
            about: String::new(),
            help: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Underlines the last name of a coordinate.
    fn mark(mut self, coordinate: &str) -> Self {
        let name = coordinate.rsplit('.').next().unwrap_or_default();
        self.mark = name.trim_start_matches('@').to_owned();
        self
    }

    fn about(mut self, name: &str) -> Self {
        self.about = name.to_owned();
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
    /// The names in files with syntax errors, and of unknown types: findings about them are consequences.
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

    pub(crate) fn schema(&mut self, schema: &Schema, errors: &DiagnosticList, out: &mut Collector) {
        let mut unknown = Vec::new();
        for diagnostic in errors.iter() {
            if self.may_follow_from_syntax_error(diagnostic.error, out) {
                continue;
            }
            let text = snippet(out.sources(), diagnostic.error.location());
            if let Some(finding) = rules::finding(schema, None, diagnostic.error, text) {
                if finding.code == code::UNKNOWN_TYPE {
                    unknown.push(finding.mark.clone());
                }
                finding.report(diagnostic.error.location(), out);
            }
        }
        // Only now, because every place that uses an unknown type is reported.
        self.mentioned.extend(unknown);
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
                let finding = rules::finding(schema, Some(document), diagnostic.error, text)?;
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
            .trim_matches(['@', '$', '[', ']', '!']);
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

/// Returns the name of a selected field, without its alias.
fn field_name(selection: &str) -> &str {
    let first = leading_name(selection);
    match selection[first.len()..].trim_start().strip_prefix(':') {
        Some(rest) => leading_name(rest.trim_start()),
        None => first,
    }
}

fn quoted(message: &str) -> Vec<&str> {
    message.split('`').skip(1).step_by(2).collect()
}

#[cfg(test)]
thread_local! {
    static SEEN: std::cell::RefCell<std::collections::BTreeSet<String>> = const {
        std::cell::RefCell::new(std::collections::BTreeSet::new())
    };
}

#[cfg(test)]
fn record(table: &str, entry: &str) {
    SEEN.with_borrow_mut(|seen| seen.insert(format!("{table}{entry}")));
}

/// Checks that the examples of the explanations and the fixtures use each entry of a table, and nothing else.
#[cfg(test)]
fn check_table(table: &str, entries: impl Iterator<Item = String>) {
    use crate::support;

    for code in Code::all() {
        if let Some(examples) = code.explanation().examples {
            let (schema, documents, options) = support::example(examples.wrong, examples.schema);
            let _ = crate::load(&schema, &documents, &options);
        }
    }
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/invalid");
    for entry in std::fs::read_dir(folder).expect("the fixtures exist") {
        let path = entry.expect("a readable folder").path();
        if path.extension().is_some_and(|extension| extension == "graphql") {
            let text = std::fs::read_to_string(path).expect("a readable fixture");
            let (schema, documents) = support::split(&text);
            let _ = crate::load(&schema, &documents, &support::options(&text));
        }
    }
    let known = entries.map(|entry| format!("{table}{entry}")).collect();
    SEEN.with_borrow(|seen| {
        let seen = seen.iter().filter(|entry| entry.starts_with(table)).cloned().collect();
        let unused: Vec<_> = std::collections::BTreeSet::difference(&known, &seen).collect();
        let unknown: Vec<_> = seen.difference(&known).collect();
        assert!(
            unused.is_empty() && unknown.is_empty(),
            "apollo-rs has changed its messages: correct the sentences of the table, or add an example to an \
             explanation or to `tests/fixtures/invalid`\nno example has: {unused:#?}\nnot in the table: {unknown:#?}"
        );
    });
}
