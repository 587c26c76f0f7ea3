//! A client built months ago still sends its documents. Each is checked separately, because fragments may have changed
//! under the same name. It must be valid, and its types must be compatible; see `release_compat`.

use std::collections::HashMap;

use apollo_compiler::Schema;
use apollo_compiler::parser::{Parser, SourceSpan};
use apollo_compiler::validation::Valid;
use indexmap::IndexMap;

use crate::diagnostics::code;
use crate::diagnostics::diagnostic::{Collector, Report};
use crate::lower;
use crate::lower::operations;
use crate::model::{Operation, Release, Type};
use crate::parse::source::Location;
use crate::release_source::{ReleaseDocument, ReleaseSource};
use crate::validate::compiler::Translator;
use crate::validate::{nesting, size};

use super::release_compat::{self, CurrentSchema};

type Incompatibilities<'r> = IndexMap<String, (Option<SourceSpan>, Vec<(&'r str, &'r [&'r str])>)>;

/// Reports each incompatibility once, with all documents that it breaks.
pub(crate) fn check(
    schema: &Valid<Schema>,
    now: CurrentSchema<'_>,
    releases: &[ReleaseSource],
    out: &mut Collector,
) -> Vec<Release> {
    let mut holders: IndexMap<&str, (&ReleaseDocument, Vec<&str>)> = IndexMap::new();
    for release in releases {
        for document in &release.documents {
            let (_, names) = holders.entry(&document.body).or_insert_with(|| (document, Vec::new()));
            names.push(&release.name);
        }
    }
    let mut known: HashMap<&str, Operation> = HashMap::new();
    let mut broken = Incompatibilities::new();
    for (body, (document, names)) in &holders {
        match read(schema, now.types, document, names, out) {
            Ok(Some(operation)) => {
                known.insert(*body, operation);
            }
            Ok(None) => {}
            Err(report) => {
                for problem in report.diagnostics() {
                    let mut quoted = problem.message.split('`').skip(1).step_by(2);
                    let at = quoted.find_map(|name| definition_span(schema, name));
                    let (_, holders) = broken.entry(problem.message.clone()).or_insert((at, Vec::new()));
                    holders.push((&document.name, names));
                }
            }
        }
    }
    for release in releases {
        for document in &release.documents {
            let Some(operation) = known.get(document.body.as_str()) else {
                continue;
            };
            let (document, names) = &holders[document.body.as_str()];
            for incompatibility in
                release_compat::incompatibilities(schema, now, &release_compat::lines_of(&release.types, operation))
            {
                let at = definition_span(schema, &incompatibility.coordinate);
                let (_, holders) = broken.entry(incompatibility.message).or_insert((at, Vec::new()));
                if !holders.contains(&(&document.name, names)) {
                    holders.push((&document.name, names));
                }
            }
        }
    }
    report(&broken, out);
    let release = |release: &ReleaseSource| Release {
        name: release.name.clone(),
        unfrozen: release.unfrozen,
        types: release.types.clone(),
        operations: release
            .documents
            .iter()
            .filter_map(|document| known.get(document.body.as_str()).cloned())
            .collect(),
    };
    releases.iter().map(release).collect()
}

/// Keeps the text byte by byte.
fn read(
    schema: &Valid<Schema>,
    types: &IndexMap<String, Type>,
    document: &ReleaseDocument,
    names: &[&str],
    out: &mut Collector,
) -> Result<Option<Operation>, Report> {
    let path = format!("{}.graphql of {}", document.name, format_releases(names));
    let mut found = Collector::new([]);
    let ast = match Parser::new().parse_ast(&*document.body, &path) {
        Ok(ast) => ast,
        Err(failed) => {
            found.add_sources(&failed.partial.sources);
            let message = format!("cannot parse the document of `{}`", document.name);
            found.report(code::SYNTAX, Location::NOWHERE, message);
            return Err(found.finish());
        }
    };
    found.add_sources(&ast.sources);
    if !nesting::check(&ast, &mut found) || !size::check(std::slice::from_ref(&ast), &mut found) {
        return Err(found.finish());
    }
    let executable = match ast.to_executable_validate(schema) {
        Ok(executable) => executable.into_inner(),
        Err(failed) => {
            let translator = Translator::default();
            translator.document(schema, &failed.partial, &failed.errors, &mut found);
            if !found.is_empty() {
                return Err(found.finish());
            }
            failed.partial
        }
    };
    // Stricter constraints may reject constants in these documents.
    lower::check_constants(schema, &executable, &mut found);
    if !found.is_empty() {
        return Err(found.finish());
    }
    out.add_sources(&ast.sources);
    let operation = operations::lower(&executable, std::slice::from_ref(&ast), types, out).pop();
    Ok(operation.map(|operation| Operation {
        body: document.body.clone(),
        ..operation
    }))
}

fn report(broken: &Incompatibilities<'_>, out: &mut Collector) {
    for (why, (at, documents)) in broken {
        let mut releases: Vec<&str> = documents.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        releases.sort_unstable();
        releases.dedup();
        let message = format!("breaks released clients: {why}");
        let mut draft = out.report(code::RELEASE_BROKEN, *at, message);
        for (name, names) in documents {
            draft = draft.note(None, format!("required by `{name}` of {}", format_releases(names)));
        }
        let unfreeze = releases.iter().map(|name| format!("`cargo traitql unfreeze {name}`"));
        draft
            .help("keep it for these clients, and mark it `@deprecated`")
            .help(format!(
                "or unfreeze the release once these clients are no longer in use: {}",
                unfreeze.collect::<Vec<_>>().join(" and ")
            ));
    }
}

fn format_releases(names: &[&str]) -> String {
    match names {
        [one] => format!("release {one}"),
        several => format!("releases {}", several.join(", ")),
    }
}

fn definition_span(schema: &Schema, coordinate: &str) -> Option<SourceSpan> {
    let bare = coordinate.split('(').next().unwrap_or_default();
    let (name, field) = match bare.split_once('.') {
        Some((name, field)) => (name, Some(field)),
        None => (bare, None),
    };
    let ty = schema.types.get(name).filter(|ty| !ty.is_built_in())?;
    let field = field.and_then(|field| match ty.as_input_object() {
        Some(input) => input.fields.get(field)?.name.location(),
        None => schema.type_field(name, field).ok()?.name.location(),
    });
    field.or_else(|| ty.name().location())
}
