//! Telling a page which tours to play.

use std::{collections::BTreeSet, sync::Arc};

use traitql::{Batch, Ctx, DateTime, Id, Internal, One, Throws, Url};
use waypost_api::{Boot, BootTour, ParticipantInput, Site, StartRule, Step, Theme, errors, field, resolve};

use super::{
    gates::Visit,
    offer::{Earlier, offer},
    rules::{in_order, left_open, open_branches},
    store,
    visitors::{self, Visitors},
};
use crate::{App, change::Changed, lift, release::exposure::Shares, site, store::Conn, theme};

/// A tour that is released on a site.
#[derive(Debug, Clone)]
pub(crate) struct Playing {
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
pub(super) fn offers(
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
fn exposed(
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
fn bare(url: &Url) -> Url {
    let mut page = url.parsed();
    page.set_query(None);
    page.set_fragment(None);
    // They fail only where an address has no host.
    let _ = page.set_username("");
    let _ = page.set_password(None);
    page.as_str().parse().unwrap_or_else(|_| url.clone())
}

/// The goals of what is released on a site.
fn goals(playing: &[Playing]) -> Vec<String> {
    let goals: BTreeSet<&String> = playing.iter().filter_map(|tour| tour.goal.as_ref()).collect();
    goals.into_iter().cloned().collect()
}

impl resolve::MutationBoot for App {
    async fn resolve(
        &self,
        cx: &Ctx,
        site_key: String,
        participant: ParticipantInput,
        url: Url,
    ) -> Result<Boot, Throws<field::MutationBoot>> {
        let mut tx = self.store.read().await?;
        let site = site::store::by_key(&mut tx, &site_key).await?;
        let site = site.ok_or(errors::UnknownSite {})?;
        let page = url.parsed().origin().ascii_serialization();
        for origin in [cx.origin(), Some(page.as_str())] {
            if !site::admits(&site, &self.own_origin(), origin) {
                return Err(site::refused(origin).into());
            }
        }
        let (participant_id, mut tx) = self.visitor(tx, &site, &participant, &bare(&url)).await?;
        let now = self.now();
        let playing = store::playing(&mut tx, &self.frozen, &site.id).await?;
        let earlier = store::earlier(&mut tx, &participant_id).await?;
        let mut exposed = exposed(&playing, &participant_id, &earlier, site.quiet_hours, now);
        if !exposed.is_empty() {
            let known = lift::store::known(&mut tx, &participant_id).await?;
            exposed.retain(|exposed| !known.contains(&exposed.release_id));
        }
        drop(tx);
        if !exposed.is_empty() {
            let mut tx = self.store.save().await?;
            lift::store::expose(tx.conn(), &participant_id, &exposed, now).await?;
            tx.commit().await?;
        }
        let goals = goals(&playing);
        let tours = offers(playing, &participant_id, &earlier, site.quiet_hours, now);
        Ok(Boot {
            participant_id,
            server_time: now,
            tours,
            goals,
        })
    }
}

impl App {
    /// Who the visitor is, and a view of the data in which they are. Most page views say nothing new and only read.
    async fn visitor(
        &self,
        mut reader: Conn,
        site: &Site,
        input: &ParticipantInput,
        page: &Url,
    ) -> Result<(Id, Conn), Internal> {
        let now = self.now();
        let visitors = Visitors::read(&mut reader, &[(&site.id, input)]).await?;
        if let Some(id) = visitors.fresh(&site.id, input, Some(page), now)
            && !site::is_news(site, now)
        {
            return Ok((id, reader));
        }
        drop(reader);
        let mut tx = self.store.save().await?;
        let now = tx.now;
        let id = visitors::visitor(tx.conn(), &site.id, input, page, now).await?;
        if site::is_news(site, now) {
            site::store::seen(tx.conn(), &site.id, now).await?;
            tx.touch(Changed::Site(site.id.clone()));
        }
        tx.commit().await?;
        Ok((id, self.store.read().await?))
    }
}

impl resolve::BootTourTheme for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        tours: Batch<'b, BootTour>,
    ) -> Result<One<'b, Theme>, Throws<field::BootTourTheme>> {
        let ids = tours.keys_opt(|tour| tour.theme_id.clone());
        let workspaces = tours.keys(|tour| tour.workspace_id.clone());
        let themes = theme::store::played(self.store.reader(), &ids, &workspaces).await?;
        Ok(tours.map_opt(|tour| Ok(theme::played(&themes, &tour.workspace_id, tour.theme_id.as_ref()).cloned())))
    }
}
