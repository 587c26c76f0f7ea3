#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

use traitql_schema::{Options, SourceText, load};

fn read(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            read(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "graphql") {
            files.push(path);
        }
    }
}

fn sources(folder: &str) -> Vec<SourceText> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let mut files = Vec::new();
    read(&root.join(folder), &mut files);
    let name = |path: &PathBuf| path.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
    files
        .iter()
        .map(|path| SourceText::new(name(path), fs::read_to_string(path).unwrap()))
        .collect()
}

#[test]
fn the_project_schema_is_valid() {
    let model = match load(&sources("schema"), &sources("operations"), &Options::default()) {
        Ok(model) => model,
        Err(report) => panic!("{report}"),
    };
    assert_eq!(model.role_enum.as_deref(), Some("Role"));
    assert_eq!(model.error_enum.as_deref(), Some("ErrorCode"));
}

#[test]
fn the_order_of_the_files_does_not_matter() {
    let (mut schema, mut operations) = (sources("schema"), sources("operations"));
    let expected = load(&schema, &operations, &Options::default()).unwrap();
    schema.reverse();
    operations.reverse();
    let reversed = load(&schema, &operations, &Options::default()).unwrap();
    assert_eq!(format!("{expected:?}"), format!("{reversed:?}"));
}

#[test]
fn a_missing_schema_is_reported() {
    let report = load(&[], &[], &Options::default()).unwrap_err().to_string();
    assert!(report.contains("error[S004 no_schema]"), "{report}");
}

#[test]
fn consequences_of_an_unparsable_schema_are_not_reported() {
    let operation = SourceText::new("operations/Look.graphql", "query Look { look }");
    let codes = |schema: &[SourceText]| {
        let report = load(schema, std::slice::from_ref(&operation), &Options::default()).unwrap_err();
        let codes = report.diagnostics().iter().map(|problem| problem.code.slug);
        codes.collect::<Vec<_>>()
    };
    assert_eq!(codes(&[]), ["no_schema"]);
    let unfinished = "\"What is to be seen.\ntype Query { look: Int @public }";
    assert_eq!(codes(&[SourceText::new("schema.graphql", unfinished)]), ["syntax"]);
}

#[test]
fn deeply_nested_selections_are_rejected() {
    let schema = [SourceText::new(
        "schema.graphql",
        "type Query { q: Query @public }\ndirective @public on FIELD_DEFINITION",
    )];
    let text = format!("query Deep {}a{}", "{ q ".repeat(10_000), "}".repeat(10_000));
    let report = load(
        &schema,
        &[SourceText::new("operations/Deep.graphql", text)],
        &Options::default(),
    )
    .unwrap_err()
    .to_string();
    assert!(report.contains("error[S005 too_deep]"), "{report}");
}
