//! OpenID Connect RP-Initiated Logout 1.0.

use std::sync::Arc;

use axum::{
    body::Bytes,
    extract::{RawQuery, State},
    http::{HeaderMap, header},
    response::Response,
};
use url::Url;

use crate::{
    Provider,
    authorization::see_other,
    keys::Kind,
    pages::{self, Language},
    parameters::Parameters,
};

/// Ends the session of the ID token in the request. Without one, the user has to confirm.
pub(crate) async fn request(
    State(provider): State<Arc<Provider>>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let language = Language::of(&headers);
    let query = query.unwrap_or_default();
    let Ok(parameters) = Parameters::read(query.as_bytes()) else {
        return pages::problem(language, "A parameter occurs twice (invalid_request).");
    };
    let hint = parameters
        .get("id_token_hint")
        .and_then(|hint| provider.keys.verify(Kind::Id, hint));
    match hint.as_ref().and_then(|claims| claims["sid"].as_str()) {
        Some(session) => {
            provider.sessions().end(session);
            provider.signed_out(&parameters, language)
        }
        None => pages::confirm_sign_out(language, &query),
    }
}

/// Receives the form of the page for a confirmation.
pub(crate) async fn confirm(State(provider): State<Arc<Provider>>, headers: HeaderMap, body: Bytes) -> Response {
    let language = Language::of(&headers);
    let form = Parameters::read(&body).ok();
    let query = form.as_ref().and_then(|form| form.get("request")).unwrap_or_default();
    let (Ok(parameters), true) = (Parameters::read(query.as_bytes()), provider.is_from_own_page(&headers)) else {
        return pages::problem(language, "The request is not from the page for signing out.");
    };
    let cookie = provider.cookie(&headers);
    {
        let mut sessions = provider.sessions();
        let session = sessions.of_cookie(cookie.as_deref(), provider.now());
        if let Some(id) = session.map(|session| session.id.clone()) {
            sessions.end(&id);
        }
    }
    let mut response = provider.signed_out(&parameters, language);
    response
        .headers_mut()
        .insert(header::SET_COOKIE, provider.set_cookie(""));
    response
}

impl Provider {
    /// Redirects to registered URIs only.
    fn signed_out(&self, parameters: &Parameters, language: Language) -> Response {
        let uris = self.sign_out_uris();
        let registered = uris
            .iter()
            .find(|uri| parameters.get("post_logout_redirect_uri") == Some(uri));
        let Some(uri) = registered else {
            return pages::signed_out(language);
        };
        let mut target = Url::parse(uri).expect("registered URIs are valid");
        if let Some(state) = parameters.get("state") {
            target.query_pairs_mut().append_pair("state", state);
        }
        see_other(target.as_str())
    }
}
