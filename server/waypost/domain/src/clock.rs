use std::{fmt, sync::Arc};

use traitql::DateTime;

pub(crate) const DAY_MS: i64 = 24 * 60 * 60 * 1000;

#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> DateTime + Send + Sync>);

impl Clock {
    pub fn system() -> Self {
        Self(Arc::new(DateTime::now))
    }

    pub fn of(now: impl Fn() -> DateTime + Send + Sync + 'static) -> Self {
        Self(Arc::new(now))
    }

    pub fn now(&self) -> DateTime {
        (self.0)()
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Clock({})", self.now())
    }
}
