//! From token to principal: which provider answers for it, and in which order things are checked.

use std::{collections::BTreeSet, sync::Arc};

use serde_json::{Map, Value};

use crate::{
    cache::{Cache, Entry},
    claims::{self, Moment},
    clock::Clock,
    config::{Config, ConfigError, Timing, TokenKind},
    opaque,
    principal::{self, Principal, Profile, Source},
    provider::{Provider, ProviderStatus, Want},
    reject::Reject,
    token::{self, Unverified},
};

/// A principal, and what its cache entry has to be compared with later.
struct Judged {
    provider: usize,
    generation: u64,
    principal: Principal,
}

/// Checks access tokens. Share one per process: it holds the providers' keys and the tokens checked a moment ago.
pub struct Verifier {
    providers: Vec<Arc<Provider>>,
    timing: Timing,
    clock: Clock,
    cache: Cache,
}

impl Verifier {
    /// Makes a verifier without any I/O: a provider that is down must not keep the server from starting.
    pub fn new(config: Config) -> Result<Self, ConfigError> {
        Self::with_clock(config, Clock::system())
    }

    /// The same with a clock of one's own.
    pub fn with_clock(config: Config, clock: Clock) -> Result<Self, ConfigError> {
        config.check()?;
        let Config { providers, timing } = config;
        let made: Result<Vec<_>, String> = providers
            .into_iter()
            .map(|provider| Provider::new(provider, timing.clone(), clock.clone()).map(Arc::new))
            .collect();
        Ok(Self {
            providers: made.map_err(|problem| ConfigError {
                problems: vec![problem],
            })?,
            cache: Cache::new(timing.remembered),
            timing,
            clock,
        })
    }

    /// Who the token speaks for.
    pub async fn verify(&self, token: &str) -> Result<Arc<Principal>, Reject> {
        if token.is_empty() {
            return Err(Reject::Malformed("it is empty"));
        }
        if token.len() > token::MAX_LENGTH {
            return Err(Reject::Malformed("it is longer than 16 kB"));
        }
        let now = self.clock.monotonic();
        if let Some(entry) = self.cache.get(token, now)
            && self.providers[entry.provider].generation() == entry.generation
            && entry.principal.expires_at.saturating_add(self.timing.leeway) >= self.clock.unix()
        {
            return Ok(entry.principal);
        }
        let Judged {
            provider,
            generation,
            principal,
        } = self.judge(token).await?;
        let principal = Arc::new(principal);
        let entry = Entry {
            principal: Arc::clone(&principal),
            provider,
            generation,
            until: now + self.timing.remember,
        };
        self.cache.put(token, entry, now);
        Ok(principal)
    }

    /// What is known of each provider. Fetches what was never fetched, so that a server without traffic becomes ready too.
    pub async fn ready(&self) -> Vec<ProviderStatus> {
        for provider in &self.providers {
            if !provider.status().is_ready() {
                // The failure is part of the status read below.
                let _ = provider.snapshot(Want::Known).await;
            }
        }
        self.status()
    }

    /// The same without fetching anything.
    pub fn status(&self) -> Vec<ProviderStatus> {
        self.providers.iter().map(|provider| provider.status()).collect()
    }

    /// Origins (RFC 6454) that browsers call, frame or visit during sign-in, as far as discovery has told them; for a
    /// Content-Security-Policy.
    pub fn origins(&self) -> Vec<String> {
        let all: BTreeSet<String> = self.providers.iter().flat_map(|provider| provider.origins()).collect();
        all.into_iter().collect()
    }

    async fn judge(&self, token: &str) -> Result<Judged, Reject> {
        if !token::looks_like_jwt(token) {
            return self.judge_opaque(token).await;
        }
        let unverified = Unverified::read(token)?;
        let issuer = unverified.claimed_issuer()?;
        let index = self
            .providers
            .iter()
            .position(|known| known.config.issuer == issuer)
            .ok_or(Reject::Issuer)?;
        match self.providers[index].config.token {
            TokenKind::Jwt | TokenKind::IdToken => self.judge_signed(index, token, unverified).await,
            TokenKind::Introspection(_) | TokenKind::Userinfo => self.ask(index, token).await,
        }
    }

    async fn judge_signed(&self, index: usize, token: &str, unverified: Unverified<'_>) -> Result<Judged, Reject> {
        let provider = &self.providers[index];
        let mut snapshot = provider.snapshot(Want::Known).await?;
        if !unverified.has_key_in(&snapshot.keys) {
            snapshot = provider.snapshot(Want::Newer).await?;
        }
        let claims = unverified.verify(&snapshot.keys)?;
        let expires_at = claims::check_token(&claims, &provider.config, self.moment())?;
        let mut principal = self.principal(provider, &claims, expires_at, Source::Signature)?;
        if provider.config.userinfo && (!principal.profile.is_complete() || principal.roles.is_empty()) {
            self.complete(provider, token, &mut principal).await;
        }
        Ok(Judged {
            provider: index,
            generation: snapshot.generation,
            principal,
        })
    }

    /// An opaque token says nothing of its issuer, so the providers that can be asked are asked in turn.
    async fn judge_opaque(&self, token: &str) -> Result<Judged, Reject> {
        let mut reject = match token.split('.').count() {
            3 => Reject::Malformed("its header is not a JSON object"),
            _ => Reject::Opaque,
        };
        for (index, provider) in self.providers.iter().enumerate() {
            if !matches!(provider.config.token, TokenKind::Introspection(_) | TokenKind::Userinfo) {
                continue;
            }
            match self.ask(index, token).await {
                Ok(judged) => return Ok(judged),
                // "Nobody knows" is the truth as soon as one of them could not be asked.
                Err(_) if reject.is_unavailable() => {}
                Err(other) => reject = other,
            }
        }
        Err(reject)
    }

    async fn ask(&self, index: usize, token: &str) -> Result<Judged, Reject> {
        let provider = &self.providers[index];
        opaque::check_characters(token)?;
        let (claims, source) = match &provider.config.token {
            TokenKind::Introspection(introspection) => (
                opaque::introspect(provider, introspection, token).await?,
                Source::Introspection,
            ),
            TokenKind::Userinfo | TokenKind::Jwt | TokenKind::IdToken => {
                (opaque::userinfo(provider, token).await?, Source::Userinfo)
            }
        };
        let told = claims::check_answer(&claims, &provider.config, self.moment())?;
        let expires_at = told.unwrap_or_else(|| self.clock.unix() + self.timing.remember.as_secs());
        let mut principal = self.principal(provider, &claims, expires_at, source)?;
        if provider.config.userinfo && source == Source::Introspection {
            self.complete(provider, token, &mut principal).await;
        }
        Ok(Judged {
            provider: index,
            generation: provider.generation(),
            principal,
        })
    }

    fn principal(
        &self,
        provider: &Provider,
        claims: &Map<String, Value>,
        expires_at: u64,
        source: Source,
    ) -> Result<Principal, Reject> {
        Ok(Principal {
            issuer: provider.config.issuer.clone(),
            subject: claims::subject(claims)?.to_owned(),
            profile: Profile::read(claims),
            roles: principal::roles(claims, &provider.config.roles),
            scopes: principal::scopes(claims),
            expires_at,
            source,
        })
    }

    /// Adds what only the userinfo endpoint tells. The token is good already, so a failure here costs the name, not the
    /// request. An answer about somebody else is ignored (OpenID Connect Core 1.0, section 5.3.2).
    async fn complete(&self, provider: &Arc<Provider>, token: &str, principal: &mut Principal) {
        match opaque::userinfo(provider, token).await {
            Ok(claims) if claims::subject(&claims) == Ok(&principal.subject) => {
                principal.profile.fill_from(Profile::read(&claims));
                if principal.roles.is_empty() {
                    principal.roles = principal::roles(&claims, &provider.config.roles);
                }
            }
            Ok(_) => tracing::warn!(issuer = principal.issuer, "userinfo answered about another subject"),
            Err(reject) => tracing::warn!(issuer = principal.issuer, ?reject, "userinfo could not be asked"),
        }
    }

    fn moment(&self) -> Moment {
        Moment {
            now: self.clock.unix(),
            leeway: self.timing.leeway,
        }
    }
}
