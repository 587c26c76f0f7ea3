//! The members who have a tour open.
//!
//! Pages report their open tours every few seconds. Reports are kept in memory and sent to the other processes, so
//! that they need no statement that writes, and a member disappears soon after a page was closed or lost its
//! connection.

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{sync::broadcast::error::RecvError, time::Instant};
use traitql::{Id, Internal};

use crate::{
    change::{Changed, Changes},
    store::Store,
};

/// Two reports of a page may be lost.
const LIFETIME: Duration = Duration::from_secs(12);
const SWEEP_INTERVAL: Duration = Duration::from_secs(1);

struct Reader {
    account: Id,
    expires_at: Instant,
}

/// The readers by tour, in the order in which they opened it.
type Readers = HashMap<Id, Vec<Reader>>;

#[derive(Clone, Default)]
pub struct OpenTours(Arc<Mutex<Readers>>);

impl OpenTours {
    /// Starts to receive the reports of other processes, and to remove members who no longer report.
    pub fn start(store: &Store) -> Self {
        let open = Self::default();
        let readers = Arc::downgrade(&open.0);
        let changes = store.changes().clone();
        let mut receiver = changes.receiver();
        tokio::spawn(async move {
            let mut sweep = tokio::time::interval(SWEEP_INTERVAL);
            loop {
                let report = tokio::select! {
                    received = receiver.recv() => match received {
                        Ok(Changed::Opened { tour, account }) => Some((tour, account)),
                        // Reports are repeated.
                        Ok(_) | Err(RecvError::Lagged(_)) => continue,
                        Err(RecvError::Closed) => return,
                    },
                    _ = sweep.tick() => None,
                };
                let Some(readers) = readers.upgrade() else { return };
                let open = Self(readers);
                match report {
                    Some((tour, account)) => open.insert(&changes, tour, account),
                    None => open.sweep(&changes),
                }
            }
        });
        open
    }

    /// Stores that the account has the tour open, in all processes.
    pub async fn report(&self, store: &Store, tour: Id, account: Id) -> Result<(), Internal> {
        self.insert(store.changes(), tour.clone(), account.clone());
        store.notify(&[Changed::Opened { tour, account }]).await
    }

    /// Returns the accounts that have the tour open, those who opened it first before others.
    pub fn accounts(&self, tour: &Id) -> Vec<Id> {
        let readers = self.lock();
        let readers = readers.get(tour).map_or(&[][..], Vec::as_slice);
        readers.iter().map(|reader| reader.account.clone()).collect()
    }

    fn insert(&self, changes: &Changes, tour: Id, account: Id) {
        let expires_at = Instant::now() + LIFETIME;
        {
            let mut readers = self.lock();
            let of_tour = readers.entry(tour.clone()).or_default();
            if let Some(known) = of_tour.iter_mut().find(|reader| reader.account == account) {
                known.expires_at = expires_at;
                return;
            }
            of_tour.push(Reader { account, expires_at });
        }
        changes.announce(vec![Changed::Tour(tour)]);
    }

    fn sweep(&self, changes: &Changes) {
        let now = Instant::now();
        let mut left = HashSet::new();
        self.lock().retain(|tour, readers| {
            let count = readers.len();
            readers.retain(|reader| reader.expires_at > now);
            if readers.len() < count {
                left.insert(tour.clone());
            }
            !readers.is_empty()
        });
        changes.announce(left.into_iter().map(Changed::Tour).collect());
    }

    fn lock(&self) -> MutexGuard<'_, Readers> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use futures_util::{FutureExt, StreamExt};
    use tokio::time::advance;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_member_disappears_when_reports_stop() {
        let (open, changes) = (OpenTours::default(), Changes::default());
        let mut seen = Box::pin(changes.subscribe([Changed::Tour("t".into())], Duration::ZERO));
        seen.next().await.unwrap();
        open.insert(&changes, "t".into(), "ada".into());
        assert!(seen.next().now_or_never().is_some(), "the arrival is announced");
        advance(LIFETIME / 2).await;
        open.insert(&changes, "t".into(), "ada".into());
        open.insert(&changes, "other".into(), "bob".into());
        advance(LIFETIME * 3 / 4).await;
        open.sweep(&changes);
        assert_eq!(open.accounts(&"t".into()), ["ada"], "the report was repeated");
        assert!(seen.next().now_or_never().is_none(), "nothing has changed");
        advance(LIFETIME / 2).await;
        open.sweep(&changes);
        assert!(open.accounts(&"t".into()).is_empty());
        assert!(seen.next().now_or_never().is_some(), "the departure is announced");
        assert!(open.lock().is_empty(), "the memory is freed");
    }
}
