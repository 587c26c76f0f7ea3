use serde_json::Value;
use url::Url;
use waypost_auth::{
    TokenKind,
    preset::{Logout, Renewal},
};

use super::{
    super::{SignInOptions, authorization, discovery::endpoint, tokens},
    DONE, FRAME_LIMIT, SIGN_OUT_LIMIT, SignIn, Tokens, challenge, random,
    verification::{claims, verify},
    visits::Visit,
};
use crate::report::Findings;

/// The result of a request with `prompt=none`.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Frame {
    Continues,
    /// The code of the error.
    Rejected(String),
    NoResponse,
}

fn frame_cause(code: &str) -> &'static str {
    match code {
        "login_required" => "The browser blocks the provider's cookies in frames, or the provider keeps no session.",
        "consent_required" => "The provider asks for consent at each sign-in; allow this client without consent there.",
        "interaction_required" | "account_selection_required" => "The provider shows a page at each sign-in.",
        _ => "Check the client at the provider.",
    }
}

const CHECK_DEVICES: &str = "two devices";

fn claim(tokens: &Tokens, name: &str) -> Option<Value> {
    claims(tokens.id.as_deref()?)?.remove(name)
}

fn subject(tokens: &Tokens) -> Option<Value> {
    claim(tokens, "sub")
}

fn is_later(time: Option<Value>, before: Option<Value>) -> bool {
    let seconds = |time: Option<Value>| time.and_then(|time| time.as_f64());
    matches!((seconds(time), seconds(before)), (Some(time), Some(before)) if time > before)
}

impl SignIn<'_> {
    /// Returns the newest tokens, and true if the server accepts them.
    pub(super) async fn refresh(&mut self, tokens: Tokens, findings: &mut Findings) -> (Tokens, bool) {
        let Some(refresh_token) = tokens.refresh.clone() else {
            findings.note("renewal", "The provider issued no refresh token.", None);
            return (tokens, false);
        };
        let form = vec![
            ("grant_type", "refresh_token".to_owned()),
            ("refresh_token", refresh_token.clone()),
        ];
        let renewed = match self.request_tokens(form).await {
            Ok(renewed) => renewed,
            Err(problem) => {
                findings.warning(
                    "renewal",
                    format!("The refresh token is rejected: {problem}."),
                    Some(format!(
                        "Check at the provider: {}.",
                        self.case.provider.preset.locations.refresh
                    )),
                );
                return (tokens, false);
            }
        };
        let newest = Tokens {
            id: renewed.id.or(tokens.id),
            refresh: renewed.refresh.or(Some(refresh_token)),
            ..renewed
        };
        let accepted = match (&self.found.tokens.token, &newest.id) {
            (TokenKind::IdToken, Some(id_token)) => verify(&self.found.tokens, id_token, None).await,
            _ => verify(&self.found.tokens, &newest.access, self.prover.as_ref()).await,
        };
        let is_accepted = accepted.is_ok();
        match accepted {
            Ok(_) => findings.ok("renewal", "The refresh token renews the session."),
            Err(problem) => findings.warning("renewal", format!("The renewed token is rejected: {problem}"), None),
        }
        (newest, is_accepted)
    }

    /// Signs in again like a person with a second device, and then renews the session of the first. Returns the next
    /// visit and the newest tokens of the first device. `None` if the browser did not return.
    pub(super) async fn second_device(
        &mut self,
        visit: Visit,
        tokens: Tokens,
        authorization: &Url,
        options: &SignInOptions<'_>,
        findings: &mut Findings,
    ) -> (Option<Visit>, Tokens) {
        let requested = self.found.requested.clone();
        let (request, url) = self.request(authorization, &requested, Some("login"));
        (options.progress)("Sign in once more with the same account, as on a second device.");
        visit.redirect(&url);
        let Some(visit) = self.callback(&request.state, &url).await else {
            findings.warning(
                CHECK_DEVICES,
                "Not tested: the browser did not return from the second sign-in.",
                None,
            );
            return (None, tokens);
        };
        let second = match visit.get("error") {
            Some(code) => Err(format!("the provider answers `prompt=login` with {code}")),
            None => self.exchange(&visit, request).await,
        };
        let second = match second {
            Ok(second) if subject(&second) == subject(&tokens) => second,
            Ok(_) => {
                findings.note(
                    CHECK_DEVICES,
                    "Not tested: the second sign-in was of another account.",
                    None,
                );
                return (Some(visit), tokens);
            }
            Err(problem) => {
                findings.note(CHECK_DEVICES, format!("Not tested: {problem}."), None);
                return (Some(visit), tokens);
            }
        };
        let form = vec![
            ("grant_type", "refresh_token".to_owned()),
            ("refresh_token", tokens.refresh.clone().unwrap_or_default()),
        ];
        let first = self.request_tokens(form).await;
        self.second_device = Some(second);
        let renewed = match first {
            Ok(renewed) => renewed,
            Err(problem) => {
                findings.warning(
                    CHECK_DEVICES,
                    format!(
                        "A sign-in on a second device ends the session of the first: its refresh token is rejected ({problem})."
                    ),
                    Some(format!(
                        "Allow several sessions of an account (at the provider: {}).",
                        self.case.provider.preset.locations.refresh
                    )),
                );
                return (Some(visit), tokens);
            }
        };
        if is_later(claim(&renewed, "auth_time"), claim(&tokens, "auth_time")) {
            findings.note(
                CHECK_DEVICES,
                "After a sign-in on a second device, the first renews its session. The provider takes the time of the sign-in \
                 (`auth_time`) from the account, contrary to OpenID Connect Core 1.0, section 12.2; Waypost accepts that.",
                None,
            );
        } else {
            findings.ok(
                CHECK_DEVICES,
                "After a sign-in on a second device, the first renews its session.",
            );
        }
        let newest = Tokens {
            id: renewed.id.or(tokens.id),
            refresh: renewed.refresh.or(tokens.refresh),
            ..renewed
        };
        (Some(visit), newest)
    }

    /// Returns the next visit of the page.
    pub(super) async fn try_frame(&mut self, visit: Visit, authorization: &Url) -> Option<(Visit, Frame)> {
        let redirect = format!("{}/auth/silent.html", self.case.origin);
        let state = random();
        let mut url = authorization.clone();
        authorization::add_parameters(self.case, &mut url, &redirect, &self.found.requested);
        authorization::add_proof(&mut url, &state, &challenge(&random()));
        url.query_pairs_mut().append_pair("prompt", "none");
        // Only this page knows the paths, because the last redirect contains the ID token.
        let (frame, next) = (format!("/doctor/{}", random()), format!("/doctor/{}", random()));
        visit.page(&format!(
            "<h1>Signed in</h1><p>Checking renewal and signing out…</p><iframe hidden src=\"{frame}\"></iframe>\
             <meta http-equiv=\"refresh\" content=\"{};url={next}\">",
            FRAME_LIMIT.as_secs()
        ));
        let start = self.case.public_url;
        if let Some(frame) = self.visits.next(&[&frame], start, FRAME_LIMIT).await {
            frame.redirect(&url);
        }
        let mut result = Frame::NoResponse;
        loop {
            let visit = self
                .visits
                .next(&["/auth/silent.html", &next], start, 2 * FRAME_LIMIT)
                .await?;
            if visit.path() == next {
                return Some((visit, result));
            }
            if visit.get("state").as_ref() == Some(&state) {
                result = match visit.get("code") {
                    Some(_) => Frame::Continues,
                    None => Frame::Rejected(visit.get("error").unwrap_or_default()),
                };
                visit.page(&format!("<script>parent.location.replace('{next}')</script>"));
            }
        }
    }

    pub(super) fn check_renewal(&mut self, refreshes: bool, frame: &Frame, findings: &mut Findings) {
        let setting = self.case.setting("RENEWAL");
        let frames = *frame == Frame::Continues;
        match frame {
            Frame::Continues => findings.ok("frames", "The provider continued the session in a hidden frame."),
            Frame::Rejected(code) => findings.note(
                "frames",
                format!(
                    "The provider did not continue the session in a hidden frame: {code}. {}",
                    frame_cause(code)
                ),
                None,
            ),
            Frame::NoResponse => findings.note(
                "frames",
                "The provider did not continue the session in a hidden frame, because it shows a page there.",
                None,
            ),
        }
        let works = |renewal: &Renewal| match renewal {
            Renewal::RefreshToken => refreshes,
            Renewal::Frame => frames,
        };
        self.found.renewals.retain(works);
        if self.found.renewals.is_empty() {
            findings.warning(
                "renewal",
                "No method of renewal worked, so users have to click when a token expires.",
                Some(format!(
                    "Enable refresh tokens (at the provider: {}). {setting}=click works.",
                    self.case.provider.preset.locations.refresh
                )),
            );
        }
    }

    /// A revoked token must be useless afterwards.
    pub(super) async fn revoke(&mut self, tokens: &Tokens, findings: &mut Findings) {
        let Some(refresh_token) = &tokens.refresh else { return };
        // Pages do not revoke tokens of the relay.
        if !self.case.provider.preset.revocation || self.case.provider.relay.is_some() || self.found.needs_relay {
            return;
        }
        let Some(url) = endpoint(self.document, "revocation_endpoint") else {
            return;
        };
        let form = vec![
            ("token", refresh_token.clone()),
            ("token_type_hint", "refresh_token".to_owned()),
        ];
        // The following request shows a failure.
        let _ = tokens::post(self.case, &url, &self.credentials, form, true, None).await;
        let second_token = self.second_device.as_ref().and_then(|second| second.refresh.clone());
        if let Some(token) = second_token.filter(|token| token != refresh_token) {
            let _ = tokens::post(self.case, &url, &self.credentials, vec![("token", token)], true, None).await;
        }
        let form = vec![
            ("grant_type", "refresh_token".to_owned()),
            ("refresh_token", refresh_token.clone()),
        ];
        if self.request_tokens(form).await.is_ok() {
            findings.warning(
                "revocation",
                "The refresh token still works after its revocation, so it stays valid after signing out.",
                Some(format!(
                    "Check at the provider: {}.",
                    self.case.provider.preset.locations.refresh
                )),
            );
        } else {
            findings.ok("revocation", "The refresh token was revoked.");
        }
    }

    pub(super) async fn sign_out(
        &mut self,
        visit: Visit,
        tokens: &Tokens,
        options: &SignInOptions<'_>,
        findings: &mut Findings,
    ) {
        let path = match self.found.logout {
            Logout::Popup => "/auth/popup.html",
            Logout::Frame => "/auth/silent.html",
            Logout::Provider | Logout::Cognito => "/signed-out",
            Logout::Local => return visit.page(DONE),
        };
        let Some(mut url) = endpoint(self.document, "end_session_endpoint") else {
            self.found.logout = Logout::Local;
            return visit.page(DONE);
        };
        let redirect = format!("{}{path}", self.case.origin);
        let mut query = url.query_pairs_mut();
        query.append_pair("client_id", &self.case.provider.client_id);
        if self.found.logout == Logout::Cognito {
            query.append_pair("logout_uri", &redirect);
        } else {
            query.append_pair("post_logout_redirect_uri", &redirect);
            // Of the newest session of the browser.
            let newest = self.second_device.as_ref().unwrap_or(tokens);
            if let Some(id_token) = &newest.id {
                query.append_pair("id_token_hint", id_token);
            }
        }
        drop(query);
        (options.progress)("Signing out. Confirm it in the browser if the provider requires it.");
        visit.redirect(&url);
        if let Some(visit) = self.visits.next(&[path], self.case.public_url, SIGN_OUT_LIMIT).await {
            findings.ok(
                "sign-out",
                format!("After signing out, the provider redirects to {redirect}."),
            );
            visit.page(DONE);
        } else {
            self.found.logout = Logout::Local;
            findings.warning(
                "sign-out",
                format!("After signing out, the provider does not redirect to {redirect}, so users stay on its page."),
                Some(format!(
                    "Register this URI (at the provider: {}). {}=local works, and ends the session in Waypost only.",
                    self.case.provider.preset.locations.logout,
                    self.case.setting("LOGOUT")
                )),
            );
        }
    }
}
