//! What stands between a released tour and a participant: gates, each of which is open or says why it is closed.
//!
//! Pages are told of a tour when all gates are open. The gates know no words: whoever explains a visit to people walks the
//! same list and finds them.

use traitql::DateTime;
use waypost_api::{Frequency, RunState, StartRule, Trigger};

use super::{boot::Playing, offer::Earlier, state_at};
use crate::release::exposure::{Exposure, bucket};

/// A participant before a tour that is released on their site.
#[derive(Clone, Copy)]
pub(crate) struct Visit<'a> {
    pub(crate) participant_id: &'a traitql::Id,
    pub(crate) tour: &'a Playing,
    /// The participant's runs of the tour, of any release.
    pub(crate) earlier: &'a [Earlier],
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
    /// The participant has not seen it as often as its rule says.
    Frequency,
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
}

impl Gate {
    /// In the order in which they are asked.
    pub(crate) const ALL: [Self; 5] = [
        Self::Release,
        Self::Schedule,
        Self::Holdout,
        Self::Rollout,
        Self::Frequency,
    ];

    /// Whether the participant may pass, and why not.
    pub(crate) fn check(self, visit: &Visit<'_>) -> Result<(), Closed> {
        match self {
            Self::Release => release(visit),
            Self::Schedule => schedule(visit),
            Self::Holdout => admits(visit, Exposure::Held, Closed::HeldOut),
            Self::Rollout => admits(visit, Exposure::Waiting, Closed::Waiting),
            Self::Frequency => frequency(visit),
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

/// A frequency limits what starts by itself: a tour that the page starts when asked is there every time. A run that ended
/// with its release was not ended by the participant, and does not count.
fn frequency(visit: &Visit<'_>) -> Result<(), Closed> {
    let any = |is: fn(RunState) -> bool| visit.started().any(|run| is(visit.state(run)));
    let ended = any(|state| !matches!(state, RunState::Active | RunState::Superseded));
    let completed = any(|state| state == RunState::Completed);
    if seen_enough(&visit.tour.start, ended, completed) {
        Err(Closed::Seen(visit.tour.start.frequency))
    } else {
        Ok(())
    }
}

/// Whether somebody who `ended` or `completed` a run has seen the tour as often as its rule says.
pub(crate) fn seen_enough(start: &StartRule, ended: bool, completed: bool) -> bool {
    match (start.trigger, start.frequency) {
        (Trigger::Manual, _) | (Trigger::Auto, Frequency::Always) => false,
        (Trigger::Auto, Frequency::Once) => ended,
        (Trigger::Auto, Frequency::UntilCompleted) => completed,
    }
}
