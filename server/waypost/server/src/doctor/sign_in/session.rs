use url::Url;
use waypost_auth::{
    TokenKind,
    preset::{Logout, Renewal},
};

use super::{
    super::{Options, authorization, discovery::endpoint, report::Findings, tokens},
    DONE, FRAME_LIMIT, SIGN_OUT_LIMIT, SignIn, Tokens, challenge, random,
    verification::verify,
    visits::Visit,
};

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

    /// Returns the next visit of the page, and true if the frame received a code.
    pub(super) async fn try_frame(&mut self, visit: Visit, authorization: &Url) -> Option<(Visit, bool)> {
        let redirect = format!("{}/auth/silent.html", self.case.origin);
        let state = random();
        let mut url = authorization.clone();
        authorization::add_parameters(self.case, &mut url, &redirect, &self.found.scope);
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
        let mut succeeded = false;
        loop {
            let visit = self
                .visits
                .next(&["/auth/silent.html", &next], start, 2 * FRAME_LIMIT)
                .await?;
            if visit.path() == next {
                return Some((visit, succeeded));
            }
            if visit.get("state").as_ref() == Some(&state) {
                succeeded = visit.get("code").is_some();
                visit.page(&format!("<script>parent.location.replace('{next}')</script>"));
            }
        }
    }

    pub(super) fn check_renewal(&mut self, refreshes: bool, frames: bool, findings: &mut Findings) {
        let setting = self.case.setting("RENEWAL");
        if frames {
            findings.ok("frames", "The provider continued the session in a hidden frame.");
        } else {
            findings.note(
                "frames",
                "The provider did not continue the session in a hidden frame, because it shows a page or the browser blocks its \
                 cookies.",
                None,
            );
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
        options: &Options<'_>,
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
            if let Some(id_token) = &tokens.id {
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
