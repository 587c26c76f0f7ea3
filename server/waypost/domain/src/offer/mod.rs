pub mod boot;
pub mod boot_cache;
pub mod bundle;
pub mod candidate;
mod conditions;
pub mod eligibility;
pub mod explain;
pub mod page;
pub mod store;

use std::sync::Arc;

use waypost_api::{ResumePoint, Step};

use self::{
    candidate::{Candidate, PastRun},
    eligibility::{Ineligible, ServerCheck},
};
use crate::run::{Position, RunProgress};

/// Returns `None` to start. Fails with the first failed check.
pub(crate) fn offer(candidate: &Candidate<'_>) -> Result<Option<ResumePoint>, Ineligible> {
    for check in ServerCheck::ALL {
        check.run(candidate)?;
    }
    Ok(candidate
        .active_run()
        .and_then(|run| resume(run, &candidate.tour.steps)))
}

/// `steps` can be those of a newer release than the run's.
fn resume(run: &PastRun, steps: &[Arc<Step>]) -> Option<ResumePoint> {
    let step = match resume_position(&run.progress, &run.keys, steps.iter().map(|step| step.key.as_str())) {
        ResumePosition::Same(index) | ResumePosition::FirstUnseen(index) => steps.get(index)?,
        ResumePosition::End => steps.last()?,
    };
    Some(ResumePoint {
        run_id: run.id.clone(),
        step_key: step.key.clone(),
        page: step.page.clone(),
        seq: run.progress.last_seq + 1,
        done_steps: run
            .keys
            .iter()
            .enumerate()
            .filter(|(index, _)| run.progress.done >> index & 1 == 1)
            .map(|(_, key)| key.clone())
            .collect(),
    })
}

/// The step at which a run resumes, as an index into the steps of the current revision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ResumePosition {
    Same(usize),
    /// The run's step no longer exists.
    FirstUnseen(usize),
    End,
}

/// Maps the position of a run to the steps of the current revision.
///
/// `keys` are the step keys of the run's revision, to which the bits in `progress` refer; `current_keys` are those of
/// the current revision. Steps are matched by key because a release may have inserted, removed or reordered steps:
///
/// 1. The run's step is the one that was shown last, or the one after it if that was completed. It is not necessarily
///    the furthest one, because the visitor can go back. If it still exists, the run resumes there, wherever it has
///    moved to.
/// 2. Otherwise the run resumes at the first step that the visitor has not seen. A step that the run's revision did not
///    contain is unseen. A step that it did contain counts as unseen only if the run was still in progress: after the
///    last step was completed, earlier steps without a bit were skipped on purpose, so only new steps are left.
/// 3. If no step is left, the run is at the end.
pub(crate) fn resume_position<'k>(
    progress: &RunProgress,
    keys: &[String],
    current_keys: impl Iterator<Item = &'k str> + Clone,
) -> ResumePosition {
    let step = keys.get(progress.position.map_or(0, Position::resume_index));
    if let Some(step) = step
        && let Some(index) = current_keys.clone().position(|key| key == step)
    {
        return ResumePosition::Same(index);
    }
    let is_unseen = |key: &str| match keys.iter().position(|old| old == key) {
        // `step` is `None` after the last step was completed.
        Some(index) => step.is_some() && progress.seen >> index & 1 == 0,
        None => true,
    };
    current_keys
        .clone()
        .position(is_unseen)
        .map_or(ResumePosition::End, ResumePosition::FirstUnseen)
}

#[cfg(test)]
mod tests {
    use traitql::DateTime;
    use waypost_api::{EventKind, Frequency, StartRule, Trigger};

    use super::*;
    use crate::{
        offer::candidate::{CurrentRelease, Visit},
        release::allocation::TrafficSplit,
        run::{ABANDONED_AFTER_MS, ValidatedEvent},
        testing::step,
        tour::content,
        visitor::traits::Traits,
    };

    fn at(millis: i64) -> DateTime {
        DateTime::from_millis(millis).expect("a valid time")
    }

    fn run(release: &str, events: &[(EventKind, u32)]) -> PastRun {
        let progress = events.iter().enumerate().map(|(seq, (kind, step))| {
            RunProgress::from(ValidatedEvent {
                kind: *kind,
                seq: i32::try_from(seq).expect("few"),
                step: Some(*step),
                at: at(1000),
                active_ms: 0,
                reason: None,
            })
        });
        PastRun {
            id: format!("run of {release}").into(),
            tour_id: "t".into(),
            auto_start: true,
            keys: ["a", "b", "c"].map(String::from).into(),
            progress: progress.reduce(RunProgress::join).expect("at least one event"),
        }
    }

    fn release(trigger: Trigger, frequency: Frequency, keys: &[&str]) -> CurrentRelease {
        let start = StartRule {
            trigger,
            frequency,
            every_days: Some(2),
            ..content::default_start()
        };
        CurrentRelease {
            site_id: "s".into(),
            tour_id: "t".into(),
            release_id: "live".into(),
            slug: "tour".into(),
            title: "Tour".into(),
            steps: keys.iter().map(|key| content::step(step(key)).into()).collect(),
            start,
            locales: vec!["en".into()],
            theme: crate::testing::theme(),
            bundle: String::new(),
            paused: false,
            split: TrafficSplit {
                rollout_percent: 100,
                holdout_percent: 0,
            },
            goal: None,
            starts_at: None,
            ends_at: None,
        }
    }

    fn outcome(tour: &CurrentRelease, past_runs: &[PastRun], now: i64) -> String {
        let visit = Visit {
            visitor_id: &"p".into(),
            past_runs,
            traits: &Traits::default(),
            verified: false,
            segments: &crate::condition::Segments::new(),
            cooldown_hours: 24,
            now: at(now),
        };
        match offer(&Candidate::new(&visit, tour)) {
            Err(ineligible) => format!("{ineligible:?}"),
            Ok(None) => "start".into(),
            Ok(Some(point)) => format!("resume {} at {} with {}", point.run_id, point.step_key, point.seq),
        }
    }

    fn decide(trigger: Trigger, frequency: Frequency, past_runs: &[PastRun], now: i64) -> String {
        outcome(&release(trigger, frequency, &["a", "b", "c"]), past_runs, now)
    }

    use EventKind::*;
    use Frequency::*;
    use Trigger::*;

    #[test]
    fn a_visitor_without_runs_can_start() {
        for frequency in [Once, EveryNDays, UntilCompleted, Always] {
            for trigger in [Auto, Event] {
                assert_eq!(decide(trigger, frequency, &[], 2000), "start");
            }
        }
    }

    #[test]
    fn a_tour_with_frequency_once_starts_once_however_the_run_ended() {
        for end in [RunCompleted, RunDismissed, RunFailed] {
            let past_runs = [run("live", &[(StepSeen, 0), (end, 0)])];
            assert_eq!(decide(Auto, Once, &past_runs, 2000), "AlreadySeen(Once)");
            assert_eq!(
                decide(Manual, Once, &past_runs, 2000),
                "start",
                "a manual start is always possible"
            );
        }
        let past_runs = [run("live", &[(StepSeen, 0)])];
        assert_eq!(
            decide(Auto, Once, &past_runs, 1000 + ABANDONED_AFTER_MS),
            "AlreadySeen(Once)",
            "abandoned"
        );
    }

    #[test]
    fn every_two_days_counts_from_the_last_activity() {
        let due = 1000 + 2 * 24 * 3_600_000;
        let past_runs = [run("live", &[(StepSeen, 0), (RunDismissed, 0)])];
        for trigger in [Auto, Event] {
            assert!(decide(trigger, EveryNDays, &past_runs, due - 1).starts_with("SeenRecently("));
            assert_eq!(decide(trigger, EveryNDays, &past_runs, due), "start");
        }
        assert_eq!(decide(Manual, EveryNDays, &past_runs, 2000), "start");
    }

    #[test]
    fn a_resume_point_has_the_page_of_its_step_and_the_completed_steps() {
        let progress = [run("live", &[(StepDone, 0), (StepSeen, 1), (StepDone, 2)])];
        let mut steps = release(Auto, Once, &["a", "b", "c"]).steps;
        Arc::make_mut(&mut steps[2]).page = Some("/cart".to_owned());
        let point = resume(&progress[0], &steps).expect("a resume point");
        assert_eq!((point.step_key.as_str(), point.page.as_deref()), ("c", Some("/cart")));
        assert_eq!(point.done_steps, ["a", "c"]);
    }

    #[test]
    fn a_tour_does_not_start_automatically_during_the_cooldown() {
        let day = 1000 + 24 * 3_600_000;
        let (mut other, tour) = (run("other", &[(RunStarted, 0)]), release(Auto, Once, &["a"]));
        other.tour_id = "other".into();
        let outcome = |tour: &CurrentRelease, other: &PastRun, cooldown_hours, now| {
            let visit = Visit {
                visitor_id: &"p".into(),
                past_runs: std::slice::from_ref(other),
                traits: &Traits::default(),
                verified: false,
                segments: &crate::condition::Segments::new(),
                cooldown_hours,
                now: at(now),
            };
            match offer(&Candidate::new(&visit, tour)) {
                Ok(_) => "start".to_owned(),
                Err(ineligible) => format!("{ineligible:?}"),
            }
        };
        assert!(outcome(&tour, &other, 24, day - 1).starts_with("Cooldown("));
        assert_eq!(outcome(&tour, &other, 24, day), "start");
        assert_eq!(outcome(&tour, &other, 0, 1000), "start", "no cooldown");
        let mut urgent = tour.clone();
        urgent.start.ignore_cooldown = true;
        assert_eq!(outcome(&urgent, &other, 24, 2000), "start");
        assert_eq!(
            outcome(&release(Manual, Once, &["a"]), &other, 24, 2000),
            "start",
            "manual start"
        );
        let mut manual = other.clone();
        manual.auto_start = false;
        assert_eq!(
            outcome(&tour, &manual, 24, 2000),
            "start",
            "the other tour was started manually"
        );
        let mut unseen = run("other", &[(TargetMissing, 0)]);
        unseen.tour_id = "other".into();
        assert_eq!(
            outcome(&tour, &unseen, 24, 2000),
            "start",
            "the other run showed no step"
        );
    }

    #[test]
    fn conditions_on_other_tours_are_evaluated() {
        let mut tour = release(Auto, Once, &["a"]);
        let test = waypost_api::TourTestInput::new("t".into());
        tour.start.when = Some(crate::condition::from_input(waypost_api::ConditionInput::Tour(test)));
        assert_eq!(outcome(&tour, &[], 2000), "ConditionFails");
        let dismissed = run("live", &[(StepSeen, 0), (RunDismissed, 0)]);
        tour.start.frequency = Always;
        assert_eq!(outcome(&tour, std::slice::from_ref(&dismissed), 2000), "ConditionFails");
        let completed = run("live", &[(StepSeen, 0), (RunCompleted, 0)]);
        assert_eq!(outcome(&tour, &[completed], 2000), "start");
        let inside = run("live", &[(StepSeen, 0)]);
        assert!(
            outcome(&tour, &[inside], 2000).starts_with("resume"),
            "an active run resumes"
        );
        tour.start.trigger = Manual;
        assert_eq!(outcome(&tour, &[dismissed], 2000), "start", "manual start");
    }

    #[test]
    fn until_completed_allows_a_start_after_a_dismissal() {
        let dismissed = run("live", &[(StepSeen, 0), (RunDismissed, 0)]);
        assert_eq!(
            decide(Auto, UntilCompleted, std::slice::from_ref(&dismissed), 2000),
            "start"
        );
        let completed = run("old", &[(StepSeen, 0), (RunCompleted, 0)]);
        assert_eq!(
            decide(Auto, UntilCompleted, &[dismissed, completed.clone()], 2000),
            "AlreadySeen(UntilCompleted)"
        );
        assert_eq!(decide(Auto, Always, &[completed], 2000), "start");
    }

    #[test]
    fn an_active_run_resumes_at_its_step() {
        let seen = [run("live", &[(RunStarted, 0), (StepDone, 0), (StepSeen, 1)])];
        assert_eq!(decide(Auto, Once, &seen, 2000), "resume run of live at b with 3");
        let done = [run("live", &[(RunStarted, 0), (StepDone, 0)])];
        assert_eq!(decide(Auto, Once, &done, 2000), "resume run of live at b with 2");
        let all = [run("live", &[(StepDone, 2)])];
        assert_eq!(decide(Auto, Once, &all, 2000), "resume run of live at c with 1");
    }

    #[test]
    fn a_run_that_went_back_resumes_at_the_step_shown_last() {
        let back = [
            (RunStarted, 0),
            (StepDone, 0),
            (StepSeen, 1),
            (StepDone, 1),
            (StepSeen, 2),
            (StepSeen, 0),
        ];
        let resumes = |events: &[(EventKind, u32)]| decide(Auto, Once, &[run("live", events)], 2000);
        assert_eq!(resumes(&back), "resume run of live at a with 6");
        assert_eq!(
            resumes(&[&back[..], &[(StepDone, 0)]].concat()),
            "resume run of live at b with 7",
            "completed a second time"
        );
        let other = release(Auto, Once, &["x", "b", "c"]);
        assert_eq!(
            outcome(&other, &[run("old", &back)], 2000),
            "resume run of old at x with 6",
            "step a was removed"
        );
    }

    #[test]
    fn an_active_run_of_an_older_release_resumes_in_the_current_one() {
        let at_b = [run("old", &[(RunStarted, 0), (StepDone, 0), (StepSeen, 1)])];
        let resumes = |keys: &[&str]| outcome(&release(Auto, Once, keys), &at_b, 2000);
        assert_eq!(resumes(&["x", "b", "c"]), "resume run of old at b with 3");
        assert_eq!(
            resumes(&["b", "a"]),
            "resume run of old at b with 3",
            "step b was moved"
        );
        assert_eq!(
            resumes(&["a", "x", "c"]),
            "resume run of old at x with 3",
            "step b was removed"
        );
        assert_eq!(
            resumes(&["a"]),
            "resume run of old at a with 3",
            "no unseen step is left"
        );
        let all = [run("old", &[(StepDone, 0), (StepDone, 2)])];
        let after_all = |keys: &[&str]| outcome(&release(Auto, Once, keys), &all, 2000);
        assert_eq!(after_all(&["a", "b", "c"]), "resume run of old at c with 2");
        assert_eq!(after_all(&["a", "b", "c", "d"]), "resume run of old at d with 2");
    }

    #[test]
    fn a_run_that_ended_with_its_release_does_not_prevent_a_start() {
        let mut ended = run("old", &[(StepSeen, 0)]);
        ended.progress = ended.progress.superseded(at(1500));
        assert_eq!(decide(Auto, Once, std::slice::from_ref(&ended), 2000), "start");
        assert_eq!(decide(Auto, UntilCompleted, &[ended], 2000), "start");
    }

    #[test]
    fn each_eligibility_check_fails_with_its_reason() {
        let open = release(Auto, Once, &["a"]);
        let inside = [run("live", &[(StepSeen, 0)])];
        let outcome_of = |change: fn(&mut CurrentRelease), past_runs: &[PastRun]| {
            let mut tour = open.clone();
            change(&mut tour);
            outcome(&tour, past_runs, 2000)
        };
        let resumes = "resume run of live at a with 1";
        assert_eq!(outcome_of(|tour| tour.paused = true, &inside), "Paused");
        assert!(outcome_of(|tour| tour.starts_at = Some(at(2001)), &inside).starts_with("NotStarted("));
        assert_eq!(outcome_of(|tour| tour.starts_at = Some(at(2000)), &inside), resumes);
        assert!(outcome_of(|tour| tour.ends_at = Some(at(2000)), &inside).starts_with("Ended("));
        assert_eq!(outcome_of(|tour| tour.ends_at = Some(at(2001)), &inside), resumes);
        assert_eq!(outcome_of(|tour| tour.split.rollout_percent = 0, &[]), "BeyondRollout");
        assert_eq!(outcome_of(|tour| tour.split.holdout_percent = 100, &[]), "InHoldout");
        assert_eq!(
            outcome_of(|tour| tour.split.rollout_percent = 0, &inside),
            resumes,
            "an active run is not interrupted"
        );
        assert_eq!(outcome_of(|tour| tour.split.holdout_percent = 100, &inside), resumes);
    }

    #[test]
    fn a_run_that_showed_no_step_does_not_count() {
        let past_runs = [run("live", &[(TargetMissing, 0), (RunFailed, 0)])];
        assert_eq!(decide(Auto, Once, &past_runs, 2000), "start");
    }
}
