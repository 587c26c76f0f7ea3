//! Telling a page which tours to play.

use std::{collections::BTreeSet, sync::Arc};

use traitql::{DateTime, Id, Url};
use waypost_api::{BootTour, StartRule, Step};

use super::{
    gates::Visit,
    offer::{Earlier, offer},
    rules::{in_order, left_open, open_branches},
};
use crate::{lift, release::exposure::Shares};

/// A tour that is released on a site.
#[derive(Debug, Clone)]
pub struct Playing {
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
    pub(crate) shares: Shares,
    pub(crate) goal: Option<String>,
    pub(crate) starts_at: Option<DateTime>,
    pub(crate) ends_at: Option<DateTime>,
}

/// The tours to tell a page of: those that may begin now, and those that go on.
pub fn offers(
    playing: Vec<Playing>,
    participant_id: &Id,
    all: &[Earlier],
    quiet_hours: i32,
    now: DateTime,
) -> Vec<BootTour> {
    let tours = playing.into_iter().filter_map(|mut tour| {
        let own = all.iter().filter(|run| run.tour_id == tour.tour_id);
        let earlier: Vec<Earlier> = own.cloned().collect();
        let visit = Visit {
            participant_id,
            tour: &tour,
            earlier: &earlier,
            all,
            quiet_hours,
            now,
        };
        let resume = offer(&visit).ok()?;
        let asked = tour.start.when.as_ref().filter(|_| visit.begins_by_itself());
        let when = left_open(asked, all).ok()?;
        tour.start.when = when;
        for step in &mut tour.steps {
            if !step.branches.is_empty() {
                let step = Arc::make_mut(step);
                step.branches = open_branches(std::mem::take(&mut step.branches), all);
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
    in_order(tours.collect())
}

/// The releases in whose groups a visit counts.
pub fn exposed(
    playing: &[Playing],
    participant_id: &Id,
    all: &[Earlier],
    quiet_hours: i32,
    now: DateTime,
) -> Vec<lift::store::Exposed> {
    let exposed = playing.iter().filter(|tour| tour.goal.is_some()).filter_map(|tour| {
        let own = all.iter().filter(|run| run.tour_id == tour.tour_id);
        let earlier: Vec<Earlier> = own.cloned().collect();
        let visit = Visit {
            participant_id,
            tour,
            earlier: &earlier,
            all,
            quiet_hours,
            now,
        };
        lift::group(&visit).map(|group| lift::store::Exposed::new(&tour.release_id, group))
    });
    exposed.collect()
}

/// A page without what its address may say of whoever is on it: user, query and fragment.
pub fn bare(url: &Url) -> Url {
    let mut page = url.parsed();
    page.set_query(None);
    page.set_fragment(None);
    // They fail only where an address has no host.
    let _ = page.set_username("");
    let _ = page.set_password(None);
    page.as_str().parse().unwrap_or_else(|_| url.clone())
}

/// The goals of what is released on a site.
pub fn goals(playing: &[Playing]) -> Vec<String> {
    let goals: BTreeSet<&String> = playing.iter().filter_map(|tour| tour.goal.as_ref()).collect();
    goals.into_iter().cloned().collect()
}
