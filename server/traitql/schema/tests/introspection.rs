//! Introspection and conversion back to SDL preserve the schema.
#![allow(clippy::unwrap_used)]

use apollo_compiler::{ExecutableDocument, Schema, introspection, request::coerce_variable_values};
use traitql_schema::introspection::to_sdl;

/// The introspection query of graphql-js with all options.
const QUERY: &str = include_str!("../../runtime/src/limits/introspection.graphql");

const SCHEMA: &str = r#"
"Uses everything that introspection can report."
schema { query: Root mutation: Change }

"With \"quotes\" and\na second line."
directive @hint(text: String = "a \"b\"") repeatable on FIELD_DEFINITION | OBJECT

type Root {
  "Has arguments."
  things(
    "How many."
    first: Int = 3
    by: By = { name: "x", in: [RED, BLUE] }
  ): [Thing!]!
  old: Int @deprecated(reason: "Use \"things\".")
}

type Change { add(input: NewThing!): Thing }

interface Node { id: ID! }
interface Named implements Node { id: ID! name: String }
type Thing implements Named & Node { id: ID! name: String self: Root grid: [[Float!]] }
union Any = Thing | Root
enum Color { "Like blood." RED BLUE @deprecated }
input By { name: String in: [Color!] = [RED] any: Any2 }
input Any2 @oneOf { a: Int b: When }
input NewThing { at: When! }
scalar When @specifiedBy(url: "https://example.com/when")
type Mutation { notTheRoot: Int }
"#;

fn introspected(sdl: &str) -> String {
    let schema = Schema::parse_and_validate(sdl, "schema.graphql").unwrap_or_else(|error| panic!("{error}\n{sdl}"));
    let document = ExecutableDocument::parse_and_validate(&schema, QUERY, "introspection.graphql").unwrap();
    let operation = document.operations.get(None).unwrap();
    let variables = coerce_variable_values(&schema, operation, &Default::default()).unwrap();
    let answer = introspection::partial_execute(&schema, &schema.implementers_map(), &document, operation, &variables);
    serde_json::to_string(&answer.unwrap()).unwrap()
}

#[test]
fn introspection_round_trips() {
    let response = introspected(SCHEMA);
    let sdl = to_sdl(&response).unwrap();
    assert_eq!(introspected(&sdl), response);
    // The equality above does not cover the root types and built-in scalars of the SDL.
    assert!(sdl.contains("schema {\n  query: Root\n  mutation: Change\n}"), "{sdl}");
    assert!(!sdl.contains("scalar String"), "{sdl}");
}

#[test]
fn invalid_responses_are_rejected() {
    assert_eq!(
        to_sdl("{}").unwrap_err(),
        "not an introspection response: `__schema.types` is missing"
    );
    assert_eq!(
        to_sdl(r#"{ "errors": [{ "message": "introspection is off" }] }"#).unwrap_err(),
        "the server returned an error instead of a schema: introspection is off"
    );
    assert!(to_sdl("type Query").unwrap_err().starts_with("invalid JSON: "));
    let short = r#"{ "__schema": { "types": [{ "kind": "OBJECT", "name": "Query", "fields": [{ "name": "a" }] }] } }"#;
    assert!(to_sdl(short).unwrap_err().contains("`kind` is missing"));
}
