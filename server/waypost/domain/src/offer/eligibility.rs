//! `explain` reports the results of the same checks that decide whether a visitor is offered a tour.

use traitql::DateTime;
use waypost_api::{Frequency, RunState, StartRule, Trigger};

use super::{
    candidate::{Candidate, PastRun},
    conditions::partially_evaluate,
};
use crate::{clock::DAY_MS, release::allocation::Allocation};

/// The page runs the other checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ServerCheck {
    Release,
    Schedule,
    Holdout,
    Rollout,
    /// The condition of the start rule can still hold.
    Audience,
    /// The visitor has not seen the tour as often as the frequency allows.
    Frequency,
    /// No other tour has started automatically within the cooldown.
    Cooldown,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ineligible {
    Paused,
    NotStarted(DateTime),
    Ended(DateTime),
    InHoldout,
    BeyondRollout,
    AlreadySeen(Frequency),
    SeenRecently(DateTime),
    ConditionFails,
    Cooldown(DateTime),
}

impl ServerCheck {
    pub(crate) const ALL: [Self; 7] = [
        Self::Release,
        Self::Schedule,
        Self::Holdout,
        Self::Rollout,
        Self::Audience,
        Self::Frequency,
        Self::Cooldown,
    ];

    pub(crate) fn run(self, candidate: &Candidate<'_>) -> Result<(), Ineligible> {
        match self {
            Self::Release => release(candidate),
            Self::Schedule => schedule(candidate),
            Self::Holdout => check_allocation(candidate, Allocation::Holdout, Ineligible::InHoldout),
            Self::Rollout => check_allocation(candidate, Allocation::Unallocated, Ineligible::BeyondRollout),
            Self::Audience => audience(candidate),
            Self::Frequency => frequency(candidate),
            Self::Cooldown => cooldown(candidate),
        }
    }
}

fn release(candidate: &Candidate<'_>) -> Result<(), Ineligible> {
    if candidate.tour.paused {
        Err(Ineligible::Paused)
    } else {
        Ok(())
    }
}

fn schedule(candidate: &Candidate<'_>) -> Result<(), Ineligible> {
    match (candidate.tour.starts_at, candidate.tour.ends_at) {
        (Some(start), _) if candidate.visit.now < start => Err(Ineligible::NotStarted(start)),
        (_, Some(end)) if candidate.visit.now >= end => Err(Ineligible::Ended(end)),
        _ => Ok(()),
    }
}

/// Applies to new runs only, so that lowering a rollout does not interrupt active runs.
fn check_allocation(candidate: &Candidate<'_>, refused: Allocation, reason: Ineligible) -> Result<(), Ineligible> {
    if candidate.active_run().is_none() && candidate.tour.split.allocate(candidate.bucket()) == refused {
        Err(reason)
    } else {
        Ok(())
    }
}

fn audience(candidate: &Candidate<'_>) -> Result<(), Ineligible> {
    let when = candidate.tour.start.when.as_ref().filter(|_| candidate.auto_starts());
    partially_evaluate(when, &candidate.visit)
        .map(drop)
        .map_err(|_| Ineligible::ConditionFails)
}

/// Limits automatic starts only. Runs that ended with their release do not count, because the visitor did not end
/// them.
fn frequency(candidate: &Candidate<'_>) -> Result<(), Ineligible> {
    let start = &candidate.tour.start;
    let ended = |run: &&PastRun| !matches!(candidate.state(run), RunState::Active | RunState::Superseded);
    let ended: Vec<&PastRun> = candidate.started().filter(ended).collect();
    if let (Frequency::EveryNDays, Some(days), false) =
        (start.frequency, start.every_days, start.trigger == Trigger::Manual)
    {
        let next = ended
            .iter()
            .filter_map(|run| add_ms(run.progress.last_at, i64::from(days) * DAY_MS))
            .max();
        return match next {
            Some(next) if candidate.visit.now < next => Err(Ineligible::SeenRecently(next)),
            _ => Ok(()),
        };
    }
    let completed = ended.iter().any(|run| candidate.state(run) == RunState::Completed);
    if frequency_reached(start, !ended.is_empty(), completed) {
        Err(Ineligible::AlreadySeen(start.frequency))
    } else {
        Ok(())
    }
}

/// True if the visitor has `ended` or `completed` a run.
pub(crate) fn frequency_reached(start: &StartRule, ended: bool, completed: bool) -> bool {
    match (start.trigger, start.frequency) {
        (Trigger::Manual, _) | (_, Frequency::Always) => false,
        (_, Frequency::Once) => ended,
        // Such a rule cannot be released without a number of days. If one exists anyway, the tour must not start
        // forever.
        (_, Frequency::EveryNDays) => ended && start.every_days.is_none(),
        (_, Frequency::UntilCompleted) => completed,
    }
}

pub(crate) fn respects_cooldown(start: &StartRule) -> bool {
    start.trigger != Trigger::Manual && !start.ignore_cooldown
}

/// Applies unless one of the two tours was started manually.
fn cooldown(candidate: &Candidate<'_>) -> Result<(), Ineligible> {
    if !candidate.auto_starts() || !respects_cooldown(&candidate.tour.start) {
        return Ok(());
    }
    let others = candidate
        .visit
        .past_runs
        .iter()
        .filter(|run| run.tour_id != candidate.tour.tour_id);
    let auto_started = others.filter(|run| run.progress.started && run.auto_start);
    let until = auto_started.filter_map(|run| {
        add_ms(
            run.progress.started_at,
            i64::from(candidate.visit.cooldown_hours) * HOUR_MS,
        )
    });
    match until.max() {
        Some(until) if candidate.visit.now < until => Err(Ineligible::Cooldown(until)),
        _ => Ok(()),
    }
}

const HOUR_MS: i64 = 3_600_000;

fn add_ms(time: DateTime, by_ms: i64) -> Option<DateTime> {
    DateTime::from_millis(time.as_millis() + by_ms)
}
