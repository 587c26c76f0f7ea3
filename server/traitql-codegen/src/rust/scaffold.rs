//! Resolvers to start from: an `impl` for each, as a person would write it into a file of their own.
//!
//! The body is `todo!`: it compiles at once, says what is to be done, and panics when it is called, which the engine answers as
//! an internal failure. clippy finds what is left of them (`clippy::todo`).

use std::collections::BTreeSet;

use super::api::{Api, Resolver, Style};
use crate::names::pascal;
use crate::{Scaffold, Surroundings};

/// The `impl`s of some resolvers, by their coordinates, and the imports that they need.
pub(crate) fn scaffold(api: &Api<'_>, coordinates: &[String], around: &Surroundings) -> Scaffold {
    let wanted = api
        .resolvers
        .iter()
        .filter(|resolver| coordinates.contains(&resolver.coordinate));
    let mut imports: BTreeSet<(String, String)> = BTreeSet::new();
    let mut text = String::new();
    for resolver in wanted {
        let source = stub(api, resolver, around, &mut imports);
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
    let file = syn::parse_file(source).unwrap_or_else(|problem| panic!("a scaffold must parse: {problem}\n{source}"));
    prettyplease::unparse(&file)
}

fn stub(
    api: &Api<'_>,
    resolver: &Resolver<'_>,
    around: &Surroundings,
    imports: &mut BTreeSet<(String, String)>,
) -> String {
    let Resolver { name, coordinate, .. } = resolver;
    let mut short = |source: &str| shortened(api, source, around, imports);
    let signature = format!(
        "async fn resolve{}(&self, {}) -> Result<{}, traitql::Throws<field::{name}>>",
        resolver.generics(),
        resolver.parameters(api, Style::Generated, "").join(", "),
        resolver.answer(api, Style::Generated),
    );
    format!(
        "impl {} for {} {{ {} {{ todo!({:?}) }} }}",
        short(&format!("resolve::{name}")),
        around.for_type,
        short(&signature),
        format!("resolve {coordinate}"),
    )
}

/// Replaces paths into the runtime and into the generated crate by bare names, where the names are free, and collects what is
/// to be imported for that.
fn shortened(api: &Api<'_>, source: &str, around: &Surroundings, imports: &mut BTreeSet<(String, String)>) -> String {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let mut out = String::new();
    let mut rest = source;
    while !rest.is_empty() {
        let starts_word = !out.ends_with(|letter| is_part(letter) || letter == ':');
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
            let mut letters = rest.chars();
            out.extend(letters.next());
            rest = letters.as_str();
            continue;
        };
        rest = &rest[prefix.len()..];
        let module = prefix.trim_end_matches("::");
        if module == "crate" {
            // An own type of the generated crate; seen from another one, its path begins with the crate's name.
            let root = around.generated.split("::").next().unwrap_or(module);
            out.push_str(&format!("{root}::"));
            continue;
        }
        if !matches!(module, "traitql" | "std::sync" | "types") {
            // A module of the generated crate: `field` is imported, its items stay behind it.
            import(&around.generated, module, around, imports, &mut out);
            out.push_str("::");
            continue;
        }
        let end = rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        rest = after;
        // A path that goes on is not one of ours to shorten.
        let is_whole = !after.starts_with("::");
        match (module, is_whole) {
            ("traitql" | "std::sync", true) => import(module, name, around, imports, &mut out),
            ("traitql", false) => out.push_str(&format!("traitql::{name}")),
            // A type of the schema that is called like one of the runtime keeps its crate.
            _ if RUNTIME.contains(&name) || is_prelude(api, name) => {
                out.push_str(&format!("{}::{name}", around.generated))
            }
            _ => import(&around.generated, name, around, imports, &mut out),
        }
    }
    out
}

/// Names that the `impl`s take from the runtime, and for what is shared.
const RUNTIME: &[&str] = &[
    "Arc", "Batch", "Ctx", "Events", "Id", "Many", "One", "Page", "Patch", "Throws", "Viewer", "DateTime", "Date",
    "Url", "Json",
];

/// Whether a type of the schema has a name that every file of Rust knows already.
fn is_prelude(api: &Api<'_>, name: &str) -> bool {
    const PRELUDE: &[&str] = &["Option", "Result", "Vec", "String", "Box", "Some", "None", "Ok", "Err"];
    PRELUDE.contains(&name) && api.model.types.values().any(|ty| pascal(ty.rust()) == name)
}

fn import(module: &str, name: &str, around: &Surroundings, imports: &mut BTreeSet<(String, String)>, out: &mut String) {
    if around.imported.contains(name) {
        out.push_str(name);
    } else if around.taken.contains(name) {
        out.push_str(&format!("{module}::{name}"));
    } else {
        imports.insert((module.to_owned(), name.to_owned()));
        out.push_str(name);
    }
}
