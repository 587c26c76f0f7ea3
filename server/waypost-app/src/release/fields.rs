//! Fields below releases.

use traitql::{Batch, Ctx, One, Throws};
use waypost_api::{Account, Release, Revision, Site, Tour, field, resolve};

use super::store;
use crate::{
    App, account, site,
    tour::{self, revisions},
};

impl resolve::ReleaseTour for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        releases: Batch<'b, Release>,
    ) -> Result<One<'b, Tour>, Throws<field::ReleaseTour>> {
        let tours = tour::store::by_ids(self.store.reader(), &releases.keys(|r| r.tour_id.clone())).await?;
        Ok(releases.join(tours, |tour| tour.id.clone(), |r| r.tour_id.clone()))
    }
}

impl resolve::ReleaseSite for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        releases: Batch<'b, Release>,
    ) -> Result<One<'b, Site>, Throws<field::ReleaseSite>> {
        let sites = site::store::by_ids(self.store.reader(), &releases.keys(|r| r.site_id.clone())).await?;
        Ok(releases.join(sites, |site| site.id.clone(), |r| r.site_id.clone()))
    }
}

impl resolve::ReleaseRevision for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        releases: Batch<'b, Release>,
    ) -> Result<One<'b, Revision>, Throws<field::ReleaseRevision>> {
        let rows = revisions::by_ids(self.store.reader(), &releases.keys(|r| r.revision_id.clone())).await?;
        Ok(releases.join(rows, |revision| revision.id.clone(), |r| r.revision_id.clone()))
    }
}

impl resolve::ReleaseBy for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        releases: Batch<'b, Release>,
    ) -> Result<One<'b, Account>, Throws<field::ReleaseBy>> {
        let accounts = account::store::by_ids(self.store.reader(), &releases.keys(|r| r.by_id.clone())).await?;
        Ok(releases.join(accounts, |account| account.id.clone(), |r| r.by_id.clone()))
    }
}

impl resolve::ReleaseRollbackOf for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        releases: Batch<'b, Release>,
    ) -> Result<One<'b, Release>, Throws<field::ReleaseRollbackOf>> {
        let targets = store::by_ids(
            self.store.reader(),
            &releases.keys_opt(|r| r.rollback_of_id.clone()),
            self.now(),
        )
        .await?;
        Ok(releases.join(targets, |target| Some(target.id.clone()), |r| r.rollback_of_id.clone()))
    }
}
