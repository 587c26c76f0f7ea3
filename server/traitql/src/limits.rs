//! Documents that are not in the manifest: checked within bounds before any engine sees them.
//!
//! A GraphQL document of a kilobyte can ask for the work of a billion fields: fragments that spread each other twice, lists
//! within lists, ten thousand nested braces. The checks here run in an order in which each one is safe after those before:
//!
//! 1. size in bytes, tokens and nesting, which bound the parser;
//! 2. the shape (`limits/shape.rs`): how much the document expands to, computed once per fragment and never by expanding it;
//! 3. validation by apollo-compiler against the schema, which by then is given a small document, and what it overlooks
//!    (`limits/overlooked.rs`);
//! 4. the cost by `@cost` (`limits/cost.rs`), a constant of the document, against a budget.
//!
//! Accepted documents are kept in a bounded cache (`limits/cache.rs`), so that a client which asks again pays once.
//! This is for development and for servers that choose to be open: production answers trusted documents only.

mod cache;
mod cost;
mod overlooked;
mod shape;

use std::{
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex, PoisonError},
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
    engine::{Document, OperationKind},
};

/// Bounds of an ad-hoc document. Every one of them is counted with fragments expanded.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Bytes of the text.
    pub bytes: usize,
    /// Tokens as apollo-parser counts them: gaps and comments are tokens too.
    pub tokens: usize,
    /// Nesting of braces and brackets while parsing.
    pub recursion: usize,
    /// Nesting of fields; a root field has depth 1.
    pub depth: u32,
    /// Fields of an operation, and the fragments around them.
    pub selections: u64,
    /// Fields of an operation at its root.
    pub root_fields: u64,
    /// Fields with an alias.
    pub aliases: u64,
    /// Directives.
    pub directives: u64,
    /// Cost by `@cost`.
    pub cost: u64,
}

impl Default for Limits {
    /// Room for the introspection query of graphql-js (depth 15) and for every screen that a person would write by hand.
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

/// Why an ad-hoc document was not accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// It is wrong, or larger than the limits allow.
    Invalid(Vec<Finding>),
    /// It is right, but would take too much work.
    TooCostly {
        /// What it costs.
        cost: u64,
        /// What it may cost.
        limit: u64,
    },
}

/// One thing that is wrong with a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// A sentence about it.
    pub problem: String,
    /// Line and column of where it is, both from 1.
    pub locations: Vec<(usize, usize)>,
}

impl Refusal {
    fn because(problem: impl Into<String>) -> Self {
        Self::Invalid(vec![Finding {
            problem: problem.into(),
            locations: Vec::new(),
        }])
    }
}

/// More findings than this help nobody, and a hostile document can have thousands.
const MAX_FINDINGS: usize = 10;

/// Accepts ad-hoc documents for one schema.
pub struct AdHoc {
    schema: Valid<Schema>,
    costs: Costs,
    limits: Limits,
    cache: Mutex<Cache>,
}

impl fmt::Debug for AdHoc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AdHoc")
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

impl AdHoc {
    /// Reads the schema. The error is a report for the person who wrote it.
    pub fn new(sdl: &str, limits: Limits) -> Result<Self, String> {
        let schema = Schema::parse_and_validate(sdl, "schema.graphql").map_err(|error| error.errors.to_string())?;
        let costs = Costs::new(&schema);
        let cache = Mutex::new(Cache::new(500, 4 * 1024 * 1024));
        Ok(Self {
            schema,
            costs,
            limits,
            cache,
        })
    }

    /// The document for an operation of a text.
    pub fn admit(&self, text: &str, operation_name: Option<&str>) -> Result<Arc<Document>, Refusal> {
        if text.len() > self.limits.bytes {
            return Err(Refusal::because(format!(
                "it is longer than {} bytes.",
                self.limits.bytes
            )));
        }
        let key = (hash(text), operation_name.map(str::to_owned));
        if let Some(document) = self.cache().get(&key) {
            return Ok(document);
        }
        // The validator is a large piece of other people's code that is fed with strangers' text.
        let checked = catch_unwind(AssertUnwindSafe(|| self.check(text, operation_name, &key.0)))
            .unwrap_or_else(|_| Err(Refusal::because("it could not be checked.")))?;
        let document = Arc::new(checked);
        self.cache().insert(key, Arc::clone(&document));
        Ok(document)
    }

    fn cache(&self) -> std::sync::MutexGuard<'_, Cache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn check(&self, text: &str, operation_name: Option<&str>, hash: &str) -> Result<Document, Refusal> {
        let mut document = self.parse(text)?;
        shape::check(&document, &self.limits).map_err(Refusal::because)?;
        overlooked::check_text(text).map_err(Refusal::because)?;
        overlooked::check(&document).map_err(Refusal::because)?;
        overlooked::without_null_defaults(&mut document);
        let executable = match document.to_executable_validate(&self.schema) {
            Ok(executable) => executable,
            Err(failed) if overlooked::is_one_stream(&failed) => Valid::assume_valid(failed.partial),
            Err(failed) => return Err(invalid(&failed.errors)),
        };
        let operation = select(&executable, operation_name)?;
        introspection::check_max_depth(&executable, operation)
            .map_err(|_| Refusal::because("it asks for lists within lists of introspection."))?;
        let cost = self.costs.of(&self.schema, &executable, operation);
        if cost > self.limits.cost {
            return Err(Refusal::TooCostly {
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

    fn parse(&self, text: &str) -> Result<ast::Document, Refusal> {
        let parser = Parser::new()
            .token_limit(self.limits.tokens)
            .recursion_limit(self.limits.recursion);
        let mut parser = parser;
        parser.parse_ast(text, "document.graphql").map_err(|error| {
            if parser.tokens_reached() > self.limits.tokens {
                Refusal::because(format!("it has more than {} tokens.", self.limits.tokens))
            } else if parser.recursion_reached() > self.limits.recursion {
                Refusal::because(format!("it is nested more than {} levels deep.", self.limits.recursion))
            } else {
                invalid(&error.errors)
            }
        })
    }
}

/// The operation that `operationName` names (GraphQL October 2021, section 6.1, `GetOperation`).
fn select<'a>(document: &'a Valid<ExecutableDocument>, name: Option<&str>) -> Result<&'a Operation, Refusal> {
    document
        .operations
        .get(name)
        .map(|operation| &**operation)
        .map_err(|_| match name {
            Some(name) => Refusal::because(format!("it has no operation with the name `{name}`.")),
            None if document.operations.is_empty() => Refusal::because("it has no operation."),
            None => Refusal::because("it has several operations: `operationName` must say which one is meant."),
        })
}

fn invalid(diagnostics: &DiagnosticList) -> Refusal {
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
    Refusal::Invalid(findings.collect())
}

#[cfg(test)]
mod tests;
