//! A clock that is passed in so that tests can control the time.

use std::{fmt, sync::Arc};

use traitql::DateTime;

/// A source of the current time.
#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> DateTime + Send + Sync>);

impl Clock {
    /// Returns the system clock.
    pub fn system() -> Self {
        Self(Arc::new(DateTime::now))
    }

    /// Returns a clock that calls `now`, for tests.
    pub fn of(now: impl Fn() -> DateTime + Send + Sync + 'static) -> Self {
        Self(Arc::new(now))
    }

    /// Returns the current time.
    pub fn now(&self) -> DateTime {
        (self.0)()
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Clock({})", self.now())
    }
}
