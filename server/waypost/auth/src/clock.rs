//! Claims are compared with the wall clock, the age of keys is monotonic.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use tokio::sync::watch;

#[derive(Debug, Clone)]
pub struct Clock(Reading);

#[derive(Debug, Clone)]
enum Reading {
    System { started: Instant },
    Manual { seconds: watch::Sender<u64> },
}

impl Clock {
    pub fn system() -> Self {
        Self(Reading::System {
            started: Instant::now(),
        })
    }

    /// Changes only with [`Clock::advance`].
    pub fn manual() -> Self {
        Self(Reading::Manual {
            seconds: watch::Sender::new(wall_clock()),
        })
    }

    pub fn advance(&self, by: Duration) {
        if let Reading::Manual { seconds } = &self.0 {
            seconds.send_modify(|seconds| *seconds += by.as_secs());
        }
    }

    /// Returns the seconds since 1970-01-01T00:00:00Z (the `NumericDate` of RFC 7519, section 2).
    pub fn unix(&self) -> u64 {
        match &self.0 {
            Reading::System { .. } => wall_clock(),
            Reading::Manual { seconds } => *seconds.borrow(),
        }
    }

    /// Returns the time since an arbitrary start; never decreases.
    pub(crate) fn monotonic(&self) -> Duration {
        match &self.0 {
            Reading::System { started } => started.elapsed(),
            Reading::Manual { seconds } => Duration::from_secs(*seconds.borrow()),
        }
    }

    pub(crate) async fn sleep(&self, duration: Duration) {
        match &self.0 {
            Reading::System { .. } => tokio::time::sleep(duration).await,
            Reading::Manual { seconds } => {
                let until = Duration::from_secs(*seconds.borrow()) + duration;
                let mut changes = seconds.subscribe();
                // This clock has the sender.
                let _ = changes.wait_for(|now| Duration::from_secs(*now) >= until).await;
            }
        }
    }
}

fn wall_clock() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default()
        .as_secs()
}
