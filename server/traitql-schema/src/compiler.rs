//! apollo-compiler's findings in our words.

use apollo_compiler::diagnostic::ToCliReport;
use apollo_compiler::validation::DiagnosticList;
use apollo_compiler::{ExecutableDocument, Schema};

use crate::code;
use crate::diagnostic::Collector;
use crate::source::SourceText;

/// Translates, knowing which files could not be read in full.
#[derive(Default)]
pub(crate) struct Translator {}

impl Translator {
    pub(crate) fn syntax(&mut self, _source: &SourceText, errors: &DiagnosticList, out: &mut Collector) {
        for diagnostic in errors.iter() {
            out.report(code::SYNTAX, diagnostic.error.location(), diagnostic.error.to_string());
        }
    }

    pub(crate) fn schema(&mut self, _schema: &Schema, errors: &DiagnosticList, out: &mut Collector) {
        for diagnostic in errors.iter() {
            out.report(
                code::SCHEMA_OTHER,
                diagnostic.error.location(),
                diagnostic.error.to_string(),
            );
        }
    }

    pub(crate) fn document(
        &mut self,
        _schema: &Schema,
        _document: &ExecutableDocument,
        errors: &DiagnosticList,
        out: &mut Collector,
    ) {
        for diagnostic in errors.iter() {
            out.report(
                code::DOCUMENT_OTHER,
                diagnostic.error.location(),
                diagnostic.error.to_string(),
            );
        }
    }
}
