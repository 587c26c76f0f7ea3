//! The generated crate. [`api`] decides (names, types, shapes), the other modules write.

mod access;
mod api;
mod bind;
mod coerce;
mod derive;
mod engine;
mod errors;
mod field;
mod inputs;
mod literal;
mod mock;
mod modules;
mod resolve;
mod resolver;
mod root;
mod sample;
mod scaffold;
mod seam;
mod spelling;
mod types;

pub(crate) use modules::{schema_dir, schema_files};

use crate::{Config, GeneratedFile, Scaffold, Surroundings};
use traitql_schema::model::Model;

/// The fields that can be answered with sample values.
pub(crate) fn mockable(model: &Model, config: &Config) -> Vec<String> {
    sample::mockable(&api::Api::new(model, config))
}

/// Makes all files of the crate.
pub(crate) fn files(model: &Model, config: &Config) -> Vec<GeneratedFile> {
    let api = api::Api::new(model, config);
    let mut files = types::files(&api);
    files.extend(bind::file(&api));
    files.extend(resolve::files(&api));
    files.extend(field::files(&api));
    files.extend(errors::file(&api));
    files.extend(access::files(&api));
    files.extend(coerce::files(&api));
    files.extend(seam::files(&api));
    files.extend(engine::files(&api));
    files.push(mock::file(&api));
    files.extend(sample::files(&api));
    files.extend(root::constants(&api));
    files.push(root::file(&api, &files));
    files
}

/// All fields that the application resolves.
pub(crate) fn resolvers(model: &Model, config: &Config) -> Vec<crate::Resolver> {
    let api = api::Api::new(model, config);
    let resolvers = api.resolvers.iter().map(|resolver| crate::Resolver {
        coordinate: resolver.coordinate.clone(),
        name: resolver.name.clone(),
    });
    resolvers.collect()
}

/// `impl`s to start from.
pub(crate) fn scaffold(model: &Model, config: &Config, coordinates: &[String], around: &Surroundings) -> Scaffold {
    scaffold::scaffold(&api::Api::new(model, config), coordinates, around)
}
