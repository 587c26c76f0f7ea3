//! Conditions: how they stand in the database, and what the server can say of them before a page decides the rest.
//!
//! The page has the same rules in `client/src/player/condition.ts`; `content/conditions.json` holds both to the same answers.

use serde::{Deserialize, Serialize};
use traitql::Id;
use waypost_api::{Comparison, Condition, ConditionInput, Device, PropertyTest, TourProgress, TourTest};

/// A condition as it is stored: an object of one field, as in the schema's input.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum StoredCondition {
    All(Vec<StoredCondition>),
    Any(Vec<StoredCondition>),
    None(Vec<StoredCondition>),
    Page(String),
    Locale(String),
    Device(Device),
    Property(StoredProperty),
    Tour(StoredTour),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct StoredProperty {
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

/// What the server can say of a condition.
#[derive(Debug, Clone, PartialEq)]
#[allow(
    clippy::large_enum_variant,
    reason = "a few of them live, and only while a visit is answered"
)]
pub(crate) enum Verdict {
    Holds,
    Fails,
    /// What the page has to decide.
    Open(Condition),
}

/// How the conditions of a group count.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Group {
    All,
    Any,
    None,
}

/// Decides what depends on tours, by `came`, and leaves the rest to the page. Nothing of other tours is left in it.
pub(crate) fn decide(condition: &Condition, came: &impl Fn(&TourTest) -> bool) -> Verdict {
    let Some((group, of)) = group(condition) else {
        return match &condition.tour {
            Some(test) if came(test) => Verdict::Holds,
            Some(_) => Verdict::Fails,
            None => Verdict::Open(condition.clone()),
        };
    };
    let (decides, decided, otherwise) = match group {
        Group::All => (Verdict::Fails, Verdict::Fails, Verdict::Holds),
        Group::Any => (Verdict::Holds, Verdict::Holds, Verdict::Fails),
        Group::None => (Verdict::Holds, Verdict::Fails, Verdict::Holds),
    };
    let mut open = Vec::new();
    for each in of {
        match decide(each, came) {
            Verdict::Open(rest) => open.push(rest),
            verdict if verdict == decides => return decided,
            _ => {}
        }
    }
    if open.is_empty() {
        otherwise
    } else {
        Verdict::Open(grouped(group, open))
    }
}

/// The tours that a condition asks about.
pub fn tours(condition: &Condition) -> Vec<&Id> {
    let own = condition.tour.iter().map(|test| &test.tour_id);
    let of = group(condition).map_or(&[][..], |(_, of)| of);
    own.chain(of.iter().flat_map(tours)).collect()
}

fn group(condition: &Condition) -> Option<(Group, &[Condition])> {
    let Condition { all, any, none, .. } = condition;
    let groups = [(Group::All, all), (Group::Any, any), (Group::None, none)];
    groups.into_iter().find_map(|(group, of)| Some((group, of.as_deref()?)))
}

/// A condition as people sent it.
pub(crate) fn given(input: ConditionInput) -> Condition {
    let group = |group, of: Vec<ConditionInput>| grouped(group, of.into_iter().map(given).collect());
    match input {
        ConditionInput::All(of) => group(Group::All, of),
        ConditionInput::Any(of) => group(Group::Any, of),
        ConditionInput::None(of) => group(Group::None, of),
        ConditionInput::Page(page) => Condition {
            page: Some(page),
            ..test()
        },
        ConditionInput::Locale(locale) => Condition {
            locale: Some(locale),
            ..test()
        },
        ConditionInput::Device(device) => Condition {
            device: Some(device),
            ..test()
        },
        ConditionInput::Property(asked) => Condition {
            property: Some(PropertyTest {
                key: asked.key,
                is: asked.is,
                value: asked.value,
            }),
            ..test()
        },
        ConditionInput::Tour(asked) => Condition {
            tour: Some(TourTest {
                tour_id: asked.tour_id,
                progress: asked.progress,
            }),
            ..test()
        },
    }
}

fn grouped(group: Group, of: Vec<Condition>) -> Condition {
    match group {
        Group::All => Condition {
            all: Some(of),
            ..test()
        },
        Group::Any => Condition {
            any: Some(of),
            ..test()
        },
        Group::None => Condition {
            none: Some(of),
            ..test()
        },
    }
}

/// A test of nothing yet.
fn test() -> Condition {
    Condition {
        all: None,
        any: None,
        none: None,
        page: None,
        locale: None,
        device: None,
        property: None,
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
                ..test()
            },
            StoredCondition::Locale(locale) => Self {
                locale: Some(locale),
                ..test()
            },
            StoredCondition::Device(device) => Self {
                device: Some(device),
                ..test()
            },
            StoredCondition::Property(StoredProperty { key, is, value }) => Self {
                property: Some(PropertyTest { key, is, value }),
                ..test()
            },
            StoredCondition::Tour(StoredTour { tour_id, progress }) => Self {
                tour: Some(TourTest { tour_id, progress }),
                ..test()
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
                property: Some(PropertyTest { key, is, value }),
                ..
            } => Self::Property(StoredProperty { key, is, value }),
            Condition {
                tour: Some(TourTest { tour_id, progress }),
                ..
            } => Self::Tour(StoredTour { tour_id, progress }),
            // The schema lets no test be of nothing; as a group without entries it holds for nobody.
            Condition { .. } => Self::Any(Vec::new()),
        }
    }
}

#[cfg(test)]
mod tests;
