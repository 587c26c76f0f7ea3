//! The response to a page's boot request.

use std::{collections::BTreeSet, sync::Arc};

use traitql::{DateTime, Id, Url};
use waypost_api::{BootTour, StartRule, Step};

use super::{
    conditions::{by_priority, partially_evaluate, possible_branches},
    eligibility::{Candidate, Visit},
    offer::offer,
};
use crate::{lift, release::allocation::TrafficSplit};

/// A release that has not ended, live or paused, with the content of its revision.
#[derive(Debug, Clone)]
pub struct CurrentRelease {
    pub(crate) site_id: Id,
    pub(crate) tour_id: Id,
    pub(crate) release_id: Id,
    pub(crate) workspace_id: Id,
    pub(crate) slug: String,
    pub(crate) title: String,
    pub(crate) steps: Vec<Arc<Step>>,
    pub(crate) start: StartRule,
    pub(crate) theme_id: Option<Id>,
    pub(crate) paused: bool,
    pub(crate) split: TrafficSplit,
    pub(crate) goal: Option<String>,
    pub(crate) starts_at: Option<DateTime>,
    pub(crate) ends_at: Option<DateTime>,
}

/// Returns the tours that a visitor is offered, to start or to resume, in order of priority.
pub fn offers(releases: Vec<CurrentRelease>, visit: &Visit<'_>) -> Vec<BootTour> {
    let tours = releases.into_iter().filter_map(|mut tour| {
        let candidate = Candidate::new(visit, &tour);
        let resume = offer(&candidate).ok()?;
        let condition = tour.start.when.as_ref().filter(|_| candidate.auto_starts());
        let when = partially_evaluate(condition, visit.past_runs).ok()?;
        tour.start.when = when;
        for step in &mut tour.steps {
            if !step.branches.is_empty() {
                let step = Arc::make_mut(step);
                step.branches = possible_branches(std::mem::take(&mut step.branches), visit.past_runs);
            }
        }
        Some(BootTour {
            tour_id: tour.tour_id,
            release_id: tour.release_id,
            slug: tour.slug,
            title: tour.title,
            steps: tour.steps,
            start: tour.start,
            resume,
            workspace_id: tour.workspace_id,
            theme_id: tour.theme_id,
        })
    });
    by_priority(tours.collect())
}

/// Returns the releases with a goal to which this visit allocates the visitor, each with its group.
pub fn new_exposures(releases: &[CurrentRelease], visit: &Visit<'_>) -> Vec<lift::store::NewExposure> {
    let exposures = releases.iter().filter(|tour| tour.goal.is_some()).filter_map(|tour| {
        lift::group(&Candidate::new(visit, tour)).map(|group| lift::store::NewExposure::new(&tour.release_id, group))
    });
    exposures.collect()
}

/// Returns a URL without user, password, query and fragment, because these can contain personal data.
pub fn origin_and_path(url: &Url) -> Url {
    let mut page = url.parsed();
    page.set_query(None);
    page.set_fragment(None);
    // These only fail if the URL has no host.
    let _ = page.set_username("");
    let _ = page.set_password(None);
    page.as_str().parse().unwrap_or_else(|_| url.clone())
}

/// Returns the goals of the releases, each once.
pub fn goals(releases: &[CurrentRelease]) -> Vec<String> {
    let goals: BTreeSet<&String> = releases.iter().filter_map(|tour| tour.goal.as_ref()).collect();
    goals.into_iter().cloned().collect()
}
