//! The tables of examples to which the generated Rust and the generated TypeScript are held: `tests/examples.json` of the sample
//! and of the project's own API. They stand with the generated crates; `client/src/shared/api/examples.spec.ts` reads the same files.
#![allow(clippy::unwrap_used)]

#[path = "support/table/mod.rs"]
mod table;

use std::{
    fs,
    path::{Path, PathBuf},
};

use traitql_schema::{SourceText, load};

const COMMAND: &str = "TRAITQL_BLESS=1 cargo test -p traitql-codegen --test examples";

fn check(schema: &str, examples: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut paths: Vec<PathBuf> = fs::read_dir(root.join(schema))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "graphql"))
        .collect();
    paths.sort();
    let sources: Vec<SourceText> = paths
        .iter()
        .map(|path| SourceText::new(path.to_string_lossy(), fs::read_to_string(path).unwrap()))
        .collect();
    let model = load(&sources, &[], &Default::default()).unwrap_or_else(|report| panic!("{report}"));
    let made = table::table(&model);
    let path = root.join(examples);
    if std::env::var_os("TRAITQL_BLESS").is_some() {
        fs::write(&path, &made).unwrap();
    }
    assert!(
        fs::read_to_string(&path).unwrap_or_default() == made,
        "{examples} is stale: the schema's rules have changed. Run {COMMAND}, then the tests that read it."
    );
}

#[test]
fn the_examples_of_the_sample_are_fresh() {
    check(
        "server/traitql-sample/schema",
        "server/traitql-sample/tests/examples.json",
    );
}

#[test]
fn the_examples_of_the_projects_own_schema_are_fresh() {
    check("schema", "server/waypost-api/tests/examples.json");
}
