use std::collections::{BTreeMap, HashMap, HashSet};

use aws_lc_rs::digest;
use foldhash::quality::RandomState;

/// Limit for one key in one period. 150 requests per second are more than a browser sends.
const MAX_PROOFS_OF_KEY: u32 = 18_000;

/// About 40 MB.
const MAX_PROOFS: usize = 1_000_000;

/// Forgetting used proofs instead of refusing new ones would permit their replay.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Full;

/// Half of a SHA-256 digest of key and `jti`.
type Id = [u8; 16];

/// The proofs by the period of their nonce, so that a period is forgotten as a whole.
#[derive(Default)]
pub(super) struct Replays {
    periods: BTreeMap<u64, Period>,
}

#[derive(Default)]
struct Period {
    used: HashSet<Id, RandomState>,
    per_key: HashMap<Box<str>, u32, RandomState>,
}

impl Replays {
    pub(super) fn forget_before(&mut self, period: u64) {
        self.periods = self.periods.split_off(&period);
    }

    pub(super) fn insert(&mut self, period: u64, thumbprint: &str, jti: &str) -> Result<bool, Full> {
        let total: usize = self.periods.values().map(|period| period.used.len()).sum();
        let Period { used, per_key } = self.periods.entry(period).or_default();
        let id = id(thumbprint, jti);
        if used.contains(&id) {
            return Ok(false);
        }
        let count = match per_key.get_mut(thumbprint) {
            Some(count) => count,
            None => per_key.entry(thumbprint.into()).or_default(),
        };
        if total >= MAX_PROOFS || *count >= MAX_PROOFS_OF_KEY {
            return Err(Full);
        }
        *count += 1;
        used.insert(id);
        Ok(true)
    }
}

fn id(thumbprint: &str, jti: &str) -> Id {
    let mut context = digest::Context::new(&digest::SHA256);
    // A thumbprint has a fixed length.
    context.update(thumbprint.as_bytes());
    context.update(jti.as_bytes());
    let mut id = Id::default();
    id.copy_from_slice(&context.finish().as_ref()[..size_of::<Id>()]);
    id
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_cache_refuses_new_proofs_and_forgets_none() {
        let mut replays = Replays::default();
        for jti in 0..MAX_PROOFS_OF_KEY {
            assert_eq!(replays.insert(7, "busy", &jti.to_string()), Ok(true));
        }
        assert_eq!(replays.insert(7, "busy", "one more"), Err(Full));
        assert_eq!(
            replays.insert(7, "busy", "0"),
            Ok(false),
            "the first proof is still known"
        );
        assert_eq!(
            replays.insert(7, "another", "0"),
            Ok(true),
            "other keys are not affected"
        );
        assert_eq!(replays.insert(8, "busy", "0"), Ok(true), "with a new nonce");
    }

    #[test]
    fn only_expired_periods_are_forgotten() {
        let mut replays = Replays::default();
        for period in [7, 8] {
            assert_eq!(replays.insert(period, "key", "a"), Ok(true));
        }
        replays.forget_before(8);
        assert_eq!(replays.insert(8, "key", "a"), Ok(false));
        assert_eq!(replays.periods.len(), 1);
    }
}
