//! Allocation of visitors to the rollout or the holdout. `schema/rollout.md` is its published specification.

use sha2::{Digest, Sha256};
use traitql::Id;

/// A bucket is a hundredth of a percent.
const BUCKET_COUNT: u64 = 10_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Allocation {
    Holdout,
    Rollout,
    /// Neither, unless the rollout is raised.
    Unallocated,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrafficSplit {
    /// A percentage from 0 to 100; visitors with the lowest buckets can see the tour.
    pub rollout_percent: i32,
    /// A percentage from 0 to 50; visitors with the highest buckets never see the tour.
    pub holdout_percent: i32,
}

/// Returns 0 to 9999. Depends only on the three ids, so it is not stored.
pub fn bucket(site_id: &Id, tour_id: &Id, visitor_id: &Id) -> u16 {
    let mut hash = Sha256::new();
    for part in [site_id.as_str(), "/", tour_id.as_str(), "/", visitor_id.as_str()] {
        hash.update(part);
    }
    let digest = hash.finalize();
    let head: [u8; 8] = digest[..8].try_into().expect("a SHA-256 has 32 bytes");
    u16::try_from(u64::from_be_bytes(head) % BUCKET_COUNT).expect("a bucket is less than 10,000")
}

/// Returns the smallest rollout, in percent, that contains a bucket.
pub fn smallest_rollout(bucket: u16) -> u16 {
    bucket / 100 + 1
}

impl TrafficSplit {
    /// Returns the group of a bucket.
    ///
    /// The holdout takes precedence. Raising the rollout never removes a visitor, and neither does adding a holdout if
    /// both are at most 100 percent.
    pub fn allocate(self, bucket: u16) -> Allocation {
        let bucket = i32::from(bucket);
        if bucket >= (100 - self.holdout_percent) * 100 {
            Allocation::Holdout
        } else if bucket < self.rollout_percent * 100 {
            Allocation::Rollout
        } else {
            Allocation::Unallocated
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPECIFICATION: &str = include_str!("../../../../../schema/rollout.md");

    fn split(rollout_percent: i32, holdout_percent: i32) -> TrafficSplit {
        TrafficSplit {
            rollout_percent,
            holdout_percent,
        }
    }

    #[test]
    fn buckets_match_the_published_test_vectors() {
        let rows = SPECIFICATION.lines().filter(|line| line.starts_with("| `"));
        let vectors: Vec<Vec<&str>> = rows
            .map(|row| row.split('|').map(|cell| cell.trim().trim_matches('`')).collect())
            .collect();
        assert!(vectors.len() >= 6, "schema/rollout.md lists test vectors");
        for vector in vectors {
            let [_, site, tour, visitor, expected, _] = vector[..] else {
                panic!("a row of the test vectors must have four cells: {vector:?}");
            };
            let found = bucket(&site.into(), &tour.into(), &visitor.into());
            assert_eq!(
                found.to_string(),
                expected,
                "{site}/{tour}/{visitor}: buckets must never change, because visitors would leave rollouts that \
                 they are in, and existing holdouts would become meaningless. Restore the published algorithm."
            );
        }
    }

    #[test]
    fn raising_the_rollout_keeps_its_visitors() {
        for holdout in [0, 1, 10, 50] {
            for bucket in 0..10_000 {
                let mut before = Allocation::Unallocated;
                for rollout in 0..=100 {
                    let now = split(rollout, holdout).allocate(bucket);
                    assert!(before != Allocation::Rollout || now == Allocation::Rollout);
                    before = now;
                }
            }
        }
    }

    #[test]
    fn the_holdout_takes_precedence_and_does_not_shrink_the_rollout() {
        let count = |split: TrafficSplit, what| (0..10_000).filter(|bucket| split.allocate(*bucket) == what).count();
        let full = split(100, 10);
        assert_eq!(
            (count(full, Allocation::Holdout), count(full, Allocation::Rollout)),
            (1000, 9000)
        );
        let half = split(50, 10);
        assert_eq!(
            (count(half, Allocation::Holdout), count(half, Allocation::Rollout)),
            (1000, 5000)
        );
        assert_eq!(count(half, Allocation::Unallocated), 4000);
        for bucket in 0..10_000 {
            if split(50, 0).allocate(bucket) == Allocation::Rollout {
                assert_eq!(half.allocate(bucket), Allocation::Rollout);
            }
        }
        assert_eq!(count(split(0, 0), Allocation::Unallocated), 10_000);
    }

    #[test]
    fn buckets_are_spread_evenly_and_differ_by_tour() {
        let visitors: Vec<Id> = (0..20_000).map(|n| format!("visitor-{n}").into()).collect();
        let buckets = |tour: &str| -> Vec<u16> {
            visitors
                .iter()
                .map(|id| bucket(&"site".into(), &tour.into(), id))
                .collect()
        };
        let (first, second) = (buckets("first"), buckets("second"));
        let low = |buckets: &[u16]| buckets.iter().filter(|bucket| **bucket < 1000).count();
        // The standard deviation for a tenth of 20,000 visitors is 42. We allow five times as much.
        assert!(low(&first).abs_diff(2000) < 212 && low(&second).abs_diff(2000) < 212);
        let both = first.iter().zip(&second).filter(|(a, b)| **a < 1000 && **b < 1000);
        assert!(
            both.count().abs_diff(200) < 70,
            "the buckets of two tours are independent"
        );
    }
}
