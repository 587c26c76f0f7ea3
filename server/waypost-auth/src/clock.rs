//! Time as the verifier sees it: what the calendar says, and how long ago something happened.
//!
//! Two readings, because they answer different questions: claims are compared with the wall clock, the age of fetched keys
//! must not jump when somebody sets it. Tests move a manual clock instead of sleeping.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

/// A source of time.
#[derive(Debug, Clone)]
pub struct Clock(Reading);

#[derive(Debug, Clone)]
enum Reading {
    System { started: Instant },
    Manual { seconds: Arc<AtomicU64> },
}

impl Clock {
    /// The machine's clock.
    pub fn system() -> Self {
        Self(Reading::System {
            started: Instant::now(),
        })
    }

    /// A clock that stands still at the machine's present time until [`Clock::advance`] moves it.
    pub fn manual() -> Self {
        Self(Reading::Manual {
            seconds: Arc::new(AtomicU64::new(wall_clock())),
        })
    }

    /// Moves a manual clock, and all its clones, forward. The system's clock cannot be moved.
    pub fn advance(&self, by: Duration) {
        if let Reading::Manual { seconds } = &self.0 {
            seconds.fetch_add(by.as_secs(), Ordering::SeqCst);
        }
    }

    /// Seconds since 1970-01-01T00:00:00Z (the `NumericDate` of RFC 7519, section 2).
    pub fn unix(&self) -> u64 {
        match &self.0 {
            Reading::System { .. } => wall_clock(),
            Reading::Manual { seconds } => seconds.load(Ordering::SeqCst),
        }
    }

    /// Time since an arbitrary beginning; never goes back.
    pub(crate) fn monotonic(&self) -> Duration {
        match &self.0 {
            Reading::System { started } => started.elapsed(),
            Reading::Manual { seconds } => Duration::from_secs(seconds.load(Ordering::SeqCst)),
        }
    }
}

fn wall_clock() -> u64 {
    // A clock before 1970 reads as 0: every token is then "not yet valid", which is the safe side.
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default()
        .as_secs()
}
