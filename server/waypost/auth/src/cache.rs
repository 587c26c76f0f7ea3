//! Cache of recently verified tokens. Verifying a signature takes 23 µs, a lookup 0.2 µs. Forged tokens are never
//! inserted.
//!
//! An entry expires after a minute, which bounds how long a revocation goes unnoticed, with the token, or when the
//! provider's keys change. A sign-out removes the entries of the session.

use std::{sync::Arc, time::Duration};

use aws_lc_rs::constant_time::verify_slices_are_equal;
use foldhash::quality::RandomState;
use quick_cache::{
    Equivalent, OptionsBuilder, UnitWeighter,
    sync::{self, DefaultLifecycle},
};

use crate::principal::Principal;

#[derive(Clone)]
pub(crate) struct Entry {
    pub(crate) principal: Arc<Principal>,
    pub(crate) provider: usize,
    /// A newer key set invalidates the entry.
    pub(crate) generation: u64,
    /// Monotonic time.
    pub(crate) until: Duration,
}

/// The share of the tokens that were used more than once. The default of 97 % would drop new tokens, which are about to be
/// used again, as soon as the cache is full.
const HOT_ALLOCATION: f64 = 0.5;

/// The maximum in bytes, without which the number of entries would not bound the memory.
const MAX_TOKEN_LENGTH: usize = 4 * 1024;

#[derive(Hash)]
struct Token<T>(T);

impl<T: AsRef<str>> Token<T> {
    fn equals<U: AsRef<str>>(&self, other: &Token<U>) -> bool {
        verify_slices_are_equal(self.0.as_ref().as_bytes(), other.0.as_ref().as_bytes()).is_ok()
    }
}

impl PartialEq for Token<Box<str>> {
    fn eq(&self, other: &Self) -> bool {
        self.equals(other)
    }
}

impl Eq for Token<Box<str>> {}

impl Equivalent<Token<Box<str>>> for Token<&str> {
    fn equivalent(&self, key: &Token<Box<str>>) -> bool {
        self.equals(key)
    }
}

pub(crate) struct Cache {
    entries: Option<sync::Cache<Token<Box<str>>, Entry, UnitWeighter, RandomState>>,
}

impl Cache {
    pub(crate) fn new(limit: usize) -> Self {
        let options = OptionsBuilder::new()
            .estimated_items_capacity(limit)
            .weight_capacity(limit as u64)
            .hot_allocation(HOT_ALLOCATION)
            .build();
        let cache = |options| {
            sync::Cache::with_options(
                options,
                UnitWeighter,
                RandomState::default(),
                DefaultLifecycle::default(),
            )
        };
        Self {
            entries: options.ok().filter(|_| limit > 0).map(cache),
        }
    }

    pub(crate) fn get(&self, token: &str, now: Duration) -> Option<Entry> {
        let entry = self.entries.as_ref()?.get(&Token(token))?;
        (now < entry.until).then_some(entry)
    }

    pub(crate) fn insert(&self, token: &str, entry: Entry) {
        if token.len() <= MAX_TOKEN_LENGTH
            && let Some(entries) = &self.entries
        {
            entries.insert(Token(token.into()), entry);
        }
    }

    pub(crate) fn retain(&self, keep: impl Fn(&Principal) -> bool) {
        if let Some(entries) = &self.entries {
            entries.retain(|_, entry| keep(&entry.principal));
        }
    }

    pub(crate) fn remove(&self, token: &str) {
        if let Some(entries) = &self.entries {
            entries.remove(&Token(token));
        }
    }

    #[cfg(test)]
    fn len(&self) -> usize {
        self.entries.as_ref().map_or(0, sync::Cache::len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::principal::{Profile, Source};

    fn entry(until: u64) -> Entry {
        let principal = Principal {
            issuer: "https://idp.example".into(),
            subject: "u1".into(),
            token_id: "t1".into(),
            profile: Profile::default(),
            roles: Vec::new(),
            roles_known: true,
            issued_at: None,
            scopes: Vec::new(),
            expires_at: 0,
            session: None,
            authenticated_at: None,
            step_up: false,
            acr: None,
            acr_values: Arc::default(),
            source: Source::Signature,
            key_thumbprint: None,
        };
        Entry {
            principal: Arc::new(principal),
            provider: 0,
            generation: 0,
            until: Duration::from_secs(until),
        }
    }

    #[test]
    fn tokens_in_use_stay_in_a_full_cache() {
        let cache = Cache::new(10_000);
        cache.insert("in use", entry(100));
        for token in 0..30_000 {
            cache.insert(&token.to_string(), entry(100));
            assert!(cache.get("in use", Duration::ZERO).is_some(), "after {token} tokens");
        }
        assert!(cache.len() <= 10_000);
        assert!(cache.get("29999", Duration::ZERO).is_some());
    }

    #[test]
    fn the_newest_tokens_stay_in_a_full_cache() {
        const LIMIT: usize = 10_000;
        let cache = Cache::new(LIMIT);
        for token in 0..3 * LIMIT {
            cache.insert(&token.to_string(), entry(100));
        }
        let newest = 3 * LIMIT - LIMIT / 4..3 * LIMIT;
        let missing = newest.filter(|token| cache.get(&token.to_string(), Duration::ZERO).is_none());
        assert_eq!(missing.count(), 0);
    }

    #[test]
    fn only_an_identical_token_is_found() {
        let cache = Cache::new(3);
        cache.insert("abc", entry(5));
        for (other, same) in [
            ("abc", true),
            ("abd", false),
            ("bbc", false),
            ("ab", false),
            ("abcd", false),
            ("", false),
        ] {
            assert_eq!(Token(other).equivalent(&Token("abc".into())), same, "{other}");
            assert_eq!(cache.get(other, Duration::ZERO).is_some(), same, "{other}");
        }
    }

    #[test]
    fn a_limit_of_zero_disables_the_cache() {
        let cache = Cache::new(0);
        cache.insert("t", entry(5));
        assert!(cache.get("t", Duration::ZERO).is_none());
    }

    #[test]
    fn entries_expire_and_long_tokens_are_not_cached() {
        let cache = Cache::new(3);
        cache.insert("t", entry(5));
        assert!(cache.get("t", Duration::from_secs(4)).is_some());
        assert!(cache.get("t", Duration::from_secs(5)).is_none());
        cache.insert(&"x".repeat(MAX_TOKEN_LENGTH + 1), entry(5));
        assert_eq!(cache.len(), 1);
    }
}
