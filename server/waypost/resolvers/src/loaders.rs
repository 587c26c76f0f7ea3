//! The loaders of the relations that `codegen.yml` declares.

use traitql::{Ctx, Id, Internal};
use waypost_api::{Account, Release, Revision, Site, Theme, Tour, Visitor, Workspace, load};
use waypost_domain::{
    account, release, site, theme,
    tour::{self, revisions},
    visitor, workspace,
};

use crate::App;

impl load::Account for App {
    async fn load(&self, _cx: &Ctx, ids: &[Id]) -> Result<Vec<Account>, Internal> {
        account::store::by_ids(self.store.reader(), ids).await
    }
}

impl load::Release for App {
    async fn load(&self, _cx: &Ctx, ids: &[Id]) -> Result<Vec<Release>, Internal> {
        release::store::by_ids(self.store.reader(), ids, self.now()).await
    }
}

impl load::Revision for App {
    async fn load(&self, _cx: &Ctx, ids: &[Id]) -> Result<Vec<Revision>, Internal> {
        revisions::by_ids(self.store.reader(), ids).await
    }
}

impl load::Site for App {
    async fn load(&self, _cx: &Ctx, ids: &[Id]) -> Result<Vec<Site>, Internal> {
        site::store::by_ids(self.store.reader(), ids).await
    }
}

impl load::Theme for App {
    async fn load(&self, _cx: &Ctx, ids: &[Id]) -> Result<Vec<Theme>, Internal> {
        theme::store::by_ids(self.store.reader(), ids).await
    }
}

impl load::Tour for App {
    async fn load(&self, _cx: &Ctx, ids: &[Id]) -> Result<Vec<Tour>, Internal> {
        tour::store::by_ids(self.store.reader(), ids).await
    }
}

impl load::Visitor for App {
    async fn load(&self, _cx: &Ctx, ids: &[Id]) -> Result<Vec<Visitor>, Internal> {
        visitor::store::by_ids(self.store.reader(), ids).await
    }
}

impl load::Workspace for App {
    async fn load(&self, _cx: &Ctx, ids: &[Id]) -> Result<Vec<Workspace>, Internal> {
        workspace::store::by_ids(self.store.reader(), ids).await
    }
}
