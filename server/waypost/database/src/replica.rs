//! A standby of the PostgreSQL server that serves reads which may be late.
//!
//! It is used only while it has all changes that the primary had less than [`MAX_AGE`] ago. Positions in the write-ahead
//! log show that, also if the clocks of the servers differ, or if nothing is written. Otherwise, and when it fails, the
//! primary serves these reads.

use std::{
    collections::VecDeque,
    convert::Infallible,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use tokio::{
    select,
    time::{Instant, sleep, timeout},
};

use crate::{Error, Pool, scalar};

const MAX_AGE: Duration = Duration::from_millis(750);
const CHECK_INTERVAL: Duration = Duration::from_millis(250);

/// A server that is promoted has no position of a standby. It is compared like one, because it may be a former primary
/// that the others have left behind.
const POSITION: &str = "select pg_wal_lsn_diff(case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else \
    pg_current_wal_lsn() end, '0/0')::bigint";

/// A pool for reads that may be late.
#[derive(Clone)]
pub struct Replica {
    pool: Pool,
    is_current: Arc<AtomicBool>,
}

impl Replica {
    /// Follows the replica until the pool of the primary is closed.
    pub(crate) fn start(pool: Pool, primary: Pool) -> Self {
        let replica = Self {
            pool,
            is_current: Arc::default(),
        };
        let closed = primary.close_event();
        tokio::spawn({
            let replica = replica.clone();
            async move {
                select! {
                    _ = replica.follow(&primary) => {}
                    () = closed => replica.pool.close().await,
                }
            }
        });
        replica
    }

    /// Returns the pool if the replica is not behind.
    pub fn current(&self) -> Option<&Pool> {
        self.is_current.load(Ordering::Relaxed).then_some(&self.pool)
    }

    /// Uses the primary until the next check.
    pub fn fail(&self) {
        self.is_current.store(false, Ordering::Relaxed);
    }

    async fn follow(&self, primary: &Pool) -> Infallible {
        let mut positions = VecDeque::new();
        let mut was_current = true;
        loop {
            let is_current = self.is_up_to_date(primary, &mut positions).await.unwrap_or(false);
            self.is_current.store(is_current, Ordering::Relaxed);
            if was_current != is_current {
                was_current = is_current;
                if is_current {
                    tracing::info!("the replica of the database is used");
                } else {
                    tracing::warn!(
                        "the replica of the database is behind or does not respond; reading from the primary"
                    );
                }
            }
            sleep(CHECK_INTERVAL).await;
        }
    }

    /// `positions` are those of the primary, with the times at which they were read.
    async fn is_up_to_date(&self, primary: &Pool, positions: &mut VecDeque<(Instant, i64)>) -> Result<bool, Error> {
        let now = Instant::now();
        let position = timeout(MAX_AGE, scalar::<i64>(POSITION).fetch_one(primary));
        if let Ok(position) = position.await {
            positions.push_back((now, position?));
        }
        while positions.front().is_some_and(|(time, _)| time.elapsed() > MAX_AGE) {
            positions.pop_front();
        }
        let Ok(replayed) = timeout(MAX_AGE, scalar::<i64>(POSITION).fetch_one(&self.pool)).await else {
            return Ok(false);
        };
        let replayed = replayed?;
        Ok(positions
            .iter()
            .any(|(time, position)| *position <= replayed && time.elapsed() <= MAX_AGE))
    }
}
