//! The time, passed in so that tests can set it.

use std::{fmt, sync::Arc};

use traitql::DateTime;

/// Tells the time.
#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> DateTime + Send + Sync>);

impl Clock {
    /// The computer's clock.
    pub fn system() -> Self {
        Self(Arc::new(DateTime::now))
    }

    /// A clock that somebody else moves.
    pub fn of(now: impl Fn() -> DateTime + Send + Sync + 'static) -> Self {
        Self(Arc::new(now))
    }

    /// The instant that the clock shows.
    pub fn now(&self) -> DateTime {
        (self.0)()
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Clock({})", self.now())
    }
}
