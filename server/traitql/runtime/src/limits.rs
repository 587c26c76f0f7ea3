//! Checks ad-hoc documents before an engine sees them.
//!
//! A document of one kilobyte can request a billion fields: by fragments that spread each other twice, nested lists, or
//! ten thousand nested braces. Each check only runs on documents for which it is safe:
//!
//! 1. size in bytes, tokens and nesting, which bound the parser;
//! 2. the shape (`limits/shape.rs`): the expanded size, without expanding it;
//! 3. validation by apollo-compiler, and rules that it does not check (`limits/extra_validation.rs`);
//! 4. the cost by `@cost` (`limits/cost.rs`) against a budget.
//!
//! Accepted documents are cached (`limits/cache.rs`). Production serves trusted documents only.

mod cache;
mod cost;
mod extra_validation;
mod shape;

use std::{
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use apollo_compiler::{
    ExecutableDocument, Schema, ast,
    executable::{Operation, OperationType},
    introspection,
    parser::Parser,
    validation::{DiagnosticList, Valid},
};

use self::{cache::Cache, cost::Costs};
use crate::{
    documents::hash,
    engine::{Document, OperationKind, schema_index},
};

/// Limits of an ad-hoc document. Counts include expanded fragments.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Maximum bytes of the text.
    pub bytes: usize,
    /// Maximum tokens as counted by apollo-parser, with whitespace and comments.
    pub tokens: usize,
    /// Maximum nesting of braces and brackets in the parser.
    pub recursion: usize,
    /// Maximum nesting of fields; a root field has depth 1.
    pub depth: u32,
    /// Maximum fields and fragments of an operation.
    pub selections: u64,
    /// Maximum root fields of an operation.
    pub root_fields: u64,
    /// Maximum aliases.
    pub aliases: u64,
    /// Maximum directives.
    pub directives: u64,
    /// Maximum cost by `@cost`.
    pub cost: u64,
}

impl Default for Limits {
    /// Allows the introspection query of graphql-js (depth 15).
    fn default() -> Self {
        Self {
            bytes: 32 * 1024,
            tokens: 2_000,
            recursion: 64,
            depth: 15,
            selections: 2_000,
            root_fields: 20,
            aliases: 30,
            directives: 50,
            cost: 5_000,
        }
    }
}

/// The reason why an ad-hoc document was rejected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rejection {
    /// The document is invalid.
    Invalid(Vec<Finding>),
    /// The document exceeds the named one of the [`Limits`].
    TooLarge(String),
    /// Valid but too expensive.
    TooCostly {
        /// Cost of the document.
        cost: u64,
        /// Maximum cost.
        limit: u64,
    },
}

/// One error of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// A sentence that describes the error.
    pub problem: String,
    /// Lines and columns, starting at 1.
    pub locations: Vec<(usize, usize)>,
}

impl Rejection {
    fn invalid(problem: impl Into<String>) -> Self {
        Self::Invalid(vec![Finding {
            problem: problem.into(),
            locations: Vec::new(),
        }])
    }

    /// `problem` lacks its period.
    fn too_large(limit: &str, problem: &str) -> Self {
        Self::TooLarge(format!("{problem} (`Limits::{limit}`)."))
    }
}

/// A hostile document can have thousands.
const MAX_FINDINGS: usize = 10;

const MAX_CACHED_DOCUMENTS: usize = 500;
const MAX_CACHED_BYTES: u64 = 4 * 1024 * 1024;

/// Checks ad-hoc documents against one schema.
pub struct AdHoc {
    schema: Valid<Schema>,
    costs: Costs,
    limits: Limits,
    cache: Cache,
}

impl fmt::Debug for AdHoc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AdHoc")
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

impl AdHoc {
    /// Parses the schema. The error is for its author.
    pub fn new(sdl: &str, limits: Limits) -> Result<Self, String> {
        let schema = schema_index::parse(sdl)?;
        let costs = Costs::new(&schema);
        let cache = cache::new(MAX_CACHED_DOCUMENTS, MAX_CACHED_BYTES);
        Ok(Self {
            schema,
            costs,
            limits,
            cache,
        })
    }

    /// Checks a text and returns the document for one of its operations.
    pub fn check(&self, text: &str, operation_name: Option<&str>) -> Result<Arc<Document>, Rejection> {
        if text.len() > self.limits.bytes {
            let problem = format!("it is longer than {} bytes", self.limits.bytes);
            return Err(Rejection::too_large("bytes", &problem));
        }
        let key = (hash(text), operation_name.map(str::to_owned));
        self.cache.get_or_insert_with(&key, || {
            // Third-party code that processes untrusted text: a panic is a rejection.
            catch_unwind(AssertUnwindSafe(|| self.validate(text, operation_name, &key.0)))
                .unwrap_or_else(|_| Err(Rejection::invalid("it could not be validated.")))
                .map(Arc::new)
        })
    }

    fn validate(&self, text: &str, operation_name: Option<&str>, hash: &str) -> Result<Document, Rejection> {
        let mut document = self.parse(text)?;
        shape::check(&document, &self.limits)?;
        extra_validation::check_text(text).map_err(Rejection::invalid)?;
        extra_validation::check(&document).map_err(Rejection::invalid)?;
        extra_validation::without_null_defaults(&mut document);
        let executable = match document.to_executable_validate(&self.schema) {
            Ok(executable) => executable,
            Err(failed) if extra_validation::is_single_field_subscription(&failed) => {
                Valid::assume_valid(failed.partial)
            }
            Err(failed) => return Err(invalid(&failed.errors)),
        };
        let operation = select(&executable, operation_name)?;
        introspection::check_max_depth(&executable, operation)
            .map_err(|_| Rejection::invalid("its introspection lists are nested too deeply."))?;
        let cost = self.costs.of(&self.schema, &executable, operation);
        if cost > self.limits.cost {
            return Err(Rejection::TooCostly {
                cost,
                limit: self.limits.cost,
            });
        }
        Ok(Document {
            text: text.to_owned(),
            name: operation.name.as_ref().map(ToString::to_string),
            kind: match operation.operation_type {
                OperationType::Query => OperationKind::Query,
                OperationType::Mutation => OperationKind::Mutation,
                OperationType::Subscription => OperationKind::Subscription,
            },
            hash: hash.to_owned(),
            cost,
            trusted: false,
        })
    }

    fn parse(&self, text: &str) -> Result<ast::Document, Rejection> {
        let parser = Parser::new()
            .token_limit(self.limits.tokens)
            .recursion_limit(self.limits.recursion);
        let mut parser = parser;
        parser.parse_ast(text, "document.graphql").map_err(|error| {
            if parser.tokens_reached() > self.limits.tokens {
                Rejection::too_large("tokens", &format!("it has more than {} tokens", self.limits.tokens))
            } else if parser.recursion_reached() > self.limits.recursion {
                let problem = format!("it is nested more than {} levels deep", self.limits.recursion);
                Rejection::too_large("recursion", &problem)
            } else {
                invalid(&error.errors)
            }
        })
    }
}

/// Implements `GetOperation` (GraphQL October 2021, section 6.1).
fn select<'a>(document: &'a Valid<ExecutableDocument>, name: Option<&str>) -> Result<&'a Operation, Rejection> {
    document
        .operations
        .get(name)
        .map(|operation| &**operation)
        .map_err(|_| match name {
            Some(name) => Rejection::invalid(format!("it has no operation with the name `{name}`.")),
            None if document.operations.is_empty() => Rejection::invalid("it has no operation."),
            None => Rejection::invalid("it has several operations, so `operationName` must select one."),
        })
}

fn invalid(diagnostics: &DiagnosticList) -> Rejection {
    let findings = diagnostics.iter().take(MAX_FINDINGS).map(|diagnostic| {
        let mut problem = diagnostic.error.to_string();
        if !problem.ends_with(['.', '!', '?']) {
            problem.push('.');
        }
        let locations = diagnostic
            .line_column_range()
            .map(|range| (range.start.line, range.start.column));
        Finding {
            problem,
            locations: locations.into_iter().collect(),
        }
    });
    Rejection::Invalid(findings.collect())
}

#[cfg(test)]
mod tests;
