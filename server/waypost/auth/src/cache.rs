//! Cache of recently verified tokens. Verifying a signature takes 23 µs, a lookup 0.2 µs.
//!
//! A token is looked up by a keyed hash and then compared in constant time. Only valid tokens are inserted, so an
//! attacker cannot fill the cache with forged ones.
//!
//! An entry expires after a minute, with the token, or when the provider's keys change. A resource server is not
//! notified of sign-outs or revocations, so the one-minute limit bounds how long they go unnoticed. To end access
//! immediately, remove the account's membership, which is read on every request.

use std::{
    collections::HashMap,
    hash::BuildHasher,
    hint::black_box,
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};

use foldhash::quality::RandomState;

use crate::principal::Principal;

#[derive(Clone)]
pub(crate) struct Entry {
    pub(crate) principal: Arc<Principal>,
    /// Index of the provider in the configuration.
    pub(crate) provider: usize,
    /// Generation of the provider's key set at verification; a newer set invalidates the entry.
    pub(crate) generation: u64,
    /// Monotonic time at which the entry expires.
    pub(crate) until: Duration,
}

/// Longest token that is cached, in bytes. Without it, the number of entries would not bound the memory.
const MAX_TOKEN_LENGTH: usize = 4 * 1024;

pub(crate) struct Cache {
    /// Entries by hash of the token. Of colliding tokens, the last one is kept.
    entries: RwLock<HashMap<u64, (Box<str>, Entry), RandomState>>,
    hasher: RandomState,
    limit: usize,
}

impl Cache {
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            entries: RwLock::default(),
            hasher: RandomState::default(),
            limit,
        }
    }

    pub(crate) fn get(&self, token: &str, now: Duration) -> Option<Entry> {
        let hash = self.hasher.hash_one(token);
        let entries = self.entries.read().unwrap_or_else(PoisonError::into_inner);
        let (known, entry) = entries.get(&hash)?;
        (now < entry.until && constant_time_eq(known, token)).then(|| entry.clone())
    }

    /// Inserts a token. A full cache drops its expired entries, or all entries if none has expired.
    pub(crate) fn insert(&self, token: &str, entry: Entry, now: Duration) {
        if token.len() > MAX_TOKEN_LENGTH || self.limit == 0 {
            return;
        }
        let mut entries = self.entries.write().unwrap_or_else(PoisonError::into_inner);
        if entries.len() >= self.limit {
            entries.retain(|_, (_, entry)| now < entry.until);
        }
        if entries.len() >= self.limit {
            entries.clear();
        }
        entries.insert(self.hasher.hash_one(token), (token.into(), entry));
    }

    #[cfg(test)]
    fn len(&self) -> usize {
        self.entries.read().unwrap_or_else(PoisonError::into_inner).len()
    }
}

/// Compares all bytes even after a difference, so that the time does not reveal the length of a common prefix.
fn constant_time_eq(known: &str, token: &str) -> bool {
    let pairs = known.bytes().zip(token.bytes());
    known.len() == token.len() && black_box(pairs.fold(0, |difference, (a, b)| difference | (a ^ b))) == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::principal::{Profile, Source};

    fn entry(until: u64) -> Entry {
        let principal = Principal {
            issuer: "https://idp.example".into(),
            subject: "u1".into(),
            profile: Profile::default(),
            roles: Vec::new(),
            roles_known: true,
            issued_at: None,
            scopes: Vec::new(),
            expires_at: 0,
            source: Source::Signature,
        };
        Entry {
            principal: Arc::new(principal),
            provider: 0,
            generation: 0,
            until: Duration::from_secs(until),
        }
    }

    #[test]
    fn a_full_cache_drops_expired_entries_first() {
        let cache = Cache::new(3);
        cache.insert("young", entry(100), Duration::ZERO);
        cache.insert("old", entry(5), Duration::ZERO);
        cache.insert("old too", entry(5), Duration::ZERO);
        let now = Duration::from_secs(10);
        cache.insert("next", entry(100), now);
        assert_eq!(cache.len(), 2);
        assert!(cache.get("young", now).is_some());
        assert!(cache.get("old", now).is_none());
        for token in 0..100 {
            cache.insert(&token.to_string(), entry(100), now);
            assert!(cache.len() <= 3);
        }
    }

    #[test]
    fn only_an_identical_token_is_found() {
        for (other, same) in [
            ("abc", true),
            ("abd", false),
            ("bbc", false),
            ("ab", false),
            ("abcd", false),
            ("", false),
        ] {
            assert_eq!(constant_time_eq("abc", other), same, "{other}");
        }
        // Simulates a hash collision: `abc` is stored under the hash of `xyz`.
        let cache = Cache::new(3);
        cache.insert("abc", entry(5), Duration::ZERO);
        let mut entries = cache.entries.write().expect("no panic held the lock");
        let (_, stored) = entries
            .remove(&cache.hasher.hash_one("abc"))
            .expect("`abc` was inserted");
        entries.insert(cache.hasher.hash_one("xyz"), ("abc".into(), stored));
        drop(entries);
        assert!(cache.get("xyz", Duration::ZERO).is_none());
    }

    #[test]
    fn entries_expire_and_long_tokens_are_not_cached() {
        let cache = Cache::new(3);
        cache.insert("t", entry(5), Duration::ZERO);
        assert!(cache.get("t", Duration::from_secs(4)).is_some());
        assert!(cache.get("t", Duration::from_secs(5)).is_none());
        cache.insert(&"x".repeat(MAX_TOKEN_LENGTH + 1), entry(5), Duration::ZERO);
        assert_eq!(cache.len(), 1);
    }
}
