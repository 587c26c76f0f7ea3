//! What stands between a released tour and a participant: gates, each of which is open or says why it is closed.
//!
//! Pages are told of a tour when all gates are open. The gates know no words: whoever explains a visit to people walks the
//! same list and finds them.

use traitql::DateTime;
use waypost_api::{Frequency, RunState, StartRule, Trigger};

use super::{boot::Playing, offer::Earlier, rules::left_open, state_at};
use crate::release::exposure::{Exposure, bucket};

/// A participant before a tour that is released on their site.
#[derive(Clone, Copy)]
pub(crate) struct Visit<'a> {
    pub(crate) participant_id: &'a traitql::Id,
    pub(crate) tour: &'a Playing,
    /// The participant's runs of the tour, of any release.
    pub(crate) earlier: &'a [Earlier],
    /// The participant's runs of all tours of the site.
    pub(crate) all: &'a [Earlier],
    /// How many hours a tour keeps away after another one came by itself.
    pub(crate) quiet_hours: i32,
    pub(crate) now: DateTime,
}

impl<'a> Visit<'a> {
    /// The runs that showed something; one that showed nothing does not count.
    fn started(&self) -> impl Iterator<Item = &'a Earlier> + use<'a> {
        self.earlier.iter().filter(|run| run.facts.started)
    }

    fn state(&self, run: &Earlier) -> RunState {
        state_at(run.facts.state, run.facts.last_at, self.now)
    }

    /// The run that the participant is inside of: the newest that has not ended, of whichever release.
    pub(crate) fn unfinished(&self) -> Option<&'a Earlier> {
        self.started()
            .filter(|run| self.state(run) == RunState::Active)
            .max_by_key(|run| (run.facts.last_at, &run.id))
    }

    /// Whether the tour would begin by itself: who asks for it gets it, and who is inside goes on.
    pub(crate) fn begins_by_itself(&self) -> bool {
        self.tour.start.trigger != Trigger::Manual && self.unfinished().is_none()
    }

    pub(crate) fn bucket(&self) -> u16 {
        bucket(&self.tour.site_id, &self.tour.tour_id, self.participant_id)
    }
}

/// A gate between a released tour and a participant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gate {
    /// The release is not paused.
    Release,
    /// Its time has come.
    Schedule,
    /// The participant is not held out.
    Holdout,
    /// The rollout has come as far as the participant.
    Rollout,
    /// What is known of the participant does not speak against its condition; the page decides the rest.
    Audience,
    /// The participant has not seen it as often as its rule says.
    Frequency,
    /// No other tour came by itself lately.
    QuietHours,
}

/// Why a gate is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Closed {
    Paused,
    /// The tour plays from then on.
    NotYet(DateTime),
    /// The tour played until then.
    Over(DateTime),
    HeldOut,
    /// A larger rollout reaches this bucket.
    Waiting,
    /// Seen as often as the rule says.
    Seen(Frequency),
    /// It comes again from then on.
    Again(DateTime),
    /// Its condition does not hold, whatever the page says.
    Audience,
    /// Another tour came by itself; there is quiet until then.
    Quiet(DateTime),
}

impl Gate {
    /// In the order in which they are asked.
    pub(crate) const ALL: [Self; 7] = [
        Self::Release,
        Self::Schedule,
        Self::Holdout,
        Self::Rollout,
        Self::Audience,
        Self::Frequency,
        Self::QuietHours,
    ];

    /// Whether the participant may pass, and why not.
    pub(crate) fn check(self, visit: &Visit<'_>) -> Result<(), Closed> {
        match self {
            Self::Release => release(visit),
            Self::Schedule => schedule(visit),
            Self::Holdout => admits(visit, Exposure::Held, Closed::HeldOut),
            Self::Rollout => admits(visit, Exposure::Waiting, Closed::Waiting),
            Self::Audience => audience(visit),
            Self::Frequency => frequency(visit),
            Self::QuietHours => quiet_hours(visit),
        }
    }
}

fn release(visit: &Visit<'_>) -> Result<(), Closed> {
    if visit.tour.paused { Err(Closed::Paused) } else { Ok(()) }
}

fn schedule(visit: &Visit<'_>) -> Result<(), Closed> {
    match (visit.tour.starts_at, visit.tour.ends_at) {
        (Some(start), _) if visit.now < start => Err(Closed::NotYet(start)),
        (_, Some(end)) if visit.now >= end => Err(Closed::Over(end)),
        _ => Ok(()),
    }
}

/// Shares decide who begins. Whoever is inside goes on: a rollout that is lowered takes nobody out in the middle.
fn admits(visit: &Visit<'_>, refused: Exposure, reason: Closed) -> Result<(), Closed> {
    if visit.unfinished().is_none() && visit.tour.shares.exposure(visit.bucket()) == refused {
        Err(reason)
    } else {
        Ok(())
    }
}

fn audience(visit: &Visit<'_>) -> Result<(), Closed> {
    let when = visit.tour.start.when.as_ref().filter(|_| visit.begins_by_itself());
    left_open(when, visit.all).map(drop).map_err(|_| Closed::Audience)
}

/// A frequency limits what starts by itself: a tour that the page starts when asked is there every time. A run that ended
/// with its release was not ended by the participant, and does not count.
fn frequency(visit: &Visit<'_>) -> Result<(), Closed> {
    let start = &visit.tour.start;
    let ended = |run: &&Earlier| !matches!(visit.state(run), RunState::Active | RunState::Superseded);
    let ended: Vec<&Earlier> = visit.started().filter(ended).collect();
    if let (Frequency::EveryNDays, Some(days), false) =
        (start.frequency, start.every_days, start.trigger == Trigger::Manual)
    {
        let again = ended
            .iter()
            .filter_map(|run| later(run.facts.last_at, i64::from(days) * DAY_MS))
            .max();
        return match again {
            Some(again) if visit.now < again => Err(Closed::Again(again)),
            _ => Ok(()),
        };
    }
    let completed = ended.iter().any(|run| visit.state(run) == RunState::Completed);
    if seen_enough(start, !ended.is_empty(), completed) {
        Err(Closed::Seen(start.frequency))
    } else {
        Ok(())
    }
}

/// Whether somebody who `ended` or `completed` a run has seen the tour as often as its rule says.
pub(crate) fn seen_enough(start: &StartRule, ended: bool, completed: bool) -> bool {
    match (start.trigger, start.frequency) {
        (Trigger::Manual, _) | (_, Frequency::Always) => false,
        (_, Frequency::Once) => ended,
        // Nobody can release a rule without its days; if there is one, it must not come for ever.
        (_, Frequency::EveryNDays) => ended && start.every_days.is_none(),
        (_, Frequency::UntilCompleted) => completed,
    }
}

/// Whether a tour that somebody is not inside of keeps away after another one came by itself.
pub(crate) fn minds_quiet_hours(start: &StartRule) -> bool {
    start.trigger != Trigger::Manual && !start.ignore_quiet_hours
}

/// Nobody is met by one tour after the other, unless they asked for one of them.
fn quiet_hours(visit: &Visit<'_>) -> Result<(), Closed> {
    if !visit.begins_by_itself() || !minds_quiet_hours(&visit.tour.start) {
        return Ok(());
    }
    let others = visit.all.iter().filter(|run| run.tour_id != visit.tour.tour_id);
    let came = others.filter(|run| run.facts.started && run.by_itself);
    let until = came.filter_map(|run| later(run.facts.started_at, i64::from(visit.quiet_hours) * HOUR_MS));
    match until.max() {
        Some(until) if visit.now < until => Err(Closed::Quiet(until)),
        _ => Ok(()),
    }
}

const HOUR_MS: i64 = 3_600_000;
const DAY_MS: i64 = 24 * HOUR_MS;

fn later(time: DateTime, by_ms: i64) -> Option<DateTime> {
    DateTime::from_millis(time.as_millis() + by_ms)
}
