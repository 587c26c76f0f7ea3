//! [`api`] chooses names, types and shapes; other modules render them.

mod access;
mod api;
mod bind;
mod coerce;
mod derive;
mod dispatch;
mod engine;
mod errors;
mod field;
mod inputs;
mod literal;
mod load;
mod mock;
mod modules;
mod resolve;
mod resolver;
mod root;
mod sample;
mod scaffold;
mod spelling;
mod types;

pub(crate) use modules::{schema_dir, schema_files};

use std::panic::resume_unwind;
use std::thread;

use crate::{Config, FileContext, GeneratedFile, Scaffold};
use traitql_schema::model::Model;

pub(crate) fn mockable(model: &Model, config: &Config) -> Vec<String> {
    sample::mockable(&api::Api::new(model, config))
}

/// Bounds the nesting of types and default values together with the limits of the schema reader (`S005`). A debug build
/// needs four times the stack of a release build.
const STACK_BYTES: usize = 32 * 1024 * 1024;

/// Runs each part on its own thread.
pub(crate) fn files(model: &Model, config: &Config) -> Vec<GeneratedFile> {
    let api = &api::Api::new(model, config);
    let parts: [fn(&api::Api<'_>) -> Vec<GeneratedFile>; 13] = [
        coerce::files,
        types::files,
        engine::files,
        |api| errors::file(api).into_iter().collect(),
        resolve::files,
        |api| load::file(api).into_iter().collect(),
        field::files,
        dispatch::files,
        sample::files,
        access::files,
        |api| bind::file(api).into_iter().collect(),
        |api| vec![mock::file(api)],
        root::constants,
    ];
    let mut files: Vec<GeneratedFile> = thread::scope(|scope| {
        let spawn = |part: fn(&api::Api<'_>) -> Vec<GeneratedFile>| {
            let thread = thread::Builder::new().stack_size(STACK_BYTES);
            // The system has no thread left.
            thread.spawn_scoped(scope, move || part(api)).map_err(|_| part)
        };
        let parts = parts.map(spawn).map(|part| match part {
            Ok(part) => part.join().unwrap_or_else(|panic| resume_unwind(panic)),
            Err(part) => part(api),
        });
        parts.into_iter().flatten().collect()
    });
    files.push(root::file(api, &files));
    files
}

pub(crate) fn resolvers(model: &Model, config: &Config) -> Vec<crate::Resolver> {
    let api = api::Api::new(model, config);
    let resolvers = api.resolvers.iter().map(|resolver| crate::Resolver {
        coordinate: resolver.coordinate.clone(),
        name: resolver.name.clone(),
    });
    resolvers.collect()
}

pub(crate) fn scaffold(model: &Model, config: &Config, coordinates: &[String], context: &FileContext) -> Scaffold {
    scaffold::scaffold(&api::Api::new(model, config), coordinates, context)
}
