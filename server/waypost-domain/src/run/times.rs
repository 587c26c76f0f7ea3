//! How long steps take.
//!
//! Of each step a run keeps the active time at which it was first seen and at which it was first finished. Both are joins
//! (a least), so that events may come twice, late and in any order; the difference is the time of the step.

use serde::{Deserialize, Serialize};
use waypost_api::EventKind;

/// The steps that the bits of a run count.
const STEPS: usize = 64;

/// By step of the revision, from the first: active milliseconds of the run, [`i32::MAX`] where nothing is known.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Times {
    shown: [i32; STEPS],
    finished: [i32; STEPS],
}

impl Times {
    /// Nothing is known.
    pub(crate) const NONE: Self = Self {
        shown: [i32::MAX; STEPS],
        finished: [i32::MAX; STEPS],
    };

    /// What an event says about the step at `place`.
    pub(crate) fn of(kind: EventKind, place: Option<u32>, active_ms: i32) -> Self {
        let mut times = Self::NONE;
        let place = place.and_then(|place| usize::try_from(place).ok());
        if let Some(place) = place.filter(|place| *place < STEPS) {
            match kind {
                EventKind::RunStarted | EventKind::StepSeen => times.shown[place] = active_ms,
                EventKind::StepDone => times.finished[place] = active_ms,
                _ => {}
            }
        }
        times
    }

    pub(crate) fn join(self, other: Self) -> Self {
        let least = |a: [i32; STEPS], b: [i32; STEPS]| std::array::from_fn(|step| a[step].min(b[step]));
        Self {
            shown: least(self.shown, other.shown),
            finished: least(self.finished, other.finished),
        }
    }

    /// How long the step at `place` took, in milliseconds, where both its ends are known.
    fn took(&self, place: usize) -> Option<i32> {
        let (from, to) = (self.shown[place], self.finished[place]);
        (from != i32::MAX && to != i32::MAX && from <= to).then(|| to - from)
    }

    /// The histogram's buckets of the steps, from the first to the last that has one.
    pub(crate) fn buckets(&self) -> Vec<Option<i32>> {
        let buckets = (0..STEPS).map(|place| self.took(place).map(bucket));
        let mut buckets: Vec<Option<i32>> = buckets.collect();
        buckets.truncate(buckets.iter().rposition(Option::is_some).map_or(0, |last| last + 1));
        buckets
    }

    /// As it is stored: what is known, by step.
    pub(crate) fn stored(&self) -> Stored {
        let known = |list: &[i32; STEPS]| {
            let known = list.iter().enumerate().filter(|(_, ms)| **ms != i32::MAX);
            known.map(|(step, ms)| (step, *ms)).collect()
        };
        Stored {
            shown: known(&self.shown),
            finished: known(&self.finished),
        }
    }
}

impl Default for Times {
    fn default() -> Self {
        Self::NONE
    }
}

impl std::fmt::Debug for Times {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.stored().fmt(f)
    }
}

/// What is known of the times, as pairs of a step and its active milliseconds.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Stored {
    shown: Vec<(usize, i32)>,
    finished: Vec<(usize, i32)>,
}

impl From<Stored> for Times {
    fn from(stored: Stored) -> Self {
        let mut times = Self::NONE;
        for (list, known) in [(&mut times.shown, stored.shown), (&mut times.finished, stored.finished)] {
            for (step, ms) in known {
                if let Some(place) = list.get_mut(step) {
                    *place = ms;
                }
            }
        }
        times
    }
}

/// How many buckets there are between a power of two and the next: a bucket is at most an eighth as wide as its times are
/// long, so that its middle is wrong by a sixteenth at most.
const PARTS: i32 = 8;

/// The bucket of a time: exact below 16 ms, then eight to each power of two.
pub(crate) fn bucket(ms: i32) -> i32 {
    let ms = ms.max(0);
    if ms < 2 * PARTS {
        return ms;
    }
    let shift = ms.ilog2() - PARTS.ilog2();
    let shift = i32::try_from(shift).expect("an i32 has 31 bits");
    PARTS * shift + (ms >> shift)
}

/// The middle of a bucket, in milliseconds.
pub(crate) fn middle(bucket: i32) -> i32 {
    if bucket < 2 * PARTS {
        return bucket;
    }
    let shift = bucket / PARTS - 1;
    let least = (bucket - PARTS * shift) << shift;
    least + (1 << shift) / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_is_near_its_times() {
        let mut last = -1;
        for ms in (0..4000).chain((4000..86_400_000).step_by(997)) {
            let bucket = bucket(ms);
            assert!(bucket >= last, "{ms}");
            last = bucket;
            let wrong = f64::from((middle(bucket) - ms).abs()) / f64::from(ms.max(1));
            assert!(wrong <= 1.0 / 16.0, "{ms} becomes {}", middle(bucket));
        }
        assert_eq!([0, 15, 16, 17, 18, 31, 32].map(bucket), [0, 15, 16, 16, 17, 23, 24]);
    }

    #[test]
    fn a_step_takes_from_its_first_sight_to_its_first_end() {
        let seen = |place, ms| Times::of(EventKind::StepSeen, Some(place), ms);
        let done = |place, ms| Times::of(EventKind::StepDone, Some(place), ms);
        let run = [
            seen(0, 0),
            done(0, 300),
            seen(1, 300),
            seen(0, 900),
            done(0, 950),
            done(3, 4),
        ];
        let times = run.into_iter().reduce(Times::join).expect("some");
        assert_eq!(
            times.buckets(),
            [Some(bucket(300))],
            "the second step is not finished, the fourth was not seen"
        );
        assert_eq!(Times::from(times.stored()), times);
        assert_eq!(Times::of(EventKind::RunCompleted, None, 7), Times::NONE);
    }
}
