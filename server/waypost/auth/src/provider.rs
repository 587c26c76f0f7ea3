//! Endpoints and keys of one provider, fetched on demand and cached.
//!
//! Discovery document and keys form one snapshot. It is fresh for ten minutes. Then one request refreshes it while the
//! others use the old one, for up to a day if the provider is down. A token with an unknown key waits for a refresh,
//! at most once per cool-down.

use std::{
    collections::BTreeSet,
    sync::{
        Arc, PoisonError, RwLock,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use tokio::{
    sync::{Mutex, Semaphore},
    time::timeout,
};

use crate::{
    clock::Clock,
    config::{ProviderConfig, Timing, TokenKind},
    discovery::{self, Metadata},
    fetch,
    keys::KeySet,
    loopback::is_loopback,
    reject::Reject,
};

/// Limits floods of forged tokens.
const MAX_CONCURRENT_TOKEN_REQUESTS: usize = 16;

/// Limits floods of forged tokens with unknown keys.
const MAX_WAITING_TOKENS: usize = 64;

/// Callers retry later, and the fetch goes on without them.
const MAX_UNKNOWN_KEY_WAIT: Duration = Duration::from_millis(2_500);
/// The shortest time that a fetch for an unknown key gets after the cool-down.
const MIN_UNKNOWN_KEY_FETCH: Duration = Duration::from_millis(500);

/// Limits requests to the provider, because any page can cause them.
const KEY_IDS_FRESH: Duration = Duration::from_secs(5);

pub(crate) struct Snapshot {
    pub(crate) metadata: Metadata,
    pub(crate) keys: KeySet,
    /// Is equal for equal keys.
    pub(crate) generation: u64,
    fetched: Duration,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// Accepts any snapshot that is not too old.
    Any,
    /// Requires keys that the cached snapshot lacks.
    UnknownKey,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderStatus {
    pub id: String,
    pub issuer: String,
    /// `None` if no keys were fetched or they are too old.
    pub keys_age: Option<Duration>,
    pub last_error: Option<String>,
}

impl ProviderStatus {
    pub fn is_ready(&self) -> bool {
        self.keys_age.is_some()
    }
}

/// Origins (RFC 6454) for a Content-Security-Policy.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origins {
    /// Endpoints that a page calls: discovery, token, revocation, userinfo.
    pub called: BTreeSet<String>,
    pub framed: BTreeSet<String>,
}

#[derive(Default)]
struct State {
    snapshot: Option<Arc<Snapshot>>,
    last_attempt: Option<Duration>,
    last_error: Option<String>,
}

pub(crate) struct Provider {
    pub(crate) config: ProviderConfig,
    pub(crate) http: reqwest::Client,
    pub(crate) token_requests: Semaphore,
    waiting_tokens: Semaphore,
    timing: Timing,
    clock: Clock,
    state: RwLock<State>,
    generation: AtomicU64,
    single_flight: Mutex<()>,
    key_ids: Mutex<Option<(Duration, Option<Vec<String>>)>>,
}

impl Provider {
    pub(crate) fn new(config: ProviderConfig, timing: Timing, clock: Clock) -> Result<Self, String> {
        let loopback = url::Url::parse(&config.issuer).is_ok_and(|url| is_loopback(&url));
        Ok(Self {
            http: fetch::client(timing.timeout, loopback)?,
            config,
            token_requests: Semaphore::new(MAX_CONCURRENT_TOKEN_REQUESTS),
            waiting_tokens: Semaphore::new(MAX_WAITING_TOKENS),
            timing,
            clock,
            state: RwLock::default(),
            generation: AtomicU64::new(0),
            single_flight: Mutex::default(),
            key_ids: Mutex::default(),
        })
    }

    pub(crate) fn timeout(&self) -> Duration {
        self.timing.timeout
    }

    pub(crate) fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    pub(crate) fn status(&self) -> ProviderStatus {
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        let keys_age = state.snapshot.as_ref().map(|snapshot| self.age(snapshot));
        ProviderStatus {
            id: self.config.id.clone(),
            issuer: self.config.issuer.clone(),
            keys_age: keys_age.filter(|age| *age < self.timing.keys_stale),
            last_error: state.last_error.clone(),
        }
    }

    /// Returns the origins, including the issuer's, because the page reads the discovery document there.
    pub(crate) fn origins(&self) -> Origins {
        let issuer = url::Url::parse(&self.config.issuer).map(|url| url.origin().ascii_serialization());
        let issuer: BTreeSet<_> = issuer.into_iter().collect();
        match self.cached() {
            // Most providers use a single origin.
            None => Origins {
                called: issuer.clone(),
                framed: issuer,
            },
            Some(snapshot) => Origins {
                called: issuer.union(&snapshot.metadata.called).cloned().collect(),
                framed: snapshot.metadata.framed.clone(),
            },
        }
    }

    /// Returns the cached snapshot or fetches a new one, by the rules of the module.
    pub(crate) async fn snapshot(self: &Arc<Self>) -> Result<Arc<Snapshot>, Reject> {
        let cached = self.cached();
        if let Some(snapshot) = &cached {
            if self.age(snapshot) < self.timing.keys_fresh {
                return Ok(Arc::clone(snapshot));
            }
            if self.single_flight.try_lock().is_err() && self.age(snapshot) < self.timing.keys_stale {
                return Ok(Arc::clone(snapshot));
            }
        }
        self.spawn_refresh(cached.map(|snapshot| snapshot.fetched), Purpose::Any)
            .await
    }

    /// Fetches the keys for a token whose key `seen` lacks. Waits for the cool-down after a successful fetch, and then for the fetch, which
    /// continues if it takes longer. After a failed or unfinished one, the token may still be valid, so the error is
    /// [`Reject::Unavailable`].
    pub(crate) async fn snapshot_after(self: &Arc<Self>, seen: &Snapshot) -> Result<Arc<Snapshot>, Reject> {
        let remaining = self.remaining_cool_down(Purpose::UnknownKey);
        if !remaining.is_zero() && self.last_error().is_none() {
            let _permit = self.waiting_tokens.try_acquire().map_err(|_full| {
                Reject::Unavailable("too many tokens with unknown keys wait for the provider's keys".into())
            })?;
            self.clock.sleep(remaining).await;
        }
        let limit = MAX_UNKNOWN_KEY_WAIT
            .saturating_sub(remaining)
            .max(MIN_UNKNOWN_KEY_FETCH);
        let refresh = self.spawn_refresh(Some(seen.fetched), Purpose::UnknownKey);
        timeout(limit, refresh).await.unwrap_or_else(|_late| {
            Err(Reject::Unavailable(
                "the provider does not send its keys in time".to_owned(),
            ))
        })
    }

    /// Uses a separate task, because other requests may wait for the fetch when this one is cancelled.
    async fn spawn_refresh(
        self: &Arc<Self>,
        seen: Option<Duration>,
        purpose: Purpose,
    ) -> Result<Arc<Snapshot>, Reject> {
        let provider = Arc::clone(self);
        match tokio::spawn(async move { provider.refresh(seen, purpose).await }).await {
            Ok(result) => result,
            Err(error) => Err(Reject::Unavailable(format!("the fetch was aborted: {error}"))),
        }
    }

    /// Fetches nothing during the cool-down, or if another call has since `seen`. If the fetch fails, returns the
    /// cached snapshot if it serves the purpose.
    async fn refresh(&self, seen: Option<Duration>, purpose: Purpose) -> Result<Arc<Snapshot>, Reject> {
        let _single_flight = self.single_flight.lock().await;
        let cached = self.cached();
        if let Some(snapshot) = &cached
            && Some(snapshot.fetched) != seen
        {
            return Ok(Arc::clone(snapshot));
        }
        let usable = cached
            .clone()
            .filter(|snapshot| purpose == Purpose::Any && self.age(snapshot) < self.timing.keys_stale);
        if !self.remaining_cool_down(purpose).is_zero() {
            return usable.ok_or_else(|| {
                let cause = self.last_error();
                Reject::Unavailable(cause.unwrap_or_else(|| "the last request was sent a moment ago".to_owned()))
            });
        }
        self.write(|state| state.last_attempt = Some(self.clock.monotonic()));
        match self.fetch().await {
            Ok(fetched) => Ok(self.install(fetched, cached)),
            Err(reject) => {
                let cause = match reject {
                    Reject::Unavailable(cause) => cause,
                    other => other.to_string(),
                };
                tracing::warn!(
                    issuer = self.config.issuer,
                    cause,
                    "discovery document or keys of the identity provider could not be fetched"
                );
                self.write(|state| state.last_error = Some(cause.clone()));
                usable.ok_or(Reject::Unavailable(cause))
            }
        }
    }

    /// Returns the published ids, at most [`KEY_IDS_FRESH`] old, or `None` if they cannot be read. Unlike a snapshot,
    /// they exclude removed keys.
    pub(crate) async fn key_ids(self: &Arc<Self>) -> Option<Vec<String>> {
        let mut last = self.key_ids.lock().await;
        match &*last {
            Some((time, ids)) if self.clock.monotonic().saturating_sub(*time) < KEY_IDS_FRESH => ids.clone(),
            _ => {
                let ids = self.fetch_key_ids().await;
                *last = Some((self.clock.monotonic(), ids.clone()));
                ids
            }
        }
    }

    async fn fetch_key_ids(self: &Arc<Self>) -> Option<Vec<String>> {
        let snapshot = self.snapshot().await.ok()?;
        let document = fetch::document(&self.http, snapshot.metadata.jwks_uri.as_deref()?)
            .await
            .ok()?;
        let keys = document["keys"].as_array()?.iter();
        Some(keys.filter_map(|key| key["kid"].as_str().map(str::to_owned)).collect())
    }

    async fn fetch(&self) -> Result<(Metadata, KeySet), Reject> {
        let document = fetch::document(&self.http, &discovery::address(&self.config.issuer)).await?;
        let metadata = Metadata::read(&self.config.issuer, &document)?;
        let keys = match self.config.token {
            TokenKind::Introspection(_) | TokenKind::Userinfo if !self.config.backchannel_logout => KeySet::default(),
            _ => {
                let Some(address) = &metadata.jwks_uri else {
                    return Err(Reject::Unavailable("the discovery document has no `jwks_uri`".into()));
                };
                KeySet::read(&fetch::document(&self.http, address).await?)?
            }
        };
        Ok((metadata, keys))
    }

    fn install(&self, (metadata, keys): (Metadata, KeySet), previous: Option<Arc<Snapshot>>) -> Arc<Snapshot> {
        let generation = match previous {
            Some(previous) if previous.keys == keys => previous.generation,
            _ => {
                tracing::info!(issuer = self.config.issuer, "new keys from the identity provider");
                self.generation.fetch_add(1, Ordering::AcqRel) + 1
            }
        };
        let snapshot = Arc::new(Snapshot {
            metadata,
            keys,
            generation,
            fetched: self.clock.monotonic(),
        });
        self.write(|state| {
            state.snapshot = Some(Arc::clone(&snapshot));
            state.last_error = None;
        });
        snapshot
    }

    fn remaining_cool_down(&self, purpose: Purpose) -> Duration {
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        let cool_down = match (&state.snapshot, &state.last_error, purpose) {
            (None, ..) => self.timing.first_cool_down,
            (Some(_), None, Purpose::UnknownKey) => self.timing.unknown_key_cool_down,
            _ => self.timing.cool_down,
        };
        state.last_attempt.map_or(Duration::ZERO, |at| {
            cool_down.saturating_sub(self.clock.monotonic().saturating_sub(at))
        })
    }

    fn last_error(&self) -> Option<String> {
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        state.last_error.clone()
    }

    fn cached(&self) -> Option<Arc<Snapshot>> {
        self.state
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .snapshot
            .clone()
    }

    fn age(&self, snapshot: &Snapshot) -> Duration {
        self.clock.monotonic().saturating_sub(snapshot.fetched)
    }

    fn write(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state.write().unwrap_or_else(PoisonError::into_inner));
    }
}
