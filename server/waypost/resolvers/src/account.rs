use traitql::{Batch, Ctx, Id, Internal, Many, SignedIn, Throws};
use waypost_api::{Member, Viewer, field, resolve};
use waypost_domain::{access_token, account::store, workspace};

use crate::App;

impl resolve::QueryViewer for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &traitql::Viewer<SignedIn>,
    ) -> Result<Viewer, Throws<field::QueryViewer>> {
        let mut found = store::by_ids(self.store.reader(), std::slice::from_ref(&viewer.account)).await?;
        let account = found
            .pop()
            .ok_or_else(|| Internal::new("the account of the caller does not exist"))?;
        let may_create_workspaces = self.may_create_workspaces(&viewer.account).await?;
        Ok(Viewer {
            account,
            may_create_workspaces,
        })
    }
}

impl App {
    pub(crate) async fn may_create_workspaces(&self, account: &Id) -> Result<bool, Internal> {
        if access_token::store::exists_for(self.store.reader(), account).await? {
            return Ok(false);
        }
        Ok(!self.config.restricts_workspace_creation
            || workspace::store::may_create_if_restricted(self.store.reader(), account).await?)
    }
}

impl resolve::ViewerMemberships for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        viewers: Batch<'b, Viewer>,
    ) -> Result<Many<'b, Member>, Throws<field::ViewerMemberships>> {
        let accounts = viewers.keys(|viewer| viewer.account.id.clone());
        let members = workspace::store::members_of_accounts(self.store.reader(), &accounts).await?;
        Ok(viewers.group(
            members,
            |member| member.account_id.clone(),
            |viewer| viewer.account.id.clone(),
        ))
    }
}
