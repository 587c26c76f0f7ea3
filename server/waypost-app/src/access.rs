//! Who may do what: accounts of principals, and roles on subjects. The executor asks before it calls any resolver.

use traitql::{Ctx, FieldError, Id, Internal, Principal};
use waypost_api::{Access, Grant, Role, Subject};

use crate::{
    App,
    account::{self, ClaimEffect, Profile, claim_effect, claimed_role},
    audit::Entry,
    store::Write,
    workspace::{self, keeps_an_admin},
};

impl Access for App {
    async fn account(&self, cx: &Ctx) -> Result<Id, FieldError> {
        let principal = cx
            .principal()
            .ok_or_else(|| FieldError::internal("asked for the account of a request without a principal"))?;
        Ok(self.account_of(principal).await?)
    }

    async fn grant(&self, _cx: &Ctx, account: &Id, subject: Subject<'_>) -> Result<Option<Grant>, FieldError> {
        let granted = workspace::store::role_on(self.store.reader(), account, subject).await?;
        Ok(granted.map(|(scope, role)| Grant { scope, role }))
    }
}

impl App {
    /// The account of a principal. Writes only when there is something new: most requests read one row.
    pub(crate) async fn account_of(&self, principal: &Principal) -> Result<Id, Internal> {
        let known = account::store::by_identity(self.store.reader(), &principal.issuer, &principal.subject).await?;
        let claim = self.claim(principal);
        if let Some(known) = known {
            let settled = known.profile == Profile::of(principal)
                && claim_effect(known.claimed_role, claim) == ClaimEffect::Nothing;
            if settled {
                return Ok(known.id);
            }
        }
        self.account_refresh(principal, claim).await
    }

    /// The role that the principal's claims grant; none where claims grant nothing.
    fn claim(&self, principal: &Principal) -> Option<Role> {
        self.config.claims_workspace.as_ref()?;
        claimed_role(&principal.roles)
    }

    async fn account_refresh(&self, principal: &Principal, claim: Option<Role>) -> Result<Id, Internal> {
        let mut write = self.store.save().await?;
        let now = write.now;
        let (issuer, subject) = (&principal.issuer, &principal.subject);
        let applied = account::store::by_identity(&mut *write.conn(), issuer, subject)
            .await?
            .and_then(|known| known.claimed_role);
        let profile = Profile::of(principal);
        let id = account::store::upsert(write.conn(), issuer, subject, &profile, now).await?;
        self.apply_claim(&mut write, &id, &profile.name, claim_effect(applied, claim), claim)
            .await?;
        write.commit().await?;
        Ok(id)
    }

    /// Makes the membership what the provider says. A workspace that is not there yet leaves the claim for later.
    async fn apply_claim(
        &self,
        write: &mut Write,
        account: &Id,
        name: &str,
        effect: ClaimEffect,
        claim: Option<Role>,
    ) -> Result<(), Internal> {
        let (Some(slug), true) = (&self.config.claims_workspace, effect != ClaimEffect::Nothing) else {
            return Ok(());
        };
        let Some(workspace) = workspace::store::by_slug(&mut *write.conn(), slug).await? else {
            return Ok(());
        };
        let member = workspace::store::member_of(&mut *write.conn(), &workspace.id, account).await?;
        let admins = workspace::store::admins(&mut *write.conn(), &workspace.id).await?;
        let now = write.now;
        let entry = Entry::on(&workspace.id, name);
        let entry = match (effect, member) {
            (ClaimEffect::Give(role), None) => {
                workspace::store::member_insert(write.conn(), &workspace.id, account, role, now).await?;
                Some((waypost_api::audit::MEMBER_ADD, entry.added("role", role.as_graphql())))
            }
            (ClaimEffect::Give(role), Some(member)) if keeps_an_admin(member.role, Some(role), admins) => {
                workspace::store::member_role(write.conn(), &member.id, role).await?;
                let entry = entry.changed("role", member.role.as_graphql(), role.as_graphql());
                Some((waypost_api::audit::MEMBER_ROLE_SET, entry))
            }
            (ClaimEffect::Take, Some(member)) if keeps_an_admin(member.role, None, admins) => {
                workspace::store::member_delete(write.conn(), &member.id).await?;
                Some((
                    waypost_api::audit::MEMBER_REMOVE,
                    entry.removed("role", member.role.as_graphql()),
                ))
            }
            _ => None,
        };
        if let Some((action, entry)) = entry {
            crate::audit::store::insert(write.conn(), action, account, now, entry).await?;
        }
        account::store::claim_applied(write.conn(), account, claim).await
    }
}
