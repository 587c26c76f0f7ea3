//! Each event converts to a [`RunProgress`], and those of a run are joined: The join is associative, commutative and
//! idempotent (a join-semilattice). Therefore events can arrive twice, late, in any order, or from two tabs at once.

use traitql::DateTime;
use waypost_api::{EndReason, EventKind, RunState};

use super::times::{Times, bucket};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunProgress {
    /// One of ACTIVE, SUPERSEDED, FAILED, DISMISSED, COMPLETED. ABANDONED is derived from the time, see [`state_at`], and
    /// STOPPED from the reason, see [`RunProgress::shown_state`].
    pub state: RunState,
    pub started: bool,
    /// Bit `n` is step `n` of the revision.
    pub seen: i64,
    pub done: i64,
    pub missing: i64,
    /// The time of the earliest event, even if no step was shown.
    pub started_at: DateTime,
    pub(crate) last_at: DateTime,
    pub(crate) ended_at: Option<DateTime>,
    pub end_reason: Option<EndReason>,
    pub(crate) active_ms: i32,
    pub(crate) last_seq: i32,
    pub(crate) position: Option<Position>,
    pub(crate) times: Times,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ValidatedEvent {
    pub kind: EventKind,
    /// The number of the event in its run, from 0.
    pub seq: i32,
    /// The number of the step in the revision.
    pub step: Option<u32>,
    /// The browser's time, at most the server's.
    pub at: DateTime,
    /// The active time since the start of the run.
    pub active_ms: i32,
    /// Ignored unless the event ends the run.
    pub reason: Option<EndReason>,
}

impl From<ValidatedEvent> for RunProgress {
    fn from(event: ValidatedEvent) -> Self {
        use EventKind::*;
        let StepProgress {
            seen,
            done,
            missing,
            position,
            times,
        } = StepProgress::of(event.kind, event.step, event.seq, event.active_ms);
        let state = match event.kind {
            RunStarted | StepSeen | StepDone | TargetMissing => RunState::Active,
            RunFailed => RunState::Failed,
            RunDismissed => RunState::Dismissed,
            RunCompleted => RunState::Completed,
        };
        let ends = state != RunState::Active;
        Self {
            state,
            // A run whose targets were all missing has shown no step.
            started: !matches!(event.kind, TargetMissing | RunFailed),
            seen,
            done,
            missing,
            started_at: event.at,
            last_at: event.at,
            ended_at: ends.then_some(event.at),
            end_reason: if ends {
                event.reason.or(default_end_reason(event.kind))
            } else {
                None
            },
            active_ms: event.active_ms,
            last_seq: event.seq,
            position,
            times,
        }
    }
}

fn default_end_reason(kind: EventKind) -> Option<EndReason> {
    match kind {
        EventKind::RunCompleted => Some(EndReason::Finished),
        EventKind::RunFailed => Some(EndReason::TargetMissing),
        _ => None,
    }
}

impl RunProgress {
    /// Returns the bucket of the whole run first, which is `None` unless it was completed, then those of its steps.
    pub fn buckets(&self) -> Vec<Option<i32>> {
        let whole = (self.state == RunState::Completed).then(|| bucket(self.active_ms));
        [vec![whole], self.times.buckets()].concat()
    }

    /// Returns the state as members see it.
    pub(crate) fn shown_state(&self, now: DateTime) -> RunState {
        match (state_at(self.state, self.last_at, now), self.end_reason) {
            (RunState::Dismissed, Some(EndReason::Program)) => RunState::Stopped,
            (state, _) => state,
        }
    }

    /// Returns the bits of steps whose element was missing and that were not shown.
    pub(crate) fn gaps(&self) -> i64 {
        self.missing & !self.seen
    }

    pub fn join(self, other: Self) -> Self {
        let (state, end_reason) = end(self, other);
        Self {
            state,
            started: self.started || other.started,
            seen: self.seen | other.seen,
            done: self.done | other.done,
            missing: self.missing | other.missing,
            started_at: self.started_at.min(other.started_at),
            last_at: self.last_at.max(other.last_at),
            ended_at: min_some(self.ended_at, other.ended_at),
            end_reason,
            active_ms: self.active_ms.max(other.active_ms),
            last_seq: self.last_seq.max(other.last_seq),
            position: self.position.max(other.position),
            times: self.times.join(other.times),
        }
    }

    /// A run that was already abandoned at `end` stays abandoned. A run that the visitor ended keeps its state, even
    /// if that event arrives later, because the visitor's own end has a higher rank.
    pub(crate) fn superseded(self, end: DateTime) -> Self {
        if state_at(RunState::Active, self.last_at, end) == RunState::Abandoned {
            return self;
        }
        self.join(Self {
            state: RunState::Superseded,
            ended_at: Some(end),
            end_reason: Some(EndReason::ReleaseEnded),
            ..self
        })
    }

    pub(crate) fn with_steps(self, bits: StepProgress) -> Self {
        let StepProgress {
            seen,
            done,
            missing,
            position,
            times,
        } = bits;
        Self {
            seen,
            done,
            missing,
            position,
            times,
            ..self
        }
    }
}

/// The step that was shown or completed last.
///
/// Encoded as `seq * 128 + step * 2 + completed`, as in the column `runs.position`, so that a join is a maximum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Position(i64);

impl Position {
    fn of(kind: EventKind, step: Option<u32>, seq: i32) -> Option<Self> {
        use EventKind::*;
        let step = i64::from(step.filter(|step| *step < 64)?);
        matches!(kind, RunStarted | StepSeen | StepDone)
            .then(|| Self(i64::from(seq) * 128 + step * 2 + i64::from(kind == StepDone)))
    }

    pub(crate) fn stored(self) -> i64 {
        self.0
    }

    pub(crate) fn from_stored(stored: i64) -> Self {
        Self(stored)
    }

    /// This step, or the next one if it was completed.
    pub(crate) fn resume_index(self) -> usize {
        let step = self.0 % 128 / 2 + self.0 % 2;
        usize::try_from(step).expect("sequence numbers are not negative")
    }
}

/// Depends on the order of the steps in a revision.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct StepProgress {
    pub(crate) seen: i64,
    pub(crate) done: i64,
    pub(crate) missing: i64,
    pub(crate) position: Option<Position>,
    pub(crate) times: Times,
}

impl StepProgress {
    /// `step` is `None` if the revision does not contain it.
    pub(crate) fn of(kind: EventKind, step: Option<u32>, seq: i32, active_ms: i32) -> Self {
        use EventKind::*;
        let bit = step.map_or(0, |step| 1_i64 << step);
        Self {
            // Starting with a step or completing it implies that it was shown.
            seen: if matches!(kind, RunStarted | StepSeen | StepDone) {
                bit
            } else {
                0
            },
            done: if kind == StepDone { bit } else { 0 },
            missing: if kind == TargetMissing { bit } else { 0 },
            position: Position::of(kind, step, seq),
            times: Times::of(kind, step, active_ms),
        }
    }

    pub(crate) fn join(self, other: Self) -> Self {
        Self {
            seen: self.seen | other.seen,
            done: self.done | other.done,
            missing: self.missing | other.missing,
            position: self.position.max(other.position),
            times: self.times.join(other.times),
        }
    }
}

/// If the states are equal, the smaller reason wins, so that the join stays commutative.
fn end(a: RunProgress, b: RunProgress) -> (RunState, Option<EndReason>) {
    if rank(a.state) > rank(b.state) {
        (a.state, a.end_reason)
    } else if rank(b.state) > rank(a.state) {
        (b.state, b.end_reason)
    } else {
        (a.state, min_some(a.end_reason, b.end_reason))
    }
}

/// A run that was completed in one tab and dismissed in another counts as completed. An end by the visitor ranks
/// higher than an end by the release.
fn rank(state: RunState) -> u8 {
    match state {
        RunState::Active | RunState::Abandoned => 0,
        RunState::Superseded => 1,
        RunState::Failed => 2,
        RunState::Dismissed | RunState::Stopped => 3,
        RunState::Completed => 4,
    }
}

fn min_some<T: Ord>(a: Option<T>, b: Option<T>) -> Option<T> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

pub(crate) const ABANDONED_AFTER_MS: i64 = 24 * 60 * 60 * 1000;

/// An active run is abandoned after [`ABANDONED_AFTER_MS`] without activity.
pub(crate) fn state_at(state: RunState, last_at: DateTime, now: DateTime) -> RunState {
    if state == RunState::Active && now.as_millis() - last_at.as_millis() >= ABANDONED_AFTER_MS {
        RunState::Abandoned
    } else {
        state
    }
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;

    use super::*;

    fn at(millis: i64) -> DateTime {
        DateTime::from_millis(millis).expect("a valid time")
    }

    /// Includes events that no player would send.
    fn random_event(rng: &mut Rng) -> ValidatedEvent {
        const KINDS: [EventKind; 7] = [
            EventKind::RunStarted,
            EventKind::StepSeen,
            EventKind::StepDone,
            EventKind::TargetMissing,
            EventKind::RunCompleted,
            EventKind::RunDismissed,
            EventKind::RunFailed,
        ];
        const REASONS: [Option<EndReason>; 4] = [
            None,
            Some(EndReason::Finished),
            Some(EndReason::Escape),
            Some(EndReason::Program),
        ];
        ValidatedEvent {
            kind: KINDS[rng.usize(..7)],
            seq: i32::try_from(rng.usize(..50)).expect("small"),
            step: (rng.usize(..4) > 0).then(|| u32::try_from(rng.usize(..40)).expect("small")),
            at: at(i64::try_from(rng.usize(..1000)).expect("small")),
            active_ms: i32::try_from(rng.usize(..9999)).expect("small"),
            reason: REASONS[rng.usize(..4)],
        }
    }

    #[test]
    fn order_and_repetition_of_events_do_not_matter() {
        let mut rng = Rng::with_seed(7);
        for _ in 0..500 {
            let count = 1 + rng.usize(..12);
            let events: Vec<RunProgress> = (0..count).map(|_| random_event(&mut rng).into()).collect();
            let once = events
                .iter()
                .copied()
                .reduce(RunProgress::join)
                .expect("one event at least");
            let mut twice = [events.clone(), events].concat();
            rng.shuffle(&mut twice);
            assert_eq!(twice.into_iter().reduce(RunProgress::join), Some(once));
        }
    }

    #[test]
    fn the_join_is_associative_commutative_and_idempotent() {
        let mut rng = Rng::with_seed(8);
        for _ in 0..2000 {
            let [a, b, c]: [RunProgress; 3] = std::array::from_fn(|_| random_event(&mut rng).into());
            assert_eq!(a.join(b).join(c), a.join(b.join(c)));
            assert_eq!(a.join(b), b.join(a));
            assert_eq!(a.join(a), a);
        }
    }

    #[test]
    fn a_run_without_found_targets_has_not_started() {
        let event = |kind, seq| {
            RunProgress::from(ValidatedEvent {
                kind,
                seq,
                step: Some(0),
                at: at(0),
                active_ms: 0,
                reason: None,
            })
        };
        let failed = event(EventKind::TargetMissing, 0).join(event(EventKind::RunFailed, 1));
        assert!(!failed.started);
        assert_eq!((failed.state, failed.missing, failed.seen), (RunState::Failed, 1, 0));
        assert_eq!(failed.end_reason, Some(EndReason::TargetMissing));
        assert!(failed.join(event(EventKind::StepSeen, 2)).started);
    }

    #[test]
    fn the_end_of_a_release_ends_runs_that_the_visitor_has_not_ended() {
        let event = |kind, millis| {
            RunProgress::from(ValidatedEvent {
                kind,
                seq: 0,
                step: Some(0),
                at: at(millis),
                active_ms: 0,
                reason: None,
            })
        };
        let active = event(EventKind::StepSeen, 0);
        let ended = active.superseded(at(5));
        assert_eq!((ended.state, ended.ended_at), (RunState::Superseded, Some(at(5))));
        assert_eq!(ended.end_reason, Some(EndReason::ReleaseEnded));
        assert_eq!(ended.superseded(at(5)), ended);
        let completed = event(EventKind::RunCompleted, 3);
        let (before, after) = (active.join(completed).superseded(at(5)), ended.join(completed));
        assert_eq!(before, after, "a late event gives the same result");
        assert_eq!((after.state, after.ended_at), (RunState::Completed, Some(at(3))));
        assert_eq!(
            active.superseded(at(ABANDONED_AFTER_MS)),
            active,
            "the run was already abandoned"
        );
    }

    #[test]
    fn an_active_run_is_abandoned_after_24_hours() {
        assert_eq!(
            state_at(RunState::Active, at(0), at(ABANDONED_AFTER_MS - 1)),
            RunState::Active
        );
        assert_eq!(
            state_at(RunState::Active, at(0), at(ABANDONED_AFTER_MS)),
            RunState::Abandoned
        );
        assert_eq!(
            state_at(RunState::Completed, at(0), at(ABANDONED_AFTER_MS)),
            RunState::Completed
        );
    }
}
