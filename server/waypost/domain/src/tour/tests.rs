use traitql::Id;
use waypost_api::{
    AdvanceOn, Branch, Condition, ErrorCode, Frequency, Severity, Step, StepKind, Target, TargetBy, TargetInput,
    Trigger,
};

use super::{content::Content, problem::*, *};
use crate::testing::{save_input, step};

fn content(keys: &[&str]) -> Content {
    Content {
        steps: keys.iter().map(|key| content::step(step(key)).into()).collect(),
        ..empty()
    }
}

fn empty() -> Content {
    Content::empty("en".to_owned())
}

fn at(content: &mut Content, place: usize) -> &mut Step {
    Arc::make_mut(&mut content.steps[place])
}

#[test]
fn the_status_follows_from_the_releases() {
    assert_eq!(status(false, None), TourStatus::Draft);
    assert_eq!(status(false, Some(ReleaseState::Live)), TourStatus::Live);
    assert_eq!(status(false, Some(ReleaseState::Paused)), TourStatus::Paused);
    assert_eq!(status(false, Some(ReleaseState::Ended)), TourStatus::Stopped);
    assert_eq!(status(true, Some(ReleaseState::Ended)), TourStatus::Archived);
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
fn a_save_keeps_omitted_fields_and_resets_null_fields() {
    let mut draft = content(&["a"]);
    draft.theme_id = Some("t".into());
    draft.locales = vec!["de".to_owned(), "fr".to_owned()];
    assert_eq!(edit(draft.clone(), save_input("x", 1)).ok(), Some(draft.clone()));

    let mut input = save_input("x", 1);
    input.steps = Patch::Clear;
    input.theme_id = Patch::Clear;
    input.locales = Patch::Clear;
    assert_eq!(edit(draft.clone(), input).ok(), Some(Content::empty("de".to_owned())));

    let mut input = save_input("x", 1);
    input.steps = Patch::Set(vec![step("b")]);
    let after = edit(draft, input).expect("a valid save");
    assert_eq!(after.steps[0].key, "b");
    assert_eq!(after.theme_id, Some("t".into()));
}

#[test]
fn step_keys_are_unique() {
    let mut input = save_input("x", 1);
    input.steps = Patch::Set(vec![step("a"), step("b"), step("a")]);
    let refused = edit(empty(), input).expect_err("two steps with one key");
    assert_eq!(refused.key, "a");
}

#[test]
fn problems_are_blockers_or_warnings() {
    let codes = |content: &Content| -> Vec<(Severity, ErrorCode, Option<String>)> {
        problems(&content.steps, &content.start)
            .into_iter()
            .map(|problem| (problem.severity, problem.code, problem.step_key))
            .collect()
    };
    assert_eq!(codes(&empty()), [(Severity::Blocker, ErrorCode::EmptyTour, None)]);
    assert_eq!(codes(&content(&["a"])), []);

    let mut draft = content(&["a", "b", "b"]);
    at(&mut draft, 0).target = None;
    at(&mut draft, 1).target = None;
    at(&mut draft, 1).kind = StepKind::Modal;
    at(&mut draft, 2).body = "é".repeat(401);
    assert_eq!(
        codes(&draft),
        [
            (Severity::Blocker, ErrorCode::TargetRequired, Some("a".into())),
            (Severity::Blocker, ErrorCode::DuplicateStepKey, Some("b".into())),
            (Severity::Warning, ErrorCode::LongBody, Some("b".into())),
        ]
    );
    at(&mut draft, 2).body = "é".repeat(400);
    assert_eq!(codes(&draft).len(), 2);
    let refused = releasable(&draft.steps, &draft.start).expect_err("blockers");
    assert_eq!(refused.count, "2");
    assert_eq!(refused.first, "Step “Step a” has no element. Choose one.");

    let warned = |body: &str| {
        let mut draft = content(&["a"]);
        at(&mut draft, 0).body = body.into();
        codes(&draft).pop().map(|(severity, code, _)| (severity, code))
    };
    let broken = Some((Severity::Warning, ErrorCode::BrokenLink));
    for body in [
        "[the guide](https://)",
        "See [x](javascript:1) now",
        "[a](https://a.example) [b]( )",
        "[on its way](https://a.exa",
    ] {
        assert_eq!(warned(body), broken, "{body}");
    }
    let image = Some((Severity::Warning, ErrorCode::BrokenImage));
    for body in [
        "![a cat](http://a.example/cat.png)",
        "![](https://a.example/cat.png)",
        "See ![a cat](https://a.example/cat.png)",
        "![a cat](https://a.example/cat.png) here",
        "![a cat](https://a.exa",
    ] {
        assert_eq!(warned(body), image, "{body}");
    }
    for body in [
        "[the guide](https://a.example)",
        "Look:\n![a cat](https://a.example/cat.png) \nHere.",
        "[mail](mailto:a@a.example)",
        r"\[no link](x)",
        "`[no link](x)`",
        "a](b)",
    ] {
        assert_eq!(warned(body), None, "{body}");
    }

    let many = content(&["a", "b", "c", "d", "e", "f", "g", "h"]);
    assert_eq!(codes(&many), [(Severity::Warning, ErrorCode::ManySteps, None)]);
    assert!(releasable(&many.steps, &many.start).is_ok(), "warnings do not block");
}

fn blockers(draft: &Content) -> Vec<String> {
    let blockers = problems(&draft.steps, &draft.start).into_iter();
    let blockers = blockers.filter(|problem| problem.severity == Severity::Blocker);
    blockers
        .map(|problem| format!("{} {}", problem.code.as_graphql(), problem.step_key.unwrap_or_default()))
        .collect()
}

fn branch(to: Option<&str>, label: Option<&str>) -> Branch {
    Branch {
        to: to.map(str::to_owned),
        label: label.map(str::to_owned),
        when: None,
    }
}

#[test]
fn a_step_without_a_required_target_is_a_blocker() {
    let mut draft = content(&["a"]);
    at(&mut draft, 0).target = None;
    for kind in [StepKind::Spotlight, StepKind::Tooltip, StepKind::Hotspot] {
        at(&mut draft, 0).kind = kind;
        assert_eq!(blockers(&draft), ["TARGET_REQUIRED a"]);
    }
    at(&mut draft, 0).kind = StepKind::Wait;
    at(&mut draft, 0).advance.on = AdvanceOn::TargetClick;
    assert_eq!(blockers(&draft), ["TARGET_REQUIRED a"]);
    at(&mut draft, 0).advance.on = AdvanceOn::Delay;
    assert_eq!(blockers(&draft), [""; 0]);
}

#[test]
fn a_selector_that_browsers_reject_is_a_blocker() {
    let mut draft = content(&["a"]);
    let xpath = "//div[@id='x']";
    at(&mut draft, 0).target = Some(Target {
        by: TargetBy::Selector,
        value: xpath.into(),
    });
    assert_eq!(blockers(&draft), ["TARGET_SELECTOR_INVALID a"]);
    let refused = releasable(&draft.steps, &draft.start).expect_err("a release of an invalid selector");
    assert!(refused.first.contains(xpath), "{}", refused.first);
    at(&mut draft, 0).kind = StepKind::Modal;
    assert_eq!(blockers(&draft), [""; 0], "a modal has no element");
    at(&mut draft, 0).advance.selector = Some(xpath.into());
    assert_eq!(blockers(&draft), [""; 0], "the rule is not used");
    at(&mut draft, 0).advance.on = AdvanceOn::Element;
    assert_eq!(blockers(&draft), ["ADVANCE_SELECTOR_INVALID a"]);
}

#[test]
fn an_incomplete_advance_rule_is_a_blocker() {
    let mut draft = content(&["a"]);
    for on in [AdvanceOn::Page, AdvanceOn::Element, AdvanceOn::Event] {
        at(&mut draft, 0).advance.on = on;
        assert_eq!(blockers(&draft), ["ADVANCE_INCOMPLETE a"]);
    }
    at(&mut draft, 0).advance.event = Some("paid".into());
    assert_eq!(blockers(&draft), [""; 0]);
    at(&mut draft, 0).advance.on = AdvanceOn::Button;
    at(&mut draft, 0).kind = StepKind::Wait;
    assert_eq!(blockers(&draft), ["WAIT_WITHOUT_RULE a"]);
}

#[test]
fn an_impossible_click_is_a_blocker() {
    let mut draft = content(&["a"]);
    at(&mut draft, 0).advance.on = AdvanceOn::TargetClick;
    assert_eq!(blockers(&draft), [""; 0]);
    at(&mut draft, 0).block_page = true;
    assert_eq!(blockers(&draft), ["ADVANCE_IMPOSSIBLE a"]);
    at(&mut draft, 0).block_page = false;
    at(&mut draft, 0).kind = StepKind::Modal;
    assert_eq!(blockers(&draft), ["ADVANCE_IMPOSSIBLE a"]);
}

#[test]
fn unreachable_steps_and_unknown_branch_targets_are_blockers() {
    let mut draft = content(&["a", "b", "c", "d"]);
    at(&mut draft, 0).branches = vec![branch(Some("c"), Some("Skip")), branch(Some("x"), Some("Nowhere"))];
    assert_eq!(blockers(&draft), ["BRANCH_UNKNOWN_STEP a", "UNREACHABLE_STEP b"]);
    // If the advance rule is not a button, the next step follows when the rule is met.
    at(&mut draft, 0).branches.pop();
    at(&mut draft, 0).advance.on = AdvanceOn::TargetClick;
    assert_eq!(blockers(&draft), [""; 0]);
    // A branch without a label is taken automatically.
    at(&mut draft, 0).branches = vec![branch(None, None)];
    assert_eq!(
        blockers(&draft),
        ["UNREACHABLE_STEP b", "UNREACHABLE_STEP c", "UNREACHABLE_STEP d"]
    );
    at(&mut draft, 0).branches = vec![branch(Some("d"), None)];
    at(&mut draft, 3).branches = vec![branch(Some("b"), None)];
    assert_eq!(blockers(&draft), [""; 0], "a backward branch makes a step reachable");
    // If the branch has a condition, the next step is reachable too.
    at(&mut draft, 0).branches[0].when = Some(Condition {
        page: Some("/a".into()),
        ..crate::condition::from_input(waypost_api::ConditionInput::All(Vec::new()))
    });
    at(&mut draft, 3).branches.clear();
    assert_eq!(blockers(&draft), [""; 0]);
    // Consecutive hotspots are shown together.
    at(&mut draft, 0).branches = vec![branch(Some("c"), None)];
    for step in &mut draft.steps[1..] {
        Arc::make_mut(step).kind = StepKind::Hotspot;
    }
    assert_eq!(blockers(&draft), [""; 0]);
}

#[test]
fn an_incomplete_start_rule_is_a_blocker() {
    let mut draft = content(&["a"]);
    draft.start.trigger = Trigger::Event;
    draft.start.frequency = Frequency::EveryNDays;
    assert_eq!(blockers(&draft), ["START_EVENT_MISSING ", "EVERY_DAYS_MISSING "]);
    draft.start.trigger = Trigger::Manual;
    assert_eq!(blockers(&draft), [""; 0], "a manual start needs no event or interval");
    draft.start.trigger = Trigger::Event;
    draft.start.event = Some("paid".into());
    draft.start.every_days = Some(7);
    assert_eq!(blockers(&draft), [""; 0]);
}

#[test]
fn a_step_after_a_page_change_without_a_page_is_a_warning() {
    let mut draft = content(&["a", "b"]);
    at(&mut draft, 0).advance.on = AdvanceOn::Page;
    at(&mut draft, 0).advance.page = Some("/orders".into());
    let codes = |draft: &Content| -> Vec<ErrorCode> {
        let found = problems(&draft.steps, &draft.start).into_iter();
        found.map(|problem| problem.code).collect()
    };
    assert_eq!(codes(&draft), [ErrorCode::PageMissing]);
    at(&mut draft, 1).page = Some("/orders".into());
    assert_eq!(codes(&draft), []);
}

#[test]
fn fields_missing_in_older_revisions_get_the_defaults_of_inputs() {
    let text = r#"{"key":"a","kind":"MODAL","title":"Step a","body":"","target":null,"side":"AUTO","nextLabel":null,
        "previousLabel":null,"doneLabel":null,"missingTarget":"SKIP_STEP","waitMs":8000}"#;
    let stored: stored::StoredStep = serde_json::from_str(text).expect("the format of the first revisions");
    let mut today = content::step(step("a"));
    (today.kind, today.target) = (StepKind::Modal, None);
    assert_eq!(waypost_api::Step::from(stored), today);

    let text = r#"{"trigger":"AUTO","frequency":"ONCE","page":null,"delayMs":0}"#;
    let stored: stored::StoredStart = serde_json::from_str(text).expect("the format of the first revisions");
    assert_eq!(waypost_api::StartRule::from(stored), content::default_start());
}

#[test]
fn content_round_trips_through_its_stored_form() {
    let mut input = step("a");
    input.target = Patch::Set(TargetInput {
        by: waypost_api::TargetBy::Selector,
        value: "#x > \"y\"".into(),
    });
    input.page = Patch::Set("/orders".into());
    input.advance.on = AdvanceOn::Page;
    input.advance.page = Patch::Set("/cart".into());
    input.block_page = true;
    input.close_on_outside_click = true;
    let mut before = content::step(input);
    before.branches = vec![branch(Some("b"), Some("Go"))];
    let text = crate::store::json(&stored::StoredStep::from(before.clone()));
    let stored: stored::StoredStep = serde_json::from_str(&text).expect("the stored format");
    assert_eq!(waypost_api::Step::from(stored), before);
}

#[test]
fn wildcards_in_a_search_are_escaped() {
    assert_eq!(search_pattern(" 100%_a\\b "), "%100\\%\\_a\\\\b%");
}
