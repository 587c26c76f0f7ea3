use std::{sync::Arc, time::Duration};

use futures_util::future::BoxFuture;
use jiff::Timestamp;
use traitql::{AcrLevel, AcrLevels, Authenticated, Principal};
use traitql_axum::{AuthFailure, Authenticate, Credentials, Dpop};
use waypost_auth::{
    Reject, TokenFacts, Verifier,
    dpop::{ALGORITHMS, Proofs},
};

use crate::Application;

pub(crate) struct Identity {
    pub(crate) verifier: Arc<Verifier>,
    /// `None` if no tokens are bound to keys.
    pub(crate) proofs: Option<Proofs>,
    pub(crate) app: Arc<dyn Application>,
}

const STRONG: &str = "strong";

/// The verifier contacts the provider again after at most ten seconds.
const RETRY_AFTER: Duration = Duration::from_secs(5);

impl Authenticate for Identity {
    fn authenticate<'a>(&'a self, credentials: Credentials<'a>) -> BoxFuture<'a, Result<Principal, AuthFailure>> {
        Box::pin(async move {
            let token = credentials.token;
            if let Some(found) = self.app.access_token(token) {
                return match found.await {
                    Ok(Some(principal)) => Ok(principal),
                    Ok(None) => Err(AuthFailure::Invalid {
                        reason: "the access token is unknown, was revoked or has expired".to_owned(),
                    }),
                    Err(error) => {
                        tracing::warn!(?error, "an access token could not be looked up");
                        Err(AuthFailure::Unavailable {
                            retry_after: RETRY_AFTER,
                        })
                    }
                };
            }
            let result = match (credentials.proof, &self.proofs) {
                (Some(proof), Some(proofs)) => self.verifier.verify_bound(token, proofs, proof.jwt, proof.method).await,
                _ => self.verifier.verify(token).await,
            };
            match result {
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
                Err(Reject::Nonce) => Err(AuthFailure::NonceRequired),
                Err(reject @ Reject::SignedOut) => Err(AuthFailure::SessionEnded {
                    reason: reject.to_string(),
                }),
                Err(reject @ Reject::Opaque(_)) => Err(AuthFailure::UnsupportedToken {
                    reason: reject.to_string(),
                }),
                Err(reject @ Reject::Proof(_)) => Err(AuthFailure::InvalidProof {
                    reason: reject.to_string(),
                }),
                Err(reject) => Err(AuthFailure::Invalid {
                    reason: reject.to_string(),
                }),
            }
        })
    }

    fn session_ended(&self, principal: &Principal) -> BoxFuture<'static, ()> {
        let verifier = Arc::clone(&self.verifier);
        let principal = principal.clone();
        // Just verified by its provider.
        let issued_at = principal.issued_at.unwrap_or_else(Timestamp::now).as_second();
        let issued_at = u64::try_from(issued_at).unwrap_or_default();
        Box::pin(async move {
            let token = TokenFacts {
                issuer: &principal.issuer,
                subject: &principal.subject,
                id: &principal.token_id,
                session: principal.session.as_deref(),
                issued_at,
            };
            verifier.session_ended(token).await;
        })
    }

    fn dpop(&self) -> Option<Dpop> {
        self.proofs.as_ref().map(|proofs| Dpop {
            algorithms: ALGORITHMS,
            nonce: proofs.nonce(),
        })
    }
}

fn translate(principal: &waypost_auth::Principal) -> Principal {
    Principal {
        issuer: principal.issuer.clone(),
        subject: principal.subject.clone(),
        token_id: principal.token_id.clone(),
        name: principal.profile.name.clone(),
        email: principal.profile.email.clone(),
        email_verified: principal.profile.email_verified,
        picture: principal.profile.picture.clone(),
        roles: principal.roles.clone(),
        roles_known: principal.roles_known,
        issued_at: principal.issued_at.and_then(timestamp),
        // May be later than the latest timestamp.
        expires_at: timestamp(principal.expires_at).unwrap_or(Timestamp::MAX),
        session: principal.session.clone(),
        authenticated: match principal.authenticated_at.and_then(timestamp) {
            _ if !principal.step_up => Authenticated::Unchecked,
            Some(time) => Authenticated::At(time),
            None => Authenticated::Unknown,
        },
        acr_levels: acr_levels(principal),
    }
}

fn acr_levels(principal: &waypost_auth::Principal) -> AcrLevels {
    if principal.acr_values.is_empty() {
        return AcrLevels::Unchecked;
    }
    AcrLevels::Known(vec![AcrLevel {
        name: STRONG,
        acr_values: Arc::clone(&principal.acr_values),
        is_reached: principal
            .acr
            .as_ref()
            .is_some_and(|acr| principal.acr_values.contains(acr)),
    }])
}

fn timestamp(seconds: u64) -> Option<Timestamp> {
    Timestamp::from_second(i64::try_from(seconds).ok()?).ok()
}
