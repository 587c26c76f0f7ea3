//! Typed data about constraints, access, errors, states and caching. graphql-codegen generates types and hooks. Each
//! type and field is a separate export, so that bundlers can drop it. The generated files import no packages.

mod cache;
mod errors;
mod fields;
mod literal;
mod rules;

use traitql_schema::model::Model;

use crate::{Config, GeneratedFile, rust};

pub(crate) fn files(model: &Model, config: &Config) -> Vec<GeneratedFile> {
    let Some(folder) = &config.typescript else {
        return Vec::new();
    };
    let schema = &rust::schema_files(&rust::schema_dir(model));
    let documents = format!("{schema} and the operations");
    let mut files = vec![
        file(
            folder,
            "traitql.ts",
            "the runtime of traitql",
            include_str!("runtime.ts"),
        ),
        file(folder, "rules.ts", schema, &rules::contents(model)),
        file(folder, "fields.ts", schema, &fields::contents(model)),
        file(
            folder,
            "policies.ts",
            "the runtime of traitql",
            include_str!("policies.ts"),
        ),
        file(folder, "cache.ts", &documents, &cache::contents(model)),
    ];
    if model.error_enum.is_some() {
        files.push(file(folder, "errors.ts", &documents, &errors::contents(model)));
    }
    files
}

fn file(folder: &str, name: &str, source: &str, text: &str) -> GeneratedFile {
    let path = match folder {
        "." => name.to_owned(),
        folder => format!("{folder}/{name}"),
    };
    GeneratedFile {
        path,
        contents: format!("// {}{source}. Do not edit.\n{text}", crate::HEADER),
    }
}
