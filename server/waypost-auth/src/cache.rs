//! Tokens that were checked a moment ago: a signature costs 23 µs, more than many operations, a look-up a quarter of one.

use std::{
    collections::HashMap,
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};

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
    entries: RwLock<HashMap<Box<str>, Entry>>,
    limit: usize,
}

impl Cache {
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            entries: RwLock::default(),
            limit,
        }
    }

    /// The entry of a token, if it is not too old.
    pub(crate) fn get(&self, token: &str, now: Duration) -> Option<Entry> {
        let entries = self.entries.read().unwrap_or_else(PoisonError::into_inner);
        entries.get(token).filter(|entry| now < entry.until).cloned()
    }

    /// Remembers a token. When there is no room, old entries go; if all are young, all go: that is rare and costs one
    /// verification each.
    pub(crate) fn put(&self, token: &str, entry: Entry, now: Duration) {
        if token.len() > MAX_TOKEN || self.limit == 0 {
            return;
        }
        let mut entries = self.entries.write().unwrap_or_else(PoisonError::into_inner);
        if entries.len() >= self.limit {
            entries.retain(|_, entry| now < entry.until);
        }
        if entries.len() >= self.limit {
            entries.clear();
        }
        entries.insert(token.into(), entry);
    }

    #[cfg(test)]
    fn len(&self) -> usize {
        self.entries.read().unwrap_or_else(PoisonError::into_inner).len()
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
    fn an_entry_ends_and_a_huge_token_is_not_kept() {
        let cache = Cache::new(3);
        cache.put("t", entry(5), Duration::ZERO);
        assert!(cache.get("t", Duration::from_secs(4)).is_some());
        assert!(cache.get("t", Duration::from_secs(5)).is_none());
        cache.put(&"x".repeat(MAX_TOKEN + 1), entry(5), Duration::ZERO);
        assert_eq!(cache.len(), 1);
    }
}
