//! Authentication: the bearer token of a request (RFC 6750), verified by the application's [`Authenticate`].
//!
//! A request without a token is anonymous and not an error, because the engine decides which fields require a
//! signed-in caller. A token that is present must be valid. Tokens are never logged.

use std::{future, pin::pin, time::Duration};

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use futures_util::{FutureExt, future::BoxFuture};
use jiff::Timestamp;

use super::{Endpoint, deadline::with_deadline, problem::Problem};
use traitql::Principal;

/// Verifies access tokens.
pub trait Authenticate: Send + Sync + 'static {
    /// Returns the caller identified by `token`.
    fn authenticate<'a>(&'a self, token: &'a str) -> BoxFuture<'a, Result<Principal, AuthFailure>>;

    /// Waits until the caller's session ends before the token expires, for example because the caller signs out
    /// elsewhere. Open streams of the caller then end. By default, sessions end with the token only.
    fn session_ended(&self, _principal: &Principal) -> BoxFuture<'static, ()> {
        Box::pin(future::pending())
    }
}

/// The reason why a token was not accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AuthFailure {
    /// The token is permanently invalid: expired, for another audience, or with a wrong signature.
    Invalid {
        /// Description of the error. It is sent to the client, so it must not contain parts of the token.
        reason: String,
    },
    /// The session of the token has ended although the token has not expired, so a client should not renew it.
    SessionEnded {
        /// Description of the error, as in `Invalid`.
        reason: String,
    },
    /// The token cannot be verified at the moment, for instance because the issuer's keys cannot be loaded.
    Unavailable {
        /// Time after which the client should retry.
        retry_after: Duration,
    },
}

/// Accepts every token as the name of a user: `Authorization: Bearer ada` is Ada. Only for development, where no
/// issuer exists.
#[derive(Debug, Clone, Copy, Default)]
pub struct AnyToken;

impl Authenticate for AnyToken {
    fn authenticate<'a>(&'a self, token: &'a str) -> BoxFuture<'a, Result<Principal, AuthFailure>> {
        Box::pin(std::future::ready(Ok(Principal::development(token))))
    }
}

/// Returns the caller identified by the `Authorization` header, or `None` without one.
pub(super) async fn principal(endpoint: &Endpoint, headers: &HeaderMap) -> Result<Option<Principal>, Problem> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(_), Some(_)) => Err(malformed("it has more than one `Authorization` header")),
        (Some(value), None) => {
            let value = value
                .to_str()
                .map_err(|_| malformed("the `Authorization` header is not ASCII text"))?;
            by_credentials(endpoint, value).await.map(Some)
        }
    }
}

/// Returns the caller identified by credentials of the form `Bearer <token>`.
pub(super) async fn by_credentials(endpoint: &Endpoint, credentials: &str) -> Result<Principal, Problem> {
    let (scheme, token) = credentials.trim().split_once(' ').unwrap_or((credentials.trim(), ""));
    if !scheme.eq_ignore_ascii_case("bearer") {
        return Err(malformed(
            "the `Authorization` header must have the form `Bearer <token>`",
        ));
    }
    let token = token.trim_start();
    if token.is_empty() {
        return Err(invalid("the token is empty"));
    }
    let Some(authenticate) = &endpoint.authenticate else {
        return Err(invalid("this server does not accept tokens"));
    };
    let result = with_deadline(endpoint.operation_timeout, pin!(authenticate.authenticate(token))).await;
    let unavailable = AuthFailure::Unavailable {
        retry_after: endpoint.operation_timeout,
    };
    result.unwrap_or(Err(unavailable)).map_err(|failure| match failure {
        AuthFailure::Invalid { reason } => invalid(&reason),
        AuthFailure::SessionEnded { reason } => session_ended(invalid(&reason)),
        AuthFailure::Unavailable { retry_after } => {
            Problem::unavailable("tokens cannot be verified", retry_after.as_secs().max(1))
        }
    })
}

/// The reason why an open stream of a signed-in caller ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// The token has expired. A client can renew it.
    TokenExpired,
    /// The session has ended before.
    SessionEnded,
}

/// Waits until the token expires or the session ends; forever for an anonymous caller.
pub(super) fn ended(endpoint: &Endpoint, principal: Option<&Principal>) -> BoxFuture<'static, End> {
    /// Timers have a maximum duration. No stream is open for that long.
    const MAX_WAIT: Duration = Duration::from_secs(30 * 24 * 3600);
    let Some(principal) = principal else {
        return future::pending().boxed();
    };
    let left = Duration::try_from(principal.expires_at.duration_since(Timestamp::now()))
        .unwrap_or(Duration::ZERO)
        .min(MAX_WAIT);
    let session = match &endpoint.authenticate {
        Some(authenticate) => authenticate.session_ended(principal),
        None => future::pending().boxed(),
    };
    async move {
        tokio::select! {
            () = session => End::SessionEnded,
            () = tokio::time::sleep(left) => End::TokenExpired,
        }
    }
    .boxed()
}

/// Returns the error of a stream that ends.
pub(super) fn stream_ended(end: End) -> Problem {
    match end {
        End::TokenExpired => Problem::unauthenticated(),
        End::SessionEnded => session_ended(Problem::unauthenticated()),
    }
}

/// Marks an error, so that clients do not renew the token.
fn session_ended(problem: Problem) -> Problem {
    problem.detail("sessionEnded", true)
}

/// Returns the error `invalid_token` (RFC 6750, section 3.1). The description must not contain quotes, backslashes or
/// control characters.
fn invalid(reason: &str) -> Problem {
    let description: String = reason
        .chars()
        .filter(|c| matches!(c, ' '..='~') && !matches!(c, '"' | '\\'))
        .take(200)
        .collect();
    let challenge = format!(r#"Bearer error="invalid_token", error_description="{description}""#);
    let challenge = HeaderValue::from_str(&challenge).expect("the description contains only printable ASCII");
    Problem::unauthenticated()
        .detail("reason", description)
        .header(header::WWW_AUTHENTICATE, challenge)
}

/// Returns the challenge for callers that must authenticate again (RFC 9470, section 3).
pub(super) fn step_up_challenge(max_age: u32) -> HeaderValue {
    let challenge = format!(r#"Bearer error="insufficient_user_authentication", max_age="{max_age}""#);
    HeaderValue::from_str(&challenge).expect("a number is printable ASCII")
}

/// Returns the error `invalid_request` (RFC 6750, section 3.1).
fn malformed(problem: &str) -> Problem {
    let challenge = HeaderValue::from_static(r#"Bearer error="invalid_request""#);
    Problem::malformed(problem)
        .status(StatusCode::BAD_REQUEST)
        .header(header::WWW_AUTHENTICATE, challenge)
}
