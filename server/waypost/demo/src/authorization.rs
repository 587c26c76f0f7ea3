//! The authorization endpoint (OpenID Connect Core 1.0, section 3.1.2), and the page on which a user chooses an account.

use std::sync::Arc;

use axum::{
    body::Bytes,
    extract::{RawQuery, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use url::Url;

use crate::{
    CLIENT_ID, PATH, Provider, RESOURCE,
    accounts::Account,
    keys::Kind,
    pages::{self, Language},
    parameters::Parameters,
};

/// A valid authorization request.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) redirect_uri: String,
    pub(crate) scope: String,
    pub(crate) nonce: Option<String>,
    /// The SHA-256 of the verifier (PKCE, RFC 7636).
    pub(crate) challenge: String,
    state: Option<String>,
    prompt: Prompt,
    /// The maximum age of the session in seconds.
    max_age: Option<u64>,
    id_token_hint: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Prompt {
    /// The user signs in only if there is no session of that age.
    IfNeeded,
    Always,
    Never,
}

#[derive(Debug)]
enum Invalid {
    /// Must be shown to the user, because the redirect URI is not that of the client.
    Page(String),
    /// Returned to the client.
    Error {
        redirect_uri: String,
        state: Option<String>,
        error: &'static str,
        description: String,
    },
}

pub(crate) async fn authorize(
    State(provider): State<Arc<Provider>>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let language = Language::of(&headers);
    let query = query.unwrap_or_default();
    let request = match Request::read(query.as_bytes(), &provider.redirect_uris()) {
        Ok(request) => request,
        Err(invalid) => return provider.reject(invalid, language),
    };
    let now = provider.now();
    let mut sessions = provider.sessions();
    let session = sessions.of_cookie(provider.cookie(&headers).as_deref(), now);
    let session = session.filter(|session| provider.satisfies(&request, session, now));
    match (session, request.prompt) {
        (Some(session), Prompt::IfNeeded | Prompt::Never) => {
            let id = session.id.clone();
            provider.respond(sessions.issue_code(&id, request.clone(), now), &request)
        }
        (None, Prompt::Never) => {
            let Request {
                redirect_uri, state, ..
            } = request;
            let description = "No account is signed in, or the sign-in is too old.".to_owned();
            let error = "login_required";
            provider.reject(
                Invalid::Error {
                    redirect_uri,
                    state,
                    error,
                    description,
                },
                language,
            )
        }
        (_, Prompt::IfNeeded | Prompt::Always) => pages::accounts(language, &query),
    }
}

/// Receives the form of the page with the accounts.
pub(crate) async fn sign_in(State(provider): State<Arc<Provider>>, headers: HeaderMap, body: Bytes) -> Response {
    let language = Language::of(&headers);
    let form = Parameters::read(&body).ok();
    let field = |name: &str| form.as_ref().and_then(|form| form.get(name)).unwrap_or_default();
    let account = Account::find(field("account"));
    let (Some(account), true) = (account, provider.is_from_own_page(&headers)) else {
        return pages::problem(language, "The request is not from the page with the accounts.");
    };
    let request = match Request::read(field("request").as_bytes(), &provider.redirect_uris()) {
        Ok(request) => request,
        Err(invalid) => return provider.reject(invalid, language),
    };
    let now = provider.now();
    let mut sessions = provider.sessions();
    let (session, cookie) = sessions.sign_in(account, provider.cookie(&headers).as_deref(), now);
    let mut response = provider.respond(sessions.issue_code(&session, request.clone(), now), &request);
    response
        .headers_mut()
        .insert(header::SET_COOKIE, provider.set_cookie(&cookie));
    response
}

impl Request {
    /// Reads an encoded query.
    fn read(query: &[u8], redirect_uris: &[String]) -> Result<Self, Invalid> {
        let parameters = Parameters::read(query)
            .map_err(|name| Invalid::Page(format!("The parameter {name} occurs twice (invalid_request).")))?;
        let text = |name: &str| parameters.get(name).map(str::to_owned);
        if parameters.get("client_id") != Some(CLIENT_ID) {
            return Err(Invalid::Page("The client is unknown (invalid_client).".to_owned()));
        }
        let redirect_uri = text("redirect_uri").filter(|uri| redirect_uris.contains(uri));
        let redirect_uri = redirect_uri
            .ok_or_else(|| Invalid::Page("The redirect URI is not registered (invalid_redirect_uri).".to_owned()))?;
        let state = text("state");
        let invalid = |error, description: &str| Invalid::Error {
            redirect_uri: redirect_uri.clone(),
            state: state.clone(),
            error,
            description: description.to_owned(),
        };
        for (name, error) in [
            ("request", "request_not_supported"),
            ("request_uri", "request_uri_not_supported"),
        ] {
            if parameters.get(name).is_some() {
                return Err(invalid(error, "Requests are passed as parameters."));
            }
        }
        if parameters.get("response_type") != Some("code") {
            return Err(invalid(
                "unsupported_response_type",
                "The response type must be `code`.",
            ));
        }
        if parameters.get("response_mode").is_some_and(|mode| mode != "query") {
            return Err(invalid("invalid_request", "The response mode must be `query`."));
        }
        let scope = text("scope").unwrap_or_default();
        if scope.split(' ').all(|scope| scope != "openid") {
            return Err(invalid("invalid_scope", "The scope must contain `openid`."));
        }
        if parameters.get("resource").is_some_and(|resource| resource != RESOURCE) {
            return Err(invalid("invalid_target", "The resource is unknown."));
        }
        let challenge = text("code_challenge").filter(|challenge| challenge.len() == CHALLENGE_LENGTH);
        let (Some(challenge), Some("S256")) = (challenge, parameters.get("code_challenge_method")) else {
            return Err(invalid(
                "invalid_request",
                "A code challenge with the method S256 is required.",
            ));
        };
        let max_age = match parameters.get("max_age").map(str::parse) {
            None => None,
            Some(Ok(seconds)) => Some(seconds),
            Some(Err(_)) => return Err(invalid("invalid_request", "`max_age` must be a number of seconds.")),
        };
        let prompts: Vec<_> = parameters
            .get("prompt")
            .unwrap_or_default()
            .split_whitespace()
            .collect();
        let prompt = match prompts.as_slice() {
            ["none"] => Prompt::Never,
            prompts if prompts.contains(&"none") => {
                return Err(invalid("invalid_request", "`prompt=none` excludes other prompts."));
            }
            prompts
                if prompts
                    .iter()
                    .any(|prompt| ["login", "select_account"].contains(prompt)) =>
            {
                Prompt::Always
            }
            _ => Prompt::IfNeeded,
        };
        Ok(Self {
            scope,
            nonce: text("nonce"),
            challenge,
            prompt,
            max_age,
            id_token_hint: text("id_token_hint"),
            redirect_uri,
            state,
        })
    }
}

/// The length of a SHA-256 in base64url.
const CHALLENGE_LENGTH: usize = 43;

impl Provider {
    /// True if the request can be answered with this session, without the user.
    fn satisfies(&self, request: &Request, session: &crate::sessions::Session, now: u64) -> bool {
        let is_recent = request
            .max_age
            .is_none_or(|max_age| now - session.authenticated_at.min(now) <= max_age);
        let is_hinted = request.id_token_hint.as_deref().is_none_or(|hint| {
            let claims = self.keys.verify(Kind::Id, hint);
            claims.is_some_and(|claims| session.account().is_some_and(|account| claims["sub"] == account.id))
        });
        is_recent && is_hinted && session.account().is_some()
    }

    fn respond(&self, code: String, request: &Request) -> Response {
        let Request {
            redirect_uri, state, ..
        } = request;
        self.redirect(redirect_uri, state.as_deref(), &[("code", &code)])
    }

    fn reject(&self, invalid: Invalid, language: Language) -> Response {
        match invalid {
            Invalid::Page(problem) => pages::problem(language, &problem),
            Invalid::Error {
                redirect_uri,
                state,
                error,
                description,
            } => {
                let response = [("error", error), ("error_description", &description)];
                self.redirect(&redirect_uri, state.as_deref(), &response)
            }
        }
    }

    fn redirect(&self, uri: &str, state: Option<&str>, response: &[(&str, &str)]) -> Response {
        let mut target = Url::parse(uri).expect("registered redirect URIs are valid");
        target
            .query_pairs_mut()
            .extend_pairs(response)
            .extend_pairs(state.map(|state| ("state", state)))
            // RFC 9207.
            .append_pair("iss", &self.issuer);
        see_other(target.as_str())
    }

    /// Browsers send cookies to all ports of a host, so that the name distinguishes two demos.
    fn cookie_name(&self) -> String {
        let port = self.origin.rsplit_once(':').map_or("", |(_, port)| port);
        format!("waypost_demo_{port}")
    }

    pub(crate) fn cookie(&self, headers: &HeaderMap) -> Option<String> {
        let name = self.cookie_name();
        let cookies = headers
            .get_all(header::COOKIE)
            .iter()
            .filter_map(|value| value.to_str().ok());
        cookies
            .flat_map(|cookies| cookies.split(';'))
            .filter_map(|cookie| cookie.trim().split_once('='))
            .find_map(|(found, value)| (found == name).then(|| value.to_owned()))
    }

    /// An empty value deletes the cookie.
    pub(crate) fn set_cookie(&self, value: &str) -> HeaderValue {
        let age = if value.is_empty() { "; Max-Age=0" } else { "" };
        let cookie = format!(
            "{}={value}; Path={PATH}; HttpOnly; SameSite=Lax{age}",
            self.cookie_name()
        );
        HeaderValue::from_str(&cookie).expect("the cookie contains only visible ASCII characters")
    }

    /// Browsers set `Origin` on every POST, and pages cannot change it.
    pub(crate) fn is_from_own_page(&self, headers: &HeaderMap) -> bool {
        headers
            .get(header::ORIGIN)
            .is_some_and(|origin| origin.as_bytes() == self.origin.as_bytes())
    }
}

pub(crate) fn see_other(location: &str) -> Response {
    let headers = [
        (header::LOCATION, location),
        (header::CACHE_CONTROL, "no-store"),
        (header::REFERRER_POLICY, "no-referrer"),
    ];
    (StatusCode::SEE_OTHER, headers).into_response()
}
