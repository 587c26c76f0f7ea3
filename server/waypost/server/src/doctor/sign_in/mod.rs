//! Follows one sign-in of a browser: authorization code with PKCE, verification of the tokens, names, renewal,
//! revocation and sign-out. Finds the settings that work, so that an operator needs to know only issuer and client id.
//!
//! The browser is redirected to the registered redirect URIs, so the doctor listens at the address of Waypost, which must
//! not be running. Tokens stay in memory and are neither printed nor logged.

mod settings;
mod visits;

use std::{
    net::SocketAddr,
    process::{Command, Stdio},
    time::Duration,
};

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use reqwest::Method;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use url::Url;
use uuid::Uuid;
use waypost_auth::{
    Audience, Config, Credentials, Introspection, Principal, ProviderConfig, Secret, TokenKind, Verifier,
    preset::{Logout, Renewal},
};

use self::{
    settings::Found,
    visits::{Visit, Visits},
};
use super::{
    Case, Options, authorization, cors,
    discovery::endpoint,
    report::{Findings, Level},
    tokens::{self, client_credentials},
};

/// Time in which the user has to sign in.
const SIGN_IN_LIMIT: Duration = Duration::from_secs(10 * 60);

/// Time in which a hidden frame has to return, as in the web client.
const FRAME_LIMIT: Duration = Duration::from_secs(10);

/// Time in which the provider has to redirect the browser back after signing out. It may show a confirmation first.
const SIGN_OUT_LIMIT: Duration = Duration::from_secs(2 * 60);

const FAILED: &str = "<h1>Sign-in failed</h1><p>The terminal shows the reason. You can close this page.";

const DONE: &str = "<h1>Done</h1><p>The terminal shows the result. You can close this page.";

/// A token response.
struct Tokens {
    access: String,
    id: Option<String>,
    refresh: Option<String>,
    /// Value of `Access-Control-Allow-Origin`.
    allowed: Option<String>,
}

struct SignIn<'c> {
    case: &'c Case<'c>,
    document: &'c Value,
    token_url: Url,
    visits: Visits,
    found: Found,
    credentials: Credentials,
}

/// Signs in. Returns the settings that worked, one assignment per line.
pub(super) async fn run(
    case: &Case<'_>,
    document: &Value,
    listen: SocketAddr,
    options: &Options<'_>,
    findings: &mut Findings,
) -> Option<Vec<String>> {
    // Both endpoints and the credentials are reported by the checks before.
    let authorization = endpoint(document, "authorization_endpoint")?;
    let token_url = endpoint(document, "token_endpoint")?;
    let credentials = client_credentials(case).ok()?;
    let visits = match Visits::listen(listen).await {
        Ok(visits) => visits,
        Err(error) => {
            findings.problem(
                "sign-in",
                format!("The doctor cannot listen on {listen}, the address of Waypost: {error}."),
                Some("Stop Waypost while the doctor runs, because the provider redirects to this address.".into()),
            );
            return None;
        }
    };
    let start = case.public_url;
    let opened = open_browser(start, options.environment);
    (options.progress)(&format!(
        "{} {start}, and sign in there. Waiting for {} minutes.",
        if opened { "Opening" } else { "Open" },
        SIGN_IN_LIMIT.as_secs() / 60
    ));
    let mut sign_in = SignIn {
        case,
        document,
        token_url,
        visits,
        found: Found::new(case.provider),
        credentials,
    };
    let settings = sign_in.follow(&authorization, options, findings).await;
    sign_in.visits.close().await;
    settings
}

impl SignIn<'_> {
    async fn follow(
        &mut self,
        authorization: &Url,
        options: &Options<'_>,
        findings: &mut Findings,
    ) -> Option<Vec<String>> {
        let (visit, tokens) = self.authorize(authorization, findings).await?;
        (options.progress)("Signed in. Checking tokens, renewal and signing out.");
        self.check_cors(&tokens, findings).await;
        let Some((provider, principal)) = self.verify(&tokens, findings).await else {
            visit.page(FAILED);
            return None;
        };
        findings.verified();
        self.check_authentication_time(&principal, findings);
        self.check_names(&tokens, &provider, principal, findings).await;
        let (tokens, refreshes) = self.refresh(tokens, findings).await;
        let (visit, frames) = self.try_frame(visit, authorization).await?;
        self.check_renewal(refreshes, frames, findings);
        self.revoke(&tokens, findings).await;
        self.sign_out(visit, &tokens, options, findings).await;
        Some(self.found.lines(self.case))
    }

    /// Redirects the browser to the provider and exchanges the code of its response.
    async fn authorize(&mut self, authorization: &Url, findings: &mut Findings) -> Option<(Visit, Tokens)> {
        let redirect = format!("{}/auth/callback", self.case.origin);
        let requested = self.found.scope.clone();
        let mut scopes = vec![requested.clone()];
        if self.lists("scopes_supported", "offline_access") && !requested.contains("offline_access") {
            // Most providers issue refresh tokens only with this scope.
            scopes.insert(0, format!("{requested} offline_access"));
        }
        let mut previous: Option<Visit> = None;
        for (index, scope) in scopes.iter().enumerate() {
            let (state, verifier) = (random(), format!("{}{}", random(), random()));
            let mut url = authorization.clone();
            authorization::add_parameters(self.case, &mut url, &redirect, scope);
            authorization::add_proof(&mut url, &state, &challenge(&verifier));
            if let Some(visit) = previous.take() {
                visit.redirect(&url);
            }
            let Some(visit) = self.callback(&state, &url).await else {
                findings.problem(
                    "sign-in",
                    format!("The browser did not return to {redirect} in time."),
                    Some(format!(
                        "Check whether the provider shows an error page, and whether this redirect URI is registered (at the \
                         provider: {}).",
                        self.case.provider.preset.locations.redirects
                    )),
                );
                return None;
            };
            if let Some(code) = visit.get("error") {
                if index + 1 < scopes.len() && code == "invalid_scope" {
                    previous = Some(visit);
                    continue;
                }
                let description = visit.get("error_description").unwrap_or_default();
                visit.page(FAILED);
                findings.problem(
                    "sign-in",
                    format!("The provider rejects the authorization request: {code}. {description}"),
                    authorization::fix(self.case, &code),
                );
                return None;
            }
            self.found.scope.clone_from(scope);
            let form = vec![
                ("grant_type", "authorization_code".to_owned()),
                ("code", visit.get("code").unwrap_or_default()),
                ("redirect_uri", redirect.clone()),
                ("code_verifier", verifier),
            ];
            let problem = match self.request_tokens(form).await {
                Ok(tokens) if has_nonce(&tokens, &state) => {
                    findings.ok("sign-in", format!("The sign-in with the scopes `{scope}` succeeded."));
                    return Some((visit, tokens));
                }
                Ok(_) => "the ID token does not contain the nonce of the request".to_owned(),
                Err(problem) => problem,
            };
            visit.page(FAILED);
            findings.problem("sign-in", format!("No tokens were issued: {problem}."), None);
            return None;
        }
        None
    }

    /// Waits for the provider's response to the request with this state. Other responses are ignored, because any client
    /// can send them.
    async fn callback(&mut self, state: &str, start: &Url) -> Option<Visit> {
        loop {
            let visit = self.visits.next(&["/auth/callback"], start, SIGN_IN_LIMIT).await?;
            if visit.get("state").as_deref() == Some(state) {
                return Some(visit);
            }
            visit.page(FAILED);
        }
    }

    /// Posts to the token endpoint. If the provider rejects the secret in the form, tries Basic authentication.
    async fn request_tokens(&mut self, mut form: Vec<(&'static str, String)>) -> Result<Tokens, String> {
        if let Some(resource) = &self.case.provider.resource {
            form.push(("resource", resource.clone()));
        }
        // The relay sends requests without `Origin`.
        let as_page = self.case.provider.relay.is_none() && !self.found.needs_relay;
        let post = async |credentials: &Credentials, as_page: bool| {
            tokens::post(self.case, &self.token_url, credentials, form.clone(), as_page).await
        };
        let mut response = post(&self.credentials, as_page).await?;
        if as_page && response.status != 200 && !cors::is_allowed(self.case, response.header(cors::ALLOW_ORIGIN)) {
            // Some providers reject requests with an unknown origin, which the relay does not send.
            response = post(&self.credentials, false).await?;
            self.found.needs_relay |= response.status == 200;
        }
        if let Credentials::Post(secret) = &self.credentials
            && response.json()["error"] == "invalid_client"
        {
            let basic = Credentials::Basic(secret.clone());
            response = post(&basic, as_page).await?;
            self.found.uses_basic = true;
            self.credentials = basic;
        }
        let body = response.json();
        let text = |name: &str| body[name].as_str().map(str::to_owned);
        match text("access_token") {
            Some(access) if response.status == 200 => Ok(Tokens {
                access,
                id: text("id_token"),
                refresh: text("refresh_token"),
                allowed: response.header(cors::ALLOW_ORIGIN).map(str::to_owned),
            }),
            _ => Err(format!(
                "the token endpoint returned {} {}",
                response.status,
                [text("error"), text("error_description")]
                    .into_iter()
                    .flatten()
                    .collect::<Vec<_>>()
                    .join(": ")
            )),
        }
    }

    /// Decides by the successful response of the token endpoint whether pages need the relay.
    async fn check_cors(&mut self, tokens: &Tokens, findings: &mut Findings) {
        if self.case.provider.relay.is_some() {
            return;
        }
        // The checks before have reported the discovery document.
        let discovered = cors::discovery(self.case, &mut Findings::default()).await;
        let allowed = cors::is_allowed(self.case, tokens.allowed.as_deref());
        if discovered && allowed && !self.found.needs_relay {
            findings.ok("cors", "Pages may read the discovery document and the tokens.");
            return;
        }
        self.found.needs_relay = true;
        findings.warning(
            "cors",
            format!(
                "Pages of {} may not read the discovery document or the tokens.",
                self.case.origin
            ),
            Some(format!(
                "Allow this origin (at the provider: {}), or use the token relay as in the settings below.",
                self.case.provider.preset.locations.origins
            )),
        );
    }

    /// Finds a configuration that accepts the tokens.
    async fn verify(&mut self, tokens: &Tokens, findings: &mut Findings) -> Option<(ProviderConfig, Principal)> {
        let is_opaque = claims(&tokens.access).is_none();
        let form = if is_opaque { "opaque" } else { "JWTs" };
        let mut rejection = None;
        for candidate in self.candidates(tokens) {
            let token = match (&candidate.token, &tokens.id) {
                (TokenKind::IdToken, Some(token)) => token,
                (TokenKind::IdToken, None) => continue,
                _ => &tokens.access,
            };
            match verify(&candidate, token).await {
                Ok(principal) => {
                    let (level, message, fix) = self.describe(&candidate, rejection.as_deref());
                    findings.add(level, "tokens", format!("Access tokens are {form}. {message}"), fix);
                    self.found.tokens = candidate.clone();
                    return Some((candidate, principal));
                }
                Err(problem) => rejection = rejection.or(Some(problem)),
            }
        }
        findings.problem(
            "tokens",
            format!(
                "Access tokens are {form}, and Waypost can verify neither them nor the ID token: {}",
                rejection.unwrap_or_default()
            ),
            Some(format!(
                "Check at the provider: {}.",
                self.case.provider.preset.locations.audience
            )),
        );
        None
    }

    /// Returns configurations in order of preference: the operator's, then those that check the audience best.
    fn candidates(&self, tokens: &Tokens) -> Vec<ProviderConfig> {
        let configured = &self.case.provider.tokens;
        let client = self.case.provider.client_id.clone();
        let with = |token: TokenKind, audience: Audience| ProviderConfig {
            token,
            audience,
            ..configured.clone()
        };
        let mut candidates = vec![configured.clone()];
        if let Some(claims) = claims(&tokens.access) {
            let mut audiences: Vec<_> = match &claims.get("aud") {
                Some(Value::String(audience)) => vec![audience.clone()],
                Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
                _ => Vec::new(),
            };
            // The client id and the resource are more specific than an audience that several clients share.
            audiences.sort_by_key(|audience| {
                let is_specific = *audience == client || Some(audience) == self.case.provider.resource.as_ref();
                !is_specific
            });
            for audience in audiences {
                candidates.push(with(TokenKind::Jwt, Audience::Aud(vec![audience])));
            }
            candidates.push(with(TokenKind::Jwt, Audience::ClientId(vec![client.clone()])));
        }
        let own = || Audience::Aud(vec![client.clone()]);
        if let (Some(_), Credentials::Post(secret) | Credentials::Basic(secret)) =
            (endpoint(self.document, "introspection_endpoint"), &self.credentials)
        {
            let introspection = Introspection {
                client_id: client.clone(),
                client_secret: Secret::from(secret.expose().to_owned()),
                endpoint: None,
            };
            let candidate = with(TokenKind::Introspection(introspection), own());
            candidates.push(ProviderConfig {
                userinfo: true,
                ..candidate
            });
        }
        candidates.push(with(TokenKind::IdToken, own()));
        if endpoint(self.document, "userinfo_endpoint").is_some() {
            candidates.push(with(TokenKind::Userinfo, own()));
        }
        candidates
    }

    /// Describes the accepted configuration. `rejection` is the reason why the configured one is not.
    fn describe(&self, accepted: &ProviderConfig, rejection: Option<&str>) -> (Level, String, Option<String>) {
        let Some(rejection) = rejection else {
            return (Level::Ok, "Waypost accepts them.".into(), None);
        };
        let assignments = settings::token_lines(self.case, accepted).join(" ");
        if self.case.assumes_audience && accepted.token == TokenKind::Jwt {
            let message = format!("{} is not set.", self.case.setting("AUDIENCE"));
            return (Level::Note, message, Some(format!("{assignments} works.")));
        }
        let message = format!("With the present settings, they are rejected: {rejection}");
        match accepted.token {
            TokenKind::IdToken | TokenKind::Userinfo => {
                let mut better = vec![format!("{} to an API at the provider", self.case.setting("RESOURCE"))];
                if endpoint(self.document, "introspection_endpoint").is_some() {
                    better.push(format!(
                        "{}=introspection with {} and {}",
                        self.case.setting("TOKEN"),
                        self.case.setting("INTROSPECTION_CLIENT_ID"),
                        self.case.setting("INTROSPECTION_SECRET")
                    ));
                }
                let fix = format!(
                    "{assignments} works. To verify access tokens instead, set {}.",
                    better.join(", or ")
                );
                (Level::Warning, message, Some(fix))
            }
            _ => (Level::Warning, message, Some(format!("{assignments} works."))),
        }
    }

    /// Checks that tokens contain what the setting for a recent sign-in needs.
    fn check_authentication_time(&self, principal: &Principal, findings: &mut Findings) {
        let setting = self.case.setting("STEP_UP");
        match (principal.authenticated_at, self.case.provider.tokens.step_up) {
            (Some(_), true) => findings.ok("step-up", "Tokens contain the time of the sign-in (`auth_time`)."),
            (Some(_), false) => findings.note(
                "step-up",
                "Tokens contain the time of the sign-in (`auth_time`), but Waypost does not check it.",
                Some(format!(
                    "{setting}=on requires a recent sign-in before critical changes."
                )),
            ),
            (None, true) => findings.warning(
                "step-up",
                format!("Tokens do not contain `auth_time`, so {setting}=on rejects all critical changes."),
                Some(format!(
                    "Add the claim `auth_time` to access tokens (at the provider: {}), or remove {setting}.",
                    self.case.provider.preset.locations.audience
                )),
            ),
            (None, false) => findings.note(
                "step-up",
                format!("Tokens do not contain `auth_time`, so {setting}=on is not possible."),
                None,
            ),
        }
    }

    /// Checks that the server knows the name of the account. If userinfo contains it, finds the setting for that.
    async fn check_names(
        &mut self,
        tokens: &Tokens,
        provider: &ProviderConfig,
        mut principal: Principal,
        findings: &mut Findings,
    ) {
        let userinfo = self.userinfo(&tokens.access).await;
        let setting = format!("{}=1", self.case.setting("USERINFO"));
        match userinfo.as_ref().map(|userinfo| userinfo["sub"].as_str()) {
            Some(Some(subject)) if subject != principal.subject => findings.warning(
                "userinfo",
                "The userinfo endpoint returns another `sub` than the token contains, so Waypost ignores it.",
                None,
            ),
            Some(Some(_)) => findings.ok("userinfo", "The userinfo endpoint accepts the access token."),
            _ => {}
        }
        let is_jwt = provider.token == TokenKind::Jwt;
        if principal.profile.name.is_none() && is_jwt && !provider.userinfo {
            let with_userinfo = ProviderConfig {
                userinfo: true,
                ..provider.clone()
            };
            if let Ok(completed) = verify(&with_userinfo, &tokens.access).await
                && completed.profile.name.is_some()
            {
                findings.warning(
                    "names",
                    "Access tokens contain no name, but the userinfo endpoint returns it.",
                    Some(format!("{setting} requests it.")),
                );
                self.found.tokens = with_userinfo;
                principal = completed;
            }
        }
        if let Some(name) = &principal.profile.name {
            findings.ok("names", format!("Waypost knows the account as {name}."));
            return;
        }
        let named =
            |claims: &Map<String, Value>| claims.contains_key("name") || claims.contains_key("preferred_username");
        let is_in_id_token = tokens
            .id
            .as_deref()
            .and_then(claims)
            .is_some_and(|claims| named(&claims));
        let fix = format!(
            "Add the claim `name` to access tokens or to userinfo{} (at the provider: {}).",
            if is_in_id_token && is_jwt {
                format!(
                    ", or set {}=id_token, because ID tokens contain it",
                    self.case.setting("TOKEN")
                )
            } else {
                String::new()
            },
            self.case.provider.preset.locations.audience
        );
        findings.warning(
            "names",
            "The server receives no name for the account, so it appears by its id among the members.",
            Some(fix),
        );
    }

    /// Returns the userinfo response, or `None` without the endpoint or if it rejects the access token.
    async fn userinfo(&self, access_token: &str) -> Option<Value> {
        let url = endpoint(self.document, "userinfo_endpoint")?;
        let request = self.case.http.request(Method::GET, &url).bearer_auth(access_token);
        let response = self.case.http.send(request).await.ok()?;
        (response.status == 200).then(|| response.json())
    }

    /// Exchanges the refresh token. Returns the newest tokens, and true if the server accepts the new ones.
    async fn refresh(&mut self, tokens: Tokens, findings: &mut Findings) -> (Tokens, bool) {
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
            (TokenKind::IdToken, Some(id_token)) => verify(&self.found.tokens, id_token).await,
            _ => verify(&self.found.tokens, &newest.access).await,
        };
        let is_accepted = accepted.is_ok();
        match accepted {
            Ok(_) => findings.ok("renewal", "The refresh token renews the session."),
            Err(problem) => findings.warning("renewal", format!("The renewed token is rejected: {problem}"), None),
        }
        (newest, is_accepted)
    }

    /// Requests a code with `prompt=none` in a hidden frame of the page. Returns the next visit of the page, and true
    /// if the frame received a code.
    async fn try_frame(&mut self, visit: Visit, authorization: &Url) -> Option<(Visit, bool)> {
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

    /// Selects the renewal methods that worked.
    fn check_renewal(&mut self, refreshes: bool, frames: bool, findings: &mut Findings) {
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

    /// Revokes the refresh token and checks that it is useless afterwards.
    async fn revoke(&mut self, tokens: &Tokens, findings: &mut Findings) {
        let Some(refresh_token) = &tokens.refresh else { return };
        // Pages do not revoke tokens that they obtained through the relay.
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
        // A failure shows in the following request.
        let _ = tokens::post(self.case, &url, &self.credentials, form, true).await;
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

    /// Signs out at the provider, which redirects the browser back.
    async fn sign_out(&mut self, visit: Visit, tokens: &Tokens, options: &Options<'_>, findings: &mut Findings) {
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

    fn lists(&self, name: &str, value: &str) -> bool {
        self.document[name]
            .as_array()
            .is_some_and(|list| list.iter().any(|entry| entry == value))
    }
}

/// Verifies a token as the server would. The error is the reason of the rejection.
async fn verify(provider: &ProviderConfig, token: &str) -> Result<Principal, String> {
    let config = Config {
        providers: vec![provider.clone()],
        ..Config::default()
    };
    let verifier = Verifier::new(config).map_err(|error| error.to_string())?;
    let principal = verifier.verify(token).await.map_err(|reject| match reject {
        waypost_auth::Reject::Unavailable(cause) => format!("{cause}."),
        reject => reject.to_string(),
    })?;
    Ok((*principal).clone())
}

/// Returns the claims of a JWT without verifying it, or `None` if the token is opaque.
fn claims(token: &str) -> Option<Map<String, Value>> {
    let mut parts = token.split('.');
    let (header, payload) = (parts.next()?, parts.next()?);
    let object =
        |part: &str| -> Option<Map<String, Value>> { serde_json::from_slice(&URL_SAFE_NO_PAD.decode(part).ok()?).ok() };
    object(header)?;
    object(payload)
}

/// True if the ID token belongs to the request (OpenID Connect Core 1.0, section 3.1.3.7).
fn has_nonce(tokens: &Tokens, nonce: &str) -> bool {
    let claims = tokens.id.as_deref().and_then(claims);
    claims.is_none_or(|claims| claims.get("nonce").is_some_and(|claim| claim == nonce))
}

/// Returns a random text of 32 hexadecimal digits.
fn random() -> String {
    Uuid::new_v4().simple().to_string()
}

/// Returns the S256 challenge of a verifier (RFC 7636, section 4.2).
fn challenge(verifier: &str) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(verifier))
}

/// Opens a URL in the user's browser. Returns false if there is no display or no browser.
fn open_browser(url: &Url, environment: &dyn Fn(&str) -> Option<String>) -> bool {
    let program = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else if ["DISPLAY", "WAYLAND_DISPLAY"]
        .iter()
        .any(|name| environment(name).is_some_and(|display| !display.is_empty()))
    {
        "xdg-open"
    } else {
        return false;
    };
    Command::new(program)
        .arg(url.as_str())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .is_ok()
}
