//! Stub resolvers.
//!
//! With `todo!`, the stub compiles without warnings; the engine reports an internal error, and `clippy::todo` finds the
//! rest.

use std::collections::BTreeSet;

use super::api::{Api, Resolver, Style};
use crate::names::pascal;
use crate::{FileContext, Scaffold};

pub(crate) fn scaffold(api: &Api<'_>, coordinates: &[String], context: &FileContext) -> Scaffold {
    let wanted = api
        .resolvers
        .iter()
        .filter(|resolver| coordinates.contains(&resolver.coordinate));
    let mut imports: BTreeSet<(String, String)> = BTreeSet::new();
    let mut text = String::new();
    for resolver in wanted {
        let source = stub(api, resolver, context, &mut imports);
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&formatted(&source));
    }
    let mut uses = Vec::new();
    let modules: BTreeSet<&String> = imports.iter().map(|(module, _)| module).collect();
    for module in modules {
        let names: Vec<&str> = imports
            .iter()
            .filter(|(from, _)| from == module)
            .map(|(_, name)| name.as_str())
            .collect();
        uses.push(formatted(&match names.as_slice() {
            [one] => format!("use {module}::{one};"),
            several => format!("use {module}::{{{}}};", several.join(", ")),
        }));
    }
    Scaffold { uses, text }
}

fn formatted(source: &str) -> String {
    let file = syn::parse_file(source).unwrap_or_else(|error| panic!("a scaffold must parse: {error}\n{source}"));
    prettyplease::unparse(&file)
}

fn stub(
    api: &Api<'_>,
    resolver: &Resolver<'_>,
    context: &FileContext,
    imports: &mut BTreeSet<(String, String)>,
) -> String {
    let Resolver { name, coordinate, .. } = resolver;
    let mut short = |source: &str| shortened(api, source, context, imports);
    let signature = format!(
        "async fn resolve{}(&self, {}) -> Result<{}, traitql::Throws<field::{name}>>",
        resolver.generics(),
        resolver.parameters(api, Style::Generated, "").join(", "),
        resolver.output_type(api, Style::Generated),
    );
    let parameters = resolver.forwarded();
    let parameters = if parameters.contains(',') {
        format!("({parameters})")
    } else {
        parameters
    };
    format!(
        "impl {} for {} {{ {} {{ let _ = {parameters}; todo!({:?}) }} }}",
        short(&format!("resolve::{name}")),
        context.for_type,
        short(&signature),
        format!("resolve {coordinate}"),
    )
}

/// Uses imported names, unless the file has others of that name. Adds to `imports`.
fn shortened(api: &Api<'_>, source: &str, context: &FileContext, imports: &mut BTreeSet<(String, String)>) -> String {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut out = String::new();
    let mut rest = source;
    while !rest.is_empty() {
        let starts_word = !out.ends_with(|c| is_part(c) || c == ':');
        let prefix = [
            "traitql::",
            "std::sync::",
            "types::",
            "field::",
            "role::",
            "resolve::",
            "crate::",
        ]
        .into_iter()
        .find(|prefix| starts_word && rest.starts_with(prefix));
        let Some(prefix) = prefix else {
            let mut chars = rest.chars();
            out.extend(chars.next());
            rest = chars.as_str();
            continue;
        };
        rest = &rest[prefix.len()..];
        let module = prefix.trim_end_matches("::");
        if module == "crate" {
            // From another crate, the path starts with the crate's name.
            let root = context.generated.split("::").next().unwrap_or(module);
            out.push_str(&format!("{root}::"));
            continue;
        }
        if !matches!(module, "traitql" | "std::sync" | "types") {
            // Its items are written as `field::TourDraft`.
            import(&context.generated, module, context, imports, &mut out);
            out.push_str("::");
            continue;
        }
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        rest = after;
        let is_whole = !after.starts_with("::");
        match (module, is_whole) {
            ("traitql" | "std::sync", true) => import(module, name, context, imports, &mut out),
            ("traitql", false) => out.push_str(&format!("traitql::{name}")),
            // A schema type named like a runtime type keeps its full path.
            _ if RUNTIME.contains(&name) || is_prelude(api, name) => {
                out.push_str(&format!("{}::{name}", context.generated))
            }
            _ => import(&context.generated, name, context, imports, &mut out),
        }
    }
    out
}

/// These names are from the runtime; `Arc` is for shared rows.
const RUNTIME: &[&str] = &[
    "Arc", "Batch", "Ctx", "Events", "Id", "Many", "One", "Page", "Patch", "Throws", "Viewer", "DateTime", "Date",
    "Url", "Json",
];

/// A schema type would shadow it.
fn is_prelude(api: &Api<'_>, name: &str) -> bool {
    const PRELUDE: &[&str] = &["Option", "Result", "Vec", "String", "Box", "Some", "None", "Ok", "Err"];
    PRELUDE.contains(&name) && api.model.types.values().any(|ty| pascal(ty.rust()) == name)
}

fn import(module: &str, name: &str, context: &FileContext, imports: &mut BTreeSet<(String, String)>, out: &mut String) {
    if context.imported.contains(name) {
        out.push_str(name);
    } else if context.taken.contains(name) {
        out.push_str(&format!("{module}::{name}"));
    } else {
        imports.insert((module.to_owned(), name.to_owned()));
        out.push_str(name);
    }
}
