//! What ties the generated files together, and the constants: transitions, audit actions, the schema's text, the manifest.

use super::api::{Api, Style};
use crate::{GeneratedFile, names::screaming, render};

/// `transition.rs`, `audit.rs` and `schema.graphql`.
pub(crate) fn constants(api: &Api<'_>) -> Vec<GeneratedFile> {
    let mut files: Vec<GeneratedFile> = transitions(api).into_iter().chain(audit(api)).collect();
    files.push(GeneratedFile {
        path: api.path("schema.graphql"),
        contents: with_newline(&api.model.sdl),
    });
    files
}

/// Modules that others see only through what is exported from them.
const PRIVATE: &[&str] = &["access", "coerce", "engine", "sample", "seam", "types"];

/// `mod.rs`: declares a module for each of the other `files`.
pub(crate) fn file(api: &Api<'_>, files: &[GeneratedFile]) -> GeneratedFile {
    let mut file = api.whole(
        "mod.rs",
        "The API: types, resolver traits, errors, and the way between them and an executor.",
    );
    let root = api.path("");
    let mut modules: Vec<&str> = files
        .iter()
        .filter_map(|file| {
            let path = file.path.strip_prefix(&root)?.strip_suffix(".rs")?;
            let name = path.strip_suffix("/mod").unwrap_or(path);
            (!name.contains('/')).then_some(name)
        })
        .collect();
    modules.sort_unstable();
    let declared = modules.iter().map(|name| {
        if PRIVATE.contains(name) {
            format!("mod {name};")
        } else {
            format!("pub mod {name};")
        }
    });
    file.item("#![allow(clippy::type_complexity, reason = \"types are as nested as the schema says\")]");
    file.item(declared.collect::<String>());
    let mut exports = vec![
        "pub use engine::engine;".to_owned(),
        "pub use seam::{Resolvers, Schema};".to_owned(),
        "pub use types::*;".to_owned(),
    ];
    if api.has_access() {
        let names = if api.has_roles() {
            "{Access, Grant, Subject}"
        } else {
            "Access"
        };
        exports.insert(0, format!("pub use access::{names};"));
    }
    file.item(exports.concat());
    file.item("/// The schema: one SDL text with all its definitions.\npub const SDL: &str = include_str!(\"schema.graphql\");");
    file.item(format!(
        "/// The operations that clients may ask, as a persisted-query manifest.\npub const MANIFEST: &str = include_str!({});",
        render::literal(&from_generated(api, &api.config.manifest))
    ));
    file.finish()
}

/// The path of a file as the generated folder sees it.
fn from_generated(api: &Api<'_>, path: &str) -> String {
    let folder = api.path("");
    match path.strip_prefix(&folder) {
        Some(inside) => inside.to_owned(),
        None => format!("{}{path}", "../".repeat(folder.matches('/').count())),
    }
}

fn transitions(api: &Api<'_>) -> Option<GeneratedFile> {
    let mut file = api.whole(
        "transition.rs",
        "Edges of the schema's state machines, by the mutation that walks them.",
    );
    file.item("use super::types;");
    let mut any = false;
    for resolver in api.sorted() {
        let Some(transition) = &resolver.field.transition else {
            continue;
        };
        any = true;
        let states = api.named(&transition.of, Style::Generated);
        let state = |state: &str| api.enum_value(&transition.of, state, Style::Generated);
        let from: Vec<String> = transition.from.iter().map(|from| state(from)).collect();
        let doc = format!(
            "`{}`: {} -> {}",
            transition.of,
            transition.from.join(" | "),
            transition.to
        );
        file.item(format!(
            "/// {doc}\npub const {}: traitql::Transition<{states}> = traitql::Transition {{ field: {}, from: &[{}], to: {} }};",
            screaming(&resolver.field.name),
            render::literal(&resolver.coordinate),
            from.join(", "),
            state(&transition.to),
        ));
    }
    any.then(|| file.finish())
}

fn audit(api: &Api<'_>) -> Option<GeneratedFile> {
    let mut file = api.whole(
        "audit.rs",
        "Actions of audit entries, by the mutation that leaves them.",
    );
    let mut any = false;
    for resolver in api.sorted() {
        let Some(action) = &resolver.field.audited else {
            continue;
        };
        any = true;
        file.item(format!(
            "/// `{}`\npub const {}: &str = {};",
            resolver.coordinate,
            screaming(&resolver.field.name),
            render::literal(action)
        ));
    }
    any.then(|| file.finish())
}

fn with_newline(text: &str) -> String {
    format!("{}\n", text.trim_end())
}
