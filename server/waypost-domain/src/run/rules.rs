//! What the server decides of conditions before a page hears of them, and which tour comes first.

use std::cmp::Reverse;

use waypost_api::{BootTour, Branch, Condition, RunState, TourProgress, TourTest};

use super::offer::Earlier;
use crate::condition::{self, Verdict};

/// The tours in the order in which a page begins them: by priority; among equals as they were.
pub(super) fn in_order(mut tours: Vec<BootTour>) -> Vec<BootTour> {
    tours.sort_by_key(|tour| Reverse(tour.start.priority));
    tours
}

/// How far the participant came with a tour.
pub(super) fn came(test: &TourTest, earlier: &[Earlier]) -> bool {
    let mut runs = started(earlier).filter(|run| run.tour_id == test.tour_id);
    match test.progress {
        TourProgress::NeverStarted => runs.next().is_none(),
        TourProgress::Started => runs.next().is_some(),
        TourProgress::Completed => runs.any(|run| run.facts.state == RunState::Completed),
        TourProgress::Dismissed => runs.any(|run| run.facts.state == RunState::Dismissed),
    }
}

/// What a condition leaves to the page to decide: nothing where it holds already, or where there is none.
pub(super) fn left_open(when: Option<&Condition>, earlier: &[Earlier]) -> Result<Option<Condition>, Fails> {
    let Some(when) = when else {
        return Ok(None);
    };
    match condition::decide(when, &|test| came(test, earlier)) {
        Verdict::Holds => Ok(None),
        Verdict::Open(rest) => Ok(Some(rest)),
        Verdict::Fails => Err(Fails),
    }
}

/// A condition does not hold, whatever the page says.
#[derive(Debug, PartialEq)]
pub(super) struct Fails;

/// The branches that the page may still take.
pub(super) fn open_branches(branches: Vec<Branch>, earlier: &[Earlier]) -> Vec<Branch> {
    let open = branches.into_iter().filter_map(|branch| {
        let when = left_open(branch.when.as_ref(), earlier).ok()?;
        Some(Branch { when, ..branch })
    });
    open.collect()
}

/// Runs that showed nothing do not count.
fn started(earlier: &[Earlier]) -> impl Iterator<Item = &Earlier> {
    earlier.iter().filter(|run| run.facts.started)
}

#[cfg(test)]
mod tests {
    use traitql::{DateTime, Id};
    use waypost_api::{ConditionInput, EventKind, TourTestInput};

    use super::*;
    use crate::run::{Facts, Happening};

    fn at(millis: i64) -> DateTime {
        DateTime::from_millis(millis).expect("an instant")
    }

    fn run(tour: &str, kind: EventKind) -> Earlier {
        Earlier {
            id: format!("run of {tour}").into(),
            tour_id: tour.into(),
            by_itself: true,
            keys: Vec::new(),
            facts: Facts::from(Happening {
                kind,
                seq: 0,
                step: Some(0),
                at: at(1000),
                active_ms: 0,
                reason: None,
            }),
        }
    }

    #[test]
    fn conditions_know_how_far_somebody_came() {
        let earlier = [
            run("done", EventKind::RunCompleted),
            run("left", EventKind::RunDismissed),
            run("missed", EventKind::TargetMissing),
        ];
        let holds = |tour: &str, progress| {
            let tour_id: Id = tour.into();
            came(&TourTest { tour_id, progress }, &earlier)
        };
        use TourProgress::*;
        assert!(holds("done", Completed) && holds("done", Started) && !holds("done", Dismissed));
        assert!(holds("left", Dismissed) && holds("left", Started) && !holds("left", Completed));
        assert!(holds("missed", NeverStarted) && holds("other", NeverStarted) && !holds("done", NeverStarted));
    }

    #[test]
    fn branches_that_cannot_be_taken_are_left_out() {
        let branch = |tour: &str| Branch {
            to: None,
            label: None,
            when: Some(condition::given(ConditionInput::Tour(TourTestInput::new(tour.into())))),
        };
        let open = open_branches(
            vec![branch("other"), branch("done")],
            &[run("done", EventKind::RunCompleted)],
        );
        assert_eq!(open.len(), 1);
        assert_eq!(open[0].when, None);
    }
}
