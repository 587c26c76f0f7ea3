//! Follows one sign-in of a browser, up to renewal, revocation and sign-out, and finds the settings that work.
//!
//! The doctor listens at the address of Waypost, because the provider redirects to the registered URIs. Tokens are
//! neither printed nor logged.

mod session;
mod settings;
mod verification;
mod visits;

use std::{net::SocketAddr, time::Duration};

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde_json::Value;
use sha2::{Digest, Sha256};
use url::Url;
use uuid::Uuid;
use waypost_auth::Credentials;

use self::{
    settings::Found,
    verification::claims,
    visits::{Visit, Visits},
};
use super::{
    Case, SignInOptions,
    authorization::{self, Requested},
    cors,
    discovery::endpoint,
    dpop::Prover,
    tokens::{self, client_credentials},
};
use crate::{browser::open_browser, report::Findings};

/// Time that the user has to sign in.
const SIGN_IN_LIMIT: Duration = Duration::from_secs(10 * 60);

/// The same limit as in the web client.
const FRAME_LIMIT: Duration = Duration::from_secs(10);

const SIGN_OUT_LIMIT: Duration = Duration::from_secs(2 * 60);

const FAILED: &str = "<h1>Sign-in failed</h1><p>The terminal shows the reason. You can close this page.";

const DONE: &str = "<h1>Done</h1><p>The terminal shows the result. You can close this page.";

struct Tokens {
    access: String,
    id: Option<String>,
    refresh: Option<String>,
    is_bound: bool,
    /// `Access-Control-Allow-Origin`.
    allowed: Option<String>,
}

struct SignIn<'c> {
    case: &'c Case<'c>,
    document: &'c Value,
    token_url: Url,
    visits: Visits,
    found: Found,
    credentials: Credentials,
    prover: Option<Prover>,
    second_device: Option<Tokens>,
}

/// An authorization request whose response is expected.
struct Request {
    state: String,
    verifier: String,
    redirect: String,
}

/// Returns the settings that worked, one assignment per line.
pub(super) async fn run(
    case: &Case<'_>,
    document: &Value,
    listen: SocketAddr,
    options: &SignInOptions<'_>,
    findings: &mut Findings,
) -> Option<Vec<String>> {
    let authorization = endpoint(document, "authorization_endpoint")?;
    let token_url = endpoint(document, "token_endpoint")?;
    let credentials = client_credentials(case).ok()?;
    let prover = match Prover::new(case) {
        Ok(prover) => prover,
        Err(problem) => {
            findings.problem("sign-in", format!("The doctor cannot sign in: {problem}."), None);
            return None;
        }
    };
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
        prover,
        second_device: None,
    };
    let settings = sign_in.follow(&authorization, options, findings).await;
    sign_in.visits.close().await;
    settings
}

impl SignIn<'_> {
    async fn follow(
        &mut self,
        authorization: &Url,
        options: &SignInOptions<'_>,
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
        self.check_authentication_class(&principal, findings);
        self.check_names(&tokens, &provider, principal, findings).await;
        let (mut tokens, refreshes) = self.refresh(tokens, findings).await;
        let mut visit = visit;
        if refreshes {
            let (next, newest) = self
                .second_device(visit, tokens, authorization, options, findings)
                .await;
            tokens = newest;
            let Some(next) = next else {
                self.revoke(&tokens, findings).await;
                return Some(self.found.lines(self.case));
            };
            visit = next;
        }
        let (visit, frame) = self.try_frame(visit, authorization).await?;
        self.check_renewal(refreshes, &frame, findings);
        self.revoke(&tokens, findings).await;
        self.sign_out(visit, &tokens, options, findings).await;
        Some(self.found.lines(self.case))
    }

    /// Tries one combination of parameters after the other. Exchanges the code, too.
    async fn authorize(&mut self, authorization: &Url, findings: &mut Findings) -> Option<(Visit, Tokens)> {
        let mut candidates = self.requests();
        let mut previous: Option<Visit> = None;
        while !candidates.is_empty() {
            let requested = candidates.remove(0);
            let (request, url) = self.request(authorization, &requested, None);
            if let Some(visit) = previous.take() {
                visit.redirect(&url);
            }
            let Some(visit) = self.callback(&request.state, &url).await else {
                findings.problem(
                    "sign-in",
                    format!("The browser did not return to {} in time.", request.redirect),
                    Some(format!(
                        "Check whether the provider shows an error page, and whether this redirect URI is registered (at the \
                         provider: {}).",
                        self.case.provider.preset.locations.redirects
                    )),
                );
                return None;
            };
            let Some(code) = visit.get("error") else {
                let state = request.state.clone();
                self.found.requested = requested;
                let (problem, fix) = match self.exchange(&visit, request).await {
                    Ok(tokens) if has_nonce(&tokens, &state) => {
                        findings.ok(
                            "sign-in",
                            format!("The sign-in with the scopes `{}` succeeded.", self.found.requested.scope),
                        );
                        return Some((visit, tokens));
                    }
                    Ok(_) => (
                        "the ID token does not contain the nonce of the request".to_owned(),
                        Some(
                            "Check whether a custom sign-in or consent page at the provider passes on all parameters of the \
                             request, such as `nonce`, and whether the provider adds `nonce` to ID tokens."
                                .to_owned(),
                        ),
                    ),
                    Err(problem) => (problem, None),
                };
                visit.page(FAILED);
                findings.problem("sign-in", format!("No tokens were issued: {problem}."), fix);
                return None;
            };
            // The configured scope is tried without another note, because `offline_access` is only a proposal.
            candidates.retain(|next| match code.as_str() {
                "invalid_scope" => next.scope != requested.scope,
                "invalid_target" => next.resource != requested.resource,
                _ => false,
            });
            let description = visit.get("error_description").unwrap_or_default();
            let message = format!("The provider rejects the authorization request: {code}. {description}");
            let fix = authorization::fix(self.case, &code);
            if candidates.is_empty() {
                visit.page(FAILED);
                findings.problem("sign-in", message, fix);
                return None;
            }
            if candidates[0].scope != self.case.provider.scope || candidates[0].resource != self.case.provider.resource
            {
                findings.warning("sign-in", message, fix);
            }
            previous = Some(visit);
        }
        None
    }

    /// Returns the combinations to try, the configured one with `offline_access` first.
    fn requests(&self) -> Vec<Requested> {
        let configured = Requested::from(self.case.provider);
        let mut scopes = vec![configured.scope.clone()];
        if self.lists("scopes_supported", "offline_access") && !configured.scope.contains("offline_access") {
            scopes.insert(0, format!("{} offline_access", configured.scope));
        }
        for scope in ["openid profile email", "openid"] {
            if !scopes.iter().any(|other| other == scope) {
                scopes.push(scope.to_owned());
            }
        }
        let mut resources = vec![configured.resource];
        if resources[0].is_some() {
            resources.push(None);
        }
        let mut requests = Vec::new();
        for resource in resources {
            for scope in &scopes {
                requests.push(Requested {
                    scope: scope.clone(),
                    resource: resource.clone(),
                });
            }
        }
        requests
    }

    fn request(&self, authorization: &Url, requested: &Requested, prompt: Option<&str>) -> (Request, Url) {
        let request = Request {
            state: random(),
            verifier: format!("{}{}", random(), random()),
            redirect: format!("{}/auth/callback", self.case.origin),
        };
        let mut url = authorization.clone();
        authorization::add_parameters(self.case, &mut url, &request.redirect, requested);
        authorization::add_proof(&mut url, &request.state, &challenge(&request.verifier));
        let acr_values = &self.case.provider.tokens.acr_values;
        if !acr_values.is_empty() {
            url.query_pairs_mut().append_pair("acr_values", &acr_values.join(" "));
        }
        if let Some(prompt) = prompt {
            url.query_pairs_mut().append_pair("prompt", prompt);
        }
        (request, url)
    }

    async fn exchange(&mut self, visit: &Visit, request: Request) -> Result<Tokens, String> {
        let form = vec![
            ("grant_type", "authorization_code".to_owned()),
            ("code", visit.get("code").unwrap_or_default()),
            ("redirect_uri", request.redirect),
            ("code_verifier", request.verifier),
        ];
        self.request_tokens(form).await
    }

    /// Ignores requests with another state, because any client can send them.
    async fn callback(&mut self, state: &str, start: &Url) -> Option<Visit> {
        loop {
            let visit = self.visits.next(&["/auth/callback"], start, SIGN_IN_LIMIT).await?;
            if visit.get("state").as_deref() == Some(state) {
                return Some(visit);
            }
            visit.page(FAILED);
        }
    }

    /// Tries Basic authentication if the provider rejects the secret in the form.
    async fn request_tokens(&mut self, mut form: Vec<(&'static str, String)>) -> Result<Tokens, String> {
        if let Some(resource) = &self.found.requested.resource {
            form.push(("resource", resource.clone()));
        }
        // The relay sends no `Origin`.
        let as_page = self.case.provider.relay.is_none() && !self.found.needs_relay;
        let post = async |credentials: &Credentials, as_page: bool| {
            let prover = self.prover.as_ref();
            tokens::post(self.case, &self.token_url, credentials, form.clone(), as_page, prover).await
        };
        let mut response = post(&self.credentials, as_page).await?;
        let allowed = cors::is_allowed(self.case, &self.token_url, response.header(cors::ALLOW_ORIGIN));
        if as_page && response.status != 200 && !allowed {
            // Some providers reject unknown origins.
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
                is_bound: text("token_type").is_some_and(|kind| kind.eq_ignore_ascii_case("dpop")),
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

    /// A successful response of the token endpoint shows whether pages need the relay.
    async fn check_cors(&mut self, tokens: &Tokens, findings: &mut Findings) {
        if self.case.provider.relay.is_some() {
            return;
        }
        let discovered = cors::discovery(self.case, &mut Findings::default()).await;
        let allowed = cors::is_allowed(self.case, &self.token_url, tokens.allowed.as_deref());
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

    fn lists(&self, name: &str, value: &str) -> bool {
        self.document[name]
            .as_array()
            .is_some_and(|list| list.iter().any(|entry| entry == value))
    }
}

/// True if the ID token belongs to the request (OpenID Connect Core 1.0, section 3.1.3.7).
fn has_nonce(tokens: &Tokens, nonce: &str) -> bool {
    let claims = tokens.id.as_deref().and_then(claims);
    claims.is_none_or(|claims| claims.get("nonce").is_some_and(|claim| claim == nonce))
}

fn random() -> String {
    Uuid::new_v4().simple().to_string()
}

fn challenge(verifier: &str) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(verifier))
}
