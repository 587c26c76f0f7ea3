#![allow(clippy::unwrap_used)]

use traitql_codegen::{Config, relation_problem};
use traitql_schema::{Options, SourceText, Style, load};

const SCHEMA: &str = "
type Query { tours: [Tour!]! }
type Tour { id: ID! title: String! siteId: ID! copyOfId: ID author: Account! reviewer: Account copyOf: Tour
  steps(first: Int): Account releases: [Account!]! theme: Theme! }
type Account { id: ID! }
type Theme { name: String! }
";

fn problem(coordinate: &str, key: &str) -> Option<String> {
    let schema = [SourceText::new("schema.graphql", SCHEMA)];
    let model =
        load(&schema, &[], &Options::lenient()).unwrap_or_else(|report| panic!("{}", report.render(Style::Plain)));
    let extra = [
        ("author_id", "traitql::Id"),
        ("reviewer_id", "Option<traitql::Id>"),
        ("count", "u32"),
    ];
    let extra = extra.map(|(name, ty)| (name.to_owned(), ty.to_owned()));
    let config = Config {
        extra: [("Tour".to_owned(), extra.into())].into(),
        ..Config::new("api", "manifest.json")
    };
    relation_problem(&model, &config, coordinate, key)
}

#[test]
fn the_key_is_an_extra_field_or_a_field_of_the_schema() {
    assert_eq!(problem("Tour.author", "author_id"), None);
    assert_eq!(problem("Tour.reviewer", "reviewer_id"), None);
    assert_eq!(problem("Tour.reviewer", "author_id"), None);
    assert_eq!(problem("Tour.copyOf", "copy_of_id"), None);
}

#[test]
fn a_wrong_key_is_reported_with_its_fix() {
    for key in ["auhtor_id", "count", "title"] {
        assert_eq!(
            problem("Tour.author", key).unwrap(),
            format!(
                "the struct `Tour` has no field `{key}` of the type `traitql::Id` or `Option<traitql::Id>`; add it to \
                 `traitql.extra.Tour`"
            )
        );
    }
    assert_eq!(
        problem("Tour.author", "reviewer_id").unwrap(),
        "the field is never null, but its key `reviewer_id` can be `None`; use the type `traitql::Id`, or make the field nullable"
    );
}

#[test]
fn other_fields_cannot_be_relations() {
    let one = "the field must return one object of a type with the data field `id: ID!`";
    assert_eq!(problem("Tour.releases", "author_id").unwrap(), one);
    assert_eq!(problem("Tour.theme", "author_id").unwrap(), one);
    assert_eq!(
        problem("Tour.title", "author_id").unwrap(),
        "the field is data, so it needs no resolver"
    );
    assert_eq!(
        problem("Tour.steps", "author_id").unwrap(),
        "the field has arguments, which a loader does not receive"
    );
    assert_eq!(
        problem("Query.tours", "author_id").unwrap(),
        "`Query` has no struct with keys"
    );
}
