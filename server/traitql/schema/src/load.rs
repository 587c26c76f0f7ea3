use apollo_compiler::ast::{self, Definition, Document};
use apollo_compiler::parser::Parser;
use apollo_compiler::validation::{DiagnosticList, Valid};
use apollo_compiler::{ExecutableDocument, Schema};

use crate::diagnostics::code::{self, Code};
use crate::diagnostics::diagnostic::{Collector, Report};
use crate::diff::release_compat::CurrentSchema;
use crate::diff::releases;
use crate::lower;
use crate::lower::{operations, selections};
use crate::model::Model;
use crate::options::Options;
use crate::parse::missing_values;
use crate::parse::source::{Location, SourceText};
use crate::sdl;
use crate::validate::compiler::Translator;
use crate::validate::{extra_validation, nesting, operation_files, size, typescript_names, unused_fragments, usage};

/// Loads a schema and the operations of its clients.
///
/// The order of the files does not matter. Ignores violations that `options` allow.
///
/// # Errors
/// All problems, those of the schema first, sorted by file, line and column.
pub fn load(schema: &[SourceText], documents: &[SourceText], options: &Options) -> Result<Model, Report> {
    parse_schema(schema)?.model(documents, options)
}

/// Like [`load`], for a schema that was not written for traitql: also allows all conventions that the input
/// violates, but those about access only with [`Options::with_open_access`]. Returns the model and the extended options.
///
/// # Errors
/// All other problems, those of the schema first, sorted by file, line and column.
pub fn load_lenient(
    schema: &[SourceText],
    documents: &[SourceText],
    options: &Options,
) -> Result<(Model, Options), Report> {
    let parsed = parse_schema(schema)?;
    let mut options = options.clone();
    loop {
        let report = match parsed.model(documents, &options) {
            Ok(model) => return Ok((model, options)),
            Err(report) => report,
        };
        let codes = report.diagnostics().iter().map(|problem| problem.code);
        let broken: Vec<Code> = codes
            .filter(|code| options.may_permit(*code) && !options.allows(*code))
            .collect();
        // Allowing a convention can reveal further violations. If none is left, the remaining problems are errors.
        if broken.is_empty() {
            return Err(report);
        }
        options = options.permitting(broken);
    }
}

/// The parsed and validated files of a schema, before traitql's own rules are applied.
struct ParsedSchema {
    schema: Valid<Schema>,
    translator: Translator,
    out: Collector,
}

fn parse_schema(schema: &[SourceText]) -> Result<ParsedSchema, Report> {
    let mut out = Collector::new(schema.iter().map(|source| source.path.clone()));
    let mut translator = Translator::default();
    if schema.is_empty() {
        out.report(code::NO_SCHEMA, Location::NOWHERE, "there is no schema file")
            .help("`schema` in codegen.yml matches no file");
        // Without a schema, all further problems are consequences.
        return Err(out.finish());
    }

    for source in sorted(schema).iter().filter(|source| source.is_blank()) {
        let message = format!("{} contains no definition", source.path);
        out.report_file(code::EMPTY_DOCUMENT, &source.path, message)
            .help("add one, or remove the file");
    }

    // The schema builder checks the kind of an extension only against definitions that it has already seen.
    let (mut definitions, mut extensions) = (Vec::new(), Vec::new());
    let parsed = parse(schema, &mut translator, &mut out);
    for (source, document) in sorted(schema).iter().zip(parsed) {
        if !translator.is_broken(&source.path) && missing_values::check(source, &document, &mut out) {
            translator.mark_broken(source);
        }
        let mut extending = document.clone();
        extending.definitions.retain(Definition::is_extension_definition);
        extensions.push(extending);
        let mut defining = document;
        defining
            .definitions
            .retain(|definition| !definition.is_extension_definition());
        definitions.push(defining);
    }
    let documents_of_schema = definitions.iter().chain(&extensions);
    let builder = documents_of_schema.fold(Schema::builder(), |builder, document| builder.add_ast(document));
    let built = match builder.build() {
        Ok(built) => built,
        Err(failed) => {
            translator.schema(&failed.partial, &failed.errors, &mut out);
            failed.partial
        }
    };
    let valid = match built.validate() {
        Ok(valid) => valid,
        Err(failed) => {
            translator.schema(&failed.partial, &failed.errors, &mut out);
            Valid::assume_valid(failed.partial)
        }
    };
    Ok(ParsedSchema {
        schema: valid,
        translator,
        out,
    })
}

impl ParsedSchema {
    fn model(&self, documents: &[SourceText], options: &Options) -> Result<Model, Report> {
        let (valid, mut translator, mut out) = (&self.schema, self.translator.clone(), self.out.clone());
        let before = out.len();
        let lowered = lower::lower(valid, options, &mut out);
        out.retain_from(before, |found| !translator.is_unreliable(found.file(), &found.message));

        // Release compatibility can only be judged for a valid schema.
        out.retain_from(0, |found| !is_allowed(found.code, options));
        let releases = if out.is_empty() {
            releases::check(valid, CurrentSchema::of_lowered(&lowered), options.releases(), &mut out)
        } else {
            Vec::new()
        };

        let asts = parse(documents, &mut translator, &mut out);
        for (source, ast) in sorted(documents).iter().zip(&asts) {
            if translator.is_broken(&source.path) {
                continue;
            }
            if missing_values::check(source, ast, &mut out) {
                translator.mark_broken(source);
                continue;
            }
            operation_files::check(source, ast, options, &mut out);
        }
        let before = out.len();
        usage::check(&asts, &mut out);
        out.retain_from(before, |found| !translator.is_unreliable(found.file(), &found.message));
        typescript_names::check(valid, &asts, &mut out);
        if !size::check(&asts, &mut out) {
            out.retain_from(0, |found| !is_allowed(found.code, options));
            return Err(out.finish());
        }
        let mut errors = DiagnosticList::new(Default::default());
        let mut builder = ExecutableDocument::builder(Some(valid), &mut errors);
        for ast in &asts {
            builder.add_ast_document(ast, true);
        }
        let mut document = builder.build();
        remove_null_defaults(&mut document);
        translator.document(valid, &document, &errors, &mut out);
        if let Some(made) = unused_fragments::document(&document)
            && let Err(failed) = made.validate(valid)
        {
            translator.document(valid, &failed.partial, &failed.errors, &mut out);
        }
        let document = match document.validate(valid) {
            Ok(document) => document.into_inner(),
            Err(failed) => {
                translator.document(valid, &failed.partial, &failed.errors, &mut out);
                failed.partial
            }
        };
        if out.is_empty() {
            lower::check_constants(valid, &document, &mut out);
        }
        out.retain_from(0, |found| !is_allowed(found.code, options));
        if !out.is_empty() {
            return Err(out.finish());
        }
        let operations = operations::lower(&document, &asts, &lowered.types, &out);
        let fragments = selections::fragments(&document, &out);
        Ok(Model {
            sdl: sdl::schema(valid),
            types: lowered.types,
            query: lowered.query,
            mutation: lowered.mutation,
            subscription: lowered.subscription,
            role_enum: lowered.role_enum,
            error_enum: lowered.error_enum,
            errors: lowered.errors,
            subjects: lowered.subjects,
            directives: lowered.directives,
            operations,
            fragments,
            releases,
            auto_renamed: lowered.renamed,
        })
    }
}

/// A missing access directive is only reported if it may not be allowed.
fn is_allowed(code: Code, options: &Options) -> bool {
    options.allows(code) && code != code::ACCESS_MISSING
}

/// Removes null defaults of variables, because apollo-compiler treats any default as a guarantee that the variable is
/// not null (specification 5.8.5).
fn remove_null_defaults(document: &mut ExecutableDocument) {
    let operations = document
        .operations
        .anonymous
        .iter_mut()
        .chain(document.operations.named.values_mut());
    for operation in operations {
        let has_null =
            |variable: &ast::VariableDefinition| variable.default_value.as_ref().is_some_and(|value| value.is_null());
        if !operation.variables.iter().any(|variable| has_null(variable)) {
            continue;
        }
        for variable in &mut operation.make_mut().variables {
            if has_null(variable) {
                variable.make_mut().default_value = None;
            }
        }
    }
}

fn sorted(sources: &[SourceText]) -> Vec<&SourceText> {
    let mut sources: Vec<_> = sources.iter().collect();
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    sources
}

/// Parses files in the order of their paths, as far as their syntax is correct.
fn parse(sources: &[SourceText], translator: &mut Translator, out: &mut Collector) -> Vec<Document> {
    let mut documents = Vec::new();
    for source in sorted(sources) {
        // Files without definitions have their own diagnostic.

        if source.is_blank() {
            documents.push(Document::new());
            continue;
        }
        match Parser::new().parse_ast(&*source.text, &source.path) {
            Ok(document) => {
                out.add_sources(&document.sources);
                if nesting::check(&document, out) {
                    extra_validation::check(&document, out);
                    documents.push(document);
                } else {
                    translator.mark_broken(source);
                    documents.push(Document::new());
                }
            }
            Err(failed) => {
                out.add_sources(&failed.partial.sources);
                translator.syntax(source, &failed.errors, out);
                documents.push(failed.partial);
            }
        }
    }
    documents
}
