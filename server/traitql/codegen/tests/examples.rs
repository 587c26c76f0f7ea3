//! Tables of example inputs with their violations: `tests/examples.json` of the sample crate and of the project's API
//! crate. Tests of the generated Rust and of the generated TypeScript (`client/src/shared/api/examples.spec.ts`) check against
//! the same tables.
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
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
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
    let table = table::table(&model);
    let path = root.join(examples);
    if std::env::var_os("TRAITQL_BLESS").is_some() {
        fs::write(&path, &table).unwrap();
    }
    assert!(
        fs::read_to_string(&path).unwrap_or_default() == table,
        "{examples} is stale, because constraints of the schema have changed. Run {COMMAND}, then the tests that read it."
    );
}

#[test]
fn examples_of_the_sample_schema_are_up_to_date() {
    check(
        "server/traitql/golden-tests/schema",
        "server/traitql/golden-tests/tests/examples.json",
    );
}

#[test]
fn examples_of_the_project_schema_are_up_to_date() {
    check("schema", "server/waypost/api/tests/examples.json");
}
