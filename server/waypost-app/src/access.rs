//! Who may do what: accounts of principals, and roles on subjects. The executor asks before it calls any resolver.

use traitql::{Ctx, FieldError, Id, Internal, Principal};
use waypost_api::{Access, Grant, Subject};

use crate::{
    App,
    account::{self, Claim, ClaimEffect, Profile},
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
        let (issuer, subject) = (&principal.issuer, &principal.subject);
        let known = account::store::by_identity(self.store.reader(), issuer, subject).await?;
        if let Some(known) = known
            && known.profile == Profile::of(principal, Some(&known.profile))
            && !self.is_due(self.claim(principal).effect(known.claimed_role)).await?
        {
            return Ok(known.id);
        }
        self.account_refresh(principal).await
    }

    /// Whether a claim changes something now: it waits as long as its workspace is not there.
    async fn is_due(&self, effect: ClaimEffect) -> Result<bool, Internal> {
        match (&self.config.claims_workspace, effect) {
            (None, _) | (_, ClaimEffect::Nothing) => Ok(false),
            (Some(slug), _) => Ok(workspace::store::by_slug(self.store.reader(), slug).await?.is_some()),
        }
    }

    /// What the principal's token says about roles; nothing, where claims grant nothing.
    fn claim(&self, principal: &Principal) -> Claim {
        match &self.config.claims_workspace {
            Some(_) => Claim::of(&principal.roles),
            None => Claim::Silent,
        }
    }

    async fn account_refresh(&self, principal: &Principal) -> Result<Id, Internal> {
        let mut write = self.store.save().await?;
        let now = write.now;
        let (issuer, subject) = (&principal.issuer, &principal.subject);
        let known = account::store::by_identity(&mut *write.conn(), issuer, subject).await?;
        let profile = Profile::of(principal, known.as_ref().map(|known| &known.profile));
        let id = account::store::upsert(write.conn(), issuer, subject, &profile, now).await?;
        let applied = known.and_then(|known| known.claimed_role);
        let effect = self.claim(principal).effect(applied);
        self.apply_claim(&mut write, &id, &profile.name, effect).await?;
        write.commit().await?;
        Ok(id)
    }

    /// Makes the membership what the provider says.
    async fn apply_claim(
        &self,
        write: &mut Write,
        account: &Id,
        name: &str,
        effect: ClaimEffect,
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
            (ClaimEffect::Give(_) | ClaimEffect::Take, Some(_)) => {
                // The last administrator keeps the role, and the claim stays due: it takes effect once there is another.
                return Ok(());
            }
            _ => None,
        };
        if let Some((action, entry)) = entry {
            crate::audit::store::insert(write.conn(), action, account, now, entry).await?;
        }
        let applied = match effect {
            ClaimEffect::Give(role) => Some(role),
            ClaimEffect::Take | ClaimEffect::Nothing => None,
        };
        account::store::claim_applied(write.conn(), account, applied).await
    }
}
