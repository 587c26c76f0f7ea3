use traitql::Id;
use waypost_api::{ErrorCode, Severity, StepKind, TargetInput};

use super::{content::Content, problem::*, *};
use crate::testing::{save_input, step};

fn content(keys: &[&str]) -> Content {
    Content {
        steps: keys.iter().map(|key| content::step(step(key))).collect(),
        ..Content::empty()
    }
}

#[test]
fn the_status_follows_from_the_releases() {
    assert_eq!(status(false, None), TourStatus::Draft);
    assert_eq!(status(false, Some(true)), TourStatus::Live);
    assert_eq!(status(false, Some(false)), TourStatus::Paused);
    assert_eq!(status(true, None), TourStatus::Archived);
}

#[test]
fn a_draft_that_equals_the_released_content_has_no_changes() {
    assert!(!has_unreleased_changes(&content(&["a"]), Some(&content(&["a"]))));
    assert!(has_unreleased_changes(&content(&["a", "b"]), Some(&content(&["a"]))));
    let mut themed = content(&["a"]);
    themed.theme_id = Some(Id::from("t"));
    assert!(has_unreleased_changes(&themed, Some(&content(&["a"]))));
    assert!(has_unreleased_changes(&content(&["a"]), None));
    assert!(!has_unreleased_changes(&content(&[]), None));
}

#[test]
fn a_save_keeps_what_it_leaves_out_and_clears_what_is_null() {
    let mut draft = content(&["a"]);
    draft.theme_id = Some("t".into());
    assert_eq!(edit(draft.clone(), save_input("x", 1)).ok(), Some(draft.clone()));

    let mut input = save_input("x", 1);
    input.steps = Patch::Clear;
    input.theme_id = Patch::Clear;
    assert_eq!(edit(draft.clone(), input).ok(), Some(Content::empty()));

    let mut input = save_input("x", 1);
    input.steps = Patch::Set(vec![step("b")]);
    let after = edit(draft, input).expect("a valid save");
    assert_eq!(after.steps[0].key, "b");
    assert_eq!(after.theme_id, Some("t".into()));
}

#[test]
fn a_key_names_one_step() {
    let mut input = save_input("x", 1);
    input.steps = Patch::Set(vec![step("a"), step("b"), step("a")]);
    let refused = edit(Content::empty(), input).expect_err("two steps with one key");
    assert_eq!(refused.key, "a");
}

#[test]
fn problems_block_or_warn() {
    let codes = |content: &Content| -> Vec<(Severity, ErrorCode, Option<String>)> {
        problems(&content.steps)
            .into_iter()
            .map(|problem| (problem.severity, problem.code, problem.step_key))
            .collect()
    };
    assert_eq!(
        codes(&Content::empty()),
        [(Severity::Blocker, ErrorCode::EmptyTour, None)]
    );
    assert_eq!(codes(&content(&["a"])), []);

    let mut draft = content(&["a", "b", "b"]);
    draft.steps[0].target = None;
    draft.steps[1].target = None;
    draft.steps[1].kind = StepKind::Modal;
    draft.steps[2].body = "é".repeat(401);
    assert_eq!(
        codes(&draft),
        [
            (Severity::Blocker, ErrorCode::TargetRequired, Some("a".into())),
            (Severity::Blocker, ErrorCode::DuplicateStepKey, Some("b".into())),
            (Severity::Warning, ErrorCode::LongBody, Some("b".into())),
        ]
    );
    draft.steps[2].body = "é".repeat(400);
    assert_eq!(codes(&draft).len(), 2);
    let refused = releasable(&draft.steps).expect_err("blockers");
    assert_eq!(refused.count, "2");
    assert_eq!(refused.first, "Step “Step a” needs an element to point at.");

    let many = content(&["a", "b", "c", "d", "e", "f", "g", "h"]);
    assert_eq!(codes(&many), [(Severity::Warning, ErrorCode::ManySteps, None)]);
    assert!(releasable(&many.steps).is_ok(), "warnings do not block");
}

#[test]
fn content_survives_its_stored_form() {
    let mut input = step("a");
    input.target = Patch::Set(TargetInput {
        by: waypost_api::TargetBy::Selector,
        value: "#x > \"y\"".into(),
    });
    let before = content::step(input);
    let text = crate::store::json(&content::StoredStep::from(before.clone()));
    let stored: content::StoredStep = serde_json::from_str(&text).expect("our own form");
    assert_eq!(waypost_api::Step::from(stored), before);
}

#[test]
fn a_search_means_its_letters() {
    assert_eq!(search_pattern(" 100%_a\\b "), "%100\\%\\_a\\\\b%");
}
