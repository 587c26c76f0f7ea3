//! Access tokens of programs: their management, and the callers of requests with one.

use futures_util::{FutureExt, future::BoxFuture};
use traitql::{Ctx, Id, Internal, Principal, Throws, Viewer};
use waypost_api::{AccessToken, AccessTokenCreateInput, NewAccessToken, audit, errors, field, resolve, role};
use waypost_domain::{
    access_token::{
        self, MAX_TOKENS, is_secret, must_store_use, new_secret,
        store::{self, NewToken},
    },
    audit::Entry,
    change::Changed,
    invitation::{expiry, hash},
};

use crate::App;

impl App {
    /// Returns `None` unless the token is one of Waypost's. The future returns the caller, or `None` if the token is
    /// unknown, was revoked or has expired.
    pub fn access_token<'a>(&'a self, token: &'a str) -> Option<BoxFuture<'a, Result<Option<Principal>, Internal>>> {
        is_secret(token).then(|| self.principal_of(token).boxed())
    }

    async fn principal_of(&self, secret: &str) -> Result<Option<Principal>, Internal> {
        let Some(known) = store::by_hash(self.store.reader(), &hash(secret)).await? else {
            return Ok(None);
        };
        let now = self.now();
        let principal = access_token::principal(&known, now);
        if principal.is_some() && must_store_use(known.last_used_at, now) {
            let mut tx = self.store.save().await?;
            store::set_last_used(tx.conn(), &known.id, now).await?;
            tx.commit().await?;
        }
        Ok(principal)
    }
}

impl resolve::QueryAccessTokens for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        _viewer: &Viewer<role::Admin>,
        workspace_id: Id,
    ) -> Result<Vec<AccessToken>, Throws<field::QueryAccessTokens>> {
        Ok(store::of_workspace(self.store.reader(), &workspace_id).await?)
    }
}

impl resolve::MutationAccessTokenCreate for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<role::Admin>,
        input: AccessTokenCreateInput,
    ) -> Result<NewAccessToken, Throws<field::MutationAccessTokenCreate>> {
        let mut tx = self.store.write(audit::ACCESS_TOKEN_CREATE, &viewer.account).await?;
        if store::count(tx.conn(), &input.workspace_id).await? >= MAX_TOKENS {
            return Err(errors::LimitReached {
                limit: MAX_TOKENS.to_string(),
                things: "access tokens".to_owned(),
            }
            .into());
        }
        let (secret, now) = (new_secret(), tx.now());
        let new = NewToken {
            workspace_id: &input.workspace_id,
            name: &input.name,
            role: access_token::role(input.role),
            token_hash: &hash(&secret),
            by: &viewer.account,
            at: now,
            expires_at: expiry(now, input.days),
        };
        let access_token = store::insert(tx.conn(), new).await?;
        let entry = Entry::on(&input.workspace_id, &access_token.name)
            .added("role", access_token.role.as_graphql())
            .added("expiresAt", access_token.expires_at);
        tx.commit(entry).await?;
        Ok(NewAccessToken { access_token, secret })
    }
}

impl resolve::MutationAccessTokenRevoke for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<role::Admin>,
        id: Id,
    ) -> Result<AccessToken, Throws<field::MutationAccessTokenRevoke>> {
        let mut tx = self.store.write(audit::ACCESS_TOKEN_REVOKE, &viewer.account).await?;
        let Some(token) = store::by_id(tx.conn(), &id).await? else {
            return Err(errors::NotFound {
                thing: "access token".to_owned(),
            }
            .into());
        };
        let now = tx.now();
        store::delete(tx.conn(), &token, &viewer.account, now).await?;
        // Ends its streams.
        tx.touch(Changed::Members(token.workspace_id.clone()));
        let entry = Entry::on(&token.workspace_id, &token.name);
        tx.commit(entry.removed("role", token.role.as_graphql())).await?;
        Ok(token)
    }
}
