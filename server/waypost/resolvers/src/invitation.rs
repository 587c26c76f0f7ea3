use traitql::{Ctx, DateTime, Declares, Id, SignedIn, Throws, Viewer};
use waypost_api::{
    Invitation, InvitationCreateInput, InvitationLink, InvitationOffer, InvitationState, Member, audit, errors, field,
    resolve, role, transition,
};
use waypost_domain::{
    account,
    audit::Entry,
    invitation::{
        MAX_OPEN_INVITATIONS, ensure_acceptable, expiry, hash, new_token,
        store::{self, InvitationDetails, NewInvitation},
    },
    release::illegal_transition,
    store::{Conn, OnConstraint},
    workspace::{self, store as members},
};

use crate::App;

impl resolve::QueryInvitations for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        _viewer: &Viewer<role::Admin>,
        workspace_id: Id,
    ) -> Result<Vec<Invitation>, Throws<field::QueryInvitations>> {
        Ok(store::open(self.store.reader(), &workspace_id, self.now()).await?)
    }
}

impl resolve::QueryInvitationOffer for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<SignedIn>,
        token: String,
    ) -> Result<InvitationOffer, Throws<field::QueryInvitationOffer>> {
        let mut db = self.store.read().await?;
        let found = by_token(&mut db, &token, self.now()).await?;
        let workspace_id = &found.invitation.workspace_id;
        let is_member = members::member_of(&mut db, workspace_id, &viewer.account)
            .await?
            .is_some();
        if !is_member {
            ensure_acceptable(&found, &account::store::profile(&mut db, &viewer.account).await?)?;
        }
        Ok(InvitationOffer {
            workspace_name: found.workspace_name,
            workspace_slug: found.workspace_slug,
            role: found.invitation.role,
            by_name: found.by_name,
            expires_at: found.invitation.expires_at,
            is_member,
        })
    }
}

impl resolve::MutationInvitationCreate for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<role::Admin>,
        input: InvitationCreateInput,
    ) -> Result<InvitationLink, Throws<field::MutationInvitationCreate>> {
        let mut tx = self.store.write(audit::INVITATION_CREATE, &viewer.account).await?;
        let (workspace_id, email) = (&input.workspace_id, input.email.to_ascii_lowercase());
        if store::open_count(tx.conn(), workspace_id).await? >= MAX_OPEN_INVITATIONS {
            return Err(errors::LimitReached {
                limit: MAX_OPEN_INVITATIONS.to_string(),
                things: "open invitations".to_owned(),
            }
            .into());
        }
        if members::has_address(tx.conn(), workspace_id, &email).await? {
            return Err(errors::AlreadyMember { email }.into());
        }
        let (token, now) = (new_token(), tx.now());
        let new = NewInvitation {
            workspace_id,
            email: &email,
            role: input.role,
            token_hash: &hash(&token),
            by: &viewer.account,
            at: now,
            expires_at: expiry(now, input.days),
        };
        let invitation = store::insert(tx.conn(), new)
            .await
            .on_constraint(&store::PENDING_KEY, || errors::AlreadyInvited { email: email.clone() })?;
        tx.commit(Entry::on(workspace_id, &email).added("role", input.role.as_graphql()))
            .await?;
        Ok(InvitationLink { invitation, token })
    }
}

impl resolve::MutationInvitationRenew for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<role::Admin>,
        id: Id,
        days: i32,
    ) -> Result<InvitationLink, Throws<field::MutationInvitationRenew>> {
        let mut tx = self.store.write(audit::INVITATION_RENEW, &viewer.account).await?;
        let now = tx.now();
        let before = store::by_id(tx.conn(), &id, now).await?;
        let state = transition::INVITATION_RENEW
            .apply(before.state)
            .map_err(illegal_transition("invitation"))?;
        let (token, expires_at) = (new_token(), expiry(now, days));
        store::renew(tx.conn(), &id, &hash(&token), &viewer.account, expires_at).await?;
        let entry = Entry::on(&before.workspace_id, &before.email);
        tx.commit(entry.changed("expiresAt", &before.expires_at, &expires_at))
            .await?;
        let invitation = Invitation {
            state,
            expires_at,
            by_id: viewer.account.clone(),
            ..before
        };
        Ok(InvitationLink { invitation, token })
    }
}

impl resolve::MutationInvitationRevoke for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<role::Admin>,
        id: Id,
    ) -> Result<Invitation, Throws<field::MutationInvitationRevoke>> {
        let mut tx = self.store.write(audit::INVITATION_REVOKE, &viewer.account).await?;
        let now = tx.now();
        let before = store::by_id(tx.conn(), &id, now).await?;
        let state = transition::INVITATION_REVOKE
            .apply(before.state)
            .map_err(illegal_transition("invitation"))?;
        store::end(tx.conn(), &id, state, &viewer.account, now).await?;
        let entry = Entry::on(&before.workspace_id, &before.email);
        tx.commit(entry.removed("role", before.role.as_graphql())).await?;
        Ok(Invitation { state, ..before })
    }
}

impl resolve::MutationInvitationAccept for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<SignedIn>,
        token: String,
    ) -> Result<Member, Throws<field::MutationInvitationAccept>> {
        let mut tx = self.store.write(audit::INVITATION_ACCEPT, &viewer.account).await?;
        let now = tx.now();
        let found = by_token(tx.conn(), &token, now).await?;
        let profile = account::store::profile(tx.conn(), &viewer.account).await?;
        ensure_acceptable(&found, &profile)?;
        let Invitation {
            id,
            workspace_id,
            email,
            role,
            ..
        } = found.invitation;
        workspace::ensure_member_capacity(tx.conn(), &workspace_id).await?;
        let member = members::member_insert(tx.conn(), &workspace_id, &viewer.account, role, now)
            .await
            .on_constraint(&members::MEMBER_KEY, || errors::AlreadyMember { email })?;
        store::end(tx.conn(), &id, InvitationState::Accepted, &viewer.account, now).await?;
        tx.commit(Entry::on(&workspace_id, profile.name).added("role", role.as_graphql()))
            .await?;
        Ok(member)
    }
}

async fn by_token<F>(conn: &mut Conn, token: &str, now: DateTime) -> Result<InvitationDetails, Throws<F>>
where
    F: Declares<errors::InvitationUnknown>,
{
    let found = store::by_token(conn, &hash(token), now).await?;
    found.ok_or_else(|| errors::InvitationUnknown {}.into())
}
