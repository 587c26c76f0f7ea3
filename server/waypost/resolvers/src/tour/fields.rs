//! Called once for all parents.

use std::collections::{HashMap, HashSet};

use traitql::{Batch, Ctx, Id, Many, One, Page, Throws};
use waypost_api::{Account, Problem, Release, Revision, RevisionState, Tour, TourActivity, TourStatus, field, resolve};
use waypost_domain::{
    account, release,
    store::cursor::{self, decode},
    tour::{content::Content, has_unreleased_changes, problem, revisions, status, store, translation},
};

use crate::App;

impl resolve::TourOpenBy for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        tours: Batch<'b, Tour>,
    ) -> Result<Many<'b, Account>, Throws<field::TourOpenBy>> {
        let open: Vec<Id> = tours
            .iter()
            .flat_map(|tour| self.open_tours.accounts(&tour.id))
            .collect();
        let accounts = account::store::by_ids(self.store.reader(), &open).await?;
        let accounts: HashMap<Id, Account> = accounts.into_iter().map(|each| (each.id.clone(), each)).collect();
        Ok(tours.map_many(|tour| {
            let open = self.open_tours.accounts(&tour.id);
            Ok(open.iter().filter_map(|id| accounts.get(id).cloned()).collect())
        }))
    }
}

impl resolve::TourStatus for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        tours: Batch<'b, Tour>,
    ) -> Result<One<'b, TourStatus>, Throws<field::TourStatus>> {
        let ids = tours.keys(|tour| tour.id.clone());
        let releases = store::release_states(self.store.reader(), &ids, self.now()).await?;
        Ok(tours.map(|tour| Ok(status(tour.archived, releases.get(&tour.id).copied()))))
    }
}

impl resolve::TourActivity for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        tours: Batch<'b, Tour>,
        site_id: Option<Id>,
    ) -> Result<One<'b, TourActivity>, Throws<field::TourActivity>> {
        let ids = tours.keys(|tour| tour.id.clone());
        let mut activities = store::activities(self.store.reader(), &ids, site_id.as_ref(), self.now()).await?;
        Ok(tours.map(|tour| {
            Ok(activities.remove(&tour.id).unwrap_or(TourActivity {
                started: 0,
                completed: 0,
                completion_rate: None,
            }))
        }))
    }
}

impl resolve::TourHasUnreleasedChanges for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        tours: Batch<'b, Tour>,
    ) -> Result<One<'b, bool>, Throws<field::TourHasUnreleasedChanges>> {
        let newest = revisions::newest(self.store.reader(), &tours.keys(|tour| tour.id.clone())).await?;
        let (released, drafts): (Vec<_>, Vec<_>) = newest
            .iter()
            .partition(|revision| revision.state == RevisionState::Frozen);
        let released: HashMap<&Id, Content> = released.iter().map(|r| (&r.tour_id, Content::from(*r))).collect();
        let changed = drafts.iter().map(|draft| {
            (
                &draft.tour_id,
                has_unreleased_changes(&Content::from(*draft), released.get(&draft.tour_id)),
            )
        });
        let changed: HashMap<&Id, bool> = changed.collect();
        Ok(tours.map_opt(|tour| Ok(changed.get(&tour.id).copied())))
    }
}

impl resolve::TourDraft for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        tours: Batch<'b, Tour>,
    ) -> Result<One<'b, Revision>, Throws<field::TourDraft>> {
        let drafts = revisions::drafts(self.store.reader(), &tours.keys(|tour| tour.id.clone())).await?;
        Ok(tours.join(drafts, |draft| draft.tour_id.clone(), |tour| tour.id.clone()))
    }
}

impl resolve::TourRevisions for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        tours: Batch<'b, Tour>,
        first: i32,
        after: Option<String>,
    ) -> Result<One<'b, Page<Revision>>, Throws<field::TourRevisions>> {
        let ids = tours.keys(|tour| tour.id.clone());
        let rows = revisions::pages(self.store.reader(), &ids, &decode(after)?, first + 1).await?;
        let mut by_tour: HashMap<Id, Vec<Revision>> = HashMap::new();
        for row in rows {
            by_tour.entry(row.tour_id.clone()).or_default().push(row);
        }
        Ok(tours.map(|tour| {
            let mut rows = by_tour.get(&tour.id).cloned().unwrap_or_default();
            let more = cursor::truncate_page(&mut rows, first);
            Ok(Page::new(rows, more, |row| cursor::encode(row.number.into(), &row.id)))
        }))
    }
}

impl resolve::TourReleased for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        tours: Batch<'b, Tour>,
    ) -> Result<One<'b, Revision>, Throws<field::TourReleased>> {
        let newest = revisions::released(self.store.reader(), &tours.keys(|tour| tour.id.clone())).await?;
        Ok(tours.join(newest, |revision| revision.tour_id.clone(), |tour| tour.id.clone()))
    }
}

impl resolve::TourReleases for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        tours: Batch<'b, Tour>,
        site_id: Option<Id>,
        open: bool,
    ) -> Result<Many<'b, Release>, Throws<field::TourReleases>> {
        let ids = tours.keys(|tour| tour.id.clone());
        let releases = release::store::of_tours(self.store.reader(), &ids, site_id.as_ref(), open, self.now()).await?;
        Ok(tours.group(releases, |release| release.tour_id.clone(), |tour| tour.id.clone()))
    }
}

impl resolve::RevisionProblems for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        revisions: Batch<'b, Revision>,
    ) -> Result<Many<'b, Problem>, Throws<field::RevisionProblems>> {
        let open = revisions.keys_opt(|r| (r.state != RevisionState::Frozen).then(|| r.tour_id.clone()));
        let missing = store::missing_elements_of_tours(self.store.reader(), &open, self.now()).await?;
        let live: HashSet<&Id> = missing.iter().map(|element| &element.revision_id).collect();
        let live: Vec<Id> = live.into_iter().cloned().collect();
        let live = if live.is_empty() {
            Vec::new()
        } else {
            revisions::by_ids(self.store.reader(), &live).await?
        };
        let live: HashMap<&Id, &Revision> = live.iter().map(|revision| (&revision.id, revision)).collect();
        Ok(revisions.map_many(|revision| {
            let mut found = problem::problems(&revision.steps, &revision.start);
            if revision.state != RevisionState::Frozen {
                let missing = missing.iter().filter(|element| element.tour_id == revision.tour_id);
                let missing = missing.filter_map(|element| {
                    let step = live.get(&element.revision_id)?.steps.get(element.step)?;
                    Some((element, &**step))
                });
                found.extend(problem::missing_elements(&revision.steps, &missing.collect::<Vec<_>>()));
            }
            found.extend(translation::problems(&revision.steps, &revision.locales));
            Ok(found)
        }))
    }
}
