use traitql::{Ctx, Id, Page, Throws, Viewer};
use waypost_api::{Account, AuditEntry, AuditFilterInput, field, resolve, role};
use waypost_domain::{
    account,
    audit::store,
    store::cursor::{self, decode},
};

use crate::App;

impl resolve::QueryAudit for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        _viewer: &Viewer<role::Admin>,
        workspace_id: Id,
        filter: Option<AuditFilterInput>,
        first: i32,
        after: Option<String>,
    ) -> Result<Page<AuditEntry>, Throws<field::QueryAudit>> {
        let (filter, after) = (filter.unwrap_or_default(), decode(after)?);
        let mut entries = store::page(self.store.reader(), &workspace_id, &filter, &after, first + 1).await?;
        let more = cursor::truncate_page(&mut entries, first);
        Ok(Page::new(entries, more, |entry| {
            cursor::encode(entry.at.as_millis(), &entry.id)
        }))
    }
}

impl resolve::QueryAuditActors for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        _viewer: &Viewer<role::Admin>,
        workspace_id: Id,
    ) -> Result<Vec<Account>, Throws<field::QueryAuditActors>> {
        let actors = store::actors(self.store.reader(), &workspace_id).await?;
        let mut accounts = account::store::by_ids(self.store.reader(), &actors).await?;
        accounts.sort_by_cached_key(|account| (account.name.to_lowercase(), account.id.clone()));
        Ok(accounts)
    }
}
