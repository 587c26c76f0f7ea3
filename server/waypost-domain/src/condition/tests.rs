use serde_json::json;

use super::*;

fn condition(value: serde_json::Value) -> Condition {
    serde_json::from_value::<StoredCondition>(value)
        .expect("a condition")
        .into()
}

/// A line of `content/conditions.json`.
#[derive(Deserialize)]
struct Example {
    says: String,
    when: StoredCondition,
    /// The tours that the person completed.
    #[serde(default)]
    completed: Vec<Id>,
    holds: bool,
    /// What only a page knows, where the answer depends on it.
    page: Option<serde_json::Value>,
}

#[test]
fn what_depends_on_tours_alone_is_decided_as_pages_decide_it() {
    let examples: Vec<Example> =
        serde_json::from_str(include_str!("../../content/conditions.json")).expect("a list of examples");
    for example in examples {
        let came = |test: &TourTest| match test.progress {
            TourProgress::NeverStarted => !example.completed.contains(&test.tour_id),
            TourProgress::Started | TourProgress::Completed => example.completed.contains(&test.tour_id),
            TourProgress::Dismissed => false,
        };
        match (decide(&example.when.into(), &came), example.page.is_some()) {
            (Verdict::Holds, _) => assert!(example.holds, "{}", example.says),
            (Verdict::Fails, _) => assert!(!example.holds, "{}", example.says),
            (Verdict::Open(_), on_page) => assert!(on_page, "{}", example.says),
        }
    }
}

#[test]
fn what_is_left_to_the_page_names_no_tour() {
    let came = |_: &TourTest| true;
    let mixed = condition(json!({ "all": [
        { "tour": { "tourId": "t", "progress": "COMPLETED" } },
        { "any": [{ "page": "/a" }, { "none": [{ "device": "PHONE" }] }] },
    ] }));
    let rest = condition(json!({ "all": [{ "any": [{ "page": "/a" }, { "none": [{ "device": "PHONE" }] }] }] }));
    assert_eq!(decide(&mixed, &came), Verdict::Open(rest));
    assert_eq!(decide(&mixed, &|_: &TourTest| false), Verdict::Fails);
    assert_eq!(tours(&mixed), [&Id::from("t")]);
}

#[test]
fn a_condition_survives_its_stored_form() {
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
