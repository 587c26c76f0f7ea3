//! Reports what cynic cannot express with the position of its document.
#![allow(clippy::unwrap_used)]

use traitql_codegen::{Config, Cynic, cynic_problems};
use traitql_schema::{Options, SourceText, Style, load};

const SCHEMA: &str = "
scalar Any
type Query { tours(filter: Any, number: Float): [Tour!]! visitor: String }
type Tour { id: ID! match: String }
input Tours { id: ID }
type Mutation { save(input: Tours): String }
";

fn problems(documents: &[&str]) -> Vec<String> {
    let schema = [SourceText::new("schema.graphql", SCHEMA)];
    let documents: Vec<SourceText> = documents
        .iter()
        .enumerate()
        .map(|(at, text)| SourceText::new(format!("{at}.graphql"), *text))
        .collect();
    let model = load(&schema, &documents, &Options::lenient())
        .unwrap_or_else(|report| panic!("{}", report.render(Style::Plain)));
    let config = Config {
        cynic: Some(Cynic {
            folder: "client/generated".to_owned(),
            schema: "tours".to_owned(),
            ..Cynic::default()
        }),
        ..Config::new("api", "manifest.json")
    };
    cynic_problems(&model, &config)
        .into_iter()
        .map(|problem| {
            let at = problem.origin;
            format!("{}:{}: {}; {}", at.file, at.line, problem.message, problem.help)
        })
        .collect()
}

#[test]
fn directives_of_fragments_must_be_on_their_fields() {
    let spread = "query A($b: Boolean!) { tours { ...T_tour @include(if: $b) } }";
    let fragment = "fragment T_tour on Tour { id }";
    assert_eq!(
        problems(&[spread, fragment]),
        [
            "0.graphql:1: `A` applies `@skip` or `@include` to the fragment `T_tour`; cynic supports these directives on fields \
          only: apply them to the fields"
        ]
    );
    assert_eq!(
        problems(&["query A($b: Boolean!) { tours { id match @skip(if: $b) } }"]),
        [""; 0]
    );
}

#[test]
fn values_of_custom_scalars_must_be_variables() {
    let expected = "0.graphql:1: `A` has an argument that cynic cannot express; use a variable";
    assert_eq!(problems(&["query A { tours(filter: { a: 1 }) { id } }"]), [expected]);
    assert_eq!(
        problems(&["query A { tours(number: 12345678901234567890) { id } }"]),
        [expected]
    );
    assert_eq!(problems(&["query A { tours(filter: 1) { id } }"]), [""; 0]);
}

#[test]
fn aliases_must_be_rust_identifiers() {
    assert_eq!(
        problems(&["query A { type: tours { id } }"]),
        ["0.graphql:1: `A` has the alias `type`, which is a keyword in Rust; use another alias"]
    );
}

#[test]
fn names_must_differ_from_each_other_and_from_names_of_the_generated_code() {
    assert_eq!(
        problems(&["mutation Tours($input: Tours) { save(input: $input) }"]),
        [
            "0.graphql:1: `Tours` needs the Rust name `Tours`, which is already used; rename the operation or the fragment"
        ]
    );
    assert_eq!(
        problems(&["query Visitor { visitor }"]),
        [
            "0.graphql:1: `Visitor` needs the Rust name `Visitor`, which is already used; rename the operation or the fragment"
        ]
    );
    let documents = [
        "query TourRow { tours { ...Tour_row } }",
        "fragment Tour_row on Tour { id }",
    ];
    assert_eq!(
        problems(&documents),
        [
            "0.graphql:1: `TourRow` needs the Rust name `TourRow`, which is already used; rename the operation or the fragment"
        ]
    );
}
