use apollo_compiler::ast::{Definition, Document};

use crate::diagnostics::code;
use crate::diagnostics::diagnostic::Collector;
use crate::names::pascal;
use crate::options::Options;
use crate::parse::source::SourceText;

pub(crate) fn check(source: &SourceText, document: &Document, options: &Options, out: &mut Collector) {
    let stem = source.path.rsplit('/').next().unwrap_or_default();
    let stem = stem.split('.').next().unwrap_or_default();
    if document.definitions.is_empty() {
        let message = format!("{} contains no operation", source.path);
        out.report_file(code::EMPTY_DOCUMENT, &source.path, message)
            .help(format!("add `query {stem} {{ … }}`, or remove the file"));
    }
    // Several operations cannot all have the name of the file.
    let operations = document
        .definitions
        .iter()
        .filter(|d| d.as_operation_definition().is_some());
    let named_as_file = operations.count() < 2 || !options.allows(code::SEVERAL_OPERATIONS);
    let mut first = None;
    for definition in &document.definitions {
        if let Definition::FragmentDefinition(fragment) = definition {
            if !fragment.name.starts_with(|first: char| first.is_ascii_uppercase()) {
                let message = format!(
                    "the name of fragment `{}` does not start with an uppercase letter",
                    fragment.name
                );
                out.report(code::OPERATION_CASE, fragment.name.location(), message)
                    .help("name the fragment after the component that uses it, such as `TourRow_tour`");
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
                "name it, `{} {stem} …`: generated hooks, logs and trusted documents refer to operations by name",
                operation.operation_type
            ));
            continue;
        };
        match &first {
            Some(first) if named_as_file => {
                let message = format!("operation `{name}` is not the only one in its file");
                let folder = source.path.rsplit_once('/').map_or("", |(folder, _)| folder);
                out.report(code::SEVERAL_OPERATIONS, name.location(), message)
                    .note(*first, "the first operation is here")
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
                format!("operation `{name}` is not in PascalCase"),
            )
            .help(format!(
                "rename it to `{}`: generated types and hooks use this name",
                pascal(name)
            ));
        }
        if named_as_file && name != stem {
            out.report(
                code::OPERATION_NAME,
                name.location(),
                format!("operation `{name}` has a different name than its file `{stem}`"),
            )
            .help(format!(
                "rename the operation to `{stem}`, or the file to `{name}.graphql`"
            ));
        }
    }
}
