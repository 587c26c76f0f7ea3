//! One provider: where its endpoints are and which keys it publishes, fetched when needed and kept while they are good.
//!
//! Discovery document and keys are one snapshot, fetched together. A snapshot is fresh for ten minutes. After that one
//! request fetches anew while the others go on with the old one; if the provider is down, the old one serves for a day. A
//! token with an unknown key id asks for a new snapshot too, but all such tokens together cause one fetch per cool-down.

use std::{
    collections::BTreeSet,
    sync::{
        Arc, PoisonError, RwLock,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use tokio::sync::{Mutex, Semaphore};

use crate::{
    clock::Clock,
    config::{ProviderConfig, Timing, TokenKind},
    discovery::{self, Metadata},
    fetch,
    keys::KeySet,
    loopback::is_loopback,
    reject::Reject,
};

/// So many tokens of one provider are being asked about at once. The rest wait, so that a flood of invented tokens does not
/// become a flood at the provider.
const CONCURRENT_QUESTIONS: usize = 16;

/// What discovery and the key endpoint said.
pub(crate) struct Snapshot {
    pub(crate) metadata: Metadata,
    pub(crate) keys: KeySet,
    /// Number of the key set: two snapshots with the same keys have the same.
    pub(crate) generation: u64,
    fetched: Duration,
}

/// Whether a present snapshot will do.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Want {
    Known,
    Newer,
}

/// What is known of a provider at the moment; for readiness checks and logs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderStatus {
    /// Its name here.
    pub id: String,
    /// The provider.
    pub issuer: String,
    /// Age of its keys; `None` when nothing has been fetched yet, or what there is has become too old.
    pub keys_age: Option<Duration>,
    /// Why the last fetch failed; `None` when it succeeded.
    pub last_error: Option<String>,
}

impl ProviderStatus {
    /// True when tokens of the provider can be checked.
    pub fn is_ready(&self) -> bool {
        self.keys_age.is_some()
    }
}

/// Origins (RFC 6454) of a provider, for a Content-Security-Policy.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origins {
    /// Of the endpoints that a page calls: discovery, token, revocation.
    pub called: BTreeSet<String>,
    /// Of the endpoints that are opened in a hidden frame: authorization, end of session.
    pub framed: BTreeSet<String>,
}

#[derive(Default)]
struct State {
    snapshot: Option<Arc<Snapshot>>,
    last_attempt: Option<Duration>,
    last_error: Option<String>,
}

/// A provider and what is known of it.
pub(crate) struct Provider {
    pub(crate) config: ProviderConfig,
    pub(crate) http: reqwest::Client,
    pub(crate) questions: Semaphore,
    timing: Timing,
    clock: Clock,
    state: RwLock<State>,
    /// Grows whenever the key set becomes another one.
    generation: AtomicU64,
    flight: Mutex<()>,
}

impl Provider {
    pub(crate) fn new(config: ProviderConfig, timing: Timing, clock: Clock) -> Result<Self, String> {
        let loopback = url::Url::parse(&config.issuer).is_ok_and(|url| is_loopback(&url));
        Ok(Self {
            http: fetch::client(timing.timeout, loopback)?,
            config,
            questions: Semaphore::new(CONCURRENT_QUESTIONS),
            timing,
            clock,
            state: RwLock::default(),
            generation: AtomicU64::new(0),
            flight: Mutex::default(),
        })
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

    /// Origins that the page calls and frames, as far as they are known: the issuer's without any fetch, because the page
    /// reads the discovery document there.
    pub(crate) fn origins(&self) -> Origins {
        let issuer = url::Url::parse(&self.config.issuer).map(|url| url.origin().ascii_serialization());
        let issuer: BTreeSet<_> = issuer.into_iter().collect();
        match self.present() {
            // Most providers have everything at one place, so this is a good guess.
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

    /// The newest snapshot to be had under the rules above.
    pub(crate) async fn snapshot(self: &Arc<Self>, want: Want) -> Result<Arc<Snapshot>, Reject> {
        let present = self.present();
        if want == Want::Known
            && let Some(snapshot) = &present
        {
            if self.age(snapshot) < self.timing.keys_fresh {
                return Ok(Arc::clone(snapshot));
            }
            if self.flight.try_lock().is_err() && self.age(snapshot) < self.timing.keys_stale {
                return Ok(Arc::clone(snapshot));
            }
        }
        // The fetch runs to its end even if the request that began it is given up: others may be waiting for it.
        let provider = Arc::clone(self);
        let seen = present.map(|snapshot| snapshot.fetched);
        match tokio::spawn(async move { provider.refresh(seen).await }).await {
            Ok(result) => result,
            Err(error) => Err(Reject::Unavailable(format!("the fetch was broken off: {error}"))),
        }
    }

    /// Fetches, unless somebody else did so while this call waited, or the cool-down forbids it.
    async fn refresh(&self, seen: Option<Duration>) -> Result<Arc<Snapshot>, Reject> {
        let _single_flight = self.flight.lock().await;
        let present = self.present();
        if let Some(snapshot) = &present
            && Some(snapshot.fetched) != seen
        {
            return Ok(Arc::clone(snapshot));
        }
        if self.cooling_down(present.is_some()) {
            return self.stale_or(present, || {
                self.status()
                    .last_error
                    .unwrap_or_else(|| "asked a moment ago, in vain".to_owned())
            });
        }
        self.write(|state| state.last_attempt = Some(self.clock.monotonic()));
        match self.fetch().await {
            Ok(fetched) => Ok(self.install(fetched, present)),
            Err(reject) => {
                let cause = match reject {
                    Reject::Unavailable(cause) => cause,
                    other => other.to_string(),
                };
                tracing::warn!(
                    issuer = self.config.issuer,
                    cause,
                    "the identity provider cannot be asked"
                );
                self.write(|state| state.last_error = Some(cause.clone()));
                self.stale_or(present, || cause)
            }
        }
    }

    async fn fetch(&self) -> Result<(Metadata, KeySet), Reject> {
        let document = fetch::document(&self.http, &discovery::address(&self.config.issuer)).await?;
        let metadata = Metadata::read(&self.config.issuer, &document)?;
        let keys = match self.config.token {
            TokenKind::Jwt | TokenKind::IdToken => {
                let Some(address) = &metadata.jwks_uri else {
                    return Err(Reject::Unavailable("discovery names no `jwks_uri`".into()));
                };
                KeySet::read(&fetch::document(&self.http, address).await?)?
            }
            TokenKind::Introspection(_) | TokenKind::Userinfo => KeySet::default(),
        };
        Ok((metadata, keys))
    }

    fn install(&self, (metadata, keys): (Metadata, KeySet), previous: Option<Arc<Snapshot>>) -> Arc<Snapshot> {
        let generation = match previous {
            Some(previous) if previous.keys == keys => previous.generation,
            _ => {
                tracing::info!(issuer = self.config.issuer, "new keys of the identity provider");
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

    fn cooling_down(&self, known: bool) -> bool {
        let pause = if known {
            self.timing.cool_down
        } else {
            self.timing.first_cool_down
        };
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        state
            .last_attempt
            .is_some_and(|at| self.clock.monotonic().saturating_sub(at) < pause)
    }

    fn stale_or(
        &self,
        present: Option<Arc<Snapshot>>,
        cause: impl FnOnce() -> String,
    ) -> Result<Arc<Snapshot>, Reject> {
        match present {
            Some(snapshot) if self.age(&snapshot) < self.timing.keys_stale => Ok(snapshot),
            _ => Err(Reject::Unavailable(cause())),
        }
    }

    fn present(&self) -> Option<Arc<Snapshot>> {
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
