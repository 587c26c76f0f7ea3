//! Limits of operations, which bound the time and the stack of all later steps. Nothing follows fragments before this
//! check.

use apollo_compiler::ast::{Definition, Document};
use traitql_constraints::shape::{Weigher, Weight};

use crate::diagnostics::code;
use crate::diagnostics::diagnostic::Collector;

/// Fields and fragments of one operation, with its fragments expanded.
const MAX_SELECTIONS: u64 = 100_000;
/// Nesting of fields, and of fragments. apollo-compiler supports 128 and 100.
const MAX_DEPTH: u32 = 100;
/// Nesting of fields and fragments of both kinds. apollo-compiler supports 500.
const MAX_NESTING: u32 = 400;

/// Returns true if all documents are within the limits. Reports an unused fragment only if no operation exceeds them,
/// and only the first one, because others are likely parts of it.
pub(crate) fn check(documents: &[Document], out: &mut Collector) -> bool {
    let mut weigher = Weigher::new(documents);
    let mut too_large = Vec::new();
    for definition in documents.iter().flat_map(|document| &document.definitions) {
        if let Some(problem) = weigher.weigh(definition).and_then(problem) {
            too_large.push((definition, problem));
        }
    }
    let is_operation = |definition: &Definition| matches!(definition, Definition::OperationDefinition(_));
    if too_large.iter().any(|(definition, _)| is_operation(definition)) {
        too_large.retain(|(definition, _)| is_operation(definition));
    } else {
        too_large.truncate(1);
    }
    for (definition, problem) in &too_large {
        let at = definition
            .name()
            .and_then(|name| name.location())
            .or(definition.location());
        let what = match definition.name() {
            Some(name) if is_operation(definition) => format!("operation `{name}`"),
            Some(name) => format!("fragment `{name}`"),
            None => "the operation".to_owned(),
        };
        out.report(code::TOO_DEEP, at, format!("{what} {problem}"))
            .help("select less, or split it into several operations");
    }
    too_large.is_empty()
}

fn problem(weight: Weight) -> Option<String> {
    match weight {
        _ if weight.selections > MAX_SELECTIONS => Some(format!(
            "selects more than {MAX_SELECTIONS} fields, with its fragments expanded"
        )),
        _ if weight.depth > MAX_DEPTH => Some(format!("nests fields more than {MAX_DEPTH} levels deep")),
        _ if weight.fragment_depth > MAX_DEPTH => Some(format!("nests fragments more than {MAX_DEPTH} levels deep")),
        _ if weight.nesting > MAX_NESTING => Some(format!(
            "nests fields and fragments more than {MAX_NESTING} levels deep"
        )),
        _ => None,
    }
}
