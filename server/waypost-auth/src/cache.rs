//! Tokens that were checked a moment ago: a signature costs 23 µs, more than many operations, a look-up a small part of one.
//!
//! A token is found by a keyed hash and then compared as a whole, in a time that does not tell where two tokens differ. Only
//! tokens that were found good come in, so nobody can fill the table with inventions.
//!
//! An entry ends after a minute, with the token, and with the keys that it was checked by. Nothing else could end it: of a
//! sign-out or a revocation a resource server is not told, which is what the minute is for. Whose access is to end at once loses
//! the membership; those are read at every request.

use std::{
    collections::HashMap,
    hash::BuildHasher,
    hint::black_box,
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};

use foldhash::quality::RandomState;

use crate::principal::Principal;

/// A checked token.
#[derive(Clone)]
pub(crate) struct Entry {
    pub(crate) principal: Arc<Principal>,
    /// Which provider answered for it, by place in the configuration.
    pub(crate) provider: usize,
    /// Which of the provider's key sets it was checked with; a newer set voids the entry.
    pub(crate) generation: u64,
    /// Reading of the monotonic clock at which it must be checked again.
    pub(crate) until: Duration,
}

/// Tokens longer than this are checked each time: the cache would otherwise be bounded in number, but hardly in size.
const MAX_TOKEN: usize = 4 * 1024;

/// A bounded map from token to principal.
pub(crate) struct Cache {
    /// By the hash of the token. Of two tokens with one hash the later one is kept: the other is checked anew each time.
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

    /// The entry of a token, if it is not too old.
    pub(crate) fn get(&self, token: &str, now: Duration) -> Option<Entry> {
        let hash = self.hasher.hash_one(token);
        let entries = self.entries.read().unwrap_or_else(PoisonError::into_inner);
        let (known, entry) = entries.get(&hash)?;
        (now < entry.until && is_same(known, token)).then(|| entry.clone())
    }

    /// Remembers a token. When there is no room, old entries go; if all are young, all go: that is rare and costs one
    /// verification each.
    pub(crate) fn put(&self, token: &str, entry: Entry, now: Duration) {
        if token.len() > MAX_TOKEN || self.limit == 0 {
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

/// Compares two tokens by all their bytes, wherever they differ.
fn is_same(known: &str, token: &str) -> bool {
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
    fn it_stays_within_its_bound_and_drops_old_entries_first() {
        let cache = Cache::new(3);
        cache.put("young", entry(100), Duration::ZERO);
        cache.put("old", entry(5), Duration::ZERO);
        cache.put("old too", entry(5), Duration::ZERO);
        let now = Duration::from_secs(10);
        cache.put("next", entry(100), now);
        assert_eq!(cache.len(), 2);
        assert!(cache.get("young", now).is_some());
        assert!(cache.get("old", now).is_none());
        for token in 0..100 {
            cache.put(&token.to_string(), entry(100), now);
            assert!(cache.len() <= 3);
        }
    }

    #[test]
    fn only_the_very_same_token_is_found() {
        for (other, same) in [
            ("abc", true),
            ("abd", false),
            ("bbc", false),
            ("ab", false),
            ("abcd", false),
            ("", false),
        ] {
            assert_eq!(is_same("abc", other), same, "{other}");
        }
        // Under the hash of one token stands another.
        let cache = Cache::new(3);
        cache.put("abc", entry(5), Duration::ZERO);
        let mut entries = cache.entries.write().expect("no panic held the lock");
        let (_, stored) = entries.remove(&cache.hasher.hash_one("abc")).expect("it was put there");
        entries.insert(cache.hasher.hash_one("xyz"), ("abc".into(), stored));
        drop(entries);
        assert!(cache.get("xyz", Duration::ZERO).is_none());
    }

    #[test]
    fn an_entry_ends_and_a_huge_token_is_not_kept() {
        let cache = Cache::new(3);
        cache.put("t", entry(5), Duration::ZERO);
        assert!(cache.get("t", Duration::from_secs(4)).is_some());
        assert!(cache.get("t", Duration::from_secs(5)).is_none());
        cache.put(&"x".repeat(MAX_TOKEN + 1), entry(5), Duration::ZERO);
        assert_eq!(cache.len(), 1);
    }
}
