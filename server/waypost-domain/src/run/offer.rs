//! Which released tours a participant may see now, and where in them they are.

use std::sync::Arc;

use traitql::Id;
use waypost_api::{ResumePoint, Step};

use super::{
    Facts, Whereabouts,
    gates::{Closed, Gate, Visit},
};

/// A run of the participant, as far as an offer depends on it.
#[derive(Debug, Clone)]
pub struct Earlier {
    pub(crate) id: Id,
    pub(crate) tour_id: Id,
    /// Whether its tour starts by itself.
    pub(crate) by_itself: bool,
    pub(crate) facts: Facts,
    /// Keys of the steps of its revision, which its bits count. Only of runs that have not ended.
    pub(crate) keys: Vec<String>,
}

/// What a page may do with a tour: begin it, or go on with a run where it is; or why nothing of the sort.
pub(crate) fn offer(visit: &Visit<'_>) -> Result<Option<ResumePoint>, Closed> {
    for gate in Gate::ALL {
        gate.check(visit)?;
    }
    Ok(visit.unfinished().and_then(|run| resume(run, &visit.tour.steps)))
}

/// Where a run goes on in the steps that play now, which a release since then may have changed.
fn resume(run: &Earlier, steps: &[Arc<Step>]) -> Option<ResumePoint> {
    let step = match place(&run.facts, &run.keys, steps.iter().map(|step| step.key.as_str())) {
        Place::Same(at) | Place::Unseen(at) => steps.get(at)?,
        Place::End => steps.last()?,
    };
    Some(ResumePoint {
        run_id: run.id.clone(),
        step_key: step.key.clone(),
        seq: run.facts.last_seq + 1,
        done_steps: run
            .keys
            .iter()
            .enumerate()
            .filter(|(place, _)| run.facts.done >> place & 1 == 1)
            .map(|(_, key)| key.clone())
            .collect(),
    })
}

/// Where somebody who is inside a tour finds themselves in its present steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// At the step they were at.
    Same(usize),
    /// Their step is gone: at the first one that they have not seen in the revision that they come from.
    Unseen(usize),
    /// Everything there is now is behind them.
    End,
}

/// Finds the place of a run with these facts, whose bits count the steps `keys`, in the steps `now`.
///
/// Its step is the one that was shown last, which after a way back need not be the furthest; or the one after it, if it was
/// finished.
pub(crate) fn place<'k>(facts: &Facts, keys: &[String], now: impl Iterator<Item = &'k str> + Clone) -> Place {
    let current = keys.get(facts.whereabouts.map_or(0, Whereabouts::onward));
    if let Some(key) = current
        && let Some(at) = now.clone().position(|step| step == key)
    {
        return Place::Same(at);
    }
    let known = |step: &str| keys.iter().position(|key| key == step);
    let unseen = |step: &str| match known(step) {
        // Whoever has finished the last step has passed over the others; only what is new is left.
        Some(at) => current.is_some() && facts.seen >> at & 1 == 0,
        None => true,
    };
    now.clone().position(unseen).map_or(Place::End, Place::Unseen)
}

#[cfg(test)]
mod tests {
    use traitql::DateTime;
    use waypost_api::{EventKind, Frequency, StartRule, Trigger};

    use super::*;
    use crate::{
        release::exposure::Shares,
        run::{Happening, IDLE_MS, boot::Playing},
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
            by_itself: true,
            keys: ["a", "b", "c"].map(String::from).into(),
            facts: facts.reduce(Facts::join).expect("one event at least"),
        }
    }

    fn playing(trigger: Trigger, frequency: Frequency, keys: &[&str]) -> Playing {
        let start = StartRule {
            trigger,
            frequency,
            every_days: Some(2),
            ..content::default_start()
        };
        Playing {
            site_id: "s".into(),
            tour_id: "t".into(),
            release_id: "live".into(),
            workspace_id: "w".into(),
            slug: "tour".into(),
            title: "Tour".into(),
            steps: keys.iter().map(|key| content::step(step(key)).into()).collect(),
            start,
            theme_id: None,
            paused: false,
            shares: Shares {
                rollout_percent: 100,
                holdout_percent: 0,
            },
            goal: None,
            starts_at: None,
            ends_at: None,
        }
    }

    fn says(tour: &Playing, earlier: &[Earlier], now: i64) -> String {
        let visit = Visit {
            participant_id: &"p".into(),
            tour,
            earlier,
            all: earlier,
            quiet_hours: 24,
            now: at(now),
        };
        match offer(&visit) {
            Err(closed) => format!("{closed:?}"),
            Ok(None) => "begin".into(),
            Ok(Some(point)) => format!("resume {} at {} with {}", point.run_id, point.step_key, point.seq),
        }
    }

    fn decide(trigger: Trigger, frequency: Frequency, earlier: &[Earlier], now: i64) -> String {
        says(&playing(trigger, frequency, &["a", "b", "c"]), earlier, now)
    }

    use EventKind::*;
    use Frequency::*;
    use Trigger::*;

    #[test]
    fn a_first_visit_begins() {
        for frequency in [Once, EveryNDays, UntilCompleted, Always] {
            for trigger in [Auto, Event] {
                assert_eq!(decide(trigger, frequency, &[], 2000), "begin");
            }
        }
    }

    #[test]
    fn once_means_once_however_it_ended() {
        for end in [RunCompleted, RunDismissed, RunFailed] {
            let earlier = [run("live", &[(StepSeen, 0), (end, 0)])];
            assert_eq!(decide(Auto, Once, &earlier, 2000), "Seen(Once)");
            assert_eq!(
                decide(Manual, Once, &earlier, 2000),
                "begin",
                "asked for, it is always there"
            );
        }
        let earlier = [run("live", &[(StepSeen, 0)])];
        assert_eq!(decide(Auto, Once, &earlier, 1000 + IDLE_MS), "Seen(Once)", "abandoned");
    }

    #[test]
    fn every_two_days_means_two_days_after_it_was_last_seen() {
        let due = 1000 + 2 * 24 * 3_600_000;
        let earlier = [run("live", &[(StepSeen, 0), (RunDismissed, 0)])];
        for trigger in [Auto, Event] {
            assert!(decide(trigger, EveryNDays, &earlier, due - 1).starts_with("Again("));
            assert_eq!(decide(trigger, EveryNDays, &earlier, due), "begin");
        }
        assert_eq!(decide(Manual, EveryNDays, &earlier, 2000), "begin");
    }

    #[test]
    fn a_run_that_goes_on_says_which_steps_are_over() {
        let facts = [run("live", &[(StepDone, 0), (StepSeen, 1), (StepDone, 2)])];
        let point = resume(&facts[0], &playing(Auto, Once, &["a", "b", "c"]).steps).expect("a place");
        assert_eq!(point.done_steps, ["a", "c"]);
    }

    #[test]
    fn a_tour_keeps_away_from_another_one_for_the_quiet_hours() {
        let day = 1000 + 24 * 3_600_000;
        let (mut other, tour) = (run("other", &[(RunStarted, 0)]), playing(Auto, Once, &["a"]));
        other.tour_id = "other".into();
        let says = |tour: &Playing, other: &Earlier, quiet_hours, now| {
            let visit = Visit {
                participant_id: &"p".into(),
                tour,
                earlier: &[],
                all: std::slice::from_ref(other),
                quiet_hours,
                now: at(now),
            };
            match offer(&visit) {
                Ok(_) => "begin".to_owned(),
                Err(closed) => format!("{closed:?}"),
            }
        };
        assert!(says(&tour, &other, 24, day - 1).starts_with("Quiet("));
        assert_eq!(says(&tour, &other, 24, day), "begin");
        assert_eq!(says(&tour, &other, 0, 1000), "begin", "no quiet hours");
        let mut urgent = tour.clone();
        urgent.start.ignore_quiet_hours = true;
        assert_eq!(says(&urgent, &other, 24, 2000), "begin");
        assert_eq!(
            says(&playing(Manual, Once, &["a"]), &other, 24, 2000),
            "begin",
            "asked for"
        );
        let mut wanted = other.clone();
        wanted.by_itself = false;
        assert_eq!(
            says(&tour, &wanted, 24, 2000),
            "begin",
            "somebody asked for the other one"
        );
        let mut unseen = run("other", &[(TargetMissing, 0)]);
        unseen.tour_id = "other".into();
        assert_eq!(says(&tour, &unseen, 24, 2000), "begin", "it showed nothing");
    }

    #[test]
    fn an_audience_is_refused_by_what_is_known_of_other_tours() {
        let mut tour = playing(Auto, Once, &["a"]);
        let asked = waypost_api::TourTestInput::new("t".into());
        tour.start.when = Some(crate::condition::given(waypost_api::ConditionInput::Tour(asked)));
        assert_eq!(says(&tour, &[], 2000), "Audience");
        let dismissed = run("live", &[(StepSeen, 0), (RunDismissed, 0)]);
        tour.start.frequency = Always;
        assert_eq!(says(&tour, std::slice::from_ref(&dismissed), 2000), "Audience");
        let completed = run("live", &[(StepSeen, 0), (RunCompleted, 0)]);
        assert_eq!(says(&tour, &[completed], 2000), "begin");
        let inside = run("live", &[(StepSeen, 0)]);
        assert!(
            says(&tour, &[inside], 2000).starts_with("resume"),
            "who has begun goes on"
        );
        tour.start.trigger = Manual;
        assert_eq!(says(&tour, &[dismissed], 2000), "begin", "asked for");
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
            "Seen(UntilCompleted)"
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
    fn a_run_that_was_led_backwards_goes_on_where_it_was_last() {
        let back = [
            (RunStarted, 0),
            (StepDone, 0),
            (StepSeen, 1),
            (StepDone, 1),
            (StepSeen, 2),
            (StepSeen, 0),
        ];
        let goes_on = |told: &[(EventKind, u32)]| decide(Auto, Once, &[run("live", told)], 2000);
        assert_eq!(goes_on(&back), "resume run of live at a with 6");
        assert_eq!(
            goes_on(&[&back[..], &[(StepDone, 0)]].concat()),
            "resume run of live at b with 7",
            "finished once more"
        );
        let other = playing(Auto, Once, &["x", "b", "c"]);
        assert_eq!(
            says(&other, &[run("old", &back)], 2000),
            "resume run of old at x with 6",
            "a is gone"
        );
    }

    #[test]
    fn an_unfinished_run_of_an_older_release_goes_on_in_the_new_one() {
        let at_b = [run("old", &[(RunStarted, 0), (StepDone, 0), (StepSeen, 1)])];
        let goes_on = |keys: &[&str]| says(&playing(Auto, Once, keys), &at_b, 2000);
        assert_eq!(goes_on(&["x", "b", "c"]), "resume run of old at b with 3");
        assert_eq!(
            goes_on(&["b", "a"]),
            "resume run of old at b with 3",
            "moved to another place"
        );
        assert_eq!(goes_on(&["a", "x", "c"]), "resume run of old at x with 3", "b is gone");
        assert_eq!(
            goes_on(&["a"]),
            "resume run of old at a with 3",
            "nothing is left to see"
        );
        let all = [run("old", &[(StepDone, 0), (StepDone, 2)])];
        let after_all = |keys: &[&str]| says(&playing(Auto, Once, keys), &all, 2000);
        assert_eq!(after_all(&["a", "b", "c"]), "resume run of old at c with 2");
        assert_eq!(after_all(&["a", "b", "c", "d"]), "resume run of old at d with 2");
    }

    #[test]
    fn a_run_that_ended_with_its_release_may_begin_again() {
        let mut ended = run("old", &[(StepSeen, 0)]);
        ended.facts = ended.facts.superseded(at(1500));
        assert_eq!(decide(Auto, Once, std::slice::from_ref(&ended), 2000), "begin");
        assert_eq!(decide(Auto, UntilCompleted, &[ended], 2000), "begin");
    }

    #[test]
    fn each_gate_closes_for_its_reason() {
        let open = playing(Auto, Once, &["a"]);
        let inside = [run("live", &[(StepSeen, 0)])];
        let closed = |change: fn(&mut Playing), earlier: &[Earlier]| {
            let mut tour = open.clone();
            change(&mut tour);
            says(&tour, earlier, 2000)
        };
        let goes_on = "resume run of live at a with 1";
        assert_eq!(closed(|tour| tour.paused = true, &inside), "Paused");
        assert!(closed(|tour| tour.starts_at = Some(at(2001)), &inside).starts_with("NotYet("));
        assert_eq!(closed(|tour| tour.starts_at = Some(at(2000)), &inside), goes_on);
        assert!(closed(|tour| tour.ends_at = Some(at(2000)), &inside).starts_with("Over("));
        assert_eq!(closed(|tour| tour.ends_at = Some(at(2001)), &inside), goes_on);
        assert_eq!(closed(|tour| tour.shares.rollout_percent = 0, &[]), "Waiting");
        assert_eq!(closed(|tour| tour.shares.holdout_percent = 100, &[]), "HeldOut");
        assert_eq!(
            closed(|tour| tour.shares.rollout_percent = 0, &inside),
            goes_on,
            "nobody is thrown out"
        );
        assert_eq!(closed(|tour| tour.shares.holdout_percent = 100, &inside), goes_on);
    }

    #[test]
    fn a_run_that_showed_nothing_does_not_count() {
        let earlier = [run("live", &[(TargetMissing, 0), (RunFailed, 0)])];
        assert_eq!(decide(Auto, Once, &earlier, 2000), "begin");
    }
}
