use traitql::{Ctx, FieldError, Id, Internal, Principal};
use waypost_api::{Access, Grant, Role, Subject};
use waypost_domain::{
    account::{self, ClaimEffect, ClaimRules, Claims, Profile, store::StoredAccount},
    audit::{self, Entry},
    change::Changed,
    sample,
    store::Write,
    workspace::{self, keeps_an_admin},
};

use crate::{App, workspace::members::lost};

impl Access for App {
    async fn account(&self, cx: &Ctx) -> Result<Id, FieldError> {
        let principal = cx
            .principal()
            .ok_or_else(|| FieldError::internal("the request has no principal"))?;
        Ok(self.account_of(principal).await?)
    }

    async fn grant(&self, _cx: &Ctx, account: &Id, subject: Subject<'_>) -> Result<Option<Grant>, FieldError> {
        let granted = workspace::store::role_on(self.store.reader(), account, subject).await?;
        Ok(granted.map(|(scope, role)| Grant { scope, role }))
    }
}

impl App {
    /// Most requests only read one row.
    pub(crate) async fn account_of(&self, principal: &Principal) -> Result<Id, Internal> {
        let (issuer, subject) = (&principal.issuer, &principal.subject);
        let known = account::store::by_identity(self.store.reader(), issuer, subject).await?;
        if let Some(known) = known
            && known.profile == Profile::of(principal, Some(&known.profile))
            && !self.has_applicable_claims(principal, &known).await?
        {
            return Ok(known.id);
        }
        self.account_refresh(principal).await
    }

    /// A claim stays pending while its workspace does not exist or is full, or while it would remove the last
    /// administrator.
    async fn has_applicable_claims(&self, principal: &Principal, known: &StoredAccount) -> Result<bool, Internal> {
        if is_outdated(principal, known) {
            return Ok(false);
        }
        let claims = self.claims(principal);
        let effects = claims.effects(&known.claimed);
        if effects.is_empty() {
            return Ok(false);
        }
        let mut db = self.store.read().await?;
        for (slug, effect) in effects {
            let Some(workspace) = workspace::store::by_slug(db.db(), slug).await? else {
                continue;
            };
            let member = workspace::store::member_of(&mut db, &workspace.id, &known.id).await?;
            let admins = workspace::store::admins(&mut db, &workspace.id).await?;
            let has_room = member.is_some() || workspace::has_member_capacity(&mut db, &workspace.id).await?;
            if has_room && keeps_an_admin_after(effect, member.map(|member| member.role), admins) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn claims(&self, principal: &Principal) -> Claims {
        Claims::of(principal, self.claim_rules())
    }

    fn claim_rules(&self) -> ClaimRules<'_> {
        ClaimRules {
            workspace: self.config.claims_workspace.as_deref(),
            grants: &self.config.grants,
        }
    }

    async fn account_refresh(&self, principal: &Principal) -> Result<Id, Internal> {
        let mut write = self.store.save().await?;
        let now = write.now;
        let (issuer, subject) = (&principal.issuer, &principal.subject);
        let known = account::store::by_identity(write.conn().db(), issuer, subject).await?;
        let is_first = known.is_none() && account::store::has_no_accounts(write.conn().db(), sample::ISSUER).await?;
        let profile = Profile::of(principal, known.as_ref().map(|known| &known.profile));
        let id = account::store::upsert(write.conn(), issuer, subject, &profile, now).await?;
        if is_first && self.claim_rules().is_empty() {
            self.grant_admin_to_first_account(&mut write, &id, &profile.name)
                .await?;
        }
        if known.as_ref().is_none_or(|known| !is_outdated(principal, known)) {
            let claimed = known.map(|known| known.claimed).unwrap_or_default();
            let claims = self.claims(principal);
            let mut applied = false;
            for (slug, effect) in claims.effects(&claimed) {
                applied |= apply_claim(&mut write, &id, &profile.name, slug, effect).await?;
            }
            if applied {
                let at = principal.issued_at.map(|at| at.as_second());
                account::store::set_claims_time(write.conn(), &id, at).await?;
            }
        }
        write.commit().await?;
        Ok(id)
    }

    /// No other account could add members to existing workspaces, such as the sample. Not called if the providers'
    /// claims grant roles.
    async fn grant_admin_to_first_account(&self, write: &mut Write, account: &Id, name: &str) -> Result<(), Internal> {
        let now = write.now;
        for workspace in workspace::store::all_ids(write.conn().db()).await? {
            workspace::store::member_insert(write.conn(), &workspace, account, Role::Admin, now).await?;
            let entry = Entry::on(&workspace, name).added("role", Role::Admin.as_graphql());
            audit::store::insert(write.conn(), audit::MEMBER_FIRST, account, now, entry).await?;
        }
        Ok(())
    }
}

/// True if a newer token was applied. An older one must not undo it.
fn is_outdated(principal: &Principal, known: &StoredAccount) -> bool {
    let made = principal.issued_at.map(|at| at.as_second());
    matches!((made, known.claims_at), (Some(made), Some(applied)) if made < applied)
}

fn keeps_an_admin_after(effect: ClaimEffect, before: Option<Role>, admins: i32) -> bool {
    let after = match effect {
        ClaimEffect::Grant(role) => Some(role),
        ClaimEffect::Revoke => None,
    };
    before.is_none_or(|before| keeps_an_admin(before, after, admins))
}

/// Returns false if the claim stays pending.
async fn apply_claim(
    write: &mut Write,
    account: &Id,
    name: &str,
    slug: &str,
    effect: ClaimEffect,
) -> Result<bool, Internal> {
    let Some(workspace) = workspace::store::by_slug(write.conn().db(), slug).await? else {
        return Ok(false);
    };
    let member = workspace::store::member_of(&mut *write.conn(), &workspace.id, account).await?;
    let admins = workspace::store::admins(&mut *write.conn(), &workspace.id).await?;
    let now = write.now;
    let entry = Entry::on(&workspace.id, name);
    if !keeps_an_admin_after(effect, member.as_ref().map(|member| member.role), admins) {
        // Until there is another administrator.
        return Ok(false);
    }
    if member.is_none() && !workspace::has_member_capacity(&mut *write.conn(), &workspace.id).await? {
        return Ok(false);
    }
    let entry = match (effect, member) {
        (ClaimEffect::Grant(role), None) => {
            workspace::store::member_insert(write.conn(), &workspace.id, account, role, now).await?;
            Some(entry.added("role", role.as_graphql()))
        }
        (ClaimEffect::Grant(role), Some(member)) => {
            let revoked = workspace::store::member_role(write.conn(), &member, Some(role), account, now).await?;
            if revoked.access_tokens > 0 {
                write.touch(Changed::Members(workspace.id.clone()));
            }
            let entry = entry.changed("role", member.role.as_graphql(), role.as_graphql());
            Some(lost(entry, revoked))
        }
        (ClaimEffect::Revoke, Some(member)) => {
            let revoked = workspace::store::member_role(write.conn(), &member, None, account, now).await?;
            write.touch(Changed::Members(workspace.id.clone()));
            Some(lost(entry.removed("role", member.role.as_graphql()), revoked))
        }
        (ClaimEffect::Revoke, None) => None,
    };
    if let Some(entry) = entry {
        write.touch(Changed::Reviews(workspace.id.clone()));
        audit::store::insert(write.conn(), audit::MEMBER_CLAIM, account, now, entry).await?;
    }
    let applied = match effect {
        ClaimEffect::Grant(role) => Some(role),
        ClaimEffect::Revoke => None,
    };
    account::store::set_applied_claim(write.conn(), account, &workspace.id, applied).await?;
    Ok(true)
}
