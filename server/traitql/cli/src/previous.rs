//! Reads the previous state from the generated schema and manifest.

use std::fs;

use serde_json::Value;
use traitql_schema::model::{Model, Operation, Origin, ResolverCalls, RootKind};
use traitql_schema::{Options, SourceText};

use crate::config::Settings;
use crate::releases;

/// Returns `None` if the model does not exist or cannot be read.
pub(crate) fn model(settings: &Settings) -> Option<Model> {
    let folder = settings.generated_folder();
    let path = settings.root.join(&folder).join("schema.graphql");
    let sdl = fs::read_to_string(path).ok()?;
    let sdl = [SourceText::new("schema.graphql", sdl)];
    let load = |options: &Options| traitql_schema::load(&sdl, &[], options).ok();
    let options = settings.lenient();
    let frozen = releases::read(settings).unwrap_or_default();
    let mut model = load(&options.clone().with_releases(frozen)).or_else(|| load(&options))?;
    model.operations = operations(settings).unwrap_or_default();
    Some(model)
}

pub(crate) fn has_operations(settings: &Settings) -> bool {
    operations(settings).is_some_and(|operations| !operations.is_empty())
}

fn operations(settings: &Settings) -> Option<Vec<Operation>> {
    let manifest = fs::read_to_string(settings.root.join(&settings.codegen.manifest)).ok()?;
    let manifest: Value = serde_json::from_str(&manifest).ok()?;
    let entries = manifest.get("operations")?.as_array()?;
    let operations = entries.iter().filter_map(|entry| {
        let text = |key: &str| entry.get(key).and_then(Value::as_str).map(str::to_owned);
        Some(Operation {
            name: text("name")?,
            kind: match text("type")?.as_str() {
                "mutation" => RootKind::Mutation,
                "subscription" => RootKind::Subscription,
                _ => RootKind::Query,
            },
            body: text("body")?,
            root_fields: Vec::new(),
            coordinates: Vec::new(),
            variable_inputs: Vec::new(),
            given_inputs: Vec::new(),
            cost: entry.get("cost").and_then(Value::as_u64)?,
            depth: 0,
            calls: ResolverCalls {
                max: 0,
                is_constant: true,
            },
            variables: Vec::new(),
            selections: Vec::new(),
            origin: Origin {
                file: settings.codegen.manifest.clone(),
                line: 0,
            },
        })
    });
    Some(operations.collect())
}
