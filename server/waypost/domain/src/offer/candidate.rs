//! The parts of a page view and of a site's releases that decide which tours are offered.

use std::sync::Arc;

use traitql::{DateTime, Id};
use waypost_api::{RunState, StartRule, Step, Theme, Trigger};

use crate::{
    condition::Segments,
    release::allocation::{TrafficSplit, bucket},
    run::{RunProgress, state_at},
    visitor::traits::Traits,
};

/// A live or paused release with its content.
#[derive(Debug, Clone)]
pub struct CurrentRelease {
    pub(crate) site_id: Id,
    pub(crate) tour_id: Id,
    pub(crate) release_id: Id,
    pub(crate) slug: String,
    pub(crate) title: String,
    pub(crate) steps: Vec<Arc<Step>>,
    pub(crate) start: StartRule,
    pub(crate) locales: Vec<String>,
    pub(crate) theme: Theme,
    pub(crate) paused: bool,
    pub(crate) split: TrafficSplit,
    pub(crate) goal: Option<String>,
    pub(crate) starts_at: Option<DateTime>,
    pub(crate) ends_at: Option<DateTime>,
    pub(crate) bundle: String,
}

/// Offers depend on these parts of an existing run.
#[derive(Debug, Clone)]
pub struct PastRun {
    pub(crate) id: Id,
    pub(crate) tour_id: Id,
    /// True if it starts automatically or on an event, not only on request.
    pub(crate) auto_start: bool,
    pub(crate) progress: RunProgress,
    /// Keys of the run's revision for the bits in `progress`. Empty for runs that have ended.
    pub(crate) keys: Vec<String>,
}

#[derive(Debug, Clone, Copy)]
pub struct Visit<'a> {
    pub visitor_id: &'a Id,
    pub past_runs: &'a [PastRun],
    pub traits: &'a Traits,
    /// True if an identity token proved the external id.
    pub verified: bool,
    pub segments: &'a Segments,
    pub cooldown_hours: i32,
    pub now: DateTime,
}

#[derive(Clone, Copy)]
pub(crate) struct Candidate<'a> {
    pub(crate) visit: Visit<'a>,
    pub(crate) tour: &'a CurrentRelease,
}

impl<'a> Candidate<'a> {
    pub(crate) fn new(visit: &Visit<'a>, tour: &'a CurrentRelease) -> Self {
        Self { visit: *visit, tour }
    }

    /// Excludes runs that showed no step.
    pub(super) fn started(&self) -> impl Iterator<Item = &'a PastRun> + use<'a> {
        let tour_id = &self.tour.tour_id;
        let runs = self.visit.past_runs.iter();
        runs.filter(move |run| run.tour_id == *tour_id && run.progress.started)
    }

    pub(super) fn state(&self, run: &PastRun) -> RunState {
        state_at(run.progress.state, run.progress.last_at, self.visit.now)
    }

    /// Prefers the run with the latest activity, of any release.
    pub(crate) fn active_run(&self) -> Option<&'a PastRun> {
        self.started()
            .filter(|run| self.state(run) == RunState::Active)
            .max_by_key(|run| (run.progress.last_at, &run.id))
    }

    /// Returns the time of the last activity in a run of the tour.
    pub(crate) fn last_shown(&self) -> Option<DateTime> {
        self.started().map(|run| run.progress.last_at).max()
    }

    /// True if it is not started manually, and there is no active run to resume.
    pub(crate) fn auto_starts(&self) -> bool {
        self.tour.start.trigger != Trigger::Manual && self.active_run().is_none()
    }

    pub(crate) fn bucket(&self) -> u16 {
        bucket(&self.tour.site_id, &self.tour.tour_id, self.visit.visitor_id)
    }
}
