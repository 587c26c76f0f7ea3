//! Definitions that a new schema need not begin with.

use traitql_schema::{Missing, SourceText, missing_definitions};

fn missing(text: &str) -> Option<Missing> {
    missing_definitions(&[SourceText::new("schema.graphql", text)])
}

#[test]
fn what_is_used_and_not_defined_is_given_with_what_it_needs() {
    let found = missing(
        "type Query { a(text: String! @length(max: 9)): Int @rate(limit: 1, per: HOUR) @public }
         extend type Query { b(by: In): Int @deprecated @theirs }
         input In { list: [Int!] @count(max: 2) }
         directive @public on FIELD_DEFINITION",
    )
    .expect("three are missing");
    assert_eq!(found.directives, ["length", "count", "rate"]);
    let defined: Vec<&str> = found
        .text
        .lines()
        .filter(|line| line.starts_with("directive ") || line.starts_with("enum "))
        .map(|line| line.split(['(', '{']).next().unwrap_or_default().trim())
        .collect();
    assert_eq!(
        defined,
        [
            "directive @length",
            "directive @count",
            "directive @rate",
            "enum Window",
            "enum RateBy"
        ]
    );
}

#[test]
fn the_enums_of_the_application_are_its_own() {
    let schema = "type Query { a: Int @auth(role: AUTHOR) @throws(codes: [GONE]) } enum Role { AUTHOR }";
    let found = missing(schema).expect("one can be told");
    assert_eq!(found.directives, ["auth"]);
}

#[test]
fn a_schema_that_has_all_it_needs_gets_nothing() {
    assert_eq!(missing("type Query { a: Int @deprecated }"), None);
    assert_eq!(missing("type Query { a("), None);
}
