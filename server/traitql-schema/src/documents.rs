//! Rules for operation files that no specification has: an operation is named as its file, and a file holds one operation
//! or only fragments, so that one finds what one looks for, and generated code has a name for everything.

use apollo_compiler::ast::{Definition, Document};

use crate::code;
use crate::diagnostic::Collector;
use crate::names::pascal;
use crate::options::Options;
use crate::source::{At, SourceText};

pub(crate) fn check(source: &SourceText, document: &Document, options: &Options, out: &mut Collector) {
    let stem = source.path.rsplit('/').next().unwrap_or_default();
    let stem = stem.split('.').next().unwrap_or_default();
    if document.definitions.is_empty() {
        let message = format!("{} holds no operation", source.path);
        out.report(code::EMPTY_DOCUMENT, At::NOWHERE, message)
            .help(format!("write `query {stem} {{ … }}`, or remove the file"));
    }
    // A file that may hold several operations cannot be called like each of them.
    let operations = document
        .definitions
        .iter()
        .filter(|d| d.as_operation_definition().is_some());
    let named_as_file = operations.count() < 2 || !options.allows(code::SEVERAL_OPERATIONS);
    let mut first = None;
    for definition in &document.definitions {
        if let Definition::FragmentDefinition(fragment) = definition {
            if !fragment.name.starts_with(|first: char| first.is_ascii_uppercase()) {
                let message = format!("the fragment `{}` does not begin with a capital letter", fragment.name);
                out.report(code::OPERATION_CASE, fragment.name.location(), message)
                    .help("fragments are named after the component that shows them: `TourRow_tour`");
            }
            continue;
        }
        let Definition::OperationDefinition(operation) = definition else {
            continue;
        };
        let Some(name) = &operation.name else {
            out.report(
                code::ANONYMOUS_OPERATION,
                operation.location(),
                "the operation has no name",
            )
            .help(format!(
                "write `{} {stem} …`: hooks, logs and the list of trusted documents go by names",
                operation.operation_type
            ));
            continue;
        };
        match &first {
            Some(first) if named_as_file => {
                let message = format!("`{name}` is not alone in its file");
                let folder = source.path.rsplit_once('/').map_or("", |(folder, _)| folder);
                out.report(code::SEVERAL_OPERATIONS, name.location(), message)
                    .note(*first, "the first operation")
                    .help(format!("move it to `{folder}/{name}.graphql`"));
                continue;
            }
            _ => first = Some(name.location()),
        }
        let is_pascal = name.starts_with(|first: char| first.is_ascii_uppercase()) && !name.contains('_');
        if !is_pascal {
            out.report(
                code::OPERATION_CASE,
                name.location(),
                format!("the operation `{name}` is not written in PascalCase"),
            )
            .help(format!(
                "call it `{}`: generated types and hooks are named after it",
                pascal(name)
            ));
        }
        if named_as_file && name != stem {
            out.report(
                code::OPERATION_NAME,
                name.location(),
                format!("the operation is called `{name}`, its file `{stem}`"),
            )
            .help(format!("call the operation `{stem}`, or the file `{name}.graphql`"));
        }
    }
}
