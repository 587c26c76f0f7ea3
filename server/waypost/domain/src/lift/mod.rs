//! Lift: the difference in goal completion between the visitors who are offered a tour and the holdout.
//!
//! The bucket alone decides which visitors are compared (intention to treat), because those who took the tour are a
//! different group.
//!
//! The first of several exposures to a release counts, and goals are a set of times. Therefore goals can arrive twice,
//! late and in any order, and browsers can be merged into a known visitor at any time.

mod interval;
pub mod store;

use waypost_api::{Lift, LiftGroup};

use crate::{
    offer::{candidate::Candidate, eligibility::ServerCheck},
    release::allocation::Allocation,
};

const MIN_GROUP_SIZE: i32 = 30;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Group {
    Offered,
    InHoldout,
}

/// Returns the group of the visitor, if the release has a goal and the visitor is eligible apart from the allocation.
///
/// Frequency and cooldown are not checked because they depend on the tours that a visitor has seen, and visitors in the
/// holdout have seen fewer.
pub(crate) fn group(candidate: &Candidate<'_>) -> Option<Group> {
    candidate.tour.goal.as_ref()?;
    for check in [ServerCheck::Release, ServerCheck::Schedule, ServerCheck::Audience] {
        check.run(candidate).ok()?;
    }
    match candidate.tour.split.allocate(candidate.bucket()) {
        Allocation::Rollout => Some(Group::Offered),
        Allocation::Holdout => Some(Group::InHoldout),
        Allocation::Unallocated => None,
    }
}

fn group_result(visitors: i32, reached: i32) -> LiftGroup {
    LiftGroup {
        visitors,
        reached,
        rate: (visitors > 0).then(|| f64::from(reached) / f64::from(visitors)),
    }
}

/// Returns `None` if one of the groups is too small.
fn lift(offered: &LiftGroup, holdout: &LiftGroup) -> Option<Lift> {
    if offered.visitors.min(holdout.visitors) < MIN_GROUP_SIZE {
        return None;
    }
    let (rate, base) = (offered.rate?, holdout.rate?);
    let (low, high) = interval::of_difference((offered.reached, offered.visitors), (holdout.reached, holdout.visitors));
    Some(Lift {
        difference: rate - base,
        low,
        high,
        relative: (base > 0.0).then(|| (rate - base) / base),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_compared_if_both_are_large_enough() {
        assert_eq!(lift(&group_result(1000, 100), &group_result(29, 1)), None);
        assert_eq!(lift(&group_result(29, 1), &group_result(1000, 100)), None);
        let found = lift(&group_result(900, 90), &group_result(100, 8)).expect("large enough groups");
        assert!((found.difference - 0.02).abs() < 1e-12 && found.low < 0.02 && found.high > 0.02);
        assert!(found.relative.is_some_and(|relative| (relative - 0.25).abs() < 1e-12));
    }

    #[test]
    fn there_is_no_relative_lift_without_goals_in_the_holdout() {
        let found = lift(&group_result(100, 10), &group_result(100, 0)).expect("large enough groups");
        assert_eq!((found.difference, found.relative), (0.1, None));
        assert_eq!(group_result(0, 0).rate, None);
    }
}
