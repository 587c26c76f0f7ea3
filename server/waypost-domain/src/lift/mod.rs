//! Lift: what a release does for its goal, found by comparing those who were offered the tour with those held out of it.
//!
//! Who is compared is decided by the bucket alone (intention to treat): whether somebody took the tour, or how often they
//! have met it, must not count, or the groups would differ by more than the tour. What is stored is joined: of somebody's
//! exposures to a release the first counts, and goals are a set of instants. So goals may be told twice, late and in any
//! order, and a browser may turn out to be somebody's at any time, and the numbers are the same.

mod interval;
pub mod store;

use waypost_api::{Lift, LiftGroup};

use crate::{
    release::exposure::Exposure,
    run::gates::{Gate, Visit},
};

/// How many people either group must have before the two are compared.
const PEOPLE_MIN: i32 = 30;

/// The group of a release's people that a participant belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Group {
    Offered,
    Held,
}

/// The group in which this visit counts, if the release has a goal and nothing but the holdout stands in the way.
///
/// How often the participant has met the tour does not count, and neither do quiet hours: people held out have met less.
pub(crate) fn group(visit: &Visit<'_>) -> Option<Group> {
    visit.tour.goal.as_ref()?;
    for gate in [Gate::Release, Gate::Schedule, Gate::Audience] {
        gate.check(visit).ok()?;
    }
    match visit.tour.shares.exposure(visit.bucket()) {
        Exposure::Exposed => Some(Group::Offered),
        Exposure::Held => Some(Group::Held),
        Exposure::Waiting => None,
    }
}

fn counted(people: i32, reached: i32) -> LiftGroup {
    LiftGroup {
        people,
        reached,
        rate: (people > 0).then(|| f64::from(reached) / f64::from(people)),
    }
}

/// The two groups compared, as soon as both have enough people.
fn lift(offered: &LiftGroup, held: &LiftGroup) -> Option<Lift> {
    if offered.people.min(held.people) < PEOPLE_MIN {
        return None;
    }
    let (rate, base) = (offered.rate?, held.rate?);
    let (low, high) = interval::of_difference((offered.reached, offered.people), (held.reached, held.people));
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
    fn groups_are_compared_when_both_have_enough_people() {
        assert_eq!(lift(&counted(1000, 100), &counted(29, 1)), None);
        assert_eq!(lift(&counted(29, 1), &counted(1000, 100)), None);
        let found = lift(&counted(900, 90), &counted(100, 8)).expect("enough people");
        assert!((found.difference - 0.02).abs() < 1e-12 && found.low < 0.02 && found.high > 0.02);
        assert!(found.relative.is_some_and(|relative| (relative - 0.25).abs() < 1e-12));
    }

    #[test]
    fn without_goals_among_those_held_out_nothing_is_relative() {
        let found = lift(&counted(100, 10), &counted(100, 0)).expect("enough people");
        assert_eq!((found.difference, found.relative), (0.1, None));
        assert_eq!(counted(0, 0).rate, None);
    }
}
