//! Who meets a released tour: everybody has a bucket, and a release opens some of them. `schema/rollout.md` is the
//! specification, for whoever wants to count for themselves.

use sha2::{Digest, Sha256};
use traitql::Id;

/// How many buckets there are: a bucket is a hundredth of a percent.
const BUCKETS: u64 = 10_000;

/// What a release means for one bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Exposure {
    /// Held out: never meets the tour, to be compared with those who do.
    Held,
    /// Meets the tour.
    Exposed,
    /// Not yet: the rollout has not come this far.
    Waiting,
}

/// How much of a site's people a release is for, in percent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shares {
    /// How many may meet the tour, from 0 to 100: those with the lowest buckets.
    pub rollout_percent: i32,
    /// How many never meet it, from 0 to 50: those with the highest buckets.
    pub holdout_percent: i32,
}

/// The bucket of a participant for a tour on a site, from 0 to 9999. It depends on nothing else, so nothing is stored.
pub fn bucket(site_id: &Id, tour_id: &Id, participant_id: &Id) -> u16 {
    let mut hash = Sha256::new();
    for part in [site_id.as_str(), "/", tour_id.as_str(), "/", participant_id.as_str()] {
        hash.update(part);
    }
    let digest = hash.finalize();
    let head: [u8; 8] = digest[..8].try_into().expect("a SHA-256 has 32 bytes");
    u16::try_from(u64::from_be_bytes(head) % BUCKETS).expect("a bucket is less than 10,000")
}

impl Shares {
    /// The holdout is taken first, from the highest bucket down; the rollout comes up from the lowest. So to raise the
    /// rollout takes nobody out, and to add a holdout to a rollout takes nobody out either, as long as both fit.
    pub fn exposure(self, bucket: u16) -> Exposure {
        let bucket = i32::from(bucket);
        if bucket >= (100 - self.holdout_percent) * 100 {
            Exposure::Held
        } else if bucket < self.rollout_percent * 100 {
            Exposure::Exposed
        } else {
            Exposure::Waiting
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPECIFICATION: &str = include_str!("../../../../schema/rollout.md");

    fn shares(rollout_percent: i32, holdout_percent: i32) -> Shares {
        Shares {
            rollout_percent,
            holdout_percent,
        }
    }

    #[test]
    fn the_published_vectors_hold() {
        let rows = SPECIFICATION.lines().filter(|line| line.starts_with("| `"));
        let vectors: Vec<Vec<&str>> = rows
            .map(|row| row.split('|').map(|cell| cell.trim().trim_matches('`')).collect())
            .collect();
        assert!(vectors.len() >= 6, "schema/rollout.md lists test vectors");
        for vector in vectors {
            let [_, site, tour, participant, expected, _] = vector[..] else {
                panic!("a row of the vectors has four cells: {vector:?}");
            };
            let found = bucket(&site.into(), &tour.into(), &participant.into());
            assert_eq!(
                found.to_string(),
                expected,
                "{site}/{tour}/{participant}: people who are inside a tour would be taken out of it, and earlier \
                 holdouts would be worth nothing. A bucket never changes."
            );
        }
    }

    #[test]
    fn raising_the_rollout_takes_nobody_out() {
        for holdout in [0, 1, 10, 50] {
            for bucket in 0..10_000 {
                let mut before = Exposure::Waiting;
                for rollout in 0..=100 {
                    let now = shares(rollout, holdout).exposure(bucket);
                    assert!(before != Exposure::Exposed || now == Exposure::Exposed);
                    before = now;
                }
            }
        }
    }

    #[test]
    fn the_holdout_is_taken_first_and_from_those_who_wait() {
        let count = |shares: Shares, what| (0..10_000).filter(|bucket| shares.exposure(*bucket) == what).count();
        let full = shares(100, 10);
        assert_eq!(
            (count(full, Exposure::Held), count(full, Exposure::Exposed)),
            (1000, 9000)
        );
        let half = shares(50, 10);
        assert_eq!(
            (count(half, Exposure::Held), count(half, Exposure::Exposed)),
            (1000, 5000)
        );
        assert_eq!(count(half, Exposure::Waiting), 4000);
        for bucket in 0..10_000 {
            if shares(50, 0).exposure(bucket) == Exposure::Exposed {
                assert_eq!(half.exposure(bucket), Exposure::Exposed);
            }
        }
        assert_eq!(count(shares(0, 0), Exposure::Waiting), 10_000);
    }

    #[test]
    fn buckets_are_spread_evenly_and_differ_by_tour() {
        let people: Vec<Id> = (0..20_000).map(|n| format!("participant-{n}").into()).collect();
        let buckets = |tour: &str| -> Vec<u16> {
            people
                .iter()
                .map(|id| bucket(&"site".into(), &tour.into(), id))
                .collect()
        };
        let (first, second) = (buckets("first"), buckets("second"));
        let low = |buckets: &[u16]| buckets.iter().filter(|bucket| **bucket < 1000).count();
        // 20,000 people, a tenth each: 2,000 ± 42; five times that is beyond chance.
        assert!(low(&first).abs_diff(2000) < 212 && low(&second).abs_diff(2000) < 212);
        let both = first.iter().zip(&second).filter(|(a, b)| **a < 1000 && **b < 1000);
        assert!(
            both.count().abs_diff(200) < 70,
            "who is held out of one tour is not held out of all"
        );
    }
}
