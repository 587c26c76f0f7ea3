use std::{sync::Arc, time::Duration};

use serde_json::{Map, Value};
use tokio::sync::watch;

use crate::{
    cache::{Cache, Entry},
    claims::{self, Moment},
    clock::Clock,
    config::{Config, ConfigError, Timing, TokenKind},
    dpop::Proofs,
    logout::{Logout, Logouts, TokenFacts},
    opaque,
    principal::{self, Principal, Profile, Source},
    provider::{Origins, Provider, ProviderStatus, Snapshot},
    reject::Reject,
    token::{self, Unverified},
};

/// The cache entry depends on provider and key generation.
struct Verified {
    provider: usize,
    generation: u64,
    principal: Principal,
}

/// Share one instance per process: it caches keys and verified tokens.
pub struct Verifier {
    providers: Vec<Arc<Provider>>,
    timing: Timing,
    clock: Clock,
    cache: Cache,
    logouts: Logouts,
    signed_out: watch::Sender<()>,
}

impl Verifier {
    /// Does no I/O, so that the server can start while a provider is down.
    pub fn new(config: Config) -> Result<Self, ConfigError> {
        Self::with_clock(config, Clock::system())
    }

    pub fn with_clock(config: Config, clock: Clock) -> Result<Self, ConfigError> {
        config.check()?;
        let Config { providers, timing } = config;
        let providers: Result<Vec<_>, String> = providers
            .into_iter()
            .map(|provider| Provider::new(provider, timing.clone(), clock.clone()).map(Arc::new))
            .collect();
        Ok(Self {
            providers: providers.map_err(|problem| ConfigError {
                problems: vec![problem],
            })?,
            cache: Cache::new(timing.remembered),
            timing,
            clock,
            logouts: Logouts::default(),
            signed_out: watch::Sender::new(()),
        })
    }

    pub async fn verify(&self, token: &str) -> Result<Arc<Principal>, Reject> {
        let (provider, principal) = self.verify_unproven(token).await?;
        match &principal.key_thumbprint {
            Some(_) => Err(Reject::Bound),
            None if self.providers[provider].config.dpop => Err(Reject::Unbound),
            None => Ok(principal),
        }
    }

    pub async fn verify_bound(
        &self,
        token: &str,
        proofs: &Proofs,
        proof: &str,
        method: &str,
    ) -> Result<Arc<Principal>, Reject> {
        let (_, principal) = self.verify_unproven(token).await?;
        let thumbprint = principal.key_thumbprint.as_deref().ok_or(Reject::Unbound)?;
        proofs.check(proof, method, self.split_hint(token).1, thumbprint)?;
        Ok(principal)
    }

    async fn verify_unproven(&self, token: &str) -> Result<(usize, Arc<Principal>), Reject> {
        if token.len() > token::MAX_LENGTH {
            return Err(Reject::Malformed("it is longer than 16 kB"));
        }
        if let Some(entry) = self.cache.get(token, self.clock.monotonic())
            && self.providers[entry.provider].generation() == entry.generation
        {
            return Ok((entry.provider, entry.principal));
        }
        // Boxed, because its future is large.
        Box::pin(self.verify_new(token)).await
    }

    async fn verify_new(&self, token: &str) -> Result<(usize, Arc<Principal>), Reject> {
        let now = self.clock.monotonic();
        let Verified {
            provider,
            generation,
            principal,
        } = self.verify_uncached(token).await?;
        let principal = Arc::new(principal);
        let expires_at = principal.expires_at.saturating_add(self.timing.leeway);
        // A token is accepted in the second in which it expires.
        let life = Duration::from_secs(expires_at.saturating_sub(self.clock.unix()).saturating_add(1));
        let entry = Entry {
            principal: Arc::clone(&principal),
            provider,
            generation,
            until: now + life.min(self.timing.remember),
        };
        self.cache.insert(token, entry);
        // Checked after the insertion, so that a concurrent sign-out finds the entry. A token without an issue time
        // was just verified.
        if self.logouts.has_ended(TokenFacts::of(&principal, self.clock.unix())) {
            self.cache.remove(token);
            return Err(Reject::SignedOut);
        }
        Ok((provider, principal))
    }

    /// Accepts a bound token without proof, like token revocation (RFC 7009). Pass the result to
    /// [`Verifier::sign_out`].
    pub async fn verify_sign_out(&self, token: &str) -> Result<Logout, Reject> {
        let (_, principal) = self.verify_unproven(token).await?;
        Ok(Logout::of_token(&principal, self.clock.unix()))
    }

    /// Follows OpenID Connect Back-Channel Logout 1.0, section 2.6, except that the caller must check that the id is
    /// new. Pass the result to [`Verifier::sign_out`].
    pub async fn verify_logout(&self, token: &str) -> Result<Logout, Reject> {
        if token.len() > token::MAX_LENGTH {
            return Err(Reject::Malformed("it is longer than 16 kB"));
        }
        let unverified = Unverified::read_logout(token)?;
        let issuer = unverified.claimed_issuer()?;
        let of_issuer = || {
            let providers = self.providers.iter();
            providers.filter(|provider| provider.config.backchannel_logout && provider.config.is_issuer(issuer))
        };
        let claims = &unverified.claims;
        // If several providers share the issuer, their clients differ.
        let provider = of_issuer()
            .find(|provider| Logout::read(claims, &provider.config, self.moment()).is_ok())
            .or_else(|| of_issuer().next())
            .ok_or(Reject::Issuer)?;
        self.verify_signature(provider, &unverified).await?;
        Logout::read(claims, &provider.config, self.moment())
    }

    /// Rejects the ended tokens, and completes [`Verifier::session_ended`].
    pub fn sign_out(&self, logouts: &[Logout]) {
        let now = self.clock.unix();
        self.logouts.add(logouts, now);
        // The provider verifies a token without an issue time again.
        self.cache
            .retain(|principal| !self.logouts.has_ended(TokenFacts::of(principal, 0)));
        self.signed_out.send_replace(());
    }

    /// May never complete.
    pub async fn session_ended(&self, token: TokenFacts<'_>) {
        let mut signed_out = self.signed_out.subscribe();
        while !self.logouts.has_ended(token) {
            // This verifier has the sender.
            let _ = signed_out.changed().await;
        }
    }

    /// Fetches missing keys first, so that an idle server becomes ready.
    pub async fn ready(&self) -> Vec<ProviderStatus> {
        for provider in &self.providers {
            if !provider.status().is_ready() {
                // The status includes the error.
                let _ = provider.snapshot().await;
            }
        }
        self.status()
    }

    /// Fetches nothing.
    pub fn status(&self) -> Vec<ProviderStatus> {
        self.providers.iter().map(|provider| provider.status()).collect()
    }

    pub fn origins(&self, id: &str) -> Option<Origins> {
        self.provider(id).map(|provider| provider.origins())
    }

    /// Returns ids that are a few seconds old at most, or `None` if they cannot be read.
    pub async fn key_ids(&self, id: &str) -> Option<Vec<String>> {
        self.provider(id)?.key_ids().await
    }

    pub(crate) fn provider(&self, id: &str) -> Option<&Arc<Provider>> {
        self.providers.iter().find(|provider| provider.config.id == id)
    }

    async fn verify_uncached(&self, text: &str) -> Result<Verified, Reject> {
        let (hint, token) = self.split_hint(text);
        if token.is_empty() {
            return Err(Reject::Malformed("it is empty"));
        }
        if !token::looks_like_jwt(token) {
            let index = self.provider_of_opaque(hint, token).await?;
            return self.verify_remotely(index, token).await;
        }
        let unverified = Unverified::read(token)?;
        let index = self.provider_of_jwt(hint, &unverified)?;
        if self.providers[index].config.verifies_remotely() {
            self.verify_remotely(index, token).await
        } else {
            self.verify_signed(index, token, unverified).await
        }
    }

    /// Tokens that do not name their issuer begin with the provider's id and `~`, which is allowed in bearer tokens
    /// (RFC 6750, section 2.1) but not in JWTs. The named provider still verifies the token.
    fn split_hint<'t>(&self, text: &'t str) -> (Option<usize>, &'t str) {
        text.split_once('~')
            .and_then(|(id, token)| {
                let index = self.providers.iter().position(|provider| provider.config.id == id)?;
                Some((Some(index), token))
            })
            .unwrap_or((None, text))
    }

    /// Returns the index of a provider with the issuer, preferring one that accepts the claims, and then one whose
    /// client obtained the token. The claims are checked again after the signature.
    fn provider_of_jwt(&self, hint: Option<usize>, token: &Unverified<'_>) -> Result<usize, Reject> {
        let issuer = token.claimed_issuer()?;
        let claims = &token.claims;
        let rank = |index: &usize| {
            let config = &self.providers[*index].config;
            let accepts_claims = claims::check_token(claims, config, self.moment()).is_ok();
            let is_client = config.client_id.as_deref() == claims::client(claims);
            (accepts_claims, is_client)
        };
        let mut candidates = (0..self.providers.len())
            .filter(|index| hint.is_none_or(|hint| hint == *index))
            .filter(|index| self.providers[*index].config.is_issuer(issuer));
        let first = candidates.next().ok_or(Reject::Issuer)?;
        let mut best: Option<(usize, (bool, bool))> = None;
        for index in candidates {
            let (_, best_rank) = *best.get_or_insert_with(|| (first, rank(&first)));
            let rank = rank(&index);
            if rank > best_rank {
                best = Some((index, rank));
            }
        }
        Ok(best.map_or(first, |(index, _)| index))
    }

    /// Returns the provider in the hint, or the only one, because sending the token to several would disclose it.
    async fn provider_of_opaque(&self, hint: Option<usize>, token: &str) -> Result<usize, Reject> {
        let candidates = || (0..self.providers.len()).filter(|index| hint.is_none_or(|hint| hint == *index));
        let mut remote = candidates().filter(|index| self.providers[*index].config.verifies_remotely());
        match (remote.next(), remote.next()) {
            (Some(only), None) => return Ok(only),
            (Some(_), Some(_)) => return Err(Reject::AmbiguousProvider),
            (None, _) if token.split('.').count() == 3 => {
                return Err(Reject::Malformed("its header is not a JSON object"));
            }
            (None, _) => {}
        }
        // The fix for the first provider is as good as another.
        let Some(provider) = candidates().next().map(|index| &self.providers[index]) else {
            return Err(Reject::Opaque(String::new()));
        };
        let document = provider.snapshot().await.ok();
        let document = document.map_or(Value::Null, |snapshot| snapshot.metadata.document.clone());
        Err(Reject::Opaque(opaque::fix(&provider.config, &document)))
    }

    async fn verify_signed(&self, index: usize, token: &str, unverified: Unverified<'_>) -> Result<Verified, Reject> {
        let provider = &self.providers[index];
        let uses_id_tokens = provider.config.token == TokenKind::IdToken;
        if uses_id_tokens && unverified.is_typed_access_token {
            return Err(Reject::AccessToken);
        }
        let snapshot = self.verify_signature(provider, &unverified).await?;
        let claims = &unverified.claims;
        let expires_at = claims::check_token(claims, &provider.config, self.moment())?;
        let mut principal = self.principal(provider, token, claims, expires_at, Source::Signature)?;
        // Userinfo accepts access tokens only.
        if !uses_id_tokens && uses_userinfo(provider).await {
            self.add_userinfo(provider, token, &mut principal).await;
        }
        Ok(Verified {
            provider: index,
            generation: snapshot.generation,
            principal,
        })
    }

    /// Fetches new keys if necessary. Returns their snapshot.
    async fn verify_signature(
        &self,
        provider: &Arc<Provider>,
        unverified: &Unverified<'_>,
    ) -> Result<Arc<Snapshot>, Reject> {
        let mut snapshot = provider.snapshot().await?;
        let mut verification = unverified.verify(&snapshot.keys);
        if verification == Err(Reject::UnknownKey) {
            snapshot = provider.snapshot_after(&snapshot).await?;
            verification = unverified.verify(&snapshot.keys);
        }
        verification.map(|()| snapshot)
    }

    async fn verify_remotely(&self, index: usize, token: &str) -> Result<Verified, Reject> {
        let provider = &self.providers[index];
        opaque::check_characters(token)?;
        let (mut claims, source) = match &provider.config.token {
            TokenKind::Introspection(introspection) => (
                opaque::introspect(provider, introspection, token).await?,
                Source::Introspection,
            ),
            TokenKind::Userinfo | TokenKind::Jwt | TokenKind::IdToken => {
                (opaque::userinfo(provider, token).await?, Source::Userinfo)
            }
        };
        let uses_userinfo = source == Source::Introspection && uses_userinfo(provider).await;
        let mut userinfo = None;
        if !claims.contains_key("sub") && uses_userinfo {
            // Some introspection endpoints return no subject, so errors of userinfo are not ignored here.
            let response = opaque::userinfo(provider, token).await?;
            claims.insert("sub".into(), claims::subject(&response)?.into());
            userinfo = Some(response);
        }
        let claims = opaque::with_subject(claims);
        let expires_at = claims::check_response(&claims, &provider.config, self.moment())?
            .unwrap_or_else(|| self.clock.unix() + self.timing.remember.as_secs());
        let mut principal = self.principal(provider, token, &claims, expires_at, source)?;
        match userinfo {
            Some(response) => merge_userinfo(&mut principal, &response, &provider.config.roles),
            None if uses_userinfo => self.add_userinfo(provider, token, &mut principal).await,
            None => {}
        }
        Ok(Verified {
            provider: index,
            generation: provider.generation(),
            principal,
        })
    }

    fn principal(
        &self,
        provider: &Provider,
        token: &str,
        claims: &Map<String, Value>,
        expires_at: u64,
        source: Source,
    ) -> Result<Principal, Reject> {
        let roles = principal::roles(claims, &provider.config.roles);
        let roles_known = !principal::omits_roles(claims);
        Ok(Principal {
            issuer: provider.config.issuer.clone(),
            subject: claims::subject(claims)?.to_owned(),
            token_id: token::id(token),
            profile: Profile::read(claims),
            roles,
            roles_known,
            issued_at: claims::issued_at(claims),
            scopes: principal::scopes(claims),
            expires_at,
            session: claims::session(claims),
            authenticated_at: claims::authenticated_at(claims),
            step_up: provider.config.step_up,
            acr: claims::authentication_class(claims),
            acr_values: Arc::clone(&provider.config.acr_values),
            source,
            key_thumbprint: claims::key_thumbprint(claims)?.map(str::to_owned),
        })
    }

    /// Ignores errors, because the token is already verified, and responses with another subject (OpenID Connect Core
    /// 1.0, section 5.3.2).
    async fn add_userinfo(&self, provider: &Arc<Provider>, token: &str, principal: &mut Principal) {
        let is_complete = principal.profile.is_complete() && !principal.roles.is_empty();
        // A bound token needs a proof, which this server cannot sign.
        if is_complete || principal.key_thumbprint.is_some() {
            return;
        }
        match opaque::userinfo(provider, token).await {
            Ok(claims) if claims::subject(&claims) == Ok(&principal.subject) => {
                merge_userinfo(principal, &claims, &provider.config.roles);
                return;
            }
            Ok(_) => tracing::warn!(
                issuer = principal.issuer,
                "the userinfo response is ignored: its subject is not the token's"
            ),
            Err(reject) => tracing::warn!(issuer = principal.issuer, ?reject, "the userinfo request failed"),
        }
        // Userinfo might have returned roles.
        principal.roles_known &= !principal.roles.is_empty();
    }

    fn moment(&self) -> Moment {
        Moment {
            now: self.clock.unix(),
            leeway: self.timing.leeway,
        }
    }
}

/// Returns true also if there is no discovery document, because the endpoint may exist.
async fn uses_userinfo(provider: &Arc<Provider>) -> bool {
    provider.config.userinfo
        && provider
            .snapshot()
            .await
            .map_or(true, |snapshot| snapshot.metadata.userinfo.is_some())
}

/// Prefers values of the token.
fn merge_userinfo(principal: &mut Principal, userinfo: &Map<String, Value>, role_paths: &[String]) {
    principal.profile.fill_from(Profile::read(userinfo));
    if principal.roles.is_empty() {
        principal.roles = principal::roles(userinfo, role_paths);
        principal.roles_known = !principal::omits_roles(userinfo);
    }
}
