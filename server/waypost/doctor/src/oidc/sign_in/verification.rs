use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use reqwest::Method;
use serde_json::{Map, Value};
use waypost_auth::{
    Audience, Config, Credentials, Introspection, Principal, ProviderConfig, Secret, TokenKind, Verifier,
};

use super::{
    super::{discovery::endpoint, dpop::Prover},
    SignIn, Tokens, settings,
};
use crate::report::{Findings, Level};

impl SignIn<'_> {
    pub(super) async fn verify(
        &mut self,
        tokens: &Tokens,
        findings: &mut Findings,
    ) -> Option<(ProviderConfig, Principal)> {
        let is_opaque = claims(&tokens.access).is_none();
        let form = if is_opaque { "opaque" } else { "JWTs" };
        if self.prover.is_some() && !tokens.is_bound {
            findings.problem(
                "tokens",
                "The provider ignores DPoP proofs: its access tokens are not bound to the key of the browser.",
                Some(format!(
                    "Enable DPoP for the client at the provider, or remove {}.",
                    self.case.setting("DPOP")
                )),
            );
            return None;
        }
        let mut rejection = None;
        for candidate in self.candidates(tokens) {
            let token = match (&candidate.token, &tokens.id) {
                (TokenKind::IdToken, Some(token)) => token,
                (TokenKind::IdToken, None) => continue,
                _ => &tokens.access,
            };
            match verify(&candidate, token, self.prover.as_ref()).await {
                Ok(principal) => {
                    let (level, message, fix) =
                        self.describe(&candidate, rejection.as_deref(), principal.profile.name.is_some());
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

    /// Returns the operator's configuration, then those that check the audience best.
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
            // More specific than an audience that several clients share.
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
                userinfo: !candidate.dpop,
                ..candidate
            });
        }
        if configured.dpop {
            // ID tokens are not bound, and userinfo accepts bound tokens from browsers only.
            return candidates;
        }
        candidates.push(ProviderConfig {
            // It would need an access token.
            userinfo: false,
            ..with(TokenKind::IdToken, own())
        });
        if endpoint(self.document, "userinfo_endpoint").is_some() {
            candidates.push(with(TokenKind::Userinfo, own()));
        }
        candidates
    }

    /// `rejection` is the reason why the configured one is not accepted.
    fn describe(
        &self,
        accepted: &ProviderConfig,
        rejection: Option<&str>,
        has_name: bool,
    ) -> (Level, String, Option<String>) {
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
                let limitation = if accepted.token == TokenKind::IdToken && !has_name {
                    ", but ID tokens contain no name, so members appear by their id"
                } else {
                    ""
                };
                let fix = format!(
                    "{assignments} works{limitation}. To verify access tokens instead, set {}.",
                    better.join(", or ")
                );
                (Level::Warning, message, Some(fix))
            }
            _ => (Level::Warning, message, Some(format!("{assignments} works."))),
        }
    }

    pub(super) fn check_authentication_time(&self, principal: &Principal, findings: &mut Findings) {
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

    pub(super) fn check_authentication_class(&self, principal: &Principal, findings: &mut Findings) {
        let setting = self.case.setting("ACR_VALUES");
        let accepted = &self.case.provider.tokens.acr_values;
        let required = accepted.join(" ");
        let supported = self.document["acr_values_supported"].as_array();
        let supported: Vec<_> = supported.into_iter().flatten().filter_map(Value::as_str).collect();
        let supported = supported.join(" ");
        match &principal.acr {
            _ if required.is_empty() && supported.is_empty() => {}
            _ if required.is_empty() => findings.note(
                "step-up",
                format!("The provider supports these classes of sign-ins (`acr`): {supported}."),
                Some(format!(
                    "{setting} with the strong ones requires such a sign-in before critical changes."
                )),
            ),
            Some(acr) if accepted.contains(acr) => findings.ok(
                "step-up",
                format!("The class of the sign-in is `{acr}` (`acr`), which critical changes accept."),
            ),
            acr => {
                let found = match acr {
                    Some(acr) => format!("the class of the sign-in is `{acr}`"),
                    None => "tokens do not contain `acr`".to_owned(),
                };
                let supported = if supported.is_empty() {
                    String::new()
                } else {
                    format!(" The provider supports: {supported}.")
                };
                findings.warning(
                    "step-up",
                    format!("The doctor requested the class `{required}`, but {found}, so critical changes are rejected."),
                    Some(format!(
                        "Enable these classes at the provider and add the claim `acr` to access tokens, or change or remove \
                         {setting}.{supported}"
                    )),
                );
            }
        }
    }

    /// If userinfo contains the name, finds the setting for that.
    pub(super) async fn check_names(
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
        if principal.profile.name.is_none() && is_jwt && !provider.userinfo && !provider.dpop {
            let with_userinfo = ProviderConfig {
                userinfo: true,
                ..provider.clone()
            };
            if let Ok(completed) = verify(&with_userinfo, &tokens.access, None).await
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
        let is_in_userinfo = userinfo.as_ref().and_then(Value::as_object).is_some_and(named);
        let location = self.case.provider.preset.locations.audience;
        let token = self.case.setting("TOKEN");
        if provider.token == TokenKind::IdToken {
            let (message, alternatives) = if is_in_userinfo {
                (
                    "ID tokens contain no name, so members appear by their id. The userinfo endpoint returns the name, which the \
                     browser shows in the user's own menu, but the server receives only the ID token.",
                    format!(
                        ", or set {token}=introspection or {token}=userinfo, with which the server requests userinfo; the latter \
                         also accepts tokens that the provider issued for other applications"
                    ),
                )
            } else {
                (
                    "ID tokens contain no name, so members appear by their id.",
                    String::new(),
                )
            };
            let fix = format!("Add the claim `name` to ID tokens (at the provider: {location}){alternatives}.");
            findings.warning("names", message, Some(fix));
            return;
        }
        let fix = format!(
            "Add the claim `name` to access tokens or to userinfo{} (at the provider: {location}).",
            if is_in_id_token && is_jwt && !provider.dpop {
                format!(", or set {token}=id_token, because ID tokens contain it")
            } else {
                String::new()
            },
        );
        findings.warning(
            "names",
            "The server receives no name for the account, so it appears by its id among the members.",
            Some(fix),
        );
    }

    async fn userinfo(&self, access_token: &str) -> Option<Value> {
        let url = endpoint(self.document, "userinfo_endpoint")?;
        let request = self.case.http.request(Method::GET, &url).bearer_auth(access_token);
        let response = self.case.http.send(request).await.ok()?;
        (response.status == 200).then(|| response.json())
    }
}

pub(super) async fn verify(
    provider: &ProviderConfig,
    token: &str,
    prover: Option<&Prover>,
) -> Result<Principal, String> {
    let config = Config {
        providers: vec![provider.clone()],
        ..Config::default()
    };
    let verifier = Verifier::new(config).map_err(|error| error.to_string())?;
    let result = match prover {
        Some(prover) => prover.verify(&verifier, token).await,
        None => verifier.verify(token).await.map(|principal| (*principal).clone()),
    };
    result.map_err(|reject| match reject {
        waypost_auth::Reject::Unavailable(cause) => format!("{cause}."),
        reject => reject.to_string(),
    })
}

/// Does not verify the token. Returns `None` if it is opaque.
pub(super) fn claims(token: &str) -> Option<Map<String, Value>> {
    let mut parts = token.split('.');
    let (header, payload) = (parts.next()?, parts.next()?);
    let object =
        |part: &str| -> Option<Map<String, Value>> { serde_json::from_slice(&URL_SAFE_NO_PAD.decode(part).ok()?).ok() };
    object(header)?;
    object(payload)
}
