//! Fields of the audit log.

use traitql::{Batch, Ctx, Id, One, Page, Throws, Viewer};
use waypost_api::{Account, AuditEntry, field, resolve, role};
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
        first: i32,
        after: Option<String>,
    ) -> Result<Page<AuditEntry>, Throws<field::QueryAudit>> {
        let mut entries = store::page(self.store.reader(), &workspace_id, &decode(after)?, first + 1).await?;
        let more = cursor::truncate_page(&mut entries, first);
        Ok(Page::new(entries, more, |entry| {
            cursor::encode(entry.at.as_millis(), &entry.id)
        }))
    }
}

impl resolve::AuditEntryBy for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        entries: Batch<'b, AuditEntry>,
    ) -> Result<One<'b, Account>, Throws<field::AuditEntryBy>> {
        let accounts = account::store::by_ids(self.store.reader(), &entries.keys(|entry| entry.by_id.clone())).await?;
        Ok(entries.join(accounts, |account| account.id.clone(), |entry| entry.by_id.clone()))
    }
}
