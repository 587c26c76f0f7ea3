//! Which released tours a participant may see now.

use traitql::{DateTime, Id};
use waypost_api::{Frequency, ResumePoint, RunState, StartRule, Step, Trigger};

use super::{Facts, state_at};

/// A run of the participant, as far as an offer depends on it.
#[derive(Debug, Clone)]
pub(crate) struct Earlier {
    pub(crate) id: Id,
    pub(crate) tour_id: Id,
    pub(crate) release_id: Id,
    pub(crate) facts: Facts,
}

/// What a page may do with a tour.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Offer {
    /// Nothing: the participant has seen it as often as its rule says.
    Withhold,
    /// Begin it.
    Begin,
    /// Go on with a run.
    Resume(ResumePoint),
}

/// Decides by the participant's earlier runs of the tour, of any release.
///
/// Runs that showed nothing do not count. An unfinished run goes on if it is one of the live release; if the tour was
/// released anew since then, it begins again: that is how a bad tour is repaired. A frequency limits what starts by itself: a
/// tour that the page starts when asked is there every time.
pub(crate) fn offer(start: &StartRule, steps: &[Step], live: &Id, earlier: &[Earlier], now: DateTime) -> Offer {
    let state = |run: &Earlier| state_at(run.facts.state, run.facts.last_at, now);
    let started = || earlier.iter().filter(|run| run.facts.started);
    let withheld = match (start.trigger, start.frequency) {
        (Trigger::Manual, _) | (Trigger::Auto, Frequency::Always) => false,
        (Trigger::Auto, Frequency::Once) => started().any(|run| state(run) != RunState::Active),
        (Trigger::Auto, Frequency::UntilCompleted) => started().any(|run| state(run) == RunState::Completed),
    };
    if withheld {
        return Offer::Withhold;
    }
    started()
        .filter(|run| run.release_id == *live && state(run) == RunState::Active)
        .max_by_key(|run| (run.facts.last_at, run.id.clone()))
        .and_then(|run| resume(run, steps))
        .map_or(Offer::Begin, Offer::Resume)
}

/// The step after the last one that was finished, or the last one that was seen.
fn resume(run: &Earlier, steps: &[Step]) -> Option<ResumePoint> {
    let last = i64::BITS - 1 - run.facts.seen.leading_zeros().min(i64::BITS - 1);
    let finished = run.facts.done >> last & 1 == 1;
    let step = usize::try_from(last).ok()? + usize::from(finished);
    let step = steps.get(step).or(steps.last())?;
    Some(ResumePoint {
        run_id: run.id.clone(),
        step_key: step.key.clone(),
        seq: run.facts.last_seq + 1,
    })
}

#[cfg(test)]
mod tests {
    use waypost_api::EventKind;

    use super::*;
    use crate::{
        run::{Happening, IDLE_MS},
        testing::step,
        tour::content,
    };

    fn at(millis: i64) -> DateTime {
        DateTime::from_millis(millis).expect("an instant")
    }

    fn run(release: &str, events: &[(EventKind, u32)]) -> Earlier {
        let facts = events.iter().enumerate().map(|(seq, (kind, step))| {
            Facts::from(Happening {
                kind: *kind,
                seq: i32::try_from(seq).expect("few"),
                step: Some(*step),
                at: at(1000),
                active_ms: 0,
                reason: None,
            })
        });
        Earlier {
            id: format!("run of {release}").into(),
            tour_id: "t".into(),
            release_id: release.into(),
            facts: facts.reduce(Facts::join).expect("one event at least"),
        }
    }

    fn decide(trigger: Trigger, frequency: Frequency, earlier: &[Earlier], now: i64) -> String {
        let start = StartRule {
            trigger,
            frequency,
            page: None,
            delay_ms: 0,
        };
        let steps: Vec<Step> = ["a", "b", "c"].map(|key| content::step(step(key))).into();
        match offer(&start, &steps, &"live".into(), earlier, at(now)) {
            Offer::Withhold => "withhold".into(),
            Offer::Begin => "begin".into(),
            Offer::Resume(point) => format!("resume {} at {} with {}", point.run_id, point.step_key, point.seq),
        }
    }

    use EventKind::*;
    use Frequency::*;
    use Trigger::*;

    #[test]
    fn a_first_visit_begins() {
        for frequency in [Once, UntilCompleted, Always] {
            assert_eq!(decide(Auto, frequency, &[], 2000), "begin");
        }
    }

    #[test]
    fn once_means_once_however_it_ended() {
        for end in [RunCompleted, RunDismissed, RunFailed] {
            let earlier = [run("live", &[(StepSeen, 0), (end, 0)])];
            assert_eq!(decide(Auto, Once, &earlier, 2000), "withhold");
            assert_eq!(
                decide(Manual, Once, &earlier, 2000),
                "begin",
                "asked for, it is always there"
            );
        }
        let earlier = [run("live", &[(StepSeen, 0)])];
        assert_eq!(decide(Auto, Once, &earlier, 1000 + IDLE_MS), "withhold", "abandoned");
    }

    #[test]
    fn until_completed_means_again_after_a_dismissal() {
        let dismissed = run("live", &[(StepSeen, 0), (RunDismissed, 0)]);
        assert_eq!(
            decide(Auto, UntilCompleted, std::slice::from_ref(&dismissed), 2000),
            "begin"
        );
        let completed = run("old", &[(StepSeen, 0), (RunCompleted, 0)]);
        assert_eq!(
            decide(Auto, UntilCompleted, &[dismissed, completed.clone()], 2000),
            "withhold"
        );
        assert_eq!(decide(Auto, Always, &[completed], 2000), "begin");
    }

    #[test]
    fn an_unfinished_run_goes_on_where_it_was() {
        let seen = [run("live", &[(RunStarted, 0), (StepDone, 0), (StepSeen, 1)])];
        assert_eq!(decide(Auto, Once, &seen, 2000), "resume run of live at b with 3");
        let done = [run("live", &[(RunStarted, 0), (StepDone, 0)])];
        assert_eq!(decide(Auto, Once, &done, 2000), "resume run of live at b with 2");
        let all = [run("live", &[(StepDone, 2)])];
        assert_eq!(decide(Auto, Once, &all, 2000), "resume run of live at c with 1");
    }

    #[test]
    fn an_unfinished_run_of_an_older_release_begins_again() {
        assert_eq!(decide(Auto, Once, &[run("old", &[(StepSeen, 0)])], 2000), "begin");
    }

    #[test]
    fn a_run_that_showed_nothing_does_not_count() {
        let earlier = [run("live", &[(TargetMissing, 0), (RunFailed, 0)])];
        assert_eq!(decide(Auto, Once, &earlier, 2000), "begin");
    }
}
