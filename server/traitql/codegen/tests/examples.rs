#![allow(clippy::unwrap_used)]

#[path = "support/table/mod.rs"]
mod table;

use std::{fs, path::Path};

const COMMAND: &str = "TRAITQL_BLESS=1 cargo test -p traitql-codegen --test examples";

#[test]
fn the_table_of_examples_is_up_to_date() {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../golden-tests");
    let table = table::table(&table::model(&golden.join("schema")));
    let path = golden.join("tests/examples.json");
    if std::env::var_os("TRAITQL_BLESS").is_some() {
        fs::write(&path, &table).unwrap();
    }
    assert!(
        fs::read_to_string(&path).unwrap_or_default() == table,
        "{} is stale, because constraints of the schema have changed. Run {COMMAND}, then the tests that read it.",
        path.display()
    );
}
