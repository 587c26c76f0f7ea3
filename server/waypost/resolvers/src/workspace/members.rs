use traitql::{Ctx, Declares, Id, Throws, Viewer};
use waypost_api::{Member, Role, audit, errors, field, resolve, role};
use waypost_domain::{
    account,
    audit::Entry,
    change::Changed,
    store::Audited,
    workspace::{
        keeps_an_admin,
        store::{self, NamedMember, Revoked},
    },
};

use crate::App;

impl resolve::MutationMemberRoleSet for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<role::Admin>,
        id: Id,
        role: Role,
    ) -> Result<Member, Throws<field::MutationMemberRoleSet>> {
        let mut tx = self.store.write(audit::MEMBER_ROLE_SET, &viewer.account).await?;
        let NamedMember { member: before, name } =
            store::member_for_change(tx.conn(), &id).await?.ok_or_else(not_found)?;
        let entry = Entry::on(&before.workspace_id, name);
        let entry = entry.changed("role", before.role.as_graphql(), role.as_graphql());
        let entry = set_role(&mut tx, &before, Some(role), entry).await?;
        tx.commit(entry).await?;
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
        let NamedMember { member, name } = store::member_for_change(tx.conn(), &id).await?.ok_or_else(not_found)?;
        let entry = Entry::on(&member.workspace_id, name).removed("role", member.role.as_graphql());
        let entry = set_role(&mut tx, &member, None, entry).await?;
        tx.commit(entry).await?;
        Ok(id)
    }
}

impl resolve::MutationMemberLeave for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<role::Viewer>,
        workspace_id: Id,
    ) -> Result<Id, Throws<field::MutationMemberLeave>> {
        let mut tx = self.store.write(audit::MEMBER_LEAVE, &viewer.account).await?;
        let member = store::member_of(tx.conn(), &workspace_id, &viewer.account)
            .await?
            .ok_or_else(not_found)?;
        let name = account::store::profile(tx.conn(), &viewer.account).await?.name;
        let entry = Entry::on(&workspace_id, name).removed("role", member.role.as_graphql());
        let entry = set_role(&mut tx, &member, None, entry).await?;
        tx.commit(entry).await?;
        Ok(member.id)
    }
}

/// Records how many invitations and access tokens were revoked.
pub(crate) fn lost(entry: Entry, revoked: Revoked) -> Entry {
    let counts = [
        ("openInvitations", revoked.invitations),
        ("accessTokens", revoked.access_tokens),
    ];
    let counts = counts.into_iter().filter(|(_, count)| *count > 0);
    counts.fold(entry, |entry, (things, count)| entry.removed(things, count))
}

async fn set_role<F: Declares<errors::LastAdmin>>(
    tx: &mut Audited,
    member: &Member,
    role: Option<Role>,
    entry: Entry,
) -> Result<Entry, Throws<F>> {
    let admins = store::admins(tx.conn(), &member.workspace_id).await?;
    if !keeps_an_admin(member.role, role, admins) {
        return Err(errors::LastAdmin {}.into());
    }
    let (by, now) = (tx.actor().clone(), tx.now());
    if role.is_none() {
        tx.touch(Changed::Members(member.workspace_id.clone()));
    }
    tx.touch(Changed::Reviews(member.workspace_id.clone()));
    let revoked = store::member_role(tx.conn(), member, role, &by, now).await?;
    if revoked.access_tokens > 0 {
        // Ends their streams.
        tx.touch(Changed::Members(member.workspace_id.clone()));
    }
    Ok(lost(entry, revoked))
}

fn not_found() -> errors::NotFound {
    let thing = "member".to_owned();
    errors::NotFound { thing }
}
