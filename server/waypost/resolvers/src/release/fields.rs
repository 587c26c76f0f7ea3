use traitql::{Batch, Ctx, Many, One, Throws};
use waypost_api::{Account, Release, ReleaseChange, ReleaseImpact, Revision, Site, Tour, field, resolve};
use waypost_domain::{
    account,
    release::store,
    site,
    tour::{self, revisions},
};

use crate::App;

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

impl resolve::ReleaseChanges for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        releases: Batch<'b, Release>,
    ) -> Result<Many<'b, ReleaseChange>, Throws<field::ReleaseChanges>> {
        let changes = store::changes(self.store.reader(), &releases.keys(|r| r.id.clone())).await?;
        Ok(releases.group(changes, |change| change.release_id.clone(), |r| r.id.clone()))
    }
}

impl resolve::ReleaseChangeBy for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        changes: Batch<'b, ReleaseChange>,
    ) -> Result<One<'b, Account>, Throws<field::ReleaseChangeBy>> {
        let accounts = account::store::by_ids(self.store.reader(), &changes.keys(|c| c.by_id.clone())).await?;
        Ok(changes.join(accounts, |account| account.id.clone(), |c| c.by_id.clone()))
    }
}

impl resolve::ReleaseImpactSite for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        impacts: Batch<'b, ReleaseImpact>,
    ) -> Result<One<'b, Site>, Throws<field::ReleaseImpactSite>> {
        let sites = site::store::by_ids(self.store.reader(), &impacts.keys(|i| i.site_id.clone())).await?;
        Ok(impacts.join(sites, |site| site.id.clone(), |i| i.site_id.clone()))
    }
}

impl resolve::ReleaseImpactLive for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        impacts: Batch<'b, ReleaseImpact>,
    ) -> Result<One<'b, Release>, Throws<field::ReleaseImpactLive>> {
        let ids = impacts.keys_opt(|i| i.live_id.clone());
        let releases = store::by_ids(self.store.reader(), &ids, self.now()).await?;
        Ok(impacts.join(releases, |release| Some(release.id.clone()), |i| i.live_id.clone()))
    }
}

impl resolve::ReleaseImpactRevision for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        impacts: Batch<'b, ReleaseImpact>,
    ) -> Result<One<'b, Revision>, Throws<field::ReleaseImpactRevision>> {
        let rows = revisions::by_ids(self.store.reader(), &impacts.keys_opt(|i| i.revision_id.clone())).await?;
        Ok(impacts.join(rows, |row| Some(row.id.clone()), |i| i.revision_id.clone()))
    }
}
