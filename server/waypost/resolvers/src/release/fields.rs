use traitql::{Batch, Ctx, Many, Throws};
use waypost_api::{Release, ReleaseChange, field, resolve};
use waypost_domain::release::store;

use crate::App;

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
