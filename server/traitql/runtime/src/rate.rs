//! Rate limits per field and caller: token buckets in memory, local to the process. A bucket holds `limit` tokens and
//! regains that many per window.
//!
//! Two generations of buckets bound the memory. When the young one is full it becomes the old one, and the former old
//! one is dropped. Buckets in use move to the young generation and survive a flood of random keys. A cache by
//! frequency would drop entries that were used once, so a caller with enough keys would always find a full bucket.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

/// A rate limit: `limit` calls per `window`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimit {
    /// Coordinate of the field. Counted separately.
    pub field: &'static str,
    /// Calls per window.
    pub limit: u32,
    /// Length of the window in seconds.
    pub window_seconds: u32,
}

/// The buckets of one server.
pub struct RateLimits {
    generation: usize,
    buckets: Mutex<Buckets>,
}

#[derive(Default)]
struct Buckets {
    young: HashMap<(&'static str, String), Bucket>,
    old: HashMap<(&'static str, String), Bucket>,
}

#[derive(Clone, Copy)]
struct Bucket {
    tokens: f64,
    at: Instant,
}

impl Default for RateLimits {
    fn default() -> Self {
        Self::with_capacity(100_000)
    }
}

impl RateLimits {
    /// Creates limits that track at most `callers` callers.
    pub fn with_capacity(callers: usize) -> Self {
        Self {
            generation: (callers / 2).max(1),
            buckets: Mutex::default(),
        }
    }

    /// Counts a call. `Err` is the number of seconds until the next one is allowed.
    pub fn check(&self, rate: RateLimit, caller: &str, now: Instant) -> Result<(), u32> {
        let full = f64::from(rate.limit);
        let per_second = full / f64::from(rate.window_seconds.max(1));
        // At worst, a panic has lost one bucket.
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (rate.field, caller.to_owned());
        let known = buckets.young.get(&key).copied().or_else(|| buckets.old.remove(&key));
        let mut bucket = known.unwrap_or(Bucket { tokens: full, at: now });
        let passed = now.saturating_duration_since(bucket.at);
        bucket.tokens = (bucket.tokens + passed.as_secs_f64() * per_second).min(full);
        bucket.at = now.max(bucket.at);
        let allowed = bucket.tokens >= 1.0;
        if allowed {
            bucket.tokens -= 1.0;
        }
        if buckets.young.len() >= self.generation && !buckets.young.contains_key(&key) {
            buckets.old = std::mem::take(&mut buckets.young);
        }
        buckets.young.insert(key, bucket);
        if allowed {
            return Ok(());
        }
        let wait = Duration::from_secs_f64(((1.0 - bucket.tokens) / per_second).min(f64::from(u32::MAX)));
        Err(u32::try_from(wait.as_secs()).unwrap_or(u32::MAX).saturating_add(1))
    }

    /// Takes back a call that a resolver rejects and that must not count for callers with the same address.
    pub fn uncount(&self, field: &'static str, caller: &str) {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        // The next check limits the tokens. Only callers without recent calls are in the old generation.
        if let Some(bucket) = buckets.young.get_mut(&(field, caller.to_owned())) {
            bucket.tokens += 1.0;
        }
    }
}

/// An IPv6 customer has at least a /64 (RFC 6177), so only that prefix counts.
pub fn address_key(address: IpAddr) -> String {
    match address {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => match address.to_ipv4_mapped() {
            Some(mapped) => mapped.to_string(),
            None => {
                let [a, b, c, d, ..] = address.segments();
                format!("{a:x}:{b:x}:{c:x}:{d:x}::/64")
            }
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: RateLimit = RateLimit {
        field: "Mutation.boot",
        limit: 3,
        window_seconds: 60,
    };

    #[test]
    fn a_caller_can_use_the_limit_at_once_and_then_regains_calls_evenly() {
        let rates = RateLimits::default();
        let start = Instant::now();
        for _ in 0..3 {
            assert_eq!(rates.check(RATE, "a", start), Ok(()));
        }
        assert_eq!(rates.check(RATE, "a", start), Err(21));
        assert_eq!(rates.check(RATE, "b", start), Ok(()));
        let other = RateLimit {
            field: "Mutation.record",
            ..RATE
        };
        assert_eq!(rates.check(other, "a", start), Ok(()));
        let later = start + Duration::from_secs(20);
        assert_eq!(rates.check(RATE, "a", later), Ok(()));
        assert!(rates.check(RATE, "a", later).is_err());
        assert_eq!(rates.check(RATE, "a", start + Duration::from_secs(3600)), Ok(()));
    }

    #[test]
    fn a_call_can_be_uncounted_but_never_exceeds_the_limit() {
        let rates = RateLimits::default();
        let now = Instant::now();
        for _ in 0..10 {
            assert_eq!(rates.check(RATE, "a", now), Ok(()));
            rates.uncount(RATE.field, "a");
        }
        rates.uncount(RATE.field, "a");
        for _ in 0..3 {
            assert_eq!(rates.check(RATE, "a", now), Ok(()));
        }
        assert!(rates.check(RATE, "a", now).is_err());
    }

    #[test]
    fn a_flood_of_callers_is_dropped_and_a_busy_one_is_kept() {
        let rates = RateLimits::with_capacity(10);
        let now = Instant::now();
        for caller in 0..1000 {
            let _ = rates.check(RATE, "busy", now);
            assert_eq!(rates.check(RATE, &caller.to_string(), now), Ok(()));
        }
        assert!(rates.check(RATE, "busy", now).is_err());
        let buckets = rates.buckets.lock().expect("no panic held the lock");
        assert!(buckets.young.len() + buckets.old.len() <= 10);
    }

    #[test]
    fn addresses_are_counted_by_customer() {
        let key = |text: &str| address_key(text.parse().expect("an address"));
        assert_eq!(key("2001:db8:1:2:3:4:5:6"), key("2001:db8:1:2::1"));
        assert_ne!(key("2001:db8:1:2::1"), key("2001:db8:1:3::1"));
        assert_eq!(key("::ffff:192.0.2.1"), "192.0.2.1");
    }
}
