use std::cmp::Reverse;

use waypost_api::{BootTour, Branch, Condition, RunState, TourProgress, TourTest};

use super::candidate::{PastRun, Visit};
use crate::condition::{self, ServerTest, Verdict};

pub(super) fn by_priority(mut tours: Vec<BootTour>) -> Vec<BootTour> {
    tours.sort_by_key(|tour| Reverse(tour.start.priority));
    tours
}

pub(super) fn matches_progress(test: &TourTest, past_runs: &[PastRun]) -> bool {
    let mut runs = started(past_runs).filter(|run| run.tour_id == test.tour_id);
    match test.progress {
        TourProgress::NeverStarted => runs.next().is_none(),
        TourProgress::Started => runs.next().is_some(),
        TourProgress::Completed => runs.any(|run| run.progress.state == RunState::Completed),
        TourProgress::Dismissed => runs.any(|run| run.progress.state == RunState::Dismissed),
    }
}

/// Returns the rest of a condition, or `None` if it holds or is absent.
pub(super) fn partially_evaluate(when: Option<&Condition>, visit: &Visit<'_>) -> Result<Option<Condition>, NeverHolds> {
    let Some(when) = when else {
        return Ok(None);
    };
    let passes = |test: ServerTest<'_>| match test {
        ServerTest::Tour(test) => matches_progress(test, visit.past_runs),
        ServerTest::Trait(test) => visit.traits.matches(test),
        ServerTest::Verified(expected) => visit.verified == expected,
    };
    match condition::evaluate(when, visit.segments, &passes) {
        Verdict::Holds => Ok(None),
        Verdict::Undecided(rest) => Ok(Some(rest)),
        Verdict::Fails => Err(NeverHolds),
    }
}

#[derive(Debug, PartialEq)]
pub(super) struct NeverHolds;

/// Removes branches that can never be taken.
pub(super) fn possible_branches(branches: Vec<Branch>, visit: &Visit<'_>) -> Vec<Branch> {
    let open = branches.into_iter().filter_map(|branch| {
        let when = partially_evaluate(branch.when.as_ref(), visit).ok()?;
        Some(Branch { when, ..branch })
    });
    open.collect()
}

/// Excludes runs that showed no step.
fn started(past_runs: &[PastRun]) -> impl Iterator<Item = &PastRun> {
    past_runs.iter().filter(|run| run.progress.started)
}

#[cfg(test)]
mod tests {
    use traitql::{DateTime, Id};
    use waypost_api::{ConditionInput, EventKind, TourTestInput};

    use super::*;
    use crate::{
        run::{RunProgress, ValidatedEvent},
        visitor::traits::Traits,
    };

    fn at(millis: i64) -> DateTime {
        DateTime::from_millis(millis).expect("a valid time")
    }

    fn run(tour: &str, kind: EventKind) -> PastRun {
        PastRun {
            id: format!("run of {tour}").into(),
            tour_id: tour.into(),
            auto_start: true,
            keys: Vec::new(),
            progress: RunProgress::from(ValidatedEvent {
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
    fn tour_tests_match_the_progress_of_runs() {
        let past_runs = [
            run("done", EventKind::RunCompleted),
            run("left", EventKind::RunDismissed),
            run("missed", EventKind::TargetMissing),
        ];
        let holds = |tour: &str, progress| {
            let tour_id: Id = tour.into();
            matches_progress(&TourTest { tour_id, progress }, &past_runs)
        };
        use TourProgress::*;
        assert!(holds("done", Completed) && holds("done", Started) && !holds("done", Dismissed));
        assert!(holds("left", Dismissed) && holds("left", Started) && !holds("left", Completed));
        assert!(holds("missed", NeverStarted) && holds("other", NeverStarted) && !holds("done", NeverStarted));
    }

    #[test]
    fn branches_that_cannot_be_taken_are_removed() {
        let branch = |tour: &str| Branch {
            to: None,
            label: None,
            when: Some(condition::from_input(ConditionInput::Tour(TourTestInput::new(
                tour.into(),
            )))),
        };
        let visit = Visit {
            visitor_id: &"visitor".into(),
            past_runs: &[run("done", EventKind::RunCompleted)],
            traits: &Traits::default(),
            verified: false,
            segments: &condition::Segments::new(),
            cooldown_hours: 0,
            now: at(2000),
        };
        let open = possible_branches(vec![branch("other"), branch("done")], &visit);
        assert_eq!(open.len(), 1);
        assert_eq!(open[0].when, None);
    }
}
