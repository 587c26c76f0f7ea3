use std::{
    array,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    time::Duration,
};

/// Counts how long statements and transactions wait for a connection of a pool.
#[derive(Debug, Default)]
pub struct Waits {
    waiting: AtomicU64,
    /// Not cumulative; the last one has no upper bound.
    buckets: [AtomicU64; Self::BUCKETS.len() + 1],
    total_micros: AtomicU64,
}

/// Counted as waiting until it is dropped, because callers stop waiting at their own deadline.
pub(crate) struct Waiting<'w> {
    waits: &'w Waits,
}

impl Waits {
    /// Upper bounds in microseconds.
    pub const BUCKETS: [u64; 7] = [1_000, 10_000, 50_000, 100_000, 500_000, 1_000_000, 3_000_000];

    pub(crate) fn begin(&self) -> Waiting<'_> {
        self.waiting.fetch_add(1, Relaxed);
        Waiting { waits: self }
    }

    /// The number of callers that wait now.
    pub fn waiting(&self) -> u64 {
        self.waiting.load(Relaxed)
    }

    /// The number of waits per bucket, and in the last item those above all bounds.
    pub fn counts(&self) -> [u64; Self::BUCKETS.len() + 1] {
        array::from_fn(|bucket| self.buckets[bucket].load(Relaxed))
    }

    pub fn total(&self) -> Duration {
        Duration::from_micros(self.total_micros.load(Relaxed))
    }
}

impl Waiting<'_> {
    pub(crate) fn end(self, waited: Duration) {
        let micros = u64::try_from(waited.as_micros()).unwrap_or(u64::MAX);
        let bucket = Waits::BUCKETS.partition_point(|bound| *bound < micros);
        self.waits.buckets[bucket].fetch_add(1, Relaxed);
        self.waits.total_micros.fetch_add(micros, Relaxed);
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.waits.waiting.fetch_sub(1, Relaxed);
    }
}
