use serde_json::json;

use super::*;

fn condition(value: serde_json::Value) -> Condition {
    serde_json::from_value::<StoredCondition>(value)
        .expect("a condition")
        .into()
}

#[derive(Deserialize)]
struct Example {
    description: String,
    when: StoredCondition,
    /// The tours that the visitor has completed.
    #[serde(default)]
    completed: Vec<Id>,
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
        match (
            evaluate(&example.when.into(), &matches_progress),
            example.page.is_some(),
        ) {
            (Verdict::Holds, _) => assert!(example.expected, "{}", example.description),
            (Verdict::Fails, _) => assert!(!example.expected, "{}", example.description),
            (Verdict::Undecided(_), on_page) => assert!(on_page, "{}", example.description),
        }
    }
}

#[test]
fn the_rest_for_the_page_contains_no_tour_tests() {
    let matches_progress = |_: &TourTest| true;
    let mixed = condition(json!({ "all": [
        { "tour": { "tourId": "t", "progress": "COMPLETED" } },
        { "any": [{ "page": "/a" }, { "none": [{ "device": "PHONE" }] }] },
    ] }));
    let rest = condition(json!({ "all": [{ "any": [{ "page": "/a" }, { "none": [{ "device": "PHONE" }] }] }] }));
    assert_eq!(evaluate(&mixed, &matches_progress), Verdict::Undecided(rest));
    assert_eq!(evaluate(&mixed, &|_: &TourTest| false), Verdict::Fails);
    assert_eq!(tours(&mixed), [&Id::from("t")]);
}

#[test]
fn a_condition_round_trips_through_its_stored_form() {
    for value in [
        json!({ "all": [{ "locale": "de" }, { "any": [] }, { "none": [{ "page": "/*" }] }] }),
        json!({ "device": "TABLET" }),
        json!({ "property": { "key": "plan", "is": "IS_NOT", "value": "free" } }),
        json!({ "tour": { "tourId": "t", "progress": "DISMISSED" } }),
    ] {
        let stored = StoredCondition::from(condition(value.clone()));
        assert_eq!(serde_json::to_value(stored).expect("plain data"), value);
    }
}
