//! The signed-in person.

use traitql::{Batch, Ctx, Many, One, SignedIn, Throws};
use waypost_api::{Account, Member, Viewer, field, resolve};

use super::store;
use crate::{App, workspace};

impl resolve::QueryViewer for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &traitql::Viewer<SignedIn>,
    ) -> Result<Viewer, Throws<field::QueryViewer>> {
        Ok(Viewer {
            account_id: viewer.account.clone(),
        })
    }
}

impl resolve::ViewerAccount for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        viewers: Batch<'b, Viewer>,
    ) -> Result<One<'b, Account>, Throws<field::ViewerAccount>> {
        let accounts = store::by_ids(self.store.reader(), &viewers.keys(|viewer| viewer.account_id.clone())).await?;
        Ok(viewers.join(
            accounts,
            |account| account.id.clone(),
            |viewer| viewer.account_id.clone(),
        ))
    }
}

impl resolve::ViewerMemberships for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        viewers: Batch<'b, Viewer>,
    ) -> Result<Many<'b, Member>, Throws<field::ViewerMemberships>> {
        let accounts = viewers.keys(|viewer| viewer.account_id.clone());
        let members = workspace::store::members_of_accounts(self.store.reader(), &accounts).await?;
        Ok(viewers.group(
            members,
            |member| member.account_id.clone(),
            |viewer| viewer.account_id.clone(),
        ))
    }
}
