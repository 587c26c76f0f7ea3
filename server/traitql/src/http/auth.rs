//! Who asks: the bearer token of a request (RFC 6750), checked by the application's [`Authenticate`].
//!
//! No token means an anonymous request, never a failed one: the engine decides which fields need a person. A token that is
//! there must be right. Tokens are passed on and never written anywhere.

use std::{pin::pin, time::Duration};

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use futures_util::future::BoxFuture;
use jiff::Timestamp;

use super::{Endpoint, problem::Problem, within::within};
use crate::ctx::Principal;

/// Checks access tokens.
pub trait Authenticate: Send + Sync + 'static {
    /// The person whom `token` stands for.
    fn authenticate<'a>(&'a self, token: &'a str) -> BoxFuture<'a, Result<Principal, AuthFailure>>;
}

/// Why a token was not accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AuthFailure {
    /// The token is wrong, and will stay so: expired, for somebody else, signed by a stranger.
    Invalid {
        /// What is wrong with it. Told to the client, so it must not hold parts of the token.
        reason: String,
    },
    /// Nobody can tell at the moment: the issuer's keys cannot be loaded, for instance.
    Unavailable {
        /// When to try again.
        retry_after: Duration,
    },
}

/// Takes every token for the name of a person: `Authorization: Bearer ada` is Ada. For development, where there is nobody to
/// issue tokens, and for nothing else.
#[derive(Debug, Clone, Copy, Default)]
pub struct AnyToken;

impl AnyToken {
    /// Who has this name.
    pub(crate) fn principal(subject: &str) -> Principal {
        Principal {
            issuer: "development".to_owned(),
            subject: subject.to_owned(),
            name: Some(subject.to_owned()),
            email: None,
            email_verified: false,
            picture: None,
            roles: Vec::new(),
            roles_known: true,
            issued_at: None,
            expires_at: Timestamp::MAX,
        }
    }
}

impl Authenticate for AnyToken {
    fn authenticate<'a>(&'a self, token: &'a str) -> BoxFuture<'a, Result<Principal, AuthFailure>> {
        Box::pin(std::future::ready(Ok(Self::principal(token))))
    }
}

/// The person behind the request's `Authorization` header; `None` without one.
pub(super) async fn principal(endpoint: &Endpoint, headers: &HeaderMap) -> Result<Option<Principal>, Problem> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(_), Some(_)) => Err(malformed("there are two `Authorization` headers")),
        (Some(value), None) => {
            let value = value
                .to_str()
                .map_err(|_| malformed("the `Authorization` header is not ASCII text"))?;
            by_credentials(endpoint, value).await.map(Some)
        }
    }
}

/// The person behind credentials of the form `Bearer <token>`.
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
        return Err(invalid("this server knows no issuer of tokens"));
    };
    let answer = within(endpoint.deadline, pin!(authenticate.authenticate(token))).await;
    let away = AuthFailure::Unavailable {
        retry_after: endpoint.deadline,
    };
    answer.unwrap_or(Err(away)).map_err(|failure| match failure {
        AuthFailure::Invalid { reason } => invalid(&reason),
        AuthFailure::Unavailable { retry_after } => {
            Problem::unavailable("tokens cannot be checked", retry_after.as_secs().max(1))
        }
    })
}

/// RFC 6750, section 3.1: `invalid_token`. The description may hold neither quotes nor backslashes nor control characters.
fn invalid(reason: &str) -> Problem {
    let description: String = reason
        .chars()
        .filter(|c| matches!(c, ' '..='~') && !matches!(c, '"' | '\\'))
        .take(200)
        .collect();
    let challenge = format!(r#"Bearer error="invalid_token", error_description="{description}""#);
    let challenge = HeaderValue::from_str(&challenge).expect("only printable ASCII was left");
    Problem::unauthenticated()
        .detail("reason", description)
        .header(header::WWW_AUTHENTICATE, challenge)
}

/// RFC 6750, section 3.1: `invalid_request`.
fn malformed(problem: &str) -> Problem {
    let challenge = HeaderValue::from_static(r#"Bearer error="invalid_request""#);
    Problem::malformed(problem)
        .status(StatusCode::BAD_REQUEST)
        .header(header::WWW_AUTHENTICATE, challenge)
}
