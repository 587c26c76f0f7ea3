//! Fields of members.

use traitql::{Batch, Ctx, Id, One, Throws, Viewer};
use waypost_api::{Account, Member, Role, Workspace, audit, errors, field, resolve, role};

use super::{MEMBERS_MAX, keeps_an_admin, store};
use crate::{App, account, audit::Entry, store::OnConstraint};

impl resolve::MutationMemberAdd for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<role::Admin>,
        workspace_id: Id,
        email: String,
        role: Role,
    ) -> Result<Member, Throws<field::MutationMemberAdd>> {
        let mut tx = self.store.write(audit::MEMBER_ADD, &viewer.account).await?;
        if store::members_count(tx.conn(), &workspace_id).await? >= MEMBERS_MAX {
            return Err(errors::LimitReached {
                limit: MEMBERS_MAX.to_string(),
                things: "members".to_owned(),
            }
            .into());
        }
        let Some(account) = account::store::by_verified_email(&mut *tx.conn(), &email).await? else {
            return Err(errors::AccountUnknown { email }.into());
        };
        let now = tx.now();
        let member = store::member_insert(tx.conn(), &workspace_id, &account.id, role, now)
            .await
            .on_constraint(&store::MEMBER_KEY, || errors::AlreadyMember { email })?;
        tx.commit(Entry::on(&workspace_id, account.name).added("role", role.as_graphql()))
            .await?;
        Ok(member)
    }
}

impl resolve::MutationMemberRoleSet for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<role::Admin>,
        id: Id,
        role: Role,
    ) -> Result<Member, Throws<field::MutationMemberRoleSet>> {
        let mut tx = self.store.write(audit::MEMBER_ROLE_SET, &viewer.account).await?;
        let (before, name) = store::member_for_change(tx.conn(), &id).await?.ok_or_else(gone)?;
        let admins = store::admins(tx.conn(), &before.workspace_id).await?;
        if !keeps_an_admin(before.role, Some(role), admins) {
            return Err(errors::LastAdmin {}.into());
        }
        store::member_role(tx.conn(), &id, role).await?;
        let entry = Entry::on(&before.workspace_id, name);
        tx.commit(entry.changed("role", before.role.as_graphql(), role.as_graphql()))
            .await?;
        Ok(Member { role, ..before })
    }
}

impl resolve::MutationMemberRemove for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<role::Admin>,
        id: Id,
    ) -> Result<Id, Throws<field::MutationMemberRemove>> {
        let mut tx = self.store.write(audit::MEMBER_REMOVE, &viewer.account).await?;
        let (member, name) = store::member_for_change(tx.conn(), &id).await?.ok_or_else(gone)?;
        let admins = store::admins(tx.conn(), &member.workspace_id).await?;
        if !keeps_an_admin(member.role, None, admins) {
            return Err(errors::LastAdmin {}.into());
        }
        store::member_delete(tx.conn(), &id).await?;
        tx.commit(Entry::on(&member.workspace_id, name).removed("role", member.role.as_graphql()))
            .await?;
        Ok(id)
    }
}

/// The answer about a member whom somebody else has just removed.
fn gone() -> errors::NotFound {
    let thing = "member".to_owned();
    errors::NotFound { thing }
}

impl resolve::MemberWorkspace for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        members: Batch<'b, Member>,
    ) -> Result<One<'b, Workspace>, Throws<field::MemberWorkspace>> {
        let workspaces = store::by_ids(self.store.reader(), &members.keys(|m| m.workspace_id.clone())).await?;
        Ok(members.join(workspaces, |w| w.id.clone(), |m| m.workspace_id.clone()))
    }
}

impl resolve::MemberAccount for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        members: Batch<'b, Member>,
    ) -> Result<One<'b, Account>, Throws<field::MemberAccount>> {
        let accounts = account::store::by_ids(self.store.reader(), &members.keys(|m| m.account_id.clone())).await?;
        Ok(members.join(accounts, |account| account.id.clone(), |m| m.account_id.clone()))
    }
}
