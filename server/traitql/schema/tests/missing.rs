//! Definitions that a new schema can omit.

use traitql_schema::{MissingDefinitions, SourceText, undefined_directives};

fn missing(text: &str) -> Option<MissingDefinitions> {
    undefined_directives(&[SourceText::new("schema.graphql", text)])
}

#[test]
fn used_but_undefined_directives_are_returned_with_their_enums() {
    let found = missing(
        "type Query { a(text: String! @length(max: 9)): Int @rate(limit: 1, per: HOUR) @public }
         extend type Query { b(by: In): Int @deprecated @theirs }
         input In { list: [Int!] @count(max: 2) }
         directive @public on FIELD_DEFINITION",
    )
    .expect("three directives are undefined");
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
fn directives_with_unknown_application_enums_are_skipped() {
    let schema = "type Query { a: Int @auth(role: AUTHOR) @throws(codes: [GONE]) } enum Role { AUTHOR }";
    let found = missing(schema).expect("one directive can be defined");
    assert_eq!(found.directives, ["auth"]);
}

#[test]
fn a_complete_schema_gets_nothing() {
    assert_eq!(missing("type Query { a: Int @deprecated }"), None);
    assert_eq!(missing("type Query { a("), None);
}
