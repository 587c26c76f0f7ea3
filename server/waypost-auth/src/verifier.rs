//! From token to principal: which provider answers for it, and in which order things are checked.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::{
    cache::{Cache, Entry},
    claims::{self, Moment},
    clock::Clock,
    config::{Config, ConfigError, Timing, TokenKind},
    opaque,
    principal::{self, Principal, Profile, Source},
    provider::{Origins, Provider, ProviderStatus, Want},
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

    /// Origins that browsers call and frame during sign-in with a provider, as far as discovery has told them; for a
    /// Content-Security-Policy. `None` when no provider has this name.
    pub fn origins(&self, id: &str) -> Option<Origins> {
        self.provider(id).map(|provider| provider.origins())
    }

    pub(crate) fn provider(&self, id: &str) -> Option<&Arc<Provider>> {
        self.providers.iter().find(|provider| provider.config.id == id)
    }

    async fn judge(&self, text: &str) -> Result<Judged, Reject> {
        let (hint, token) = self.split_hint(text);
        if token.is_empty() {
            return Err(Reject::Malformed("it is empty"));
        }
        if !token::looks_like_jwt(token) {
            let index = self.place_of_opaque(hint, token)?;
            return self.ask(index, token).await;
        }
        let unverified = Unverified::read(token)?;
        let index = self.place_of(hint, &unverified)?;
        if self.providers[index].config.must_be_asked() {
            self.ask(index, token).await
        } else {
            self.judge_signed(index, token, unverified).await
        }
    }

    /// Clients write the id of the provider and a tilde before a token that does not say where it is from. The tilde is
    /// allowed in bearer tokens (RFC 6750, section 2.1) and stands in no JWT. A wrong hint gains nothing: the provider
    /// that is named has to vouch for the rest.
    fn split_hint<'t>(&self, text: &'t str) -> (Option<usize>, &'t str) {
        text.split_once('~')
            .and_then(|(id, token)| {
                let index = self.providers.iter().position(|provider| provider.config.id == id)?;
                Some((Some(index), token))
            })
            .unwrap_or((None, text))
    }

    /// The provider of a signed token. Several may share an issuer: then the one decides for which the token was made. What
    /// it is chosen by is not verified yet, but is checked again with the signature, by the rules of the chosen one.
    fn place_of(&self, hint: Option<usize>, token: &Unverified<'_>) -> Result<usize, Reject> {
        let issuer = token.claimed_issuer()?;
        let claims = &token.claims;
        let fitness = |index: &usize| {
            let config = &self.providers[*index].config;
            let made_for_it = claims::check_token(claims, config, self.moment()).is_ok();
            let given_to_it = config.client_id.as_deref() == claims::client(claims);
            (made_for_it, given_to_it)
        };
        let mut places = (0..self.providers.len())
            .filter(|index| hint.is_none_or(|hint| hint == *index))
            .filter(|index| self.providers[*index].config.is_issuer(issuer));
        let first = places.next().ok_or(Reject::Issuer)?;
        let mut best: Option<(usize, (bool, bool))> = None;
        for index in places {
            let (_, so_far) = *best.get_or_insert_with(|| (first, fitness(&first)));
            let fits = fitness(&index);
            if fits > so_far {
                best = Some((index, fits));
            }
        }
        Ok(best.map_or(first, |(index, _)| index))
    }

    /// The provider to show an opaque token to: the one that is named, or the only one that there is. It is never shown to
    /// several in turn, because each of them could then use a token that another has made.
    fn place_of_opaque(&self, hint: Option<usize>, token: &str) -> Result<usize, Reject> {
        let mut asked = (0..self.providers.len())
            .filter(|index| hint.is_none_or(|hint| hint == *index))
            .filter(|index| self.providers[*index].config.must_be_asked());
        match (asked.next(), asked.next()) {
            (Some(only), None) => Ok(only),
            (Some(_), Some(_)) => Err(Reject::Whose),
            (None, _) if token.split('.').count() == 3 => Err(Reject::Malformed("its header is not a JSON object")),
            (None, _) => Err(Reject::Opaque),
        }
    }

    async fn judge_signed(&self, index: usize, token: &str, unverified: Unverified<'_>) -> Result<Judged, Reject> {
        let provider = &self.providers[index];
        let by_id_token = provider.config.token == TokenKind::IdToken;
        if by_id_token && unverified.says_access {
            return Err(Reject::AccessToken);
        }
        let mut snapshot = provider.snapshot(Want::Known).await?;
        if !unverified.has_key_in(&snapshot.keys) {
            snapshot = provider.snapshot(Want::Newer).await?;
        }
        let claims = unverified.verify(&snapshot.keys)?;
        let expires_at = claims::check_token(&claims, &provider.config, self.moment())?;
        let mut principal = self.principal(provider, &claims, expires_at, Source::Signature)?;
        // An ID token opens nothing, the userinfo endpoint neither.
        if provider.config.userinfo && !by_id_token && (!principal.profile.is_complete() || principal.roles.is_empty())
        {
            self.complete(provider, token, &mut principal).await;
        }
        Ok(Judged {
            provider: index,
            generation: snapshot.generation,
            principal,
        })
    }

    async fn ask(&self, index: usize, token: &str) -> Result<Judged, Reject> {
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
        let asks_more = provider.config.userinfo && source == Source::Introspection;
        let mut more = None;
        if !claims.contains_key("sub") && asks_more {
            // Some introspections vouch for the token without saying whose it is. Userinfo says that, and nothing else is
            // known about the person, so here its failure is one of the whole.
            let told = opaque::userinfo(provider, token).await?;
            claims.insert("sub".into(), claims::subject(&told)?.into());
            more = Some(told);
        }
        let claims = opaque::with_subject(claims);
        let told = claims::check_answer(&claims, &provider.config, self.moment())?;
        let expires_at = told.unwrap_or_else(|| self.clock.unix() + self.timing.remember.as_secs());
        let mut principal = self.principal(provider, &claims, expires_at, source)?;
        match more {
            Some(told) => add(&mut principal, &told, &provider.config.roles),
            None if asks_more => self.complete(provider, token, &mut principal).await,
            None => {}
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
        let roles = principal::roles(claims, &provider.config.roles);
        let roles_known = !principal::leaves_roles_out(claims);
        Ok(Principal {
            issuer: provider.config.issuer.clone(),
            subject: claims::subject(claims)?.to_owned(),
            profile: Profile::read(claims),
            roles,
            roles_known,
            issued_at: claims::issued_at(claims),
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
                add(principal, &claims, &provider.config.roles);
                return;
            }
            Ok(_) => tracing::warn!(issuer = principal.issuer, "userinfo answered about another subject"),
            Err(reject) => tracing::warn!(issuer = principal.issuer, ?reject, "userinfo could not be asked"),
        }
        // Nobody knows whether there are none, or whether they would have been in the answer.
        principal.roles_known &= !principal.roles.is_empty();
    }

    fn moment(&self) -> Moment {
        Moment {
            now: self.clock.unix(),
            leeway: self.timing.leeway,
        }
    }
}

/// Adds what the userinfo endpoint tells about a person to what the token told.
fn add(principal: &mut Principal, told: &Map<String, Value>, places: &[String]) {
    principal.profile.fill_from(Profile::read(told));
    if principal.roles.is_empty() {
        principal.roles = principal::roles(told, places);
        principal.roles_known = !principal::leaves_roles_out(told);
    }
}
