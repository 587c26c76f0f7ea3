//! Durations of steps, and the buckets of their histograms.
//!
//! A duration is the difference of two active times: those at which the step was first shown and first completed. Both
//! are minimums, so that events can arrive in any order.

use waypost_api::EventKind;

use super::varint::{push, read};

/// The limit per revision: the bits in the step columns of a run.
const MAX_STEPS: usize = 64;

/// Active times in milliseconds at which each step was first shown and completed; [`i32::MAX`] means never.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Times {
    shown: [i32; MAX_STEPS],
    finished: [i32; MAX_STEPS],
}

impl Times {
    pub(crate) const NONE: Self = Self {
        shown: [i32::MAX; MAX_STEPS],
        finished: [i32::MAX; MAX_STEPS],
    };

    pub(crate) fn of(kind: EventKind, step: Option<u32>, active_ms: i32) -> Self {
        let mut times = Self::NONE;
        let step = step.and_then(|step| usize::try_from(step).ok());
        if let Some(step) = step.filter(|step| *step < MAX_STEPS) {
            match kind {
                EventKind::RunStarted | EventKind::StepSeen => times.shown[step] = active_ms,
                EventKind::StepDone => times.finished[step] = active_ms,
                _ => {}
            }
        }
        times
    }

    pub(crate) fn join(self, other: Self) -> Self {
        let minimum = |a: [i32; MAX_STEPS], b: [i32; MAX_STEPS]| std::array::from_fn(|step| a[step].min(b[step]));
        Self {
            shown: minimum(self.shown, other.shown),
            finished: minimum(self.finished, other.finished),
        }
    }

    /// Returns the active times in milliseconds at which a step was first shown and completed.
    pub(crate) fn of_step(&self, step: usize) -> [Option<i32>; 2] {
        [&self.shown, &self.finished].map(|times| times.get(step).copied().filter(|time| *time != i32::MAX))
    }

    /// Returns milliseconds, or `None` if the step was not both shown and completed.
    fn duration(&self, step: usize) -> Option<i32> {
        let (from, to) = (self.shown[step], self.finished[step]);
        (from != i32::MAX && to != i32::MAX && from <= to).then(|| to - from)
    }

    /// Returns the buckets of the steps' durations, up to the last step that has one.
    pub(crate) fn buckets(&self) -> Vec<Option<i32>> {
        let buckets = (0..MAX_STEPS).map(|step| self.duration(step).map(bucket));
        let mut buckets: Vec<Option<i32>> = buckets.collect();
        buckets.truncate(buckets.iter().rposition(Option::is_some).map_or(0, |last| last + 1));
        buckets
    }

    /// Encodes the times of each step, up to the last known one, as the difference to the time before. 0 means never, so
    /// positive differences are increased by one.
    pub(crate) fn pack(&self) -> Vec<u8> {
        let (mut packed, mut known) = (Vec::new(), 0);
        let mut last = 0;
        for time in self
            .shown
            .iter()
            .zip(&self.finished)
            .flat_map(|(shown, finished)| [*shown, *finished])
        {
            if time == i32::MAX {
                push(&mut packed, 0);
                continue;
            }
            let difference = i64::from(time) - last;
            push(&mut packed, difference + i64::from(difference >= 0));
            last = time.into();
            known = packed.len();
        }
        packed.truncate(known);
        packed
    }

    /// Returns `None` if the bytes are damaged.
    pub(crate) fn unpack(packed: &[u8]) -> Option<Self> {
        let (mut times, mut rest) = (Self::NONE, packed);
        let mut last = 0_i64;
        for index in 0.. {
            if rest.is_empty() {
                break;
            }
            let list = if index % 2 == 0 {
                &mut times.shown
            } else {
                &mut times.finished
            };
            let time = list.get_mut(index / 2)?;
            let stored = read(&mut rest)?;
            if stored != 0 {
                last = last.checked_add(stored - i64::from(stored > 0))?;
                *time = last.try_into().ok()?;
            }
        }
        Some(times)
    }
}

impl Default for Times {
    fn default() -> Self {
        Self::NONE
    }
}

impl std::fmt::Debug for Times {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let known = |times: &[i32; MAX_STEPS]| -> Vec<Option<i32>> {
            let last = times.iter().rposition(|ms| *ms != i32::MAX).map_or(0, |last| last + 1);
            times[..last]
                .iter()
                .map(|ms| (*ms != i32::MAX).then_some(*ms))
                .collect()
        };
        f.debug_struct("Times")
            .field("shown", &known(&self.shown))
            .field("finished", &known(&self.finished))
            .finish()
    }
}

/// A bucket is at most one eighth of its values wide, so that its midpoint is off by at most one sixteenth.
const BUCKETS_PER_OCTAVE: i32 = 8;

/// Uses one bucket per millisecond below 16 ms, then eight for each power of two.
pub(crate) fn bucket(ms: i32) -> i32 {
    let ms = ms.max(0);
    if ms < 2 * BUCKETS_PER_OCTAVE {
        return ms;
    }
    let shift = ms.ilog2() - BUCKETS_PER_OCTAVE.ilog2();
    let shift = i32::try_from(shift).expect("an i32 has 31 bits");
    BUCKETS_PER_OCTAVE * shift + (ms >> shift)
}

/// Returns the midpoint of a bucket, in milliseconds.
pub(crate) fn bucket_midpoint(bucket: i32) -> i32 {
    if bucket < 2 * BUCKETS_PER_OCTAVE {
        return bucket;
    }
    let shift = bucket / BUCKETS_PER_OCTAVE - 1;
    let start = (bucket - BUCKETS_PER_OCTAVE * shift) << shift;
    start + (1 << shift) / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_midpoint_of_a_bucket_is_close_to_its_values() {
        let mut last = -1;
        for ms in (0..4000).chain((4000..86_400_000).step_by(997)) {
            let bucket = bucket(ms);
            assert!(bucket >= last, "{ms}");
            last = bucket;
            let error = f64::from((bucket_midpoint(bucket) - ms).abs()) / f64::from(ms.max(1));
            assert!(error <= 1.0 / 16.0, "{ms} becomes {}", bucket_midpoint(bucket));
        }
        assert_eq!([0, 15, 16, 17, 18, 31, 32].map(bucket), [0, 15, 16, 16, 17, 23, 24]);
    }

    #[test]
    fn a_step_lasts_from_first_shown_to_first_completed() {
        let seen = |step, ms| Times::of(EventKind::StepSeen, Some(step), ms);
        let done = |step, ms| Times::of(EventKind::StepDone, Some(step), ms);
        let run = [
            seen(0, 0),
            done(0, 300),
            seen(1, 300),
            seen(0, 900),
            done(0, 950),
            done(3, 4),
        ];
        let times = run.into_iter().reduce(Times::join).expect("at least one event");
        assert_eq!(
            times.buckets(),
            [Some(bucket(300))],
            "the second step was not completed, the fourth was not shown"
        );
        assert_eq!(Times::unpack(&times.pack()), Some(times));
        assert_eq!(Times::unpack(&[0x80]), None, "damaged");
        assert_eq!(Times::unpack(&[2; 129]), None, "too many steps");
        assert_eq!(Times::of(EventKind::RunCompleted, None, 7), Times::NONE);
    }
}
