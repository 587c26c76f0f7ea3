//! Adapter from the token verifier to the authentication trait of the GraphQL endpoint.

use std::{sync::Arc, time::Duration};

use futures_util::future::BoxFuture;
use jiff::Timestamp;
use traitql::{Authenticated, Principal};
use traitql_axum::{AuthFailure, Authenticate};
use waypost_auth::{Reject, Verifier};

pub(crate) struct Identity(pub(crate) Arc<Verifier>);

/// `Retry-After` during an outage of the provider. The verifier contacts the provider again after at most ten seconds.
const RETRY_AFTER: Duration = Duration::from_secs(5);

impl Authenticate for Identity {
    fn authenticate<'a>(&'a self, token: &'a str) -> BoxFuture<'a, Result<Principal, AuthFailure>> {
        Box::pin(async move {
            match self.0.verify(token).await {
                Ok(principal) => Ok(translate(&principal)),
                Err(Reject::Unavailable(cause)) => {
                    tracing::warn!(
                        cause,
                        "an access token could not be verified: the identity provider is unavailable"
                    );
                    Err(AuthFailure::Unavailable {
                        retry_after: RETRY_AFTER,
                    })
                }
                Err(reject @ Reject::SignedOut) => Err(AuthFailure::SessionEnded {
                    reason: reject.to_string(),
                }),
                Err(reject) => Err(AuthFailure::Invalid {
                    reason: reject.to_string(),
                }),
            }
        })
    }

    fn session_ended(&self, principal: &Principal) -> BoxFuture<'static, ()> {
        let verifier = Arc::clone(&self.0);
        let Principal {
            issuer,
            subject,
            session,
            issued_at,
            ..
        } = principal.clone();
        // A token without an issue time has just been verified by its provider.
        let issued_at = issued_at.unwrap_or_else(Timestamp::now).as_second();
        let issued_at = u64::try_from(issued_at).unwrap_or_default();
        Box::pin(async move {
            verifier
                .session_ended(&issuer, &subject, session.as_deref(), issued_at)
                .await;
        })
    }
}

fn translate(principal: &waypost_auth::Principal) -> Principal {
    Principal {
        issuer: principal.issuer.clone(),
        subject: principal.subject.clone(),
        name: principal.profile.name.clone(),
        email: principal.profile.email.clone(),
        email_verified: principal.profile.email_verified,
        picture: principal.profile.picture.clone(),
        roles: principal.roles.clone(),
        roles_known: principal.roles_known,
        issued_at: principal.issued_at.and_then(timestamp),
        // `exp` may be later than the latest timestamp.
        expires_at: timestamp(principal.expires_at).unwrap_or(Timestamp::MAX),
        session: principal.session.clone(),
        authenticated: match principal.authenticated_at.and_then(timestamp) {
            _ if !principal.step_up => Authenticated::Unchecked,
            Some(time) => Authenticated::At(time),
            None => Authenticated::Unknown,
        },
    }
}

fn timestamp(seconds: u64) -> Option<Timestamp> {
    Timestamp::from_second(i64::try_from(seconds).ok()?).ok()
}
