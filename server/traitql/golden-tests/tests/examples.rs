//! `client/src/shared/api/examples.spec.ts` tests TypeScript with the same table.
#![allow(clippy::unwrap_used)]

#[path = "support/examples.rs"]
mod examples;

use std::sync::Arc;

use serde_json::{Value, json};
use traitql::RateLimits;
use traitql_golden::{Resolvers, Role, engine, mock::Mock};

#[tokio::test]
async fn the_engine_reports_the_violations_in_the_table() {
    let resolvers = Resolvers::new(Arc::new(Mock::default().role(Role::Editor)));
    examples::run(
        include_str!("examples.json"),
        engine(&resolvers, Arc::new(RateLimits::default())),
    )
    .await;
}

/// The table covers complete arguments as variables and as literals; this test covers other combinations.
#[tokio::test]
async fn limits_apply_to_values_in_all_positions() {
    let engine = engine(
        &Resolvers::new(Arc::new(Mock::default())),
        Arc::new(RateLimits::default()),
    );
    let cases: [(&str, Value, &[&str]); 8] = [
        // A variable in a literal: in a nested input, and in a list of inputs.
        (
            "query($t: String) { search(by: { filter: { not: { title: $t }, any: [{ title: $t }] } }) { __typename } }",
            json!({ "t": "" }),
            &[
                "by.filter.any.0.title: must not be empty (length)",
                "by.filter.not.title: must not be empty (length)",
            ],
        ),
        // A variable as an entry of a list and of a nested list.
        (
            "query($n: Int!, $t: String) { limits(of: {}, grid: [[1], [2, $n]], names: [[\"a\", $t]]) }",
            json!({ "n": 10, "t": "long" }),
            &[
                "grid.1.1: must be between 0 and 9 (range)",
                "names.0.1: must have at most 3 characters (length)",
            ],
        ),
        // A list variable in a literal.
        (
            "query($o: [String!]) { limits(of: { origins: $o }) }",
            json!({ "o": ["https://a.b", "https://a.b", "a.b"] }),
            &[
                "of.origins.2: must be an origin such as `https://app.example.com`: https, or http on a loopback host, without a path (format)",
                "of.origins: must have at most 2 entries (count)",
            ],
        ),
        // The default of a variable, which is unknown when the code is generated.
        (
            "query($f: Int = 51) { search(by: { text: \"blue\" }, first: $f) { __typename } }",
            json!({}),
            &["first: must be between 1 and 50 (range)"],
        ),
        // An absent variable in a literal omits its field, so that the field's default applies.
        ("query($t: String) { limits(of: { text: $t }) }", json!({}), &[]),
        // Depth is counted across a variable.
        (
            "query($f: FilterInput) { limits(of: { filters: [{}, { not: $f }] }) }",
            json!({ "f": { "not": {} } }),
            &["of.filters.1: must not be nested deeper than 2 levels (depth)"],
        ),
        // A numeric id is measured as a string.
        (
            "{ limits(of: {}, ids: [7, \"abcde\", 123]) }",
            json!({}),
            &[
                "ids.0: must have at least 2 characters (length)",
                "ids.1: must have at most 4 characters (length)",
            ],
        ),
        // If a value has a wrong type, limits are not checked.
        (
            "query($of: LimitsInput!) { limits(of: $of) }",
            json!({ "of": { "even": 1, "state": "GONE" } }),
            &["of.state: must be one of DRAFT, OUT, WITHDRAWN (enum)"],
        ),
    ];
    for (text, variables, expected) in cases {
        let variables = variables.as_object().cloned().unwrap_or_default();
        assert_eq!(
            examples::judge(&engine, "query", text, variables).await,
            expected,
            "{text}"
        );
    }
}
