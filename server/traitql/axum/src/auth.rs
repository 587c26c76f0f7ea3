//! The access token of a request, verified by the application's [`Authenticate`].
//!
//! A request without a token is anonymous, because the engine decides which fields require a caller. A token that is
//! present must be valid.

use std::{future, pin::pin, time::Duration};

use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use futures_util::{FutureExt, future::BoxFuture};
use jiff::Timestamp;

use super::{Endpoint, deadline::with_deadline, problem::Problem};
use traitql::{Principal, StepUp};

/// RFC 9449, section 4.1.
const DPOP: HeaderName = HeaderName::from_static("dpop");

/// RFC 9449, section 9.
pub(super) const DPOP_NONCE: HeaderName = HeaderName::from_static("dpop-nonce");

/// Verifies access tokens.
pub trait Authenticate: Send + Sync + 'static {
    /// Returns the caller identified by a token.
    fn authenticate<'a>(&'a self, credentials: Credentials<'a>) -> BoxFuture<'a, Result<Principal, AuthFailure>>;

    /// Waits until the caller's session ends before the token, for example by a sign-out elsewhere. Open streams of the
    /// caller then end. By default, never.
    fn session_ended(&self, _principal: &Principal) -> BoxFuture<'static, ()> {
        Box::pin(future::pending())
    }

    /// Returns the support of bound tokens. By default, none.
    fn dpop(&self) -> Option<Dpop> {
        None
    }
}

/// The token of a request.
#[derive(Clone, Copy)]
pub struct Credentials<'a> {
    /// Access token.
    pub token: &'a str,
    /// Proof; `None` for a bearer token.
    pub proof: Option<Proof<'a>>,
}

/// A DPoP proof and its request.
#[derive(Clone, Copy)]
pub struct Proof<'a> {
    /// The proof, a JWT.
    pub jwt: &'a str,
    /// HTTP method of the request.
    pub method: &'a str,
}

/// Support of DPoP.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dpop {
    /// Signature algorithms, separated by spaces.
    pub algorithms: &'static str,
    /// Nonce for the client's next proofs.
    pub nonce: String,
}

/// The reason why a token was rejected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AuthFailure {
    /// Permanently invalid: expired, another audience, or a wrong signature.
    Invalid {
        /// Sent to the client, so it must not contain parts of the token.
        reason: String,
    },
    /// The server is not configured for this kind of token, so neither renewal nor sign-in helps.
    UnsupportedToken {
        /// The reason, as in `Invalid`.
        reason: String,
    },
    /// The session has ended before the token expired, so a client should not renew it.
    SessionEnded {
        /// The reason, as in `Invalid`.
        reason: String,
    },
    /// The proof was rejected. The token may be accepted with a new one.
    InvalidProof {
        /// The reason, which the client receives.
        reason: String,
    },
    /// The client repeats the request with the nonce of the response.
    NonceRequired,
    /// Not verifiable now, for instance because the issuer's keys cannot be loaded.
    Unavailable {
        /// Time after which the client should retry.
        retry_after: Duration,
    },
}

/// Accepts every token as the name of a user: `Authorization: Bearer ada` is Ada. Only for development.
#[derive(Debug, Clone, Copy, Default)]
pub struct AnyToken;

impl Authenticate for AnyToken {
    fn authenticate<'a>(&'a self, credentials: Credentials<'a>) -> BoxFuture<'a, Result<Principal, AuthFailure>> {
        Box::pin(std::future::ready(Ok(Principal::development(credentials.token))))
    }
}

pub(super) async fn principal(
    endpoint: &Endpoint,
    method: &Method,
    headers: &HeaderMap,
) -> Result<Option<Principal>, Problem> {
    let Some(authorization) = single(headers, &header::AUTHORIZATION)? else {
        return Ok(None);
    };
    let proof = single(headers, &DPOP)?.map(|jwt| Proof {
        jwt,
        method: method.as_str(),
    });
    by_credentials(endpoint, authorization, proof).await.map(Some)
}

fn single<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Result<Option<&'h str>, Problem> {
    let label = if *name == DPOP { "DPoP" } else { "Authorization" };
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(_), Some(_)) => Err(malformed(&format!("it has more than one `{label}` header"))),
        (Some(value), None) => value
            .to_str()
            .map(Some)
            .map_err(|_| malformed(&format!("the `{label}` header is not ASCII text"))),
    }
}

pub(super) async fn by_credentials(
    endpoint: &Endpoint,
    credentials: &str,
    proof: Option<Proof<'_>>,
) -> Result<Principal, Problem> {
    let (scheme, token) = split_scheme(credentials);
    let challenge = Challenge::new(endpoint, scheme);
    let is_bound = challenge.is_bound;
    if !is_bound && !scheme.eq_ignore_ascii_case("bearer") {
        return Err(malformed(
            "the `Authorization` header must have the form `Bearer <token>`",
        ));
    }
    if token.is_empty() {
        return Err(challenge.invalid("invalid_token", "the token is empty"));
    }
    let Some(authenticate) = &endpoint.authenticate else {
        return Err(challenge.invalid("invalid_token", "this server does not accept tokens"));
    };
    if is_bound && proof.is_none() {
        return Err(challenge.invalid("invalid_dpop_proof", "the proof is missing"));
    }
    let credentials = Credentials {
        token,
        proof: proof.filter(|_| is_bound),
    };
    let result = with_deadline(endpoint.operation_timeout, pin!(authenticate.authenticate(credentials))).await;
    let unavailable = AuthFailure::Unavailable {
        retry_after: endpoint.operation_timeout,
    };
    result.unwrap_or(Err(unavailable)).map_err(|failure| match failure {
        AuthFailure::Invalid { reason } => challenge.invalid("invalid_token", &reason),
        AuthFailure::UnsupportedToken { reason } => challenge
            .invalid("invalid_token", &reason)
            .detail("unsupportedToken", true),
        AuthFailure::SessionEnded { reason } => session_ended(challenge.invalid("invalid_token", &reason)),
        AuthFailure::InvalidProof { reason } => challenge.invalid("invalid_dpop_proof", &reason),
        AuthFailure::NonceRequired => challenge.nonce_required(),
        AuthFailure::Unavailable { retry_after } => {
            Problem::unavailable("tokens cannot be verified", retry_after.as_secs().max(1))
        }
    })
}

fn split_scheme(authorization: &str) -> (&str, &str) {
    let authorization = authorization.trim();
    let (scheme, credentials) = authorization.split_once(' ').unwrap_or((authorization, ""));
    (scheme, credentials.trim_start())
}

/// The reason for which an open stream ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// The token expired, so a client can renew it.
    TokenExpired,
    /// The session ended before the token expires.
    SessionEnded,
}

/// Waits forever for an anonymous caller.
pub(super) fn ended(endpoint: &Endpoint, principal: Option<&Principal>) -> BoxFuture<'static, End> {
    /// Timers have a maximum.
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

pub(super) fn stream_ended(end: End) -> Problem {
    match end {
        End::TokenExpired => Problem::unauthenticated(),
        End::SessionEnded => session_ended(Problem::unauthenticated()),
    }
}

/// Clients must not renew the token.
fn session_ended(problem: Problem) -> Problem {
    problem.detail("sessionEnded", true)
}

pub(super) fn required_nonce(problem: &Problem) -> Option<&str> {
    let (_, nonce) = problem.headers.iter().find(|(name, _)| *name == DPOP_NONCE)?;
    nonce.to_str().ok()
}

/// Returns `None` for a request without a bound token (RFC 9449, section 8.2).
pub(super) fn next_nonce(endpoint: &Endpoint, headers: &HeaderMap) -> Option<HeaderValue> {
    headers.get(DPOP)?;
    endpoint.authenticate.as_ref()?.dpop()?.nonce_header()
}

impl Dpop {
    fn nonce_header(&self) -> Option<HeaderValue> {
        HeaderValue::from_str(&self.nonce).ok()
    }
}

/// Parts of `WWW-Authenticate` that are independent of the error.
struct Challenge {
    dpop: Option<Dpop>,
    /// True if the scheme is DPoP.
    is_bound: bool,
}

impl Challenge {
    fn new(endpoint: &Endpoint, scheme: &str) -> Self {
        let dpop = endpoint
            .authenticate
            .as_ref()
            .and_then(|authenticate| authenticate.dpop());
        let is_bound = dpop.is_some() && scheme.eq_ignore_ascii_case("dpop");
        Self { dpop, is_bound }
    }

    /// See RFC 9449, section 9.
    fn nonce_required(&self) -> Problem {
        let problem = self.invalid("use_dpop_nonce", "the proof needs a nonce of this server");
        match self.dpop.as_ref().and_then(Dpop::nonce_header) {
            Some(nonce) => problem.header(DPOP_NONCE, nonce),
            None => problem,
        }
    }

    /// See RFC 6750, section 3.1, and RFC 9449, section 7.1. The description must not contain quotes, backslashes or
    /// control characters.
    fn invalid(&self, error: &str, reason: &str) -> Problem {
        let description: String = quotable(reason).chars().take(200).collect();
        let challenge = self.header(&format!(r#"error="{error}", error_description="{description}""#));
        Problem::unauthenticated()
            .detail("reason", description)
            .header(header::WWW_AUTHENTICATE, challenge)
    }

    /// The value must be printable ASCII.
    fn header(&self, error: &str) -> HeaderValue {
        let challenge = match &self.dpop {
            None => format!("Bearer {error}"),
            Some(Dpop { algorithms, .. }) if self.is_bound => format!(r#"DPoP {error}, algs="{algorithms}""#),
            // A client may be able to get a bound token.
            Some(Dpop { algorithms, .. }) => format!(r#"Bearer {error}, DPoP algs="{algorithms}""#),
        };
        HeaderValue::from_str(&challenge).expect("the error contains only printable ASCII")
    }
}

/// Returns the challenge for callers that must authenticate again (RFC 9470, section 3).
pub(super) fn step_up_challenge(endpoint: &Endpoint, headers: &HeaderMap, step_up: &StepUp) -> HeaderValue {
    let authorization = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let (scheme, _) = split_scheme(authorization.unwrap_or_default());
    let mut error = r#"error="insufficient_user_authentication""#.to_owned();
    if let Some(acr_values) = &step_up.acr_values {
        error += &format!(r#", acr_values="{}""#, quotable(acr_values));
    }
    if let Some(max_age) = step_up.max_age {
        error += &format!(r#", max_age="{max_age}""#);
    }
    Challenge::new(endpoint, scheme).header(&error)
}

/// Removes characters that a quoted string of a header cannot contain without escapes.
fn quotable(text: &str) -> String {
    text.chars()
        .filter(|c| matches!(c, ' '..='~') && !matches!(c, '"' | '\\'))
        .collect()
}

fn malformed(problem: &str) -> Problem {
    let challenge = HeaderValue::from_static(r#"Bearer error="invalid_request""#);
    Problem::malformed(problem)
        .status(StatusCode::BAD_REQUEST)
        .header(header::WWW_AUTHENTICATE, challenge)
}
