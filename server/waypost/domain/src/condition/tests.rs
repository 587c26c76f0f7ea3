use std::collections::{BTreeMap, HashMap};

use serde_json::json;

use super::*;
use crate::visitor::traits::Traits;

fn condition(value: serde_json::Value) -> Condition {
    serde_json::from_value::<StoredCondition>(value)
        .expect("a condition")
        .into()
}

#[derive(Deserialize)]
struct Example {
    description: String,
    when: StoredCondition,
    #[serde(default)]
    completed: Vec<Id>,
    #[serde(default)]
    traits: BTreeMap<String, String>,
    #[serde(default)]
    verified: bool,
    #[serde(default)]
    segments: HashMap<Id, StoredCondition>,
    expected: bool,
    /// The state of the page, if the result depends on it.
    page: Option<serde_json::Value>,
}

#[test]
fn partial_evaluation_agrees_with_the_examples() {
    let examples: Vec<Example> =
        serde_json::from_str(include_str!("../../content/conditions.json")).expect("a list of examples");
    for example in examples {
        let matches_progress = |test: &TourTest| match test.progress {
            TourProgress::NeverStarted => !example.completed.contains(&test.tour_id),
            TourProgress::Started | TourProgress::Completed => example.completed.contains(&test.tour_id),
            TourProgress::Dismissed => false,
        };
        let traits = Traits::new(example.traits, Vec::new(), 0);
        let passes = |test: ServerTest<'_>| match test {
            ServerTest::Tour(test) => matches_progress(test),
            ServerTest::Trait(test) => traits.matches(test),
            ServerTest::Verified(expected) => example.verified == expected,
        };
        let segments = example
            .segments
            .into_iter()
            .map(|(id, when)| (id, when.into()))
            .collect();
        match (
            evaluate(&example.when.into(), &segments, &passes),
            example.page.is_some(),
        ) {
            (Verdict::Holds, _) => assert!(example.expected, "{}", example.description),
            (Verdict::Fails, _) => assert!(!example.expected, "{}", example.description),
            (Verdict::Undecided(_), on_page) => assert!(on_page, "{}", example.description),
        }
    }
}

#[test]
fn the_rest_for_the_page_contains_no_test_that_the_server_evaluates() {
    let passes = |_: ServerTest<'_>| true;
    let segments = Segments::from([("s".into(), condition(json!({ "verified": true })))]);
    let mixed = condition(json!({ "all": [
        { "tour": { "tourId": "t", "progress": "COMPLETED" } },
        { "trait": { "key": "plan", "is": "IS", "value": "pro" } },
        { "segment": "s" },
        { "verified": false },
        { "any": [{ "page": "/a" }, { "none": [{ "device": "PHONE" }] }] },
    ] }));
    let rest = condition(json!({ "all": [{ "any": [{ "page": "/a" }, { "none": [{ "device": "PHONE" }] }] }] }));
    assert_eq!(evaluate(&mixed, &segments, &passes), Verdict::Undecided(rest.clone()));
    assert_eq!(
        evaluate(&mixed, &Segments::new(), &passes),
        Verdict::Fails,
        "the segment does not exist"
    );
    assert_eq!(
        evaluate(&mixed, &segments, &|test| matches!(test, ServerTest::Tour(_))),
        Verdict::Fails
    );
    assert!(has_server_tests(&mixed) && !has_server_tests(&rest));
    assert!(has_server_tests(&condition(json!({ "segment": "s" }))));
    assert_eq!(tours(&mixed), [&Id::from("t")]);
    assert_eq!(super::segments(&mixed), [&Id::from("s")]);
}

#[test]
fn a_condition_round_trips_through_its_stored_form() {
    for value in [
        json!({ "all": [{ "locale": "de" }, { "any": [] }, { "none": [{ "page": "/*" }] }] }),
        json!({ "device": "TABLET" }),
        json!({ "trait": { "key": "plan", "is": "IS_NOT", "value": "free" } }),
        json!({ "tour": { "tourId": "t", "progress": "DISMISSED" } }),
        json!({ "none": [{ "verified": false }, { "segment": "s" }] }),
    ] {
        let stored = StoredCondition::from(condition(value.clone()));
        assert_eq!(serde_json::to_value(stored).expect("plain data"), value);
    }
}
