//! What introspection tells comes back as the same schema.
#![allow(clippy::unwrap_used)]

use apollo_compiler::{ExecutableDocument, Schema, introspection, request::coerce_variable_values};
use traitql_schema::introspection::to_sdl;

/// The introspection query of graphql-js, with all that it can ask for.
const QUERY: &str = include_str!("../../traitql/tests/introspection.graphql");

const SCHEMA: &str = r#"
"Everything that introspection can tell."
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
fn the_same_schema_comes_back() {
    let told = introspected(SCHEMA);
    let sdl = to_sdl(&told).unwrap();
    assert_eq!(introspected(&sdl), told);
    // Whatever asks for a description asks for `isOneOf` as well.
    assert!(sdl.contains("schema {\n  query: Root\n  mutation: Change\n}"), "{sdl}");
    assert!(!sdl.contains("scalar String"), "{sdl}");
}

#[test]
fn what_is_no_introspection_is_said() {
    assert_eq!(
        to_sdl("{}").unwrap_err(),
        "it is not the answer of an introspection query: it has no `__schema` with `types`"
    );
    assert_eq!(
        to_sdl(r#"{ "errors": [{ "message": "introspection is off" }] }"#).unwrap_err(),
        "the server did not answer the introspection query, but said: introspection is off"
    );
    assert!(to_sdl("type Query").unwrap_err().starts_with("it is not JSON: "));
    let short = r#"{ "__schema": { "types": [{ "kind": "OBJECT", "name": "Query", "fields": [{ "name": "a" }] }] } }"#;
    assert!(to_sdl(short).unwrap_err().contains("`kind` is missing"));
}
