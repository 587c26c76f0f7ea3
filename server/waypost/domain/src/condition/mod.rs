//! Conditions: their stored form, and their partial evaluation on the server.
//!
//! The server evaluates the tests of visitors and of other tours, and the page evaluates the rest with
//! `client/embed/player/condition.ts`. The tests of both run the examples in `content/conditions.json`.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use traitql::Id;
use waypost_api::{
    Comparison, Condition, ConditionInput, Device, SegmentConditionInput, TourProgress, TourTest, TraitTest,
};

pub type Segments = HashMap<Id, Condition>;

/// The stored form of a condition: an object with one field, like the schema's input type.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum StoredCondition {
    All(Vec<StoredCondition>),
    Any(Vec<StoredCondition>),
    None(Vec<StoredCondition>),
    Page(String),
    Locale(String),
    Device(Device),
    Trait(StoredTrait),
    Verified(bool),
    Segment(Id),
    Tour(StoredTour),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct StoredTrait {
    key: String,
    is: Comparison,
    value: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StoredTour {
    tour_id: Id,
    progress: TourProgress,
}

#[derive(Debug, Clone, PartialEq)]
#[allow(
    clippy::large_enum_variant,
    reason = "only a few values exist, and only during a request"
)]
pub(crate) enum Verdict {
    Holds,
    Fails,
    Undecided(Condition),
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Group {
    All,
    Any,
    None,
}

/// A test that the server evaluates. It also evaluates tests of segments, which consist of these.
#[derive(Clone, Copy)]
pub(crate) enum ServerTest<'c> {
    Tour(&'c TourTest),
    Trait(&'c TraitTest),
    Verified(bool),
}

fn server_test(condition: &Condition) -> Option<ServerTest<'_>> {
    let tour = condition.tour.as_ref().map(ServerTest::Tour);
    let trait_test = || condition.r#trait.as_ref().map(ServerTest::Trait);
    tour.or_else(trait_test)
        .or_else(|| condition.verified.map(ServerTest::Verified))
}

pub(crate) fn has_server_tests(condition: &Condition) -> bool {
    let mut tests = tests(condition).into_iter();
    tests.any(|test| test.segment.is_some() || server_test(test).is_some())
}

/// Evaluates the tests of segments, and the other tests of the server with `passes`. Returns the remaining tests if
/// the result depends on them.
pub(crate) fn evaluate(
    condition: &Condition,
    segments: &Segments,
    passes: &impl Fn(ServerTest<'_>) -> bool,
) -> Verdict {
    let Some((group, of)) = group(condition) else {
        if let Some(id) = &condition.segment {
            // A segment does not test other segments, which the schema ensures.
            let evaluate_segment = |when| evaluate(when, &Segments::new(), passes);
            return segments.get(id).map_or(Verdict::Fails, evaluate_segment);
        }
        return match server_test(condition) {
            Some(test) if passes(test) => Verdict::Holds,
            Some(_) => Verdict::Fails,
            None => Verdict::Undecided(condition.clone()),
        };
    };
    let (decisive, result, default) = match group {
        Group::All => (Verdict::Fails, Verdict::Fails, Verdict::Holds),
        Group::Any => (Verdict::Holds, Verdict::Holds, Verdict::Fails),
        Group::None => (Verdict::Holds, Verdict::Fails, Verdict::Holds),
    };
    let mut open = Vec::new();
    for each in of {
        match evaluate(each, segments, passes) {
            Verdict::Undecided(rest) => open.push(rest),
            verdict if verdict == decisive => return result,
            _ => {}
        }
    }
    if open.is_empty() {
        default
    } else {
        Verdict::Undecided(grouped(group, open))
    }
}

pub fn tours(condition: &Condition) -> Vec<&Id> {
    let tests = tests(condition).into_iter();
    tests.filter_map(|test| Some(&test.tour.as_ref()?.tour_id)).collect()
}

pub fn segments(condition: &Condition) -> Vec<&Id> {
    let tests = tests(condition).into_iter();
    tests.filter_map(|test| test.segment.as_ref()).collect()
}

fn tests(condition: &Condition) -> Vec<&Condition> {
    match group(condition) {
        None => vec![condition],
        Some((_, of)) => of.iter().flat_map(tests).collect(),
    }
}

fn group(condition: &Condition) -> Option<(Group, &[Condition])> {
    let Condition { all, any, none, .. } = condition;
    let groups = [(Group::All, all), (Group::Any, any), (Group::None, none)];
    groups.into_iter().find_map(|(group, of)| Some((group, of.as_deref()?)))
}

pub(crate) fn from_segment_input(input: SegmentConditionInput) -> Condition {
    let group = |group, of: Vec<_>| grouped(group, of.into_iter().map(from_segment_input).collect());
    match input {
        SegmentConditionInput::All(of) => group(Group::All, of),
        SegmentConditionInput::Any(of) => group(Group::Any, of),
        SegmentConditionInput::None(of) => group(Group::None, of),
        SegmentConditionInput::Trait(test) => from_input(ConditionInput::Trait(test)),
        SegmentConditionInput::Verified(verified) => from_input(ConditionInput::Verified(verified)),
        SegmentConditionInput::Tour(test) => from_input(ConditionInput::Tour(test)),
    }
}

pub fn from_input(input: ConditionInput) -> Condition {
    let group = |group, of: Vec<ConditionInput>| grouped(group, of.into_iter().map(from_input).collect());
    match input {
        ConditionInput::All(of) => group(Group::All, of),
        ConditionInput::Any(of) => group(Group::Any, of),
        ConditionInput::None(of) => group(Group::None, of),
        ConditionInput::Page(page) => Condition {
            page: Some(page),
            ..empty()
        },
        ConditionInput::Locale(locale) => Condition {
            locale: Some(locale),
            ..empty()
        },
        ConditionInput::Device(device) => Condition {
            device: Some(device),
            ..empty()
        },
        ConditionInput::Trait(test) => Condition {
            r#trait: Some(TraitTest {
                key: test.key,
                is: test.is,
                value: test.value,
            }),
            ..empty()
        },
        ConditionInput::Verified(verified) => Condition {
            verified: Some(verified),
            ..empty()
        },
        ConditionInput::Segment(id) => Condition {
            segment: Some(id),
            ..empty()
        },
        ConditionInput::Tour(test) => Condition {
            tour: Some(TourTest {
                tour_id: test.tour_id,
                progress: test.progress,
            }),
            ..empty()
        },
    }
}

fn grouped(group: Group, of: Vec<Condition>) -> Condition {
    match group {
        Group::All => Condition {
            all: Some(of),
            ..empty()
        },
        Group::Any => Condition {
            any: Some(of),
            ..empty()
        },
        Group::None => Condition {
            none: Some(of),
            ..empty()
        },
    }
}

/// Returns a condition without any test, as a base for struct updates.
fn empty() -> Condition {
    Condition {
        all: None,
        any: None,
        none: None,
        page: None,
        locale: None,
        device: None,
        r#trait: None,
        verified: None,
        segment: None,
        tour: None,
    }
}

impl From<StoredCondition> for Condition {
    fn from(stored: StoredCondition) -> Self {
        let group = |group, of: Vec<StoredCondition>| grouped(group, of.into_iter().map(Self::from).collect());
        match stored {
            StoredCondition::All(of) => group(Group::All, of),
            StoredCondition::Any(of) => group(Group::Any, of),
            StoredCondition::None(of) => group(Group::None, of),
            StoredCondition::Page(page) => Self {
                page: Some(page),
                ..empty()
            },
            StoredCondition::Locale(locale) => Self {
                locale: Some(locale),
                ..empty()
            },
            StoredCondition::Device(device) => Self {
                device: Some(device),
                ..empty()
            },
            StoredCondition::Trait(StoredTrait { key, is, value }) => Self {
                r#trait: Some(TraitTest { key, is, value }),
                ..empty()
            },
            StoredCondition::Verified(verified) => Self {
                verified: Some(verified),
                ..empty()
            },
            StoredCondition::Segment(id) => Self {
                segment: Some(id),
                ..empty()
            },
            StoredCondition::Tour(StoredTour { tour_id, progress }) => Self {
                tour: Some(TourTest { tour_id, progress }),
                ..empty()
            },
        }
    }
}

impl From<Condition> for StoredCondition {
    fn from(condition: Condition) -> Self {
        let of = |of: Vec<Condition>| of.into_iter().map(Self::from).collect();
        match condition {
            Condition { all: Some(each), .. } => Self::All(of(each)),
            Condition { any: Some(each), .. } => Self::Any(of(each)),
            Condition { none: Some(each), .. } => Self::None(of(each)),
            Condition { page: Some(page), .. } => Self::Page(page),
            Condition {
                locale: Some(locale), ..
            } => Self::Locale(locale),
            Condition {
                device: Some(device), ..
            } => Self::Device(device),
            Condition {
                r#trait: Some(TraitTest { key, is, value }),
                ..
            } => Self::Trait(StoredTrait { key, is, value }),
            Condition {
                verified: Some(verified),
                ..
            } => Self::Verified(verified),
            Condition { segment: Some(id), .. } => Self::Segment(id),
            Condition {
                tour: Some(TourTest { tour_id, progress }),
                ..
            } => Self::Tour(StoredTour { tour_id, progress }),
            // The schema does not allow an empty condition. An `any` group without entries never holds.
            Condition { .. } => Self::Any(Vec::new()),
        }
    }
}

#[cfg(test)]
mod tests;
