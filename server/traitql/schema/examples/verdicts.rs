//! Prints one JSON object a line: a pair of schema and documents with the codes that traitql reports. The pairs are
//! the fixtures, the counterexamples of the specification, and random mutations of those: `cargo run --example
//! verdicts -- 2000`. `tests/graphql-js.mjs` compares them with another implementation.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::fs;
use std::path::Path;

use fuzz_input::{Rng, mutated, renamed};
use serde_json::json;
use traitql_schema::{CONVENTIONS, Options, SourceText, load, specification};

#[path = "../tests/support/fuzz_input.rs"]
mod fuzz_input;
#[path = "../tests/support/mod.rs"]
mod support;

fn main() {
    let count = std::env::args().nth(1).map_or(2000, |count| {
        count.parse().expect("the argument is a number of mutations")
    });
    let fixtures: Vec<(String, String)> = ["valid", "invalid"].into_iter().flat_map(read).collect();
    for (name, text) in &fixtures {
        let (schema, documents) = support::split(text);
        print(name, &schema, &documents);
    }
    for (at, rule) in specification().iter().enumerate() {
        print(
            &format!("rule {at} {}", rule.requirement),
            &rule.schema,
            &rule.documents,
        );
    }
    let texts: Vec<String> = fixtures.into_iter().map(|(_, text)| text).collect();
    let valid: Vec<String> = texts.iter().filter(|text| is_valid(text)).cloned().collect();
    for seed in 0..count {
        let mut rng = Rng::with_seed(seed);
        let text = match seed % 3 {
            0 => mutated(&texts, &mut rng),
            1 => mutated(&valid, &mut rng),
            _ => renamed(&valid, &mut rng),
        };
        let (schema, documents) = support::split(&text);
        print(&format!("seed {seed}"), &schema, &documents);
    }
}

fn read(folder: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures")
        .join(folder);
    let mut paths: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "graphql"));
    paths.sort();
    let file = |path: &Path| {
        (
            path.file_name().unwrap().to_string_lossy().into_owned(),
            fs::read_to_string(path).unwrap(),
        )
    };
    paths.iter().map(|path| file(path)).collect()
}

fn is_valid(text: &str) -> bool {
    let (schema, documents) = support::split(text);
    load(&schema, &documents, &Options::lenient()).is_ok()
}

/// Allows as many of traitql's own conventions as possible.
fn print(name: &str, schema: &[SourceText], documents: &[SourceText]) {
    let convention = *CONVENTIONS
        .iter()
        .find(|code| code.id == "G035")
        .expect("G035 is a convention");
    let codes = |documents: &[SourceText]| -> Vec<&str> {
        let report = load(schema, documents, &Options::lenient_except(convention))
            .err()
            .unwrap_or_default();
        report.diagnostics().iter().map(|found| found.code.id).collect()
    };
    let text = |files: &[SourceText]| files.iter().map(|file| format!("{}\n", file.text)).collect::<String>();
    println!(
        "{}",
        json!({
            "name": name,
            "schema": text(schema),
            "documents": text(documents),
            "schemaCodes": codes(&[]),
            "codes": codes(documents),
        })
    );
}
