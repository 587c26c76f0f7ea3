//! What the events of a run say together.
//!
//! Each event is worth some [`Facts`], and facts are joined: bits are or-ed, times and counters take the least or the
//! greatest, the state takes the one furthest along. A join is associative, commutative and idempotent, so events may come
//! twice, late, in any order and from two tabs at once, and the row of the run is the same (a join-semilattice).

use traitql::DateTime;
use waypost_api::{EndReason, EventKind, RunState};

use super::times::{Times, bucket};

/// What is known of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Facts {
    /// One of ACTIVE, SUPERSEDED, FAILED, DISMISSED, COMPLETED; ABANDONED is a matter of time, see [`state_at`].
    pub state: RunState,
    /// Whether something of the tour was painted.
    pub started: bool,
    /// A bit per step of the revision, from the first.
    pub seen: i64,
    /// A bit per step that was finished, likewise.
    pub done: i64,
    /// A bit per step whose element was not there, likewise.
    pub missing: i64,
    /// The time of the earliest event, also where nothing was painted.
    pub started_at: DateTime,
    pub(crate) last_at: DateTime,
    pub(crate) ended_at: Option<DateTime>,
    pub(crate) end_reason: Option<EndReason>,
    pub(crate) active_ms: i32,
    pub(crate) last_seq: i32,
    /// Where the run is, if anything is known of its steps.
    pub(crate) whereabouts: Option<Whereabouts>,
    pub(crate) times: Times,
}

/// One event, after its step was found and its time was checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Happening {
    /// What happened.
    pub kind: EventKind,
    /// Number of the event in its run, from 0.
    pub seq: i32,
    /// Position of the step in the revision.
    pub step: Option<u32>,
    /// When it happened, as the browser says; never later than the server's clock.
    pub at: DateTime,
    /// Active time in the run so far, in milliseconds.
    pub active_ms: i32,
    /// Why the run ended, if the page says so; without meaning where the event ends nothing.
    pub reason: Option<EndReason>,
}

impl From<Happening> for Facts {
    fn from(event: Happening) -> Self {
        use EventKind::*;
        let Bits {
            seen,
            done,
            missing,
            whereabouts,
            times,
        } = Bits::of(event.kind, event.step, event.seq, event.active_ms);
        let state = match event.kind {
            RunStarted | StepSeen | StepDone | TargetMissing => RunState::Active,
            RunFailed => RunState::Failed,
            RunDismissed => RunState::Dismissed,
            RunCompleted => RunState::Completed,
        };
        let ends = state != RunState::Active;
        Self {
            state,
            // A run that only missed elements has shown nothing to anybody.
            started: !matches!(event.kind, TargetMissing | RunFailed),
            seen,
            done,
            missing,
            started_at: event.at,
            last_at: event.at,
            ended_at: ends.then_some(event.at),
            end_reason: if ends {
                event.reason.or(usual_reason(event.kind))
            } else {
                None
            },
            active_ms: event.active_ms,
            last_seq: event.seq,
            whereabouts,
            times,
        }
    }
}

/// Why a run ends, where the page does not say.
fn usual_reason(kind: EventKind) -> Option<EndReason> {
    match kind {
        EventKind::RunCompleted => Some(EndReason::Finished),
        EventKind::RunFailed => Some(EndReason::TargetMissing),
        _ => None,
    }
}

impl Facts {
    /// The buckets of the run's times in the histograms of insights: of the whole run if it was completed, then of its steps.
    pub fn buckets(&self) -> Vec<Option<i32>> {
        let whole = (self.state == RunState::Completed).then(|| bucket(self.active_ms));
        [vec![whole], self.times.buckets()].concat()
    }

    /// What two facts of a run say together, in whatever order.
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
            ended_at: least(self.ended_at, other.ended_at),
            end_reason,
            active_ms: self.active_ms.max(other.active_ms),
            last_seq: self.last_seq.max(other.last_seq),
            whereabouts: self.whereabouts.max(other.whereabouts),
            times: self.times.join(other.times),
        }
    }

    /// The facts after the run's release ended at `end` with all its active runs. A run that had been left by then
    /// stays left.
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

    /// The facts of a run whose bits were counted anew.
    pub(crate) fn with_bits(self, bits: Bits) -> Self {
        let Bits {
            seen,
            done,
            missing,
            whereabouts,
            times,
        } = bits;
        Self {
            seen,
            done,
            missing,
            whereabouts,
            times,
            ..self
        }
    }
}

/// The step that was shown or finished last: later than others is the event with the greater number. It is kept as one
/// number, as migrations/0009_goals.sql says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Whereabouts(i64);

impl Whereabouts {
    fn of(kind: EventKind, place: Option<u32>, seq: i32) -> Option<Self> {
        use EventKind::*;
        let place = i64::from(place.filter(|place| *place < 64)?);
        matches!(kind, RunStarted | StepSeen | StepDone)
            .then(|| Self(i64::from(seq) * 128 + place * 2 + i64::from(kind == StepDone)))
    }

    pub(crate) fn stored(self) -> i64 {
        self.0
    }

    pub(crate) fn from_stored(stored: i64) -> Self {
        Self(stored)
    }

    /// The place of the step to go on with: of one that was finished the next.
    pub(crate) fn onward(self) -> usize {
        let place = self.0 % 128 / 2 + self.0 % 2;
        usize::try_from(place).expect("numbers of events are not negative")
    }
}

/// Which steps were seen, done and missed, a bit per step of a revision from the first; which was the last, and how long
/// they took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Bits {
    pub(crate) seen: i64,
    pub(crate) done: i64,
    pub(crate) missing: i64,
    pub(crate) whereabouts: Option<Whereabouts>,
    pub(crate) times: Times,
}

impl Bits {
    /// What an event of `kind` says about the step at `place`; nothing about a step that the revision does not have.
    pub(crate) fn of(kind: EventKind, place: Option<u32>, seq: i32, active_ms: i32) -> Self {
        use EventKind::*;
        let bit = place.map_or(0, |place| 1_i64 << place);
        Self {
            // Whoever finishes a step, or begins with it, has seen it.
            seen: if matches!(kind, RunStarted | StepSeen | StepDone) {
                bit
            } else {
                0
            },
            done: if kind == StepDone { bit } else { 0 },
            missing: if kind == TargetMissing { bit } else { 0 },
            whereabouts: Whereabouts::of(kind, place, seq),
            times: Times::of(kind, place, active_ms),
        }
    }

    pub(crate) fn join(self, other: Self) -> Self {
        Self {
            seen: self.seen | other.seen,
            done: self.done | other.done,
            missing: self.missing | other.missing,
            whereabouts: self.whereabouts.max(other.whereabouts),
            times: self.times.join(other.times),
        }
    }
}

/// The state furthest along, with its reason; of two reasons for the same state the first of the enum.
fn end(a: Facts, b: Facts) -> (RunState, Option<EndReason>) {
    if rank(a.state) > rank(b.state) {
        (a.state, a.end_reason)
    } else if rank(b.state) > rank(a.state) {
        (b.state, b.end_reason)
    } else {
        (a.state, least(a.end_reason, b.end_reason))
    }
}

/// The order of the states: a run that was completed in one tab and closed in another was completed. What the participant
/// did goes before what a release did to them.
fn rank(state: RunState) -> u8 {
    match state {
        RunState::Active | RunState::Abandoned => 0,
        RunState::Superseded => 1,
        RunState::Failed => 2,
        RunState::Dismissed => 3,
        RunState::Completed => 4,
    }
}

/// The least of what is there.
fn least<T: Ord>(a: Option<T>, b: Option<T>) -> Option<T> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

/// How long a run may rest before it counts as abandoned: 24 hours, in milliseconds.
pub(crate) const IDLE_MS: i64 = 24 * 60 * 60 * 1000;

/// The state to show: an active run that has rested too long is abandoned.
pub(crate) fn state_at(state: RunState, last_at: DateTime, now: DateTime) -> RunState {
    if state == RunState::Active && now.as_millis() - last_at.as_millis() >= IDLE_MS {
        RunState::Abandoned
    } else {
        state
    }
}

#[cfg(test)]
mod tests {
    use waypost_testbed::Dice;

    use super::*;

    fn at(millis: i64) -> DateTime {
        DateTime::from_millis(millis).expect("an instant")
    }

    /// Any event at all, also those that no player sends.
    fn any(dice: &mut Dice) -> Happening {
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
        Happening {
            kind: KINDS[dice.below(7)],
            seq: i32::try_from(dice.below(50)).expect("small"),
            step: (dice.below(4) > 0).then(|| u32::try_from(dice.below(40)).expect("small")),
            at: at(i64::try_from(dice.below(1000)).expect("small")),
            active_ms: i32::try_from(dice.below(9999)).expect("small"),
            reason: REASONS[dice.below(4)],
        }
    }

    #[test]
    fn any_order_and_any_repetition_give_the_same_facts() {
        let mut dice = Dice::new(7);
        for _ in 0..500 {
            let count = 1 + dice.below(12);
            let events: Vec<Facts> = (0..count).map(|_| any(&mut dice).into()).collect();
            let once = events.iter().copied().reduce(Facts::join).expect("one event at least");
            let mut twice = [events.clone(), events].concat();
            dice.shuffle(&mut twice);
            assert_eq!(twice.into_iter().reduce(Facts::join), Some(once));
        }
    }

    #[test]
    fn facts_may_be_joined_in_groups() {
        let mut dice = Dice::new(8);
        for _ in 0..2000 {
            let [a, b, c]: [Facts; 3] = std::array::from_fn(|_| any(&mut dice).into());
            assert_eq!(a.join(b).join(c), a.join(b.join(c)));
            assert_eq!(a.join(b), b.join(a));
            assert_eq!(a.join(a), a);
        }
    }

    #[test]
    fn a_run_that_only_missed_elements_has_not_started() {
        let event = |kind, seq| {
            Facts::from(Happening {
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
    fn the_end_of_a_release_ends_what_the_participant_has_not_ended() {
        let told = |kind, millis| {
            Facts::from(Happening {
                kind,
                seq: 0,
                step: Some(0),
                at: at(millis),
                active_ms: 0,
                reason: None,
            })
        };
        let active = told(EventKind::StepSeen, 0);
        let ended = active.superseded(at(5));
        assert_eq!((ended.state, ended.ended_at), (RunState::Superseded, Some(at(5))));
        assert_eq!(ended.end_reason, Some(EndReason::ReleaseEnded));
        assert_eq!(ended.superseded(at(5)), ended);
        let completed = told(EventKind::RunCompleted, 3);
        let (before, after) = (active.join(completed).superseded(at(5)), ended.join(completed));
        assert_eq!(before, after, "an event that comes late says the same");
        assert_eq!((after.state, after.ended_at), (RunState::Completed, Some(at(3))));
        assert_eq!(active.superseded(at(IDLE_MS)), active, "it had been left by then");
    }

    #[test]
    fn an_active_run_is_abandoned_after_a_day() {
        assert_eq!(state_at(RunState::Active, at(0), at(IDLE_MS - 1)), RunState::Active);
        assert_eq!(state_at(RunState::Active, at(0), at(IDLE_MS)), RunState::Abandoned);
        assert_eq!(state_at(RunState::Completed, at(0), at(IDLE_MS)), RunState::Completed);
    }
}
