//! Who may do what: accounts of principals, and roles on subjects. The executor asks before it calls any resolver.

use traitql::{Ctx, FieldError, Id, Internal, Principal};
use waypost_api::{Access, Grant, Role, Subject};
use waypost_domain::{
    account::{self, ClaimEffect, ClaimRules, Claims, Profile, store::Known},
    audit::Entry,
    sample,
    store::Write,
    workspace::{self, keeps_an_admin},
};

use crate::App;

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
            && !self.is_due(principal, &known).await?
        {
            return Ok(known.id);
        }
        self.account_refresh(principal).await
    }

    /// Whether a claim changes something now: it waits as long as its workspace is not there, or would have no administrator.
    async fn is_due(&self, principal: &Principal, known: &Known) -> Result<bool, Internal> {
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
            if leaves_an_admin(effect, member.map(|member| member.role), admins) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What the principal's token says about roles.
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
        let is_first = known.is_none() && account::store::is_nobody_here(write.conn().db(), sample::ISSUER).await?;
        let profile = Profile::of(principal, known.as_ref().map(|known| &known.profile));
        let id = account::store::upsert(write.conn(), issuer, subject, &profile, now).await?;
        if is_first && self.claim_rules().is_empty() {
            self.hand_over(&mut write, &id, &profile.name).await?;
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
                account::store::claims_made_at(write.conn(), &id, at).await?;
            }
        }
        write.commit().await?;
        Ok(id)
    }

    /// The first person of an installation administers what is there already, the sample for instance: nobody else could let
    /// anybody in. Where providers say who may do what, they decide it.
    async fn hand_over(&self, write: &mut Write, account: &Id, name: &str) -> Result<(), Internal> {
        let now = write.now;
        for workspace in workspace::store::all_ids(write.conn().db()).await? {
            workspace::store::member_insert(write.conn(), &workspace, account, Role::Admin, now).await?;
            let entry = Entry::on(&workspace, name).added("role", Role::Admin.as_graphql());
            waypost_domain::audit::store::insert(write.conn(), waypost_api::audit::MEMBER_ADD, account, now, entry)
                .await?;
        }
        Ok(())
    }
}

/// Whether the claims of a newer token were applied already: an older one, still good, must not undo them.
fn is_outdated(principal: &Principal, known: &Known) -> bool {
    let made = principal.issued_at.map(|at| at.as_second());
    matches!((made, known.claims_at), (Some(made), Some(applied)) if made < applied)
}

/// Whether a workspace with so many administrators still has one after a claim has taken effect on a person with this role.
fn leaves_an_admin(effect: ClaimEffect, before: Option<Role>, admins: i32) -> bool {
    let after = match effect {
        ClaimEffect::Give(role) => Some(role),
        ClaimEffect::Take => None,
    };
    before.is_none_or(|before| keeps_an_admin(before, after, admins))
}

/// Makes a membership what the provider says. False when that has to wait.
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
    if !leaves_an_admin(effect, member.as_ref().map(|member| member.role), admins) {
        // The last administrator keeps the role, and the claim stays due: it takes effect once there is another.
        return Ok(false);
    }
    let entry = match (effect, member) {
        (ClaimEffect::Give(role), None) => {
            workspace::store::member_insert(write.conn(), &workspace.id, account, role, now).await?;
            Some((waypost_api::audit::MEMBER_ADD, entry.added("role", role.as_graphql())))
        }
        (ClaimEffect::Give(role), Some(member)) => {
            workspace::store::member_role(write.conn(), &member, Some(role), account, now).await?;
            let entry = entry.changed("role", member.role.as_graphql(), role.as_graphql());
            Some((waypost_api::audit::MEMBER_ROLE_SET, entry))
        }
        (ClaimEffect::Take, Some(member)) => {
            workspace::store::member_role(write.conn(), &member, None, account, now).await?;
            Some((
                waypost_api::audit::MEMBER_REMOVE,
                entry.removed("role", member.role.as_graphql()),
            ))
        }
        (ClaimEffect::Take, None) => None,
    };
    if let Some((action, entry)) = entry {
        waypost_domain::audit::store::insert(write.conn(), action, account, now, entry).await?;
    }
    let applied = match effect {
        ClaimEffect::Give(role) => Some(role),
        ClaimEffect::Take => None,
    };
    account::store::claim_applied(write.conn(), account, &workspace.id, applied).await?;
    Ok(true)
}
